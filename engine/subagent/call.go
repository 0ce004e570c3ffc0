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

// hooks are those that are called now.
func (w *work) hooks() []Hooks {
	if w.cfg.Policy == nil {
		return w.cfg.Hooks
	}
	if w.policy == nil {
		w.policy = w.cfg.Policy(w.cfg.Session, w.call.Context)
	}
	list := w.policy()
	if len(list) == 0 {
		return w.cfg.Hooks
	}
	return append(list[:len(list):len(list)], w.cfg.Hooks...)
}

// limit is how long a run may take.
func (w *work) limit() time.Duration {
	if h := w.timed(); h != nil {
		return h.Timeout
	}
	return w.cfg.Timeout
}

// timed is the one of the hooks that says how long a run may take, or nil.
func (w *work) timed() *Hooks {
	hooks := w.hooks()
	for i := range hooks {
		if hooks[i].Timeout > 0 {
			return &hooks[i]
		}
	}
	return nil
}

func (w *work) before(ctx context.Context) {
	hooks := w.hooks()
	for i := range hooks {
		if h := &hooks[i]; h.BeforeDispatch != nil {
			c := w.call.Context
			w.notify(ctx, h, "BeforeDispatch", func(ctx context.Context) (struct{}, error) {
				h.BeforeDispatch(ctx, c)
				return struct{}{}, ctx.Err()
			})
		}
	}
}

// after is told although the dispatch may have been cancelled meanwhile: the
// subagent has stopped by itself.
func (w *work) after(ctx context.Context) {
	hooks := w.hooks()
	for i := range hooks {
		if h := &hooks[i]; h.AfterDispatch != nil {
			c, r := w.call.Context, w.out
			w.notify(context.WithoutCancel(ctx), h, "AfterDispatch", func(ctx context.Context) (struct{}, error) {
				h.AfterDispatch(ctx, c, r)
				return struct{}{}, ctx.Err()
			})
		}
	}
}

// notify calls a func of h that decides nothing. It leaves a step if that
// fails, or if nothing else tells of the call.
func (w *work) notify(ctx context.Context, h *Hooks, phase hook.EventName, f func(context.Context) (struct{}, error)) {
	w.starts(h, phase)
	_, cause, err := hook.Bounded(ctx, w.caller, w.cfg.HookTimeout, f)
	if err != nil || w.alone || w.cfg.Observe != nil {
		step := w.ended(h, phase, "", cause, err)
		if err != nil || w.alone {
			w.out.Steps = append(w.out.Steps, step)
		}
	}
}

// decide asks all OnFailure hooks; the first decision counts.
func (w *work) decide(ctx context.Context, failure error) (first Decision) {
	hooks := w.hooks()
	for i := range hooks {
		if hooks[i].OnFailure == nil {
			continue
		}
		if d := w.onFailure(ctx, &hooks[i], failure); first == nil {
			first = d
		}
	}
	return first
}

// onFailure asks one hook; if it fails it has no opinion.
func (w *work) onFailure(ctx context.Context, h *Hooks, failure error) Decision {
	c := w.call.Context
	w.starts(h, "OnFailure")
	d, cause, err := hook.Bounded(ctx, w.caller, w.cfg.HookTimeout, func(ctx context.Context) (Decision, error) {
		if d := h.OnFailure(ctx, c, failure); d != nil {
			return d, nil
		}
		return nil, ctx.Err() // silence that was cut off is no silence
	})
	words := "no opinion"
	switch d := d.(type) {
	case nil:
	case NoOpinion:
		words = because("no opinion", d.Why)
	case Retry:
		words = fmt.Sprintf("retry after %v", max(0, d.Delay))
	case Delegate:
		words = fmt.Sprintf("delegate to %q", d.Agent)
	case Fail:
		words = because("fail", d.Reason)
	default:
		cause, err = hook.CauseAnswer, fmt.Errorf("expected a Retry, Fail or Delegate, got a %T", d)
	}
	w.out.Steps = append(w.out.Steps, w.ended(h, "OnFailure", words, cause, err))
	if _, silent := d.(NoOpinion); silent || err != nil {
		d = nil
	}
	return d
}

func because(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

// starts tells the observer that a func of h starts.
func (w *work) starts(h *Hooks, phase hook.EventName) {
	if w.cfg.Observe != nil {
		w.cfg.Observe(hook.Progress{Event: phase, Session: w.cfg.Session, Hook: id(h, phase)})
	}
}

// ended tells the observer what came of the last call, and returns its step.
func (w *work) ended(h *Hooks, phase hook.EventName, words string, cause hook.Cause, err error) hook.Step {
	s := hook.Step{Hook: id(h, phase), Type: "subagent", Source: h.Source, Pos: h.Pos, Status: hook.Ran, Detail: words, Duration: time.Since(w.caller.Began())}
	if h.Source == (hook.Source{}) {
		s.Source.Layer = hook.Session
	}
	if err != nil {
		s.Status, s.Cause, s.Detail = hook.Failed, cause, err.Error()
	}
	if w.cfg.Observe != nil {
		w.cfg.Observe(hook.Progress{Event: phase, Session: w.cfg.Session, Hook: s.Hook, Ended: true, Step: s})
	}
	return s
}

func id(h *Hooks, phase hook.EventName) string { return h.Name + "." + string(phase) }
