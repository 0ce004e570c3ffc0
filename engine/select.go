package engine

import "github.com/pawl-dev/pawl/engine/hook"

// candidate is a hook that may run, with how it matches the current input.
type candidate struct {
	hook  *bound
	match hook.Match
}

// selectHooks returns the hooks that the index gives for the event, in their
// order, whether they match or not: after a rewrite another may. In a full
// trace it walks all hooks of the event.
func (d *dispatch) selectHooks() []candidate {
	x := d.snap.events[d.facts.Event.Name]
	if x == nil {
		return nil
	}
	c := x.find(d.facts.Event.MatchSubject(), d.facts.Event.HostTool)
	next := c.next
	if d.snap.trace {
		c.lists = [4][]*bound{x.all}
		next = c.step
	}
	var found []candidate
	for b := next(); b != nil; b = next() {
		if b.spec.Async {
			d.later = append(d.later, b)
			continue
		}
		found = append(found, candidate{hook: b})
	}
	return found
}

// matches tests one hook against the current input. A panicking matcher is an
// Unknown: guards fire on it, grants do not.
func (d *dispatch) matches(b *bound) (m hook.Match) {
	defer func() {
		if p := recover(); p != nil {
			d.eng.cfg.log.Error("matcher panicked", "hook", b.spec.ID, "panic", p)
			m = hook.Match{Tri: hook.Unknown, Why: "the matcher panicked"}
		}
	}()
	return b.match(d.facts)
}

// groupLen returns how many of the leading hooks run together.
func groupLen(found []candidate) int {
	first := found[0].hook.spec
	n := 1
	for first.Group > 0 && n < len(found) && found[n].hook.spec.Group == first.Group &&
		found[n].hook.spec.Source == first.Source {
		n++
	}
	return n
}
