package engine

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
	"github.com/pawl-dev/pawl/lua"
)

// luaTask makes hooks of one function that a policy registered. Of a workspace
// that is not trusted, only what fails a task counts.
func (b *builder) luaTask(h lua.TaskHook) around[task.Hooks] {
	gate, tighten := b.silence(h.Source)
	made := task.Hooks{Name: h.ID, Source: h.Source, Pos: h.Pos}
	call := func(ctx context.Context, session string, c task.Context, text string) lua.Answer {
		a, err := h.Call(ctx, session, luaSubject(c), text)
		b.cfg.said(h.ID, a.Log, err)
		return a
	}
	return around[task.Hooks]{source: h.Source, id: h.ID, pos: h.Pos, gate: gate, hooks: func(session string) task.Hooks {
		t := made
		switch {
		case gate != "":
			t.OnFailure = func(context.Context, task.Context, error) task.Decision { return task.NoOpinion{Why: gate} }
		case h.When == lua.Before:
			t.BeforeExecute = func(ctx context.Context, c task.Context) { call(ctx, session, c, "") }
		case h.When == lua.After:
			t.AfterExecute = func(ctx context.Context, c task.Context, result string) { call(ctx, session, c, result) }
		default:
			t.OnFailure = func(ctx context.Context, c task.Context, failure error) task.Decision {
				return taskDecision(call(ctx, session, c, failure.Error()), tighten)
			}
		}
		return t
	}}
}

// luaSubagent is luaTask for a function of subagents.
func (b *builder) luaSubagent(h lua.SubagentHook) around[subagent.Hooks] {
	gate, tighten := b.silence(h.Source)
	made := subagent.Hooks{Name: h.ID, Source: h.Source, Pos: h.Pos}
	call := func(ctx context.Context, session string, c subagent.Context, text string) lua.Answer {
		about := lua.Subagent{ParentAgent: c.ParentAgent, SubagentName: c.SubagentName, Mode: string(c.Mode), Task: c.Task, Attempt: c.Attempt}
		a, err := h.Call(ctx, session, about, text)
		b.cfg.said(h.ID, a.Log, err)
		return a
	}
	return around[subagent.Hooks]{source: h.Source, id: h.ID, pos: h.Pos, gate: gate, hooks: func(session string) subagent.Hooks {
		s := made
		switch {
		case gate != "":
			s.OnFailure = func(context.Context, subagent.Context, error) subagent.Decision { return subagent.NoOpinion{Why: gate} }
		case h.When == lua.Before:
			s.BeforeDispatch = func(ctx context.Context, c subagent.Context) { call(ctx, session, c, "") }
		case h.When == lua.After:
			s.AfterDispatch = func(ctx context.Context, c subagent.Context, r subagent.Result) { call(ctx, session, c, r.Text) }
		default:
			s.OnFailure = func(ctx context.Context, c subagent.Context, failure error) subagent.Decision {
				return subagentDecision(call(ctx, session, c, failure.Error()), tighten)
			}
		}
		return s
	}}
}

func luaSubject(c task.Context) lua.Task {
	t := c.Task
	return lua.Task{ID: t.ID, Subject: t.Subject, Description: t.Description, Status: string(t.Status), Executor: c.Executor,
		DependsOn: t.DependsOn, RetryCount: t.RetryCount, MaxRetries: t.MaxRetries, Attempt: c.Attempt, Timeout: t.Timeout}
}

// said takes what a call of a function gives: its log goes to the logger, and
// its failure is that of the hook.
func (c *config) said(id, log string, err error) {
	if log != "" {
		c.log.Info("hook output", "hook", id, "output", log)
	}
	if err != nil {
		panic(hook.AsNoVerdict(err))
	}
}

func taskDecision(a lua.Answer, tighten bool) task.Decision {
	r := a.Recovery
	switch {
	case r.Kind == lua.NoOpinion:
		return task.NoOpinion{Why: oddities(a)}
	case r.Kind == lua.Fail:
		return task.Fail{Reason: r.Reason}
	case tighten:
		return task.NoOpinion{Why: r.Kind.String() + " dropped: " + distrusted}
	case r.Kind == lua.Skip:
		return task.Skip{}
	}
	return task.Retry{Delay: r.Delay}
}

func subagentDecision(a lua.Answer, tighten bool) subagent.Decision {
	r := a.Recovery
	switch {
	case r.Kind == lua.NoOpinion:
		return subagent.NoOpinion{Why: oddities(a)}
	case r.Kind == lua.Fail:
		return subagent.Fail{Reason: r.Reason}
	case tighten:
		return subagent.NoOpinion{Why: r.Kind.String() + " dropped: " + distrusted}
	case r.Kind == lua.Delegate:
		return subagent.Delegate{Agent: r.Agent}
	}
	return subagent.Retry{Delay: r.Delay}
}

// oddities are the diagnostics of a call, for the trace.
func oddities(a lua.Answer) string {
	var list []string
	for _, d := range a.Diagnostics {
		list = append(list, d.Error())
	}
	return strings.Join(list, "; ")
}
