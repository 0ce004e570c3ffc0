package rules

import (
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/pawl-dev/pawl/engine/hook"
)

// sign is how a call stands in a condition: a guard's pattern under a `!`
// grants (deny unless all of it is npm), a grant's guards.
type sign uint8

const (
	plain   sign = iota
	negated      // under an odd number of !
	mixed        // its answer is used in some other way
)

// signs is the visitor that finds the sign of each call. It sees children
// before their parents, so it amends what it said of them.
type signs map[ast.Node]sign

// Visit amends the signs of the calls below one node.
func (s signs) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.UnaryNode:
		if n.Operator == "!" || n.Operator == "not" {
			s.amend(n.Node, negated)
		} else {
			s.amend(n.Node, mixed)
		}
	case *ast.BinaryNode:
		if !slices.Contains(logicals, n.Operator) {
			s.amend(n.Left, mixed)
			s.amend(n.Right, mixed)
		}
	case *ast.ConditionalNode:
		s.amend(n.Cond, mixed)
	case *ast.VariableDeclaratorNode:
		s.amend(n.Value, mixed)
	case *ast.CallNode:
		for _, a := range n.Arguments {
			s.amend(a, mixed)
		}
	case *ast.BuiltinNode:
		for _, a := range n.Arguments {
			s.amend(a, map[string]sign{"any": plain, "all": plain, "none": negated}[n.Name])
			if n.Name != "any" && n.Name != "all" && n.Name != "none" {
				s.amend(a, mixed)
			}
		}
	case *ast.ArrayNode:
		for _, e := range n.Nodes {
			s.amend(e, mixed)
		}
	case *ast.PairNode:
		s.amend(n.Value, mixed)
	}
}

// amend changes the signs of all calls and matches below a node.
func (s signs) amend(node ast.Node, how sign) {
	if how == plain {
		return
	}
	ast.Walk(&node, amendment{s, how})
}

type amendment struct {
	signs signs
	how   sign
}

func (a amendment) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.CallNode:
	case *ast.BinaryNode:
		if n.Operator != "matches" {
			return
		}
	default:
		return
	}
	switch old := a.signs[*node]; {
	case a.how == mixed || old == mixed:
		a.signs[*node] = mixed
	case old == negated:
		a.signs[*node] = plain
	default:
		a.signs[*node] = negated
	}
}

// signedTest compiles a test for the place where it stands. Where neither
// polarity is right, both must agree; and what a guard cannot tell stays
// Unknown under a !.
func signedTest(name string, args []string, s Scope, how sign) (test, error) {
	own, err := compileTest(name, args, &s)
	if err != nil || how == plain {
		return own, err
	}
	grant := s.Grant
	s.Grant = !grant
	other, err := compileTest(name, args, &s)
	switch {
	case err != nil:
		return nil, err
	case how == mixed:
		return &bothTest{own, other, false}, nil
	case grant:
		return other, nil
	}
	return &bothTest{own, other, true}, nil
}

// bothTest asks both polarities of a pattern. It is Unknown where the first
// is, or where they disagree; with second, it is else what the second says.
type bothTest struct {
	first, other test
	second       bool
}

func (t *bothTest) eval(f *hook.Facts, why *string) hook.Tri {
	a := t.first.eval(f, why)
	switch {
	case a == hook.Unknown:
		return a
	case t.second:
		return t.other.eval(f, why)
	}
	if b := t.other.eval(f, nil); a != b {
		say(why, "it fits a part of what the event does")
		return hook.Unknown
	}
	return a
}
