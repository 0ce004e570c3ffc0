package subagent

import (
	"context"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Before calls the BeforeDispatch hooks of d outside of a dispatch: for a host
// that runs subagents in a way of its own, and for tests of policies. There is
// a Step for each call, and one for the Hooks whose Timeout counts.
func (d *Dispatcher) Before(ctx context.Context, c Context) []hook.Step {
	return d.alone(c, func(w *work) { w.before(ctx) })
}

// After calls the AfterDispatch hooks with r, as Before does.
func (d *Dispatcher) After(ctx context.Context, c Context, r Result) []hook.Step {
	r.Steps = nil
	return d.alone(c, func(w *work) { w.out = r; w.after(ctx) })
}

// Decide asks the OnFailure hooks. It returns the first decision, or nil if
// there is none: a dispatch would fail. The bounds of a dispatch do not count.
func (d *Dispatcher) Decide(ctx context.Context, c Context, failure error) (first Decision, steps []hook.Step) {
	steps = d.alone(c, func(w *work) { first = w.decide(ctx, failure) })
	return first, steps
}

func (d *Dispatcher) alone(c Context, call func(*work)) []hook.Step {
	var caller hook.Caller
	defer caller.End()
	w := &work{d: d, cfg: &d.cfg, call: Call{Context: c}, caller: &caller, alone: true}
	call(w)
	if h := w.timed(); h != nil {
		w.out.Steps = append(w.out.Steps, w.ended(h, "Timeout", h.Timeout.String(), "", nil))
	}
	return w.out.Steps
}
