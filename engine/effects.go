package engine

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/lua"
)

// SideEffects is what answering an event may do beside deciding.
type SideEffects uint8

const (
	Starts SideEffects = 1 << iota // runs what is outside of the engine: a program, a server, a func of the host
	Keeps                          // changes the state that later events find
)

// SideEffects tells what the hooks in force may do on an event. A host that
// may lose the answer half-way asks before it dispatches: where there are
// none, asking again elsewhere is safe.
func (e *Engine) SideEffects(event EventName) SideEffects {
	s := e.current.Load()
	var does SideEffects
	if x := s.events[event]; x != nil {
		does = x.does
	}
	if info, _ := hook.Lookup(event); s.countsStops && isStop(event) || s.leaves && info.Has(hook.CanTell) {
		does |= Keeps
	}
	return does
}

// does is what one hook may do. Whether a script keeps state is not known.
func (b *bound) does() (does SideEffects) {
	if b.gate != "" {
		return 0
	}
	if !b.kind.Pure {
		does |= Starts
	}
	if b.spec.Once || b.spec.Type == lua.TypeName {
		does |= Keeps
	}
	return does
}

// Unlinked names the hook types that entries of the settings in force want
// and this build does not have, sorted. The entries block.
func (e *Engine) Unlinked() []string {
	return slices.Compact(slices.Sorted(slices.Values(e.current.Load().unlinked)))
}

// Unjudged names the top-level keys of the settings in force that belong to
// hook types this build does not have, sorted. What is wrong in them is not
// found here.
func (e *Engine) Unjudged() []string {
	return slices.Compact(slices.Sorted(slices.Values(e.current.Load().unjudged)))
}
