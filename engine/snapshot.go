package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// snapshot is one complete, immutable set of hooks.
type snapshot struct {
	id          string
	hooks       []*bound // in the order in which they run
	events      map[hook.EventName]*eventIndex
	rules       permissions
	permissions []*rule // all of them, strongest first
	diags       []hook.Diagnostic
	errors      map[string]int // load errors of each file
	sources     []string
	root        string
	gates       gates
	trace       bool

	problems    []problem // load diagnostics that decisions name
	countsStops bool      // some hook may block a Stop, so the guard counts
	wakes       bool      // some hook may wake the agent
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
	order   int
	gate    string // why the hook is silenced, or ""
	tighten bool   // its source may only tighten
	// distrusted: the gate is missing trust.
	distrusted bool
	diags      []hook.Diagnostic
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

// eventIndex finds the hooks of one event by the subject that they name. All
// lists are in the order of hooks.
type eventIndex struct {
	all       []*bound
	bySubject map[string][]*bound // hooks that name subjects
	rest      []*bound            // hooks that name none
}

// candidates walks up to four lists of hooks as one, in the order of hooks,
// without those that their subject rules out.
type candidates struct {
	lists         [4][]*bound
	subject, host string
}

// find returns the hooks that may match a subject, which the host may know
// by another name too.
func (x *eventIndex) find(subject, hostName string) candidates {
	c := candidates{[4][]*bound{x.bySubject[subject], nil, nil, x.rest}, subject, hostName}
	if hostName != "" && hostName != subject {
		c.lists[1] = x.bySubject[hostName]
	}
	if strings.HasPrefix(subject, "mcp__") {
		c.lists[2] = x.bySubject[rules.MCPTools]
	}
	return c
}

// next returns the next hook, nil at the end; one that stands in two lists
// comes once.
func (c *candidates) next() *bound {
	for {
		b := c.step()
		if b == nil || b.mayFit(c.subject, c.host) {
			return b
		}
	}
}

func (c *candidates) step() *bound {
	var least *bound
	for _, list := range c.lists {
		if len(list) > 0 && (least == nil || list[0].order < least.order) {
			least = list[0]
		}
	}
	for i, list := range c.lists {
		if len(list) > 0 && list[0] == least {
			c.lists[i] = list[1:]
		}
	}
	return least
}

// mayFit reports whether b can match any event with this subject.
func (b *bound) mayFit(subject, host string) bool {
	return (b.matcher == nil || b.matcher.MayFit(subject, host)) && (b.cond == nil || b.cond.MayFit(subject, host))
}

// index builds the event indexes of the hooks in s.
func (s *snapshot) index() {
	s.events = make(map[hook.EventName]*eventIndex)
	for i, b := range s.hooks {
		b.order = i
		x := s.events[b.spec.Event]
		if x == nil {
			x = &eventIndex{bySubject: make(map[string][]*bound)}
			s.events[b.spec.Event] = x
		}
		x.all = append(x.all, b)
		names := b.subjects()
		if names == nil {
			x.rest = append(x.rest, b)
		}
		for _, n := range slices.Compact(slices.Sorted(slices.Values(names))) {
			x.bySubject[n] = append(x.bySubject[n], b)
		}
	}
}

// subjects returns the subjects that b can match, nil for any.
func (b *bound) subjects() []string {
	var names []string
	for _, p := range [...]*rules.Pattern{b.matcher, b.cond} {
		if p == nil {
			continue
		}
		if own := p.Subjects(); own != nil && (names == nil || len(own) < len(names)) {
			names = own
		}
	}
	return names
}

// mayBlockStop reports whether some hook can keep the agent from stopping.
func (s *snapshot) mayBlockStop() bool {
	return slices.ContainsFunc(s.hooks, func(b *bound) bool {
		stop := b.spec.Event == hook.Stop || b.spec.Event == hook.SubagentStop
		return stop && (b.decides() || b.spec.Rewake) && b.gate == ""
	})
}
