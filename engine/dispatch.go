package engine

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/pawl-dev/pawl/engine/hook"
)

// dispatch is the work on one event.
type dispatch struct {
	eng   *Engine
	snap  *snapshot
	ctx   context.Context
	info  *hook.EventInfo
	facts *hook.Facts // of the current input

	version  int // counts the rewrites of the input
	outcomes []outcome
	latest   map[*bound]int // index of the last outcome of a hook that ran
	once     claims
	later    []*bound // async hooks
	denied   bool     // the chain has been stopped
}

// outcome is what one candidate hook or rule did.
type outcome struct {
	hook    *bound // nil for a permission rule
	step    hook.Step
	res     hook.Result
	version int  // of the input that the verdict is about
	counts  bool // false: skipped, gated, observed
	stale   bool // the same hook ran again on a later input
}

// Dispatch answers one event. It returns when all hooks that may decide have
// answered or run out of time; ctx bounds them all. It never fails: a fault
// of the engine is a decision that blocks where the event can be blocked.
func (e *Engine) Dispatch(ctx context.Context, ev Event) (dec Decision) {
	snap := e.current.Load()
	ev = ev.Normal()
	if snap.idle(&ev) {
		return hook.Decision{Event: ev.Name, Snapshot: snap.id}
	}
	info, _ := hook.Lookup(ev.Name)
	defer func() {
		if p := recover(); p != nil {
			e.cfg.log.Error("dispatch panicked", "event", ev.Name, "panic", p, "stack", string(debug.Stack()))
			dec = brokenDecision(info, ev.Name, snap.id, fmt.Errorf("the engine panicked: %v", p))
		}
	}()
	d := &dispatch{eng: e, snap: snap, ctx: ctx, info: info, latest: map[*bound]int{}}
	if ev.Time.IsZero() {
		ev.Time = e.cfg.now()
	}
	return d.decide(ev)
}

// idle reports whether no hook or rule of s can have anything to do with ev.
func (s *snapshot) idle(ev *hook.Event) bool {
	if s.trace || s.touched(ev.Name) || s.wakes || s.countsStops && ev.Name == hook.PreToolUse {
		return false
	}
	if x := s.events[ev.Name]; x != nil {
		if c := x.find(ev.MatchSubject(), ev.HostTool); c.next() != nil {
			return false
		}
	}
	return !judged(ev.Name) || len(s.rules.guards.find(ev)) == 0 && len(s.rules.grants.find(ev)) == 0
}

func (d *dispatch) decide(ev hook.Event) hook.Decision {
	ctx, cancel := d.deadline(ev.Name)
	defer cancel()
	d.ctx = ctx
	ev.StopActive = ev.StopActive || d.stopsSoFar(&ev) > 0
	d.facts = analyze(ev)

	found := d.selectHooks()
	d.chain(found)
	if d.version > 0 && !d.denied {
		d.settle(found)
	}
	if !d.denied {
		d.judge()
	}
	dec := d.merge()
	d.guardStop(&dec)
	d.addWakes(&dec)
	d.startLater(&dec)
	return dec
}

// chain runs the found hooks one after the other; a parallel group is one
// place in the order. The first Deny stops it.
func (d *dispatch) chain(found []candidate) {
	for len(found) > 0 {
		n := groupLen(found)
		if d.denied {
			for _, c := range found[:n] {
				d.skip(c, "a hook before it denied")
			}
		} else {
			d.round(found[:n], false)
		}
		found = found[n:]
	}
}

// settle lets every deciding hook that has not seen the final input run on it
// once (law 3).
func (d *dispatch) settle(found []candidate) {
	final := d.version
	for _, c := range found {
		if d.denied {
			return
		}
		if i, ran := d.latest[c.hook]; ran && d.outcomes[i].version == final || !c.hook.decides() {
			continue
		}
		if c.match = d.matches(c.hook); c.match.Tri == hook.No {
			continue
		}
		d.round([]candidate{c}, true)
	}
}

// round runs the hooks of one place in the order and folds what they answer
// in file order.
func (d *dispatch) round(group []candidate, again bool) {
	results := make([]outcome, len(group))
	if len(group) == 1 {
		results[0] = d.visit(group[0], again)
	} else {
		d.together(group, results)
	}
	for _, o := range results {
		d.fold(o, again)
	}
}

// fold takes one outcome: a Deny stops the chain, a rewrite becomes the
// current input.
func (d *dispatch) fold(o outcome, again bool) {
	rewrite := o.res.Input
	if o.counts && !rewrite.Absent() && !rewrite.Equal(d.facts.Event.Input) {
		if again {
			o.res.Verdict = max(o.res.Verdict, hook.Ask)
			o.res.Reason = join("the input did not settle: "+o.hook.spec.ID+" wants to change it once more", o.res.Reason)
			o.res.Input = hook.Object{}
		} else {
			o.res.Notices = append(o.res.Notices, rewriteNotice(o.hook, d.facts.Event.Input, rewrite))
			d.version++
			ev := d.facts.Event
			ev.Input = rewrite
			d.facts = analyze(ev)
			o.version = d.version
		}
	}
	o.step.Verdict = o.res.Verdict
	d.add(o)
}

// add appends an outcome and its step.
func (d *dispatch) add(o outcome) {
	if o.hook != nil && o.step.Status != hook.NotMatch {
		if i, ran := d.latest[o.hook]; ran {
			d.outcomes[i].stale = true
		}
		d.latest[o.hook] = len(d.outcomes)
	}
	d.outcomes = append(d.outcomes, o)
	if o.counts && (o.res.Verdict == hook.Deny || o.res.Halt && d.info.Has(hook.CanBlock)) {
		d.denied = true
	}
}

func (d *dispatch) skip(c candidate, why string) {
	d.add(outcome{hook: c.hook, step: c.hook.step(hook.Skipped, why)})
}
