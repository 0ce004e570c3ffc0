package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/pawl-dev/pawl/engine/hook"
)

type visitor = ast.Visitor

// lowering is the visitor that makes a source what the machine runs: calls of
// pattern functions become calls of compiled tests, commands becomes a call,
// each predicate is timed, and what could grow without bound is capped.
type lowering struct {
	cond   *Condition
	notes  *notes
	signs  signs
	fields []use // of input
	tools  []string
	raw    []int // offsets of regular expressions over the raw command
	root   *ast.Node

	compared []compared // the tool or the event with a name
}

// use is the use of one input field, at a rune offset.
type use struct {
	name   string
	offset int
}

func (l *lowering) fail(node ast.Node, message, advice string) {
	l.failAt(node.Location().From, message, advice)
}

func (l *lowering) failAt(offset int, message, advice string) {
	n := *l.notes
	n.pos = placeAt(n.pos, l.cond.source, offset)
	n.list = nil
	n.add(hook.Error, message, advice)
	l.notes.list = append(l.notes.list, n.list...)
}

// Visit rewrites one node; its children have been visited.
func (l *lowering) Visit(node *ast.Node) {
	l.root = node // visited last
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		l.identifier(node, n)
	case *ast.CallNode:
		l.call(node, n)
	case *ast.MemberNode:
		l.member(n)
	case *ast.BinaryNode:
		l.binary(node, n)
	case *ast.PredicateNode:
		n.Node = &ast.SequenceNode{Nodes: []ast.Node{native("__tick", n.Node.Location()), n.Node}}
		n.Node.SetLocation(n.Location())
	}
}

// native makes a call of one of our functions with the run as first argument.
func native(name string, at file.Location, args ...ast.Node) ast.Node {
	callee, r := &ast.IdentifierNode{Value: name}, &ast.IdentifierNode{Value: "__run"}
	callee.SetLocation(at)
	r.SetLocation(at)
	n := &ast.CallNode{Callee: callee, Arguments: append([]ast.Node{r}, args...)}
	n.SetLocation(at)
	return n
}

func (l *lowering) identifier(node *ast.Node, n *ast.IdentifierNode) {
	switch {
	case n.Value == "$env":
		l.fail(n, "$env is not available", "name the field")
	case strings.HasPrefix(n.Value, "__"):
		l.fail(n, "unknown name "+n.Value, "")
	case n.Value == "commands":
		*node = native("__commands", n.Location())
	case slices.Contains(calledFields, n.Value):
		*node = native("__field", n.Location(), &ast.StringNode{Value: n.Value})
		(*node).SetType(reflect.TypeFor[string]())
	default:
		l.cond.used.add(n.Value)
	}
}

func (l *lowering) member(n *ast.MemberNode) {
	name, ok := n.Property.(*ast.StringNode)
	if !ok {
		l.cond.deep = true
		return
	}
	if id, ok := n.Node.(*ast.IdentifierNode); ok && id.Value == "input" {
		l.fields = append(l.fields, use{name.Value, n.Property.Location().From})
	}
	if slices.Contains([]string{"args", "text", "raw", "dir"}, name.Value) {
		l.cond.deep = true
	}
}

// call replaces a pattern function by its compiled test.
func (l *lowering) call(node *ast.Node, n *ast.CallNode) {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok || !slices.Contains(patternNames, callee.Value) {
		return
	}
	name, at := callee.Value, n.Location()
	literals, ok := l.literals(n, name)
	if !ok {
		return
	}
	switch name {
	case "glob", "regex":
		w, err := compileWord(name, literals[0])
		if err != nil {
			l.fail(n, fmt.Sprintf("%s(%s): %v", name, quote(literals[0]), err), "")
			return
		}
		l.cond.words = append(l.cond.words, w)
		*node = native("__word", at, &ast.IntegerNode{Value: len(l.cond.words) - 1}, n.Arguments[1])
	case "env":
		*node = native("__env", at, n.Arguments[0])
	default:
		t, err := signedTest(name, literals, l.cond.scope, l.signs[n])
		if err != nil {
			l.fail(n, fmt.Sprintf("%s(%s): %v", name, quoteArgs(literals), err), "")
			return
		}
		l.lintCall(n, name, literals)
		l.cond.tests = append(l.cond.tests, t)
		*node = native("__test", at, &ast.IntegerNode{Value: len(l.cond.tests) - 1})
	}
}

// lintCall notes patterns of a call that do not do what they seem to.
func (l *lowering) lintCall(n *ast.CallNode, name string, literals []string) {
	for i, text := range literals {
		if name == "flag" && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") {
			dashes := "--"
			if len(text) == 1 {
				dashes = "-"
			}
			l.fail(n.Arguments[i], fmt.Sprintf("%q is no option, so that no command has it", text), fmt.Sprintf("write flag(%q)", dashes+text))
			continue
		}
		at := notes{scope: l.notes.scope, pos: placeAt(l.notes.pos, l.cond.source, n.Arguments[i].Location().From)}
		lintPatterns(&at, name, literals[i:i+1])
		l.notes.list = append(l.notes.list, at.list...)
	}
}

// literals returns the patterns of a call, which must be literal texts.
func (l *lowering) literals(n *ast.CallNode, name string) ([]string, bool) {
	args, want := n.Arguments, "at least one pattern"
	switch name {
	case "glob", "regex":
		want = "a pattern and a text"
		if len(args) != 2 {
			args = nil
		} else {
			args = args[:1]
		}
	case "env":
		want = "the name of a variable"
		if len(args) != 1 {
			args = nil
		}
	}
	if len(args) == 0 {
		l.fail(n, fmt.Sprintf("%s takes %s", name, want), "")
		return nil, false
	}
	texts := make([]string, len(args))
	for i, a := range args {
		s, ok := a.(*ast.StringNode)
		if !ok || s.Value == "" && name != "glob" && name != "regex" {
			l.fail(a, fmt.Sprintf("%s takes literal patterns, in quotes", name), "")
			return nil, false
		}
		texts[i] = s.Value
	}
	return texts, true
}

func compileWord(name, pattern string) (word, error) {
	if name == "regex" {
		re, err := compileRegex(pattern)
		if err != nil {
			return word{}, err
		}
		return word{re.match, name}, nil
	}
	w, err := compileWild(pattern)
	return word{func(s string) hook.Tri { return hook.TriOf(w.match(s)) }, name}, err
}

func (l *lowering) binary(node *ast.Node, n *ast.BinaryNode) {
	switch n.Operator {
	case "+":
		if !isNumber(n.Left) || !isNumber(n.Right) {
			*node = native("__add", n.Location(), n.Left, n.Right)
		}
	case "..":
		*node = native("__range", n.Location(), n.Left, n.Right)
	case "in":
		l.compareAll(n)
	case "!=":
		l.compare(n, n.Left, n.Right)
		if (isDynamic(n.Left) || isDynamic(n.Right)) && !isNil(n.Left) && !isNil(n.Right) {
			*node = native("__differ", n.Location(), n.Left, n.Right)
		}
	case "==":
		if isDynamic(n.Left) && isDynamic(n.Right) && !isNil(n.Left) && !isNil(n.Right) {
			*node = native("__same", n.Location(), n.Left, n.Right)
			return
		}
		l.compare(n, n.Left, n.Right)
	case "matches":
		l.matches(n)
	}
}

// compare notes a comparison of the tool or the event with a literal.
func (l *lowering) compare(n *ast.BinaryNode, field, value ast.Node) {
	id, isID := field.(*ast.IdentifierNode)
	s, isText := value.(*ast.StringNode)
	if !isID || !isText || id.Value != "tool" && id.Value != "event" {
		return
	}
	l.compared = append(l.compared, compared{n, id.Value, s.Value, n.Operator == "=="})
	if id.Value == "tool" && n.Operator == "==" {
		l.tools = append(l.tools, s.Value)
	}
}

// compareAll does so for each text of a list.
func (l *lowering) compareAll(n *ast.BinaryNode) {
	list, ok := n.Right.(*ast.ArrayNode)
	if !ok {
		return
	}
	for _, e := range list.Nodes {
		l.compare(n, n.Left, e)
	}
}

// matches lets . match line breaks in a literal regular expression and, where
// it guards, ^ and $ at each line, so that a second line does not hide.
func (l *lowering) matches(n *ast.BinaryNode) {
	s, ok := n.Right.(*ast.StringNode)
	if !ok {
		return
	}
	if isCommand(n.Left) {
		l.raw = append(l.raw, n.Location().From)
	}
	flags := "(?ms)"
	if how := l.signs[n]; how == mixed || (how == negated) != l.cond.scope.Grant {
		flags = "(?s)"
	}
	n.Right = &ast.StringNode{Value: flags + s.Value}
	n.Right.SetLocation(s.Location())
}

func isCommand(n ast.Node) bool {
	if m, ok := n.(*ast.MemberNode); ok {
		id, isID := m.Node.(*ast.IdentifierNode)
		s, isText := m.Property.(*ast.StringNode)
		return isID && isText && id.Value == "input" && s.Value == "command"
	}
	id, ok := n.(*ast.IdentifierNode)
	return ok && id.Value == "command"
}

func isDynamic(n ast.Node) bool { return n.Type().Kind() == reflect.Interface }

func isNumber(n ast.Node) bool {
	k := n.Type().Kind()
	return k == reflect.Int || k == reflect.Float64
}

func isNil(n ast.Node) bool {
	_, ok := n.(*ast.NilNode)
	return ok
}
