package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// grace is how long an action may take to return after its deadline before
// it is abandoned; long enough to kill a process group.
const grace = 2 * time.Second

// together runs the hooks of a parallel group, each on the same input.
func (d *dispatch) together(group []candidate, again bool) []outcome {
	results := make([]outcome, len(group))
	var wg sync.WaitGroup
	for i, c := range group {
		wg.Go(func() { results[i] = d.visit(c, again) })
	}
	wg.Wait()
	return results
}

// visit decides whether one hook that matches runs, and runs it.
func (d *dispatch) visit(c candidate, again bool) outcome {
	b := c.hook
	o := outcome{hook: b, version: d.version}
	if b.gate != "" {
		o.step = b.step(hook.Gated, b.gate)
		return o
	}
	if b.when != nil {
		if m, err := d.condition(b); err != nil {
			return d.failed(o, hook.AsNoVerdict(err), again)
		} else if m.Tri == hook.No {
			o.step = b.step(hook.NotMatch, join("the condition is false", m.Why))
			return o
		} else if m.Tri < c.match.Tri {
			c.match = m
		}
	}
	if b.spec.Once && !d.claim(b) {
		o.step = b.step(hook.Skipped, "once: it has run in this session")
		return o
	}
	return d.run(o, c, again)
}

// condition evaluates the `when` of b on the current input.
func (d *dispatch) condition(b *bound) (m hook.Match, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = hook.Fail(hook.CausePanic, "when panicked: %v", p)
		}
	}()
	ctx := within(d.ctx, pureTimeout)
	defer ctx.stop()
	return b.when.Eval(ctx, d.facts)
}

// run calls the action of one hook and reads what it says.
func (d *dispatch) run(o outcome, c candidate, again bool) outcome {
	b := c.hook
	d.progress(b, nil)
	start := time.Now()
	call := hook.Call{Facts: d.facts, Hook: &b.spec, Matched: c.match, Final: again, Turn: d.ctx}
	res, err := d.act(b, call)
	o.step = b.step(hook.Ran, c.match.Why)
	o.step.Duration, o.step.Again = time.Since(start), again
	o.res, o.counts = res, true
	if err != nil {
		o = d.failed(o, hook.AsNoVerdict(err), again)
	} else {
		d.restrain(&o, c.match)
	}
	if b.spec.Observe {
		o.step.Would, o.step.Status, o.counts = o.res.Verdict, hook.Observed, false
		o.res = hook.Result{}
	}
	o.step.Verdict = o.res.Verdict
	d.progress(b, &o.step)
	return o
}

// act calls the action with its deadline. A pure action runs here and now,
// and even when the dispatch is out of time: a slow neighbour must not keep
// it from judging. Any other is abandoned if it does not return.
func (d *dispatch) act(b *bound, call hook.Call) (hook.Result, error) {
	if b.kind.Pure {
		ctx := within(d.ctx, b.timeout)
		defer ctx.stop()
		return guarded(ctx, b.action, call)
	}
	if err := d.ctx.Err(); err != nil {
		return hook.Result{}, d.outOfTime(b)
	}
	ctx, cancel := context.WithTimeout(d.ctx, b.timeout)
	defer cancel()
	return d.abandonable(ctx, b, call)
}

type answered struct {
	res hook.Result
	err error
}

func (d *dispatch) abandonable(ctx context.Context, b *bound, call hook.Call) (hook.Result, error) {
	done := make(chan answered, 1)
	go func() {
		res, err := guarded(ctx, b.action, call)
		done <- answered{res, err}
	}()
	select {
	case a := <-done:
		return a.res, a.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case a := <-done:
		return a.res, a.err
	case <-timer.C:
		return hook.Result{}, d.outOfTime(b)
	}
}

// outOfTime is the failure of a hook that has not answered: all of the
// dispatch may be over, or just its own time.
func (d *dispatch) outOfTime(b *bound) *hook.NoVerdict {
	switch {
	case context.Cause(d.ctx) == context.Canceled:
		return hook.Fail(hook.CauseCanceled, "the host gave up")
	case d.ctx.Err() != nil:
		return hook.Fail(hook.CauseTimeout, "no time was left for it: the whole call is out of time")
	}
	return hook.Fail(hook.CauseTimeout, "no answer within %v", b.timeout)
}

// guarded calls an action and turns a panic into a failure.
func guarded(ctx context.Context, a hook.Action, call hook.Call) (res hook.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = hook.Result{}, &hook.NoVerdict{Cause: hook.CausePanic, Err: panicked{p, debug.Stack()}}
		}
	}()
	return a.Run(ctx, call)
}

// panicked is the error of an action that panicked; its stack is for the log.
type panicked struct {
	value any
	stack []byte
}

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// restrain takes from an answer what its hook may not say.
func (d *dispatch) restrain(o *outcome, m hook.Match) {
	r := &o.res
	drop := func(what, why string) {
		o.step.Detail = join(o.step.Detail, what+" dropped: "+why)
	}
	if m.Tri == hook.Unknown && r.Verdict == hook.Allow {
		r.Verdict = hook.None
		drop("allow", "it cannot be told whether the hook applies")
	}
	if o.hook.tighten {
		tightenOnly(r, d.info, drop)
	}
	d.fit(r, drop)
	for _, x := range r.Diagnostics {
		o.step.Detail = join(o.step.Detail, x.Error())
	}
}

// tightenOnly leaves what an untrusted source may say: ask and deny.
func tightenOnly(r *hook.Result, info *hook.EventInfo, drop func(what, why string)) {
	const why = "the workspace is not trusted"
	if r.Verdict == hook.Allow || info.Has(hook.CanGoOn) && r.Verdict != hook.None {
		drop(r.Verdict.String(), why)
		r.Verdict = hook.None
	}
	if len(r.Context) > 0 || !r.Input.Absent() || r.Output != nil || r.ContinueReason != "" || r.Retry || len(r.Specific) > 0 {
		drop("all but the verdict", why)
	}
	*r = hook.Result{Verdict: r.Verdict, Reason: r.Reason, Notices: r.Notices, Halt: r.Halt, StopReason: r.StopReason, Log: r.Log, Diagnostics: r.Diagnostics}
}

// fit drops what has no effect on the event, by the event table.
func (d *dispatch) fit(r *hook.Result, drop func(what, why string)) {
	refuse := func(what string) { drop(what, string(d.facts.Event.Name)+" does not take it") }
	if r.Verdict == hook.Allow && !d.info.Has(hook.CanAnswer) || r.Verdict > hook.Allow && !d.info.Deciding() {
		refuse(r.Verdict.String())
		if r.Verdict > hook.Allow && r.Reason != "" {
			r.Notices = append(r.Notices, r.Reason)
		}
		r.Verdict = hook.None
	}
	if len(r.Context) > 0 && !d.info.Has(hook.CanContext) {
		refuse("context")
		r.Context = nil
	}
	if !r.Input.Absent() && !d.info.Has(hook.CanRewrite) {
		refuse("rewrite")
		r.Input = hook.Object{}
	}
	if r.Output != nil && !d.info.Has(hook.CanResult) {
		refuse("output")
		r.Output = nil
	}
	if r.Retry && !d.info.Has(hook.CanRetry) {
		refuse("retry")
		r.Retry = false
	}
	if r.ContinueReason != "" && !d.info.Has(hook.CanContinue) {
		refuse("continue reason")
		r.ContinueReason = ""
	}
}

// step returns the trace of b with a status.
func (b *bound) step(status hook.Status, detail string) hook.Step {
	return hook.Step{Hook: b.spec.ID, Type: b.spec.Type, Source: b.spec.Source, Pos: b.spec.Pos, Status: status, Detail: detail}
}

// progress tells the observer that b starts, or has ended with a step.
func (d *dispatch) progress(b *bound, ended *hook.Step) {
	p := hook.Progress{Event: d.facts.Event.Name, Session: d.facts.Event.Session, Hook: b.spec.ID, Message: b.spec.Message}
	if ended != nil {
		p.Ended, p.Step = true, *ended
	}
	d.eng.cfg.observe(p)
}

func join(parts ...string) string {
	joined := ""
	for _, p := range parts {
		switch {
		case p == "":
		case joined == "":
			joined = p
		default:
			joined += "; " + p
		}
	}
	return joined
}
