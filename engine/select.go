package engine

import "github.com/pawl-dev/pawl/engine/hook"

// candidate is a hook that matches the current input, and how.
type candidate struct {
	hook  *bound
	match hook.Match
}

// find returns the positions of the hooks that may match the current input,
// ascending; in a full trace, of all hooks of the event.
func (d *dispatch) find() []int32 {
	if d.hooks == nil {
		return nil
	}
	if !d.snap.trace {
		return d.hooks.index.Find(d.facts, d.found[:0])
	}
	all := make([]int32, len(d.hooks.hooks))
	for i := range all {
		all[i] = int32(i)
	}
	return all
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

// group returns how many of the leading positions stand for hooks that run
// together.
func (d *dispatch) group(found []int32) int {
	first := &d.hooks.hooks[found[0]].spec
	n := 1
	for first.Group > 0 && n < len(found) {
		next := &d.hooks.hooks[found[n]].spec
		if next.Group != first.Group || next.Source != first.Source {
			break
		}
		n++
	}
	return n
}
