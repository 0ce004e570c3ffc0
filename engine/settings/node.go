package settings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

type kind uint8

const (
	nullNode kind = iota
	boolNode
	numberNode
	textNode
	listNode
	mapNode
)

// node is one value of a settings text, whatever its syntax. Both readers
// make it, one decoder reads it.
type node struct {
	kind kind
	pos  hook.Position
	text string // of a text its value, of another scalar as it is written
	num  any    // of a number: int or float64
	// plain: a YAML text without quotes. cut: a comment follows it on its line.
	plain, cut bool
	items      []*node
	members    []member       // in file order; a duplicate key is there twice
	names      map[string]int // of the first member of each name, where there are many

	faults []fault
	faulty bool // it has faults, or something in it has

	parent *node // with key or index: the way here, for path
	key    string
	index  int
}

// member is one key of a map, with the place of the key.
type member struct {
	name  string
	pos   hook.Position
	value *node
}

// fault is something that a reader refuses in a tree that is sound otherwise.
type fault struct {
	pos     hook.Position
	key     string // of the map it is in, or ""
	message string
	advice  string
}

func (n *node) fault(f fault) {
	n.faults = append(n.faults, f)
	for p := n; p != nil && !p.faulty; p = p.parent {
		p.faulty = true
	}
}

// find returns the first member called name, or nil.
func (n *node) find(name string) *member {
	if n.names != nil {
		if i, ok := n.names[name]; ok {
			return &n.members[i]
		}
		return nil
	}
	for i := range n.members {
		if n.members[i].name == name {
			return &n.members[i]
		}
	}
	return nil
}

// get returns the value of the first member called name, or nil.
func (n *node) get(name string) *node {
	if m := n.find(name); m != nil {
		return m.value
	}
	return nil
}

// textOf returns the value of a member that is a text, else "".
func (n *node) textOf(name string) string {
	if v := n.get(name); v != nil && v.kind == textNode {
		return v.text
	}
	return ""
}

// add appends m; a name that is there already is a fault of n.
func (n *node) add(m member) {
	const many = 16
	if first := n.find(m.name); first != nil {
		n.fault(fault{pos: m.pos, key: m.name, message: fmt.Sprintf("duplicate key %q, first in line %d", m.name, first.pos.Line),
			advice: "keep one of them"})
	} else if n.names != nil {
		n.names[m.name] = len(n.members)
	}
	n.members = append(n.members, m)
	if n.names == nil && len(n.members) == many {
		n.names = make(map[string]int, 2*many)
		for i, m := range n.members {
			if _, ok := n.names[m.name]; !ok {
				n.names[m.name] = i
			}
		}
	}
}

// path names the node as a reader would: hooks.PreToolUse[0].matcher.
func (n *node) path() string {
	switch {
	case n.parent == nil:
		return ""
	case n.parent.kind == listNode:
		return n.parent.path() + "[" + strconv.Itoa(n.index) + "]"
	}
	return n.parent.sub(n.key)
}

// sub is the path of the member called key, or of n for "".
func (n *node) sub(key string) string {
	p := n.path()
	if p == "" || key == "" {
		return p + key
	}
	return p + "." + key
}

// value returns the node as plain Go data, as hook.Field describes it.
func (n *node) value() any {
	switch n.kind {
	case boolNode:
		return n.text == "true"
	case numberNode:
		return n.num
	case textNode:
		return n.text
	case listNode:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.value()
		}
		return list
	case mapNode:
		m := make(map[string]any, len(n.members))
		for _, mem := range n.members {
			m[mem.name] = mem.value.value()
		}
		return m
	}
	return nil
}

// describe names what was found where something else was expected.
func (n *node) describe() string {
	switch n.kind {
	case boolNode:
		return n.text
	case numberNode:
		return "the number " + n.text
	case textNode:
		return fmt.Sprintf("the string %q", clip(n.text))
	case listNode:
		return "a list"
	case mapNode:
		return "a mapping"
	}
	return "nothing"
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
