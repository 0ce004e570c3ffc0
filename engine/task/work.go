package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/pawl-dev/pawl/engine/hook"
)

// work is a worker, and one task on its way from its creation to its end.
type work struct {
	r      *Runner
	stop   context.CancelCauseFunc // ends the whole run
	caller *hook.Caller
	free   context.Context // that of the run, but without its end
	alone  bool            // hooks are called outside of a run

	out      *Outcome
	results  []string
	notes    []string
	feedback string
	reopened int
	policy   func() []Hooks // of the Runner, for this task
	context  *Context       // what hooks were told last; not changed
}

// attempt is the number of the execution that is at work, or comes next.
func (w *work) attempt() int { return w.out.RetryCount + w.reopened + 1 }

// told is what hooks are told now. They may keep it.
func (w *work) told() *Context {
	if c := w.context; c == nil || c.Attempt != w.attempt() || c.Task.Status != w.out.Status || c.Task.Result != w.out.Result {
		w.context = &Context{Task: w.out.Task, Attempt: w.attempt(), Executor: w.r.Executor}
	}
	return w.context
}

func (w *work) do(ctx context.Context) {
	w.notes, w.feedback, w.reopened, w.policy, w.context = nil, "", 0, nil, nil
	if !w.create(ctx) {
		return
	}
	w.out.Status = Running
	w.before(ctx)
	for w.execute(ctx) {
	}
}

// create asks whether there shall be such a task.
func (w *work) create(ctx context.Context) bool {
	dec := w.tell(ctx, hook.TaskCreated, "")
	w.notes = dec.Context
	switch {
	case ctx.Err() != nil:
		w.cancel(ctx, context.Cause(ctx))
	case !dec.Proceed():
		w.out.Status, w.out.Err = Rejected, fmt.Errorf("a hook on TaskCreated blocks it: %s", dec.Reason())
		w.halt(dec)
	default:
		return true
	}
	return false
}

// execute makes one attempt and reports whether another one follows.
func (w *work) execute(ctx context.Context) (again bool) {
	if ctx.Err() != nil {
		w.cancel(ctx, context.Cause(ctx))
		return false
	}
	w.out.Attempts++
	job := Job{Context: *w.told(), Notes: w.notes, Feedback: w.feedback, Results: w.results}
	result, cause, err := hook.Bounded(ctx, w.caller, w.limit(), func(ctx context.Context) (string, error) { return w.r.Execute(ctx, job) })
	switch {
	case err == nil:
		return w.complete(ctx, result)
	case ctx.Err() != nil:
		w.cancel(ctx, err)
		return false
	}
	w.out.Status, w.out.Err = Failed, err
	if cause == hook.CauseTimeout {
		w.out.Status = TimedOut
	}
	return w.failed(ctx)
}

// complete asks whether the task may end with result. A judgement while the
// run was being cancelled is none: hooks were cut off.
func (w *work) complete(ctx context.Context, result string) (again bool) {
	w.out.Status, w.out.Err = Completed, nil
	dec := w.tell(ctx, hook.TaskCompleted, result)
	switch {
	case w.r.Dispatch != nil && ctx.Err() != nil:
		w.cancel(ctx, context.Cause(ctx))
		return false
	case blocks(dec):
		return w.reopen(dec)
	}
	w.out.Result, w.out.Context = result, dec.Context
	if dec.Output != nil {
		w.out.Result = dec.OutputText()
	}
	w.after()
	w.halt(dec)
	return false
}

// reopen leaves the task open: it is executed again with the reason.
func (w *work) reopen(dec hook.Decision) (again bool) {
	w.feedback = dec.Reason()
	w.notes = append(w.notes[:len(w.notes):len(w.notes)], dec.Context...)
	if w.reopened >= w.r.MaxReopens {
		w.out.Status = Open
		w.out.Err = fmt.Errorf("a hook on TaskCompleted keeps it open after %d executions: %s", w.out.Attempts, w.feedback)
		return false
	}
	w.reopened++
	w.out.Status = Running
	return true
}

// failed lets hooks decide what follows a failure.
func (w *work) failed(ctx context.Context) (again bool) {
	d := w.decide(ctx)
	if errors.Is(w.out.Err, hook.ErrAbandoned) {
		d = Fail{}
	}
	if ctx.Err() != nil {
		w.cancel(ctx, context.Cause(ctx))
		return false
	}
	switch d := d.(type) {
	case Retry:
		return w.retry(ctx, d)
	case Skip:
		w.skip(ctx)
	case Fail:
		if d.Reason != "" {
			w.out.Err = fmt.Errorf("%w (%s)", w.out.Err, d.Reason)
		}
		w.end(ctx)
	}
	return false
}

func (w *work) retry(ctx context.Context, d Retry) (again bool) {
	if most := w.maxRetries(); w.out.RetryCount >= most {
		w.out.Err = fmt.Errorf("%w (no retry is left of %d)", w.out.Err, most)
		w.end(ctx)
		return false
	}
	if err := hook.Pause(ctx, d.Delay); err != nil {
		w.cancel(ctx, err)
		return false
	}
	w.out.RetryCount++
	w.out.Status = Running
	return true
}

func (w *work) maxRetries() int {
	if set := cmp.Or(w.out.MaxRetries, w.r.MaxRetries); set != 0 {
		return max(0, set)
	}
	most := maxRetries
	for _, h := range w.hooks() {
		most = max(most, h.MaxRetries)
	}
	return most
}

// skip ends the task as done, unless a hook on TaskCompleted keeps it open.
func (w *work) skip(ctx context.Context) {
	w.out.Status = Skipped
	dec := w.end(ctx)
	if blocks(dec) {
		w.out.Status = Open
		w.out.Err = fmt.Errorf("a hook on TaskCompleted keeps it open: %s: %w", dec.Reason(), w.out.Err)
	}
}

// cancel ends a task because the run has ended. It is told to hooks that have
// time of their own for it.
func (w *work) cancel(ctx context.Context, err error) {
	if w.out.Err != nil {
		err = fmt.Errorf("%w; before that: %w", err, w.out.Err)
	}
	w.out.Status, w.out.Err = Cancelled, err
	ctx, done := context.WithTimeout(w.free, w.r.HookTimeout)
	defer done()
	w.end(ctx)
}

// end tells that the task is over without a result.
func (w *work) end(ctx context.Context) hook.Decision {
	dec := w.tell(ctx, hook.TaskCompleted, "")
	w.out.Context = dec.Context
	w.halt(dec)
	return dec
}

// halt ends the run if dec says so.
func (w *work) halt(dec hook.Decision) {
	if dec.Halted {
		w.stop(dec.Halt())
	}
}

// blocks reports whether an answer to TaskCompleted keeps the task open; a
// halt outranks a block.
func blocks(dec hook.Decision) bool { return dec.Verdict > hook.Allow && !dec.Halted }
