package task

import (
	"context"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// tell dispatches an event about the task as it is now.
func (w *work) tell(ctx context.Context, name hook.EventName, result string) hook.Decision {
	if w.r.Dispatch == nil {
		return hook.Decision{}
	}
	dec := hook.Decide(ctx, w.r.Dispatch, w.event(name, result))
	w.out.Steps = append(w.out.Steps, dec.Steps...)
	w.out.Notices = append(w.out.Notices, dec.Notices...)
	return dec
}

// event has the names of Claude Code and, beside them, those of echo-agent.
func (w *work) event(name hook.EventName, result string) hook.Event {
	t := &w.out.Task
	var more hook.ObjectBuilder
	more.Text("task_id", t.ID)
	more.Text("task_subject", t.Subject)
	more.Text("task_description", t.Description)
	more.Int("attempt", w.attempt())
	if name == hook.TaskCompleted {
		more.Text("task_terminal_status", string(t.Status))
		more.Text("task_result", result)
		if t.Status != Completed {
			more.Text("task_error", w.out.Err.Error())
		}
	}
	return hook.Event{Name: name, Session: w.r.Session, Dir: w.r.Dir, Agent: w.r.Executor, Subject: t.Subject, More: more.Object()}
}

// hooks are those that are called now.
func (w *work) hooks() []Hooks {
	if w.r.Policy == nil {
		return w.r.Hooks
	}
	if w.policy == nil {
		w.policy = w.r.Policy(w.r.Session, w.out.Task)
	}
	list := w.policy()
	if len(list) == 0 {
		return w.r.Hooks
	}
	return append(list[:len(list):len(list)], w.r.Hooks...)
}

// limit is how long an execution may take.
func (w *work) limit() time.Duration {
	if w.out.Timeout > 0 {
		return w.out.Timeout
	}
	if h := w.timed(); h != nil {
		return h.Timeout
	}
	return w.r.Timeout
}

// timed is the one of the hooks that says how long an execution may take, or nil.
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
		if h := &hooks[i]; h.BeforeExecute != nil {
			c := w.told()
			w.notify(ctx, h, "BeforeExecute", func(ctx context.Context) (struct{}, error) {
				h.BeforeExecute(ctx, *c)
				return struct{}{}, ctx.Err()
			})
		}
	}
}

// after is told although the run may have ended meanwhile: the task is
// completed.
func (w *work) after() {
	hooks := w.hooks()
	for i := range hooks {
		if h := &hooks[i]; h.AfterExecute != nil {
			c := w.told()
			w.notify(w.free, h, "AfterExecute", func(ctx context.Context) (struct{}, error) {
				h.AfterExecute(ctx, *c, c.Task.Result)
				return struct{}{}, ctx.Err()
			})
		}
	}
}

// notify calls a func of h that decides nothing. It leaves a step if that
// fails, or if nothing else tells of the call.
func (w *work) notify(ctx context.Context, h *Hooks, phase hook.EventName, f func(context.Context) (struct{}, error)) {
	w.starts(h, phase)
	_, cause, err := hook.Bounded(ctx, w.caller, w.r.HookTimeout, f)
	if err != nil || w.alone || w.r.Observe != nil {
		step := w.ended(h, phase, "", cause, err)
		if err != nil || w.alone {
			w.out.Steps = append(w.out.Steps, step)
		}
	}
}

// decide asks all OnFailure hooks. The first decision counts; without one,
// a hook that failed means Fail, and else the Backoff decides.
func (w *work) decide(ctx context.Context) Decision {
	if d := w.ask(ctx); d != nil {
		return d
	}
	if w.out.RetryCount >= w.out.MaxRetries {
		return Fail{}
	}
	return Retry{w.r.Backoff.Delay(w.out.RetryCount + 1)}
}

// ask returns what hooks decide, or nil.
func (w *work) ask(ctx context.Context) (first Decision) {
	failed := false
	hooks := w.hooks()
	for i := range hooks {
		if hooks[i].OnFailure == nil {
			continue
		}
		d, ok := w.onFailure(ctx, &hooks[i])
		failed = failed || !ok
		if first == nil {
			first = d
		}
	}
	if first == nil && failed {
		return Fail{}
	}
	return first
}

// onFailure asks one hook and reports whether it has answered.
func (w *work) onFailure(ctx context.Context, h *Hooks) (Decision, bool) {
	c, failure := w.told(), w.out.Err
	w.starts(h, "OnFailure")
	d, cause, err := hook.Bounded(ctx, w.caller, w.r.HookTimeout, func(ctx context.Context) (Decision, error) {
		if d := h.OnFailure(ctx, *c, failure); d != nil {
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
	case Skip:
		words = "skip"
	case Fail:
		words = because("fail", d.Reason)
	default:
		cause, err = hook.CauseAnswer, fmt.Errorf("expected a Retry, Skip or Fail, got a %T", d)
	}
	w.out.Steps = append(w.out.Steps, w.ended(h, "OnFailure", words, cause, err))
	if _, silent := d.(NoOpinion); silent || err != nil {
		d = nil
	}
	return d, err == nil
}

func because(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

// starts tells the observer that a func of h starts.
func (w *work) starts(h *Hooks, phase hook.EventName) {
	if w.r.Observe != nil {
		w.r.Observe(hook.Progress{Event: phase, Session: w.r.Session, Hook: id(h, phase)})
	}
}

// ended tells the observer what came of the last call, and returns its step.
func (w *work) ended(h *Hooks, phase hook.EventName, words string, cause hook.Cause, err error) hook.Step {
	s := hook.Step{Hook: id(h, phase), Type: "task", Source: h.Source, Pos: h.Pos, Status: hook.Ran, Detail: words, Duration: time.Since(w.caller.Began())}
	if h.Source == (hook.Source{}) {
		s.Source.Layer = hook.Session
	}
	if err != nil {
		s.Status, s.Cause, s.Detail = hook.Failed, cause, err.Error()
	}
	if w.r.Observe != nil {
		w.r.Observe(hook.Progress{Event: phase, Session: w.r.Session, Hook: s.Hook, Ended: true, Step: s})
	}
	return s
}

func id(h *Hooks, phase hook.EventName) string { return h.Name + "." + string(phase) }
