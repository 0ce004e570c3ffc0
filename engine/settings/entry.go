package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// entry is a Spec while its keys are read.
type entry struct {
	hook.Spec
	node   *node
	doubts []hook.Diagnostic // misspelt conditions: they break an entry that grants
}

// spoil breaks e, unless bad is nil; the first reason stays.
func (e *entry) spoil(bad *hook.Diagnostic) {
	if bad != nil && e.Broken == nil {
		e.Broken = bad
	}
}

// suspect notes the unknown keys of e that look like a misspelt condition:
// without it an entry that grants would grant more than it says.
func (e *entry) suspect(known []string) {
	conditions := []string{"matcher", "match", "if", "when", "mode", "on"}
	decoys := []string{"model", "method", "decision", "reason", "command", "id", "note", "name", "type", "tool", "code"}
	for _, f := range e.Fields {
		if slices.Contains(decoys, f.Name) {
			continue
		}
		near := hook.Nearest(f.Name, slices.Concat(known, conditions, decoys))
		if slices.Contains(conditions, near) {
			e.doubts = append(slices.Clip(e.doubts), hook.Diagnostic{Severity: hook.Error, Pos: f.Pos, Path: e.node.sub(f.Name),
				Message: fmt.Sprintf("key %q has no effect here, and what grants needs all its conditions", f.Name), Advice: hook.DidYouMean(f.Name, conditions)})
		}
	}
}

// add ends the reading of e.
func (d *decoder) add(e *entry) {
	if len(e.doubts) > 0 && e.Grants() && e.Broken == nil {
		f := e.doubts[0]
		e.spoil(d.report(f.Severity, f.Pos, f.Path, f.Message, f.Advice))
	}
	d.Specs = append(d.Specs, e.Spec)
}

// widen drops the conditions of a broken entry that may not be what was
// meant, so that its stub fires wherever the entry might have. hasMatcher:
// its matcher stands in e.node.
func (e *entry) widen(hasMatcher bool) {
	for _, f := range e.node.faults {
		isCondition := slices.Contains([]string{"matcher", "match", "if", "when"}, f.key)
		if e.node.get(f.key) != nil && !isCondition {
			continue // a duplicate of another key
		}
		e.If, e.When = hook.Text{}, hook.Text{}
		if hasMatcher {
			e.Matcher = hook.Text{}
		}
	}
}

// keys reads the members of e: those that own knows, those that all entries
// have, and the rest, which belongs to the type.
func (d *decoder) keys(e *entry, own func(member) bool) {
	e.spoil(d.own(e.node))
	for i, m := range e.node.members {
		if e.node.find(m.name) != &e.node.members[i] {
			continue // a duplicate, reported
		}
		if m.value.cut && m.value.kind == textNode && cutShort(m) {
			d.report(hook.Warning, m.value.pos, m.value.path(), fmt.Sprintf("ends before the #, which begins a comment: %q", clip(m.value.text)),
				"quote it, or put the comment on a line of its own")
		}
		if own(m) || d.entryKey(e, m) {
			continue
		}
		if bad := d.faults(m.value); bad != nil {
			e.spoil(bad)
			continue
		}
		e.Fields = append(e.Fields, hook.Field{Name: m.name, Value: m.value.value(), Pos: m.value.pos, Key: m.pos})
	}
}

// cutShort reports whether the comment behind a value is likely a part of it.
func cutShort(m member) bool {
	switch m.name {
	case "command", "when", "prompt":
		return true
	case "match", "matcher", "if", "reason":
		return strings.Count(m.value.text, "(") > strings.Count(m.value.text, ")")
	}
	return false
}

// entryKey reads a key that every entry may have.
func (d *decoder) entryKey(e *entry, m member) bool {
	var bad *hook.Diagnostic
	switch n := m.value; m.name {
	case "if":
		bad = d.filled(n, &e.If)
	case "when":
		bad = d.filled(n, &e.When)
	case "timeout":
		bad = d.timeout(n, &e.Timeout)
	case "async":
		bad = d.boolean(n, &e.Async)
	case "asyncRewake":
		bad = d.boolean(n, &e.Rewake)
	case "once":
		bad = d.boolean(n, &e.Once)
	case "statusMessage", "message":
		bad = d.message(e, m)
	case "onFailure":
		var i int
		if i, bad = d.word(n, "continue", "block"); bad == nil {
			e.OnFailure = hook.FailContinue + hook.OnFailure(i)
		}
	case "unknown":
		e.Unknown, bad = d.unknown(n)
	case "mode":
		return d.mode(e, n)
	default:
		return false
	}
	e.spoil(bad)
	e.Async = e.Async || e.Rewake
	return true
}

// matcher reads match or matcher: rules and groups take either.
func (d *decoder) matcher(e *entry, n *node) *hook.Diagnostic {
	if e.Matcher.Pos.Line > 0 {
		e.Matcher = hook.Text{}
		return d.fail(n, "match and matcher are the same", "keep one of them")
	}
	if n.kind == listNode && len(n.faults) == 0 {
		return d.want(n, "a string", "write "+alternatives(n))
	}
	return d.str(n, &e.Matcher)
}

// alternatives writes the texts of a list as a matcher takes them.
func alternatives(n *node) string {
	var names []string
	for _, item := range n.items {
		if item.kind == textNode {
			names = append(names, item.text)
		}
	}
	if len(names) == 0 {
		return "A|B"
	}
	return strings.Join(names, "|")
}

// mode reads observe, which any entry may have. The other modes are those of
// prompts; types that we do not know may have more.
func (d *decoder) mode(e *entry, n *node) bool {
	e.Observe = n.text == "observe" && !n.faulty
	kind := e.Type
	if t := e.node.get("type"); t != nil {
		kind = t.text
	}
	switch {
	case e.Observe:
		return true
	case n.faulty, kind != "" && !slices.Contains(hookTypes, kind):
		return false
	case kind == "prompt" && slices.Contains([]string{"inject", "evaluate"}, n.text):
		return false
	}
	words := []string{"observe"}
	if kind == "prompt" || kind == "" {
		words = append(words, "inject", "evaluate")
	}
	e.spoil(d.want(n, "observe (or inject, evaluate on a prompt)", hook.DidYouMean(n.text, words)))
	return true
}

func (d *decoder) unknown(n *node) (hook.OnUnknown, *hook.Diagnostic) {
	i, bad := d.word(n, "ask", "deny", "skip")
	if bad != nil {
		return hook.UnknownDefault, bad
	}
	return hook.UnknownAsk + hook.OnUnknown(i), nil
}

// message reads statusMessage, or the seeds' message.
func (d *decoder) message(e *entry, m member) *hook.Diagnostic {
	if m.name == "message" && e.node.get("statusMessage") != nil {
		d.report(hook.Warning, m.pos, e.node.sub(m.name), "has no effect beside statusMessage", "")
		return nil
	}
	var t hook.Text
	bad := d.str(m.value, &t)
	e.Message = t.Value
	return bad
}
