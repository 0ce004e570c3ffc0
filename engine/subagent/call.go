package subagent

import (
	"context"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// The words of subagent_stop_status in events (echo-agent).
const (
	completed = "completed"
	failed    = "failed"
	timedOut  = "timed_out"
	cancelled = "cancelled"
)

// tell dispatches an event about the attempt. status and text, which is the
// result or the error, are for SubagentStop.
func (w *work) tell(ctx context.Context, name hook.EventName, status, text string) hook.Decision {
	if w.cfg.Dispatch == nil {
		return hook.Decision{}
	}
	dec := hook.Decide(ctx, w.cfg.Dispatch, w.event(name, status, text))
	w.out.Steps = append(w.out.Steps, dec.Steps...)
	w.out.Notices = append(w.out.Notices, dec.Notices...)
	if w.halted == nil {
		w.halted = dec.Halt()
	}
	return dec
}

// event has the names of Claude Code and, beside them, those of echo-agent.
func (w *work) event(name hook.EventName, status, text string) hook.Event {
	ev := hook.Event{Name: name, Session: w.cfg.Session, Dir: w.cfg.Dir, Agent: w.req.Agent, Subject: w.req.Agent}
	var more hook.ObjectBuilder
	more.Text("agent_id", w.call.ID)
	more.Text("agent_name", w.req.Parent)
	more.Text("subagent_name", w.req.Agent)
	more.Text("subagent_mode", string(w.req.Mode))
	more.Text("subagent_task", w.req.Task)
	more.Int("attempt", w.out.Attempts)
	if name == hook.SubagentStop {
		more.Text("subagent_stop_status", status)
		ev.StopActive = w.call.Feedback != ""
		if status == completed {
			more.Text("subagent_result", text)
			ev.Message = text
		} else {
			more.Text("subagent_error", text)
		}
	}
	ev.More = more.Object()
	return ev
}

func (w *work) before(ctx context.Context) {
	for i := range w.cfg.Hooks {
		if f := w.cfg.Hooks[i].BeforeDispatch; f != nil {
			c := w.call.Context
			_, cause, err := hook.Bounded(ctx, w.cfg.HookTimeout, func(ctx context.Context) (struct{}, error) {
				f(ctx, c)
				return struct{}{}, ctx.Err()
			})
			w.observed(i, "BeforeDispatch", cause, err)
		}
	}
}

// after is told although the dispatch may have been cancelled meanwhile: the
// subagent has stopped by itself.
func (w *work) after(ctx context.Context) {
	for i := range w.cfg.Hooks {
		if f := w.cfg.Hooks[i].AfterDispatch; f != nil {
			c, r := w.call.Context, w.out
			_, cause, err := hook.Bounded(context.WithoutCancel(ctx), w.cfg.HookTimeout, func(ctx context.Context) (struct{}, error) {
				f(ctx, c, r)
				return struct{}{}, ctx.Err()
			})
			w.observed(i, "AfterDispatch", cause, err)
		}
	}
}

// observed leaves a step if a hook that decides nothing has failed.
func (w *work) observed(i int, phase string, cause hook.Cause, err error) {
	if err != nil {
		w.step(i, phase, hook.Step{Status: hook.Failed, Cause: cause, Detail: err.Error()})
	}
}

// decide asks all OnFailure hooks; the first decision counts.
func (w *work) decide(ctx context.Context, failure error) (first Decision) {
	for i := range w.cfg.Hooks {
		if w.cfg.Hooks[i].OnFailure == nil {
			continue
		}
		if d := w.onFailure(ctx, i, failure); first == nil {
			first = d
		}
	}
	return first
}

// onFailure asks one hook; if it fails it has no opinion.
func (w *work) onFailure(ctx context.Context, i int, failure error) Decision {
	start, c := time.Now(), w.call.Context
	d, cause, err := hook.Bounded(ctx, w.cfg.HookTimeout, func(ctx context.Context) (Decision, error) {
		if d := w.cfg.Hooks[i].OnFailure(ctx, c, failure); d != nil {
			return d, nil
		}
		return nil, ctx.Err() // silence that was cut off is no silence
	})
	words := "no opinion"
	switch d := d.(type) {
	case nil:
	case Retry:
		words = fmt.Sprintf("retry after %v", max(0, d.Delay))
	case Fail:
		words = "fail"
	case Delegate:
		words = fmt.Sprintf("delegate to %q", d.Agent)
	default:
		cause, err = hook.CauseAnswer, fmt.Errorf("expected a Retry, Fail or Delegate, got a %T", d)
	}
	step := hook.Step{Status: hook.Ran, Detail: words, Duration: time.Since(start)}
	if err != nil {
		step.Status, step.Cause, step.Detail = hook.Failed, cause, err.Error()
		d = nil
	}
	w.step(i, "OnFailure", step)
	return d
}

func (w *work) step(i int, phase string, s hook.Step) {
	name := w.cfg.Hooks[i].Name
	if name == "" {
		name = fmt.Sprintf("hooks[%d]", i)
	}
	s.Hook, s.Type, s.Source = name+"."+phase, "subagent", hook.Source{Layer: hook.Session}
	w.out.Steps = append(w.out.Steps, s)
}
