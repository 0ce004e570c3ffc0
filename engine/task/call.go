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

func (w *work) before(ctx context.Context) {
	for i := range w.r.Hooks {
		if f := w.r.Hooks[i].BeforeExecute; f != nil {
			c := w.context()
			_, cause, err := hook.Bounded(ctx, w.r.HookTimeout, func(ctx context.Context) (struct{}, error) {
				f(ctx, c)
				return struct{}{}, ctx.Err()
			})
			w.observed(i, "BeforeExecute", cause, err)
		}
	}
}

// after is told although the run may have ended meanwhile: the task is
// completed.
func (w *work) after(ctx context.Context) {
	for i := range w.r.Hooks {
		if f := w.r.Hooks[i].AfterExecute; f != nil {
			c := w.context()
			_, cause, err := hook.Bounded(context.WithoutCancel(ctx), w.r.HookTimeout, func(ctx context.Context) (struct{}, error) {
				f(ctx, c, c.Task.Result)
				return struct{}{}, ctx.Err()
			})
			w.observed(i, "AfterExecute", cause, err)
		}
	}
}

// observed leaves a step if a hook that decides nothing has failed.
func (w *work) observed(i int, phase string, cause hook.Cause, err error) {
	if err != nil {
		w.step(i, phase, hook.Step{Status: hook.Failed, Cause: cause, Detail: err.Error()})
	}
}

// decide asks all OnFailure hooks. The first decision counts; without one,
// a hook that failed means Fail, and else the Backoff decides.
func (w *work) decide(ctx context.Context) Decision {
	var first Decision
	failed := false
	for i := range w.r.Hooks {
		if w.r.Hooks[i].OnFailure == nil {
			continue
		}
		d, ok := w.onFailure(ctx, i)
		failed = failed || !ok
		if first == nil {
			first = d
		}
	}
	switch {
	case first != nil:
		return first
	case failed || w.out.RetryCount >= w.out.MaxRetries:
		return Fail{}
	}
	return Retry{w.r.Backoff.Delay(w.out.RetryCount + 1)}
}

// onFailure asks one hook and reports whether it has answered.
func (w *work) onFailure(ctx context.Context, i int) (Decision, bool) {
	start, c, failure := time.Now(), w.context(), w.out.Err
	d, cause, err := hook.Bounded(ctx, w.r.HookTimeout, func(ctx context.Context) (Decision, error) {
		if d := w.r.Hooks[i].OnFailure(ctx, c, failure); d != nil {
			return d, nil
		}
		return nil, ctx.Err() // silence that was cut off is no silence
	})
	words := "no opinion"
	switch d := d.(type) {
	case nil:
	case Retry:
		words = fmt.Sprintf("retry after %v", max(0, d.Delay))
	case Skip:
		words = "skip"
	case Fail:
		words = "fail"
	default:
		cause, err = hook.CauseAnswer, fmt.Errorf("expected a Retry, Skip or Fail, got a %T", d)
	}
	step := hook.Step{Status: hook.Ran, Detail: words, Duration: time.Since(start)}
	if err != nil {
		step.Status, step.Cause, step.Detail = hook.Failed, cause, err.Error()
		d = nil
	}
	w.step(i, "OnFailure", step)
	return d, err == nil
}

func (w *work) step(i int, phase string, s hook.Step) {
	name := w.r.Hooks[i].Name
	if name == "" {
		name = fmt.Sprintf("hooks[%d]", i)
	}
	s.Hook, s.Type, s.Source = name+"."+phase, "task", hook.Source{Layer: hook.Session}
	w.out.Steps = append(w.out.Steps, s)
}
