package shell

import (
	"maps"

	"mvdan.cc/sh/v3/syntax"
)

// assigners are the builtins that may assign variables, or run text that does.
const assigners = "read unset eval . source printf mapfile readarray getopts let wait declare typeset local export readonly builtin command coproc trap"

// repeated is the scope of a loop: certain there is what no turn of it assigns.
func (s *scope) repeated(loop syntax.Node) *scope {
	b := s.blank()
	if len(s.vars) == 0 || s.nesting >= 8 {
		return b
	}
	kept, lost := maps.Clone(s.vars), false
	var heads []*syntax.Word
	syntax.Walk(loop, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				delete(kept, n.Name.Value)
			}
		case *syntax.WordIter:
			delete(kept, n.Name.Value)
		case *syntax.DeclClause, *syntax.FuncDecl, *syntax.ArithmCmd, *syntax.LetClause, *syntax.ArithmExp, *syntax.CStyleLoop, *syntax.CoprocClause:
			lost = true
		case *syntax.ParamExp:
			lost = lost || n.Exp != nil && n.Exp.Op >= syntax.AssignUnset
			lost = lost || n.Index != nil || n.Slice != nil
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				heads = append(heads, n.Args[0])
			}
		case *syntax.Redirect:
			lost = lost || n.N != nil && n.N.Value[0] == '{'
		}
		return !lost
	})
	if lost {
		return b
	}
	b.vars = kept
	for _, head := range heads {
		if words := b.words([]*syntax.Word{head}); len(words) == 0 || !words[0].known || has(assigners, words[0].text) || kept[positional] != nil && has("set shift", words[0].text) {
			return s.blank()
		}
	}
	return b
}
