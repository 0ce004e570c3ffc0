package settings

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// fixed judges what an entry with a fixed decision says: whether its event
// takes that decision, and whether its reason can be filled in.
func (d *decoder) fixed(e *entry) {
	if e.Type != "permission" && e.Type != "expr" || e.Broken != nil {
		return
	}
	d.misspeltDecision(e)
	for _, f := range e.Fields {
		text, ok := f.Value.(string)
		switch {
		case !ok:
		case f.Name == "decision":
			d.effect(e, f, text)
		case f.Name == "reason":
			scope := rules.Scope{Event: e.Event, Path: e.ID + ".reason"}
			for _, diag := range rules.LintTemplate(hook.Text{Value: text, Pos: f.Pos}, scope) {
				d.report(diag.Severity, diag.Pos, diag.Path, diag.Message, diag.Advice)
			}
		}
	}
}

// misspeltDecision breaks an entry whose decision stands under another name,
// so that one fault is told once and where it is.
func (d *decoder) misspeltDecision(e *entry) {
	known := []string{"decision", "reason", "description", "suggestions"}
	if e.node.get("decision") != nil {
		return
	}
	for _, f := range e.Fields {
		if !slices.Contains(known, f.Name) && hook.Nearest(f.Name, known) == "decision" {
			e.spoil(d.report(hook.Error, f.Key, e.node.sub(f.Name), fmt.Sprintf("unknown key %q", f.Name), hook.DidYouMean(f.Name, known)))
			return
		}
	}
}

// effect tells of a decision that comes to nothing on the event of e, or to
// something else than it says.
func (d *decoder) effect(e *entry, f hook.Field, word string) {
	info, _ := hook.Lookup(e.Event)
	path := e.ID + ".decision"
	switch word {
	case "deny", "block", "ask", "defer":
		if !info.Deciding() {
			e.spoil(d.report(hook.Error, f.Pos, path, fmt.Sprintf("%s can never have an effect: nothing can be stopped on %s", word, e.Event), ""))
		} else if (word == "ask" || word == "defer") && !info.Has(hook.CanAnswer) {
			d.report(hook.Warning, f.Pos, path, fmt.Sprintf("nobody can be asked on %s: %s blocks there", e.Event, word), "write deny, which says so")
		}
	case "allow", "approve":
		if !info.Has(hook.CanAnswer) {
			d.report(hook.Warning, f.Pos, path, fmt.Sprintf("%s has no effect: there is nothing to grant on %s", word, e.Event), "remove the entry")
		}
	}
}
