package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
	"github.com/pawl-dev/pawl/rules"
)

// section adds one entry of `tasks:` or `subagents:`. One of a workspace that
// is not trusted counts for nothing: to try again, to skip and to delegate is all
// more than to fail. A broken one becomes hooks that fail.
func section[H any](b *builder, r settings.Recovery, event hook.EventName, hooks func(r settings.Recovery, gate string) H, list *[]around[H]) {
	gate, tighten := b.silence(r.Source)
	if gate == "" && tighten {
		gate = distrusted
		b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: hook.Warning, Pos: r.Pos, Path: r.ID,
			Message: "counts for nothing: " + distrusted, Advice: "pawl trust"})
	}
	match := b.matchSection(&r, event)
	made := hooks(r, gate)
	*list = append(*list, around[H]{source: r.Source, id: r.ID, pos: r.Pos, gate: gate, broken: r.Broken, match: match, hooks: func(string) H { return made },
		text: fmt.Sprint(r.Match.Value, r.Timeout, r.Retry, r.Skip, r.Delegate.Value)})
}

func (b *builder) matchSection(r *settings.Recovery, event hook.EventName) *rules.Pattern {
	if r.Match.Value == "" {
		return nil
	}
	scope := b.scope(r.Source)
	scope.Event, scope.Pos, scope.Path = event, r.Match.Pos, r.ID+".match"
	scope.About = map[hook.EventName]string{taskSubject: "the subject of a task", hook.SubagentStart: "the name of a subagent"}[event]
	match, diags := rules.Matcher(r.Match, scope)
	b.snap.diags = append(b.snap.diags, diags...)
	for _, d := range diags {
		if d.Severity == hook.Error && r.Broken == nil {
			r.Broken = &d
		}
	}
	return match
}

func taskSection(r settings.Recovery, gate string) task.Hooks {
	h := task.Hooks{Name: r.ID, Source: r.Source, Pos: r.Pos, Timeout: r.Timeout, MaxRetries: r.Retry.Max}
	switch {
	case gate != "":
		h.Timeout, h.MaxRetries = 0, 0
		h.OnFailure = func(context.Context, task.Context, error) task.Decision { return task.NoOpinion{Why: gate} }
	case r.Broken != nil:
		h.OnFailure = func(context.Context, task.Context, error) task.Decision { panic(brokenSection(r)) }
	case r.Decides():
		h.OnFailure = func(_ context.Context, c task.Context, _ error) task.Decision {
			switch retries := c.Task.RetryCount; {
			case retries < r.Retry.Max:
				return task.Retry{Delay: delay(r.Retry, retries+1)}
			case r.Skip:
				return task.Skip{}
			}
			return task.Fail{}
		}
	}
	return h
}

// subagentSection counts all attempts of a dispatch, as hooks are told them,
// and does not delegate to the agent that has failed.
func subagentSection(r settings.Recovery, gate string) subagent.Hooks {
	h := subagent.Hooks{Name: r.ID, Source: r.Source, Pos: r.Pos, Timeout: r.Timeout, MaxRetries: r.Retry.Max}
	if r.Delegate.Value != "" {
		h.MaxRetries++ // a delegate counts as one
	}
	switch {
	case gate != "":
		h.Timeout, h.MaxRetries = 0, 0
		h.OnFailure = func(context.Context, subagent.Context, error) subagent.Decision { return subagent.NoOpinion{Why: gate} }
	case r.Broken != nil:
		h.OnFailure = func(context.Context, subagent.Context, error) subagent.Decision { panic(brokenSection(r)) }
	case r.Decides():
		h.OnFailure = func(_ context.Context, c subagent.Context, _ error) subagent.Decision {
			switch {
			case c.Attempt <= r.Retry.Max:
				return subagent.Retry{Delay: delay(r.Retry, c.Attempt)}
			case r.Delegate.Value != "" && r.Delegate.Value != c.SubagentName:
				return subagent.Delegate{Agent: r.Delegate.Value}
			}
			return subagent.Fail{}
		}
	}
	return h
}

func brokenSection(r settings.Recovery) *hook.NoVerdict {
	return &hook.NoVerdict{Cause: hook.CauseConfig, Err: *r.Broken}
}

// delay is what is waited before retry n, from 1.
func delay(r settings.Retry, n int) time.Duration {
	if r.Delay == 0 {
		return 0
	}
	return task.Backoff{First: r.Delay, Most: r.MaxDelay, Factor: r.Backoff, Steady: true}.Delay(n)
}
