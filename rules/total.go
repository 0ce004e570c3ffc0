package rules

import (
	"slices"

	"github.com/expr-lang/expr/ast"
)

// totalizing is the visitor that makes a condition total: comparisons with a
// missing value, or one of another type, are false instead of an error. The
// result is slower, so it runs only where the plain program failed; where
// that does not fail both agree.
type totalizing struct{}

var (
	comparisons = []string{"==", "!=", "<", ">", "<=", ">=", "in", "contains", "startsWith", "endsWith", "matches"}
	arithmetics = []string{"-", "*", "/", "%", "**", "^"}
	logicals    = []string{"&&", "||", "and", "or"}
	predicates  = []string{"all", "none", "any", "one", "filter", "count", "find", "findIndex"}
)

// Visit rewrites one node; its children have been visited.
func (totalizing) Visit(node *ast.Node) {
	at := (*node).Location()
	truth := func(n ast.Node) ast.Node { return native("__true", n.Location(), n) }
	switch n := (*node).(type) {
	case *ast.BinaryNode:
		op := &ast.StringNode{Value: n.Operator}
		switch {
		case slices.Contains(logicals, n.Operator):
			n.Left, n.Right = truth(n.Left), truth(n.Right)
		case isNil(n.Left) || isNil(n.Right):
		case slices.Contains(comparisons, n.Operator):
			*node = native("__compare", at, op, n.Left, n.Right)
		case slices.Contains(arithmetics, n.Operator):
			*node = native("__math", at, op, n.Left, n.Right)
		}
	case *ast.UnaryNode:
		if n.Operator == "!" || n.Operator == "not" {
			n.Node = truth(n.Node)
		} else if n.Operator == "-" {
			*node = native("__math", at, &ast.StringNode{Value: "-"}, &ast.IntegerNode{}, n.Node)
		}
	case *ast.ConditionalNode:
		n.Cond = truth(n.Cond)
	case *ast.MemberNode:
		*node = native("__get", at, n.Node, n.Property)
	case *ast.BuiltinNode:
		totalBuiltin(node, n)
	}
}

func totalBuiltin(node *ast.Node, n *ast.BuiltinNode) {
	name := &ast.StringNode{Value: n.Name}
	if len(n.Arguments) == 2 {
		if p, ok := n.Arguments[1].(*ast.PredicateNode); ok {
			n.Arguments[0] = native("__list", n.Arguments[0].Location(), name, n.Arguments[0])
			if slices.Contains(predicates, n.Name) {
				p.Node = native("__true", p.Node.Location(), p.Node)
			}
			return
		}
	}
	*node = native("__call", n.Location(), append([]ast.Node{name}, n.Arguments...)...)
}
