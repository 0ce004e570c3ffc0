package policytest

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Coverage says which hooks and permission rules of the policies under test
// spoke in at least one test.
type Coverage struct {
	Total, Reached int
	Unreached      []Unit // in the order of files and lines
}

// Percent is the part that was reached; 100 of nothing.
func (c Coverage) Percent() float64 {
	if c.Total == 0 {
		return 100
	}
	return 100 * float64(c.Reached) / float64(c.Total)
}

// Unit is a hook or a permission rule.
type Unit struct {
	ID  string
	Pos hook.Position // with the file
	// Matched: it was called for some event, and had nothing to say.
	Matched bool
}

// coverage is what is known so far.
type coverage struct {
	units map[Unit]mark // keys have no Matched
}

type mark uint8

const (
	unknown mark = iota
	matched
	spoke
)

func newCoverage() *coverage { return &coverage{units: map[Unit]mark{}} }

// know notes the hooks and rules of an engine that files write down and no
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
}

func (c *coverage) note(id string, pos hook.Position, src hook.Source, m mark) {
	if pos.File == "" {
		pos.File = src.File
	}
	u := Unit{ID: id, Pos: pos}
	c.units[u] = max(c.units[u], m)
}

// reach notes who spoke in a decision.
func (c *coverage) reach(dec hook.Decision) {
	for _, s := range dec.Steps {
		if s.Source.File == "" || s.Status == hook.Problem {
			continue
		}
		c.note(s.Hook, s.Pos, s.Source, markOf(s, dec))
	}
}

// markOf tells what a step shows. A hook that gave no verdict has spoken if
// it is there to add a text, or if the decision has anything beside a verdict
// that a hook which computes its answer may have given.
func markOf(s hook.Step, dec hook.Decision) mark {
	switch {
	case s.Verdict > hook.None || s.Would > hook.None || s.Status == hook.Started:
		return spoke
	case s.Status == hook.NotMatch || s.Status == hook.Gated || s.Status == hook.Skipped:
		return unknown
	case s.Status != hook.Ran:
		return matched
	case s.Type == "prompt":
		return spoke
	case s.Type != "expr" && s.Type != "permission" && s.Type != "rule" && saysMore(dec):
		return spoke
	}
	return matched
}

// saysMore reports whether dec has more than a verdict.
func saysMore(dec hook.Decision) bool {
	return dec.Halted || len(dec.Context)+len(dec.Notices)+len(dec.Metadata)+len(dec.Specific) > 0 ||
		!dec.Input.Absent() || dec.Output != nil || dec.ContinueReason != "" || dec.Retry
}

func (c *coverage) sum() Coverage {
	sum := Coverage{Total: len(c.units)}
	for u, m := range c.units {
		if m == spoke {
			sum.Reached++
			continue
		}
		u.Matched = m == matched
		sum.Unreached = append(sum.Unreached, u)
	}
	slices.SortFunc(sum.Unreached, func(a, b Unit) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col, cmp.Compare(a.ID, b.ID))
	})
	return sum
}
