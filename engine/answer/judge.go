package answer

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// decodeBody reads the JSON of a body as far as limit allows. It returns the
// plain text beside it, and an error for what should have been JSON.
func decodeBody(event hook.EventName, b body, limit weight, odd string) (hook.Result, string, *SyntaxError) {
	if b.broken != nil && b.broken.Ambiguous {
		if info, _ := hook.Lookup(event); info.Deciding() {
			return ambiguous(b.broken), "", nil
		}
	}
	if b.object.Absent() {
		return hook.Result{}, b.plain, b.broken
	}
	if b.noise != "" {
		limit, odd = min(limit, neutral), "stands in an object with other text before it"
	}
	res := decodeObject(event, b.object, limit, odd)
	if b.noise == "" {
		return res, "", nil
	}
	counts := "counts because it tightens"
	if !tightens(res) { // then it is text that happens to end in an object
		res = hook.Result{Diagnostics: res.Diagnostics}
		counts = "has no effect because it does not tighten"
	}
	if answers(b.object) {
		res.Diagnostics = append(res.Diagnostics, hook.Diagnostic{
			Severity: hook.Warning,
			Message:  "other text stands before the JSON object, which " + counts,
			Advice:   "print nothing but the object",
		})
	}
	if tightens(res) {
		return res, b.noise, nil
	}
	return res, b.plain, b.broken
}

// answers reports whether o has any field of an answer.
func answers(o hook.Object) bool {
	return slices.ContainsFunc(o.Members(), func(m hook.Member) bool {
		_, ok := named(fields, m.Name)
		return ok
	})
}

// tightens reports whether an answer keeps something from happening.
func tightens(res hook.Result) bool { return res.Verdict >= hook.Ask || res.Halt }

// ambiguous is the answer of a hook that two readers could read differently.
func ambiguous(e *SyntaxError) hook.Result {
	d := diagnosticOf(e)
	return hook.Result{
		Verdict:     hook.Deny,
		Reason:      "blocked: the answer of a hook is ambiguous: " + e.Error(),
		Diagnostics: []hook.Diagnostic{d},
	}
}

func diagnosticOf(e *SyntaxError) hook.Diagnostic {
	return hook.Diagnostic{Severity: hook.Error, Message: "the answer is not one JSON object: " + e.Error()}
}

func unreadable(event hook.EventName, e *SyntaxError) *hook.NoVerdict {
	failed := hook.Fail(hook.CauseAnswer, "the answer is not one JSON object: %w", e)
	failed.Blocks = failureBlocks(event)
	return failed
}

// failureBlocks: a worktree that a hook failed to make or remove was not made
// or removed, whatever onFailure says.
func failureBlocks(event hook.EventName) bool {
	return event == hook.WorktreeCreate || event == hook.WorktreeRemove
}
