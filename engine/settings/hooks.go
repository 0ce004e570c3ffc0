package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// hooks reads a map from events to lists of groups.
func (d *decoder) hooks(n *node) {
	switch n.kind {
	case mapNode:
	case nullNode:
		if d.own(n) != nil {
			d.Broken = true
		}
		return
	default:
		d.want(n, "a mapping from events to lists", "")
		d.Broken = true
		return
	}
	for _, f := range n.faults {
		bad := d.report(hook.Error, f.pos, n.sub(f.key), f.message, f.advice)
		if n.get(f.key) != nil { // a duplicate: which of them is meant?
			d.stub(hook.Spec{ID: n.sub(f.key), Event: hook.EventName(f.key), Pos: f.pos}, bad)
			continue
		}
		d.Broken = true
	}
	for _, m := range n.members {
		d.event(n, m)
	}
}

// stub adds an entry that cannot be understood.
func (d *decoder) stub(s hook.Spec, bad *hook.Diagnostic) {
	s.Source, s.Broken = d.Source, bad
	d.Specs = append(d.Specs, s)
}

// isGroups reports whether n looks like the value of an event.
func (n *node) isGroups() bool {
	return n.kind == listNode && len(n.items) > 0 &&
		!slices.ContainsFunc(n.items, func(c *node) bool { return c.kind != mapNode })
}

// event reads the groups of one event. An event that the table does not know
// may be the host's own, so its hooks stay; or a host's other feature.
func (d *decoder) event(in *node, m member) {
	n, event := m.value, hook.EventName(m.name)
	if !isEvent(m.name) {
		d.unknownEvent(m.pos, in.sub(m.name), m.name)
		if !n.isGroups() {
			return
		}
	}
	at := hook.Spec{ID: n.path(), Event: event, Pos: n.pos}
	switch bad := d.own(n); {
	case bad != nil:
		d.stub(at, bad)
	case n.kind == nullNode:
		d.report(hook.Warning, m.pos, in.sub(m.name), "no hooks here", "add one, or remove the key")
	case n.kind != listNode:
		d.stub(at, d.want(n, "a list", `begin the entry with "- "`))
	default:
		for _, group := range n.items {
			d.group(event, group)
		}
	}
}

func (d *decoder) unknownEvent(pos hook.Position, path, name string) {
	advice := meant(name, hook.EventNames())
	letters := func(s string) string { return strings.NewReplacer("_", "", "-", "", " ", "").Replace(s) }
	for _, event := range hook.EventNames() {
		if strings.EqualFold(letters(name), event) { // PRE_TOOL_USE
			advice = fmt.Sprintf("did you mean %q?", event)
		}
	}
	d.report(hook.Warning, pos, path, fmt.Sprintf("unknown event %q: no agent fires it, unless it is the host's own", name), advice)
}

var groupKeys = []string{"matcher", "hooks", "parallel", "description", "if", "when", "timeout", "mode", "unknown", "onFailure"}

// group reads a matcher with its hooks, or one hook without that wrapper.
// Keys of a hook that stand in the group are defaults of its hooks.
func (d *decoder) group(event hook.EventName, n *node) {
	s := hook.Spec{ID: n.path(), Event: event, Source: d.Source, Pos: n.pos}
	if n.kind != mapNode {
		bad := d.own(n)
		if bad == nil {
			bad = d.want(n, "a mapping with matcher and hooks", "")
		}
		d.stub(s, bad)
		return
	}
	e := entry{Spec: s, node: n}
	list := n.get("hooks")
	if flat := list == nil && n.get("type") != nil; flat {
		d.report(hook.Note, n.pos, n.path(), "a hook without the matcher and hooks around it, read as a group of one", "")
		d.single(&e)
		return
	}
	d.keys(&e, func(m member) bool { return d.groupKey(&e, m) })
	e.widen(true)
	for _, f := range e.Fields {
		d.report(hook.Warning, n.find(f.Name).pos, n.sub(f.Name), fmt.Sprintf("unknown key %q beside hooks", f.Name), meant(f.Name, groupKeys))
	}
	e.suspect(groupKeys)
	e.Fields = nil
	if t := n.get("type"); t != nil && list != nil {
		e.spoil(d.fail(t, "a hook and a group in one entry", "move type and the keys that go with it into the list of hooks"))
	}
	switch bad := d.hookList(&e, list); {
	case bad != nil:
		e.spoil(bad)
		d.add(&e)
	case len(list.items) == 0:
		d.report(hook.Warning, list.pos, list.path(), "no hooks here", "add one, or remove the entry")
	default:
		for _, item := range list.items {
			d.hook(&e, item)
		}
	}
}

// hookList checks the list of a group.
func (d *decoder) hookList(e *entry, list *node) *hook.Diagnostic {
	if list == nil {
		return d.fail(e.node, "missing hooks: a group is a matcher and a list of hooks", "")
	}
	if bad := d.own(list); bad != nil {
		return bad
	}
	if list.kind != listNode {
		return d.want(list, "a list", `begin each hook with "- "`)
	}
	return nil
}

func (d *decoder) groupKey(e *entry, m member) bool {
	switch m.name {
	case "matcher", "match":
		e.spoil(d.matcher(e, m.value))
	case "parallel":
		on := false
		e.spoil(d.boolean(m.value, &on))
		if on && e.Group == 0 {
			d.groups++
			e.Group = d.groups
		}
	case "hooks", "description":
	default:
		return false
	}
	return true
}

// single reads a flat entry.
func (d *decoder) single(e *entry) {
	d.keys(e, func(m member) bool { return d.groupKey(e, m) || d.hookKey(e, m) })
	e.widen(true)
	d.finish(e)
}

// hook reads one hook of a group.
func (d *decoder) hook(group *entry, n *node) {
	e := *group
	e.node, e.ID, e.Pos = n, n.path(), n.pos
	if n.kind != mapNode {
		bad := d.own(n)
		if bad == nil {
			bad = d.want(n, "a mapping with type", "")
		}
		e.spoil(bad)
		d.add(&e)
		return
	}
	for _, key := range []string{"if", "when"} {
		if n.get(key) != nil && group.node.get(key) != nil {
			e.spoil(d.fail(n.get(key), fmt.Sprintf("%s is in the group and in its hook", key), "keep one of them"))
		}
	}
	d.keys(&e, func(m member) bool { return d.hookKey(&e, m) })
	e.widen(false)
	d.finish(&e)
}

func (d *decoder) hookKey(e *entry, m member) bool {
	switch m.name {
	case "type":
		var t hook.Text
		e.spoil(d.filled(m.value, &t))
		e.Type = t.Value
	case "description":
	case "name": // a label for the reader, save where the type has it
		if t := e.node.get("type"); t != nil && t.text == "agent" {
			return false
		}
		e.spoil(d.str(m.value, new(hook.Text)))
	default:
		return false
	}
	return true
}

// finish adds a hook whose keys have been read.
func (d *decoder) finish(e *entry) {
	if e.node.get("type") == nil {
		e.spoil(d.fail(e.node, "missing type", typeAdvice(e.node)))
	}
	if e.Grants() {
		e.suspect([]string{"if", "when", "matcher", "unknown", "mode"})
	}
	if d.Source.Style == hook.Claude {
		if call := pawlCall(&e.Spec); call != "" {
			d.dropped(e, call)
			return
		}
	}
	d.fixed(e)
	d.add(e)
}

func typeAdvice(n *node) string {
	for _, hint := range [][2]string{{"command", "command"}, {"url", "http"}, {"script", "lua"}, {"server", "mcp_tool"},
		{"prompt", "prompt"}, {"when", "expr"}, {"decision", "permission"}} {
		if n.get(hint[0]) != nil {
			return "add type: " + hint[1]
		}
	}
	return "one of " + strings.Join(hookTypes, ", ")
}

// hookTypes are the types that Pawl knows; a host may have more.
var hookTypes = []string{"command", "permission", "expr", "lua", "prompt", "http", "mcp_tool", "agent"}
