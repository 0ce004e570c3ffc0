package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// contradictions finds what makes a hook one that can never do what it says,
// or seems to.
func contradictions(h *bound) []hook.Diagnostic {
	var diags []hook.Diagnostic
	fail := func(at hook.Position, message, advice string) {
		diags = append(diags, hook.Diagnostic{Severity: hook.Error, Pos: at, Path: h.spec.ID, Message: message, Advice: advice})
	}
	if h.spec.Async && h.spec.Fixed() > hook.Allow {
		fail(h.spec.Pos, "a hook that runs in the background cannot decide", "leave out async")
	}
	if info, _ := hook.Lookup(h.spec.Event); h.spec.Async && len(diags) == 0 && !h.kind.Silent && info.Has(hook.CanBlock|hook.CanAnswer) {
		diags = append(diags, hook.Diagnostic{Severity: hook.Note, Pos: h.spec.Pos, Path: h.spec.ID,
			Message: fmt.Sprintf("runs in the background: on %s it can stop nothing", h.spec.Event), Advice: "leave out async if it is a guard"})
	}
	if h.matcher != nil && h.cond != nil {
		m, c := h.matcher.Subjects(), h.cond.Subjects()
		if m != nil && c != nil && !slices.ContainsFunc(m, func(a string) bool {
			return slices.ContainsFunc(c, func(b string) bool { return meet(a, b) })
		}) {
			fail(h.spec.If.Pos, fmt.Sprintf("it can never fire: matcher wants %s, if wants %s", strings.Join(m, ", "), strings.Join(c, ", ")), "")
		}
	}
	return diags
}

// meet reports that two subjects may be of one event: the same name, names of
// one tool, or of MCP tools.
func meet(a, b string) bool {
	return a == b || hook.CanonicalTool(a) == hook.CanonicalTool(b) || strings.HasPrefix(a, "mcp__") && strings.HasPrefix(b, "mcp__")
}
