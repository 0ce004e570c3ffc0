package task

import (
	"context"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Before calls the BeforeExecute hooks of r about t outside of a run: for a
// host that executes tasks in a way of its own, and for tests of policies. It
// needs no Execute. There is a Step for each call, and
// one for the Hooks whose Timeout counts.
func (r *Runner) Before(ctx context.Context, t Task) []hook.Step {
	t.Status = Running
	return r.alone(ctx, t, nil, func(w *work) { w.before(ctx) })
}

// After calls the AfterExecute hooks about t, which has a Result, as Before does.
func (r *Runner) After(ctx context.Context, t Task) []hook.Step {
	t.Status = Completed
	return r.alone(ctx, t, nil, func(w *work) { w.after() })
}

// Decide asks the OnFailure hooks about t, which is Failed unless it is
// TimedOut. It returns the first decision, Fail if there is none and a hook
// failed, and else nil: in a run, the Backoff would decide. The bounds of a
// run do not count.
func (r *Runner) Decide(ctx context.Context, t Task, failure error) (d Decision, steps []hook.Step) {
	if t.Status != TimedOut {
		t.Status = Failed
	}
	steps = r.alone(ctx, t, failure, func(w *work) { d = w.ask(ctx) })
	return d, steps
}

func (r *Runner) alone(ctx context.Context, t Task, failure error, call func(*work)) []hook.Step {
	var caller hook.Caller
	defer caller.End()
	out := Outcome{Task: t, Err: failure}
	w := &work{r: r.withDefaults(), out: &out, caller: &caller, free: ctx, alone: true}
	call(w)
	if h := w.timed(); h != nil {
		out.Steps = append(out.Steps, w.ended(h, "Timeout", h.Timeout.String(), "", nil))
	}
	return out.Steps
}
