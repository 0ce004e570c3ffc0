package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
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
	ran      map[*bound]int // last outcome of each hook, while the input settles
	fitting  []candidate    // room for one place in the order
	room     [2]candidate
	once     claims
	hooks    *eventIndex
	found    []int32
	denied   bool     // the chain has been stopped
	wakes    bool     // a hook that may wake the agent was started
	faults   []string // of the state store, for the user
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
func (e *Engine) Dispatch(ctx context.Context, ev Event) Decision {
	snap := e.current.Load()
	if ev.HostTool == "" {
		ev.HostTool = ev.Tool
	}
	ev.Tool = hook.CanonicalTool(ev.Tool)
	if info, known := hook.Lookup(ev.Name); known && snap.idle(&ev, info.SubjectOf(&ev)) {
		return hook.Decision{Event: ev.Name, Snapshot: snap.id}
	}
	return e.dispatch(ctx, snap, ev)
}

// dispatch answers an event that some hook or rule may have to do with.
func (e *Engine) dispatch(ctx context.Context, snap *snapshot, ev Event) (dec Decision) {
	info, known := hook.Lookup(ev.Name)
	if ev.Name == "" {
		return brokenDecision(info, ev.Name, snap.id, errors.New("an event without a name"))
	}
	defer func() {
		if p := recover(); p != nil {
			e.cfg.log.Error("dispatch panicked", "event", ev.Name, "panic", p, "stack", string(debug.Stack()))
			dec = brokenDecision(info, ev.Name, snap.id, fmt.Errorf("the engine panicked: %v", p))
		}
	}()
	d := &dispatch{eng: e, snap: snap, ctx: ctx, info: info}
	d.fitting = d.room[:0]
	if ev.Time.IsZero() {
		ev.Time = e.cfg.now()
	}
	dec = d.decide(ev)
	if !known {
		noteUnheard(&dec)
	}
	return dec
}

// idle reports whether no hook or rule of s can have anything to do with ev,
// an event of the table.
func (s *snapshot) idle(ev *hook.Event, subject string) bool {
	if s.trace || s.touched(ev.Name) || s.leaves || s.countsStops && ev.Name == hook.PreToolUse {
		return false
	}
	var hooks *rules.Index
	if x := s.events[ev.Name]; x != nil {
		hooks = x.index
	}
	if judged(ev.Name) {
		return rules.Idle(ev, subject, hooks, s.rules.guards.index, s.rules.grants.index)
	}
	return rules.Idle(ev, subject, hooks)
}

func (d *dispatch) decide(ev hook.Event) hook.Decision {
	ctx, cancel := d.deadline(ev.Name)
	defer cancel()
	d.ctx = ctx
	d.facts = d.snap.analyzer.Analyze(ev)
	if d.stopsSoFar(&d.facts.Event) > 0 {
		d.facts.Event.StopActive = true
	}

	d.hooks = d.snap.events[ev.Name]
	d.chain()
	if d.version > 0 && !d.denied {
		d.settle()
	}
	if !d.denied {
		d.judge()
	}
	dec := d.merge()
	d.tellLeft(&dec)
	d.startLater(&dec)
	d.guardStop(&dec)
	d.tidy(&dec)
	return dec
}

// chain runs the hooks that match, one after the other; a parallel group is
// one place in the order. The first Deny stops it. After a rewrite the hooks
// that come later are those that match the new input.
func (d *dispatch) chain() {
	for found, version := d.find(), d.version; len(found) > 0; {
		n := d.group(found)
		next := found[n-1] + 1
		d.place(found[:n], false)
		if found = found[n:]; d.version != version {
			version = d.version
			found = d.find()
			for len(found) > 0 && found[0] < next {
				found = found[1:]
			}
		}
	}
}

// place runs the hooks of one place in the order, or says that it was not
// reached.
func (d *dispatch) place(group []int32, again bool) {
	run := d.fitting[:0]
	for _, i := range group {
		b := d.hooks.hooks[i]
		if b.spec.Async {
			continue
		}
		m := d.matches(b)
		switch {
		case m.Tri == hook.No:
			d.noMatch(b, m.Why)
		case d.denied:
			d.add(outcome{hook: b, step: b.step(hook.Skipped, "a hook before it denied")})
		default:
			run = append(run, candidate{b, m})
		}
	}
	d.fitting = run[:0]
	if len(run) > 0 {
		d.round(run, again)
	}
}

// noMatch leaves a step in a full trace.
func (d *dispatch) noMatch(b *bound, why string) {
	if d.snap.trace {
		d.outcomes = append(d.outcomes, outcome{hook: b, step: b.step(hook.NotMatch, why)})
	}
}

// settle lets every deciding hook that has not seen the final input run on it
// once (law 3).
func (d *dispatch) settle() {
	final := d.version
	d.ran = make(map[*bound]int, len(d.outcomes))
	for i := range d.outcomes {
		if o := &d.outcomes[i]; o.hook != nil && o.step.Status != hook.NotMatch {
			d.ran[o.hook] = i
		}
	}
	found := d.find()
	for i, at := range found {
		if d.denied {
			return
		}
		b := d.hooks.hooks[at]
		if last, ran := d.ran[b]; ran && d.outcomes[last].version == final || !b.decides() {
			continue
		}
		d.place(found[i:i+1], true)
	}
}

// round runs the hooks of one place in the order and folds what they answer
// in file order.
func (d *dispatch) round(group []candidate, again bool) {
	if len(group) == 1 {
		d.fold(d.visit(group[0], again), again)
		return
	}
	for _, o := range d.together(group, again) {
		d.fold(o, again)
	}
}

// fold takes one outcome: a Deny stops the chain, a rewrite becomes the
// current input.
func (d *dispatch) fold(o outcome, again bool) {
	if o.step.Status == hook.NotMatch && !d.snap.trace {
		return
	}
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
			d.facts = d.snap.analyzer.Analyze(ev)
			o.version = d.version
		}
	}
	o.step.Verdict = o.res.Verdict
	d.add(o)
}

// add appends an outcome and its step.
func (d *dispatch) add(o outcome) {
	if last, ran := d.ran[o.hook]; ran {
		d.outcomes[last].stale = true
	}
	d.outcomes = append(d.outcomes, o)
	if o.counts && (o.res.Verdict == hook.Deny || o.res.Halt && d.info.Has(hook.CanBlock)) {
		d.denied = true
	}
}
