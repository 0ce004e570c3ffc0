package rules

import (
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/pawl-dev/pawl/engine/hook"
)

// literalLeast is the shortest literal that is worth looking for.
const literalLeast = 3

// conditionKeys reads the keys of a condition from its lowered tree. Of the
// parts that must all hold it takes those that are evaluated before anything
// that may be unknown or may fail, so that without them the condition is
// false and has asked nothing.
func conditionKeys(root ast.Node, tests []test) []Key {
	keys := anyKey
	for _, part := range conjuncts(root, nil) {
		if k, ok := comparisonKeys(part); ok {
			keys = Narrow(keys, k)
			continue
		}
		if index, ok := testIndex(part); ok {
			keys = Narrow(keys, testKeys(tests[index]))
		}
		break
	}
	return keys
}

// conjuncts returns the parts of a && b && c in the order of evaluation.
func conjuncts(n ast.Node, parts []ast.Node) []ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "&&" || b.Operator == "and") {
		return conjuncts(b.Right, conjuncts(b.Left, parts))
	}
	return append(parts, n)
}

// comparisonKeys reads a comparison of a field with literals.
func comparisonKeys(n ast.Node) ([]Key, bool) {
	b, ok := n.(*ast.BinaryNode)
	if !ok || !slices.Contains([]string{"==", "contains", "startsWith", "endsWith", "in"}, b.Operator) {
		return nil, false
	}
	field, ok := fieldOf(b.Left)
	if !ok {
		return nil, false
	}
	literals, ok := literalsOf(b.Right, b.Operator == "in")
	if !ok {
		return nil, false
	}
	var keys []Key
	for _, s := range literals {
		switch {
		case field == "tool" && (b.Operator == "==" || b.Operator == "in"):
			keys = append(keys, Key{Subject: s})
		case len(s) < literalLeast || field == "tool":
			return anyKey, true
		default:
			keys = append(keys, Key{Kind: KeyText, Field: field, Text: s})
		}
	}
	return keys, true
}

// fieldOf names a field whose value is a text: one of the environment, or a
// member of input.
func fieldOf(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.CallNode:
		if s, ok := nativeArgument[*ast.StringNode](n, "__field"); ok {
			return s.Value, true
		}
	case *ast.IdentifierNode:
		return n.Value, slices.Contains(fieldNames, n.Value) && n.Value != "input" && n.Value != "commands"
	case *ast.MemberNode:
		id, isID := n.Node.(*ast.IdentifierNode)
		s, isText := n.Property.(*ast.StringNode)
		if isID && isText && id.Value == "input" {
			return "input." + s.Value, true
		}
	}
	return "", false
}

func literalsOf(n ast.Node, list bool) ([]string, bool) {
	if s, ok := n.(*ast.StringNode); ok && !list {
		return []string{s.Value}, true
	}
	if c, ok := n.(*ast.ConstantNode); ok && list { // what expr makes of a list of texts
		set, ok := c.Value.(map[string]struct{})
		return slices.Sorted(maps.Keys(set)), ok && len(set) > 0
	}
	a, ok := n.(*ast.ArrayNode)
	if !ok || !list || len(a.Nodes) == 0 {
		return nil, false
	}
	texts := make([]string, len(a.Nodes))
	for i, e := range a.Nodes {
		s, ok := e.(*ast.StringNode)
		if !ok {
			return nil, false
		}
		texts[i] = s.Value
	}
	return texts, true
}

// testIndex recognizes the lowered call of a pattern function.
func testIndex(n ast.Node) (int, bool) {
	i, ok := nativeArgument[*ast.IntegerNode](n, "__test")
	if !ok {
		return 0, false
	}
	return i.Value, true
}

// nativeArgument is what the call of one of our functions has behind the run.
func nativeArgument[T ast.Node](n ast.Node, name string) (arg T, ok bool) {
	call, ok := n.(*ast.CallNode)
	if !ok || len(call.Arguments) != 2 {
		return arg, false
	}
	callee, ok := call.Callee.(*ast.IdentifierNode)
	if !ok || callee.Value != name {
		return arg, false
	}
	arg, ok = call.Arguments[1].(T)
	return arg, ok
}

// Keys returns what an event must have for the condition to hold; one of kind
// KeyAny without a subject means that it may hold on any.
func (c *Condition) Keys() []Key { return c.keys }

// textOf is the value of a field of the environment, other than host, as a
// text.
func textOf(ev *hook.Event, field string) string {
	switch field {
	case "command":
		return commandText(ev)
	case "prompt":
		return ev.Prompt
	case "file_path":
		return filePath(ev)
	case "url":
		return ev.Input.Text("url")
	case "cwd":
		return ev.Dir
	case "session_id":
		return ev.Session
	case "permission_mode":
		return ev.Mode
	case "agent_type":
		return ev.Agent
	case "event":
		return string(ev.Name)
	case "host_tool":
		return ev.HostTool
	case "subject":
		return ev.MatchSubject()
	case "source", "reason":
		return ownField(ev, field)
	}
	return ev.Input.Text(field[len("input."):])
}
