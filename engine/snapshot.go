package engine

import (
	"slices"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
	"github.com/pawl-dev/pawl/lua"
	"github.com/pawl-dev/pawl/rules"
)

// snapshot is one complete, immutable set of hooks.
type snapshot struct {
	id     string
	hooks  []*bound // in the order in which they run
	events map[hook.EventName]*eventIndex
	rules  permissions
	// analyzer makes the facts of an input: computed on first use, once, and
	// shared by all hooks that see this input.
	analyzer    *rules.Analyzer
	wrappers    []rules.Wrapper // that the settings add
	permissions []*rule         // all of them, strongest first
	diags       []hook.Diagnostic
	errors      map[string]int // load errors of each file
	sources     []string
	texts       map[string]accepted // of every file of sources that was read
	kept        []FileChange        // refused by a reload
	root        string
	gates       gates
	trace       bool
	lua         *lua.Runtime
	tasks       []around[task.Hooks] // called around tasks, in this order
	subagents   []around[subagent.Hooks]

	problems    []problem // load diagnostics that decisions name
	countsStops bool      // some hook may block a Stop, so the guard counts
	leaves      bool      // some hook runs in the background and may leave something to say
	unlinked    []string  // hook types that entries name and this build lacks
	unjudged    []string  // top-level keys that belong to such types
}

// bound is one hook, made and ready to run.
type bound struct {
	spec    hook.Spec
	kind    hook.Type
	matcher *rules.Pattern   // nil fits everything
	cond    *rules.Pattern   // the `if`, or nil
	when    *rules.Condition // or nil
	action  hook.Action
	timeout time.Duration
	asked   time.Duration // the timeout as written, 0 if it is the default
	gate    string        // why the hook is silenced, or ""
	tighten bool          // its source may only tighten
	// distrusted: the gate is missing trust.
	distrusted bool
	// failsByType: that it blocks when it fails is nobody's wish but its type's.
	failsByType bool
	unsure      string // why it may run more files than are known, or ""
	diags       []hook.Diagnostic
}

// decides reports whether b may change the verdict, so that it must see the
// final input.
func (b *bound) decides() bool { return !b.spec.Async && !b.kind.Silent }

// match tests the matcher and the `if` of b.
func (b *bound) match(f *hook.Facts) hook.Match {
	m := hook.Match{Tri: hook.Yes}
	for _, p := range [...]*rules.Pattern{b.matcher, b.cond} {
		if p == nil {
			continue
		}
		if p.Match(f) == hook.No {
			return hook.Match{Tri: hook.No, Why: "does not match"}
		}
		next := p.Explain(f)
		if next.Tri <= m.Tri && next.Why != "" {
			m.Why = next.Why
		}
		m.Tri = m.Tri.And(next.Tri)
	}
	return m
}

// eventIndex holds the hooks of one event, in the order in which they run.
type eventIndex struct {
	hooks []*bound
	index *rules.Index
	async bool // some hook runs in the background
	does  SideEffects
}

// index builds the event indexes of the hooks in s.
func (s *snapshot) index() {
	s.events = make(map[hook.EventName]*eventIndex)
	keys := make(map[hook.EventName][][]rules.Key)
	for _, b := range s.hooks {
		name := b.spec.Event
		if s.events[name] == nil {
			s.events[name] = &eventIndex{}
		}
		s.events[name].hooks = append(s.events[name].hooks, b)
		s.events[name].async = s.events[name].async || b.spec.Async
		s.events[name].does |= b.does()
		keys[name] = append(keys[name], b.keys())
	}
	for name, x := range s.events {
		x.index = rules.NewIndex(keys[name], s.wrappers)
	}
}

// keys returns what an event must have for b to fire. A stub fires wherever
// its entry would have, so it has no `when`.
func (b *bound) keys() []rules.Key {
	var matcher, cond, when []rules.Key
	if b.matcher != nil {
		matcher = b.matcher.Keys()
	}
	if b.cond != nil {
		cond = b.cond.Keys()
	}
	if b.when != nil {
		when = b.when.Keys()
	}
	return rules.Narrow(rules.Narrow(matcher, cond), when)
}

// mayBlockStop reports whether some hook can keep the agent from stopping.
func (s *snapshot) mayBlockStop() bool {
	return slices.ContainsFunc(s.hooks, func(b *bound) bool {
		stop := b.spec.Event == hook.Stop || b.spec.Event == hook.SubagentStop
		return stop && (b.decides() || b.spec.Rewake) && b.gate == ""
	})
}
