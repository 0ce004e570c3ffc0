package settings

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// ruleList reads the short form of expr hooks.
func (d *decoder) ruleList(n *node) {
	switch bad := d.own(n); {
	case bad != nil:
		d.Broken = true
	case n.kind == nullNode:
	case n.kind != listNode:
		d.want(n, "a list of rules", `begin each rule with "- "`)
		d.Broken = true
	default:
		d.rules = map[string]hook.Position{}
		for _, item := range n.items {
			d.rule(item)
		}
	}
}

// rule reads one rule into a Spec for each of its events. A rule without a
// readable event is a stub on PreToolUse, where nearly all rules are.
func (d *decoder) rule(n *node) {
	e := entry{Spec: hook.Spec{ID: n.path(), Source: d.Source, Pos: n.pos, Type: "expr", Rule: true}, node: n}
	events := []hook.EventName{hook.PreToolUse}
	if n.kind != mapNode {
		e.spoil(d.own(n))
		if e.Broken == nil {
			e.spoil(d.want(n, "a mapping with on, match, when and decision", ""))
		}
	} else {
		d.keys(&e, func(m member) bool { return d.ruleKey(&e, m) })
		e.widen(true)
		events = d.events(&e, n.get("on"))
	}
	if e.Grants() {
		e.suspect([]string{"name", "on", "match", "if", "when", "unknown"})
	}
	for i, event := range events {
		if slices.Contains(events[:i], event) {
			continue
		}
		one := e
		one.Event = event
		d.fixed(&one)
		d.add(&one)
	}
}

func (d *decoder) ruleKey(e *entry, m member) bool {
	switch m.name {
	case "name":
		e.spoil(d.ruleName(e, m.value))
	case "on", "description":
	case "match", "matcher":
		e.spoil(d.matcher(e, m.value))
	case "type":
		if m.value.text != "expr" {
			e.spoil(d.want(m.value, "expr: rules are of this type", "put other types under hooks"))
		}
	default:
		return false
	}
	return true
}

// ruleName makes the name the id of the rule.
func (d *decoder) ruleName(e *entry, n *node) *hook.Diagnostic {
	var name hook.Text
	if bad := d.filled(n, &name); bad != nil {
		return bad
	}
	if first, ok := d.rules[name.Value]; ok {
		return d.fail(n, fmt.Sprintf("a second rule named %q, the first is in line %d", name.Value, first.Line), "give it another name")
	}
	d.rules[name.Value] = n.pos
	e.ID = "rules." + name.Value
	return nil
}

// events reads `on`: one event or a list of them.
func (d *decoder) events(e *entry, on *node) []hook.EventName {
	var names []hook.EventName
	items := []*node{on}
	switch {
	case on == nil:
		e.spoil(d.fail(e.node, "missing on: the event that the rule is for", "add on: PreToolUse"))
		items = nil
	case on.kind == listNode:
		e.spoil(d.own(on))
		if items = on.items; len(items) == 0 {
			e.spoil(d.fail(on, "no event: the rule can never fire", "write on: PreToolUse"))
		}
	}
	for _, item := range items {
		var name hook.Text
		if bad := d.filled(item, &name); bad != nil {
			e.spoil(bad)
			continue
		}
		if !isEvent(name.Value) {
			d.unknownEvent(item.pos, item.path(), name.Value)
		}
		names = append(names, hook.EventName(name.Value))
	}
	if len(names) == 0 {
		names = []hook.EventName{hook.PreToolUse}
	}
	return names
}
