package policytest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Coverage says which hooks, callbacks and permission rules of the policies
// under test fired in at least one test, and which lines of their Lua ran.
type Coverage struct {
	Total, Reached int
	Unreached      []Unit // in the order of files and lines
	// The lines of Lua policies that have a statement; a line counts as
	// reached if any statement on it ran, be it only when the file was loaded.
	Lines, LinesReached int
	UnreachedLines      []Lines // in the order of files and lines
}

// Lines are neighbouring lines of a file, without those that have no
// statement between them.
type Lines struct {
	File     string
	From, To int
}

// LinePercent is the part of the lines that ran; 100 of nothing.
func (c Coverage) LinePercent() float64 {
	if c.Lines == 0 {
		return 100
	}
	return 100 * float64(c.LinesReached) / float64(c.Lines)
}

// Percent is the part that was reached; 100 of nothing.
func (c Coverage) Percent() float64 {
	if c.Total == 0 {
		return 100
	}
	return 100 * float64(c.Reached) / float64(c.Total)
}

// Unit is a hook, a callback of tasks or subagents, or a permission rule.
type Unit struct {
	ID  string
	Pos hook.Position // with the file
	// Matched: some event was its own, but it failed, or could not tell.
	Matched bool
}

// coverage is what is known so far.
type coverage struct {
	units map[Unit]mark // keys have no Matched

	mu    sync.Mutex // of lines, which policies tell
	lines map[place]bool
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// line notes a line of a Lua policy.
func (c *coverage) line(file string, line int, ran bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := place{file, line}
	c.lines[at] = c.lines[at] || ran
}

type mark uint8

const (
	unknown mark = iota
	matched
	fired
)

func newCoverage() *coverage { return &coverage{units: map[Unit]mark{}, lines: map[place]bool{}} }

// know notes the hooks, callbacks and rules of an engine that files write down and no
// switch silences.
func (c *coverage) know(eng *engine.Engine) {
	for _, h := range eng.Hooks() {
		if h.Spec.Source.File != "" && h.Gate == "" {
			c.note(h.Spec.ID, h.Spec.Pos, h.Spec.Source, unknown)
		}
	}
	for _, r := range eng.PermissionRules() {
		if r.Spec.Source.File != "" {
			c.note(r.Spec.ID, r.Spec.Text.Pos, r.Spec.Source, unknown)
		}
	}
	for _, back := range eng.Callbacks() {
		if back.Gate == "" {
			c.note(back.ID, back.Pos, back.Source, unknown)
		}
	}
}

// called notes which callbacks of tasks and subagents were called; their steps
// name them with the moment.
func (c *coverage) called(steps []hook.Step) {
	for _, s := range steps {
		if id := s.Hook[:strings.LastIndexByte(s.Hook, '.')]; s.Source.File != "" {
			c.note(id, s.Pos, s.Source, markOf(s))
		}
	}
}

func (c *coverage) note(id string, pos hook.Position, src hook.Source, m mark) {
	if pos.File == "" {
		pos.File = src.File
	}
	u := Unit{ID: id, Pos: pos}
	c.units[u] = max(c.units[u], m)
}

// reach notes who fired in a decision.
func (c *coverage) reach(dec hook.Decision) {
	for _, s := range dec.Steps {
		if s.Source.File == "" || s.Status == hook.Problem {
			continue
		}
		c.note(s.Hook, s.Pos, s.Source, markOf(s))
	}
}

// markOf tells what a step shows. A fixed decision has fired when it gave its
// verdict. A hook that runs something has when that came to its end: it may
// be there for what it does, not for what it says.
func markOf(s hook.Step) mark {
	fixed := s.Type == "expr" || s.Type == "permission" || s.Type == "rule"
	switch {
	case s.Verdict > hook.None || s.Would > hook.None || s.Status == hook.Started:
		return fired
	case s.Status == hook.Ran || s.Status == hook.Observed:
		if fixed {
			return matched
		}
		return fired
	case s.Status == hook.Failed:
		return matched
	}
	return unknown
}

func (c *coverage) sum() Coverage {
	sum := Coverage{Total: len(c.units)}
	for u, m := range c.units {
		if m == fired {
			sum.Reached++
			continue
		}
		u.Matched = m == matched
		sum.Unreached = append(sum.Unreached, u)
	}
	slices.SortFunc(sum.Unreached, func(a, b Unit) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col, cmp.Compare(a.ID, b.ID))
	})
	c.sumLines(&sum)
	return sum
}

func (c *coverage) sumLines(sum *Coverage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.SortedFunc(maps.Keys(c.lines), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), a.line-b.line)
	})
	open := false // the last of UnreachedLines may grow
	for _, at := range all {
		sum.Lines++
		if c.lines[at] {
			sum.LinesReached++
			open = false
			continue
		}
		if n := len(sum.UnreachedLines); open && sum.UnreachedLines[n-1].File == at.file {
			sum.UnreachedLines[n-1].To = at.line
		} else {
			sum.UnreachedLines = append(sum.UnreachedLines, Lines{at.file, at.line, at.line})
		}
		open = true
	}
}
