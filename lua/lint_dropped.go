package lua

import (
	"fmt"
	"slices"

	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// saying is a verdict that an expression may come to.
type saying struct {
	word string
	site callSite // that makes it
}

// said finds the verdicts that e may come to, as far as the text tells it:
// not all where there are very many.
func (s *survey) said(e ast.Expr) (all []saying) {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if word := s.libraryName(e.Func); s.library.verdicts[word] {
			return []saying{{word, s.sites[e]}}
		} else if f := s.functionOf(e.Func); f != nil && word == "" {
			values := make([]ast.Expr, len(f.returns))
			for i, r := range f.returns {
				values[i] = r.expr
			}
			return s.saidOnce(f, values)
		}
	case *ast.LogicalOpExpr:
		if e.Operator == "or" {
			all = s.said(e.Lhs)
		}
		return append(all, s.said(e.Rhs)...)
	case *ast.TableExpr:
		for i := 0; i < len(e.Fields) && len(all) < maxFindings; i++ {
			all = append(all, s.said(e.Fields[i].Value)...)
		}
	case *ast.IdentExpr:
		v := s.names[e]
		return s.saidOnce(v, slices.Concat(v.values, v.items))
	}
	return all
}

// saidOnce finds the verdicts of a function or variable, which may depend on
// itself, and remembers them.
func (s *survey) saidOnce(of any, values []ast.Expr) []saying {
	if known, ok := s.sayings[of]; ok {
		return known
	}
	s.sayings[of] = nil
	var all []saying
	for i := 0; i < len(values) && len(all) < maxFindings; i++ {
		all = append(all, s.said(values[i])...)
	}
	s.sayings[of] = slices.Clip(all)
	return s.sayings[of]
}

// droppedVerdicts finds verdicts that are made and not returned.
func droppedVerdicts(s *survey) (found []finding) {
	for _, c := range s.calls {
		id, ok := c.expr.Func.(*ast.IdentExpr)
		if !c.dropped || !ok {
			continue
		}
		said := s.said(c.expr)
		if len(said) == 0 {
			continue
		}
		f := finding{hook.Warning, c.at, "", ""}
		if said[0].site.expr == c.expr {
			f.message = fmt.Sprintf("the value of %s(…) is not returned: it has no effect", id.Value)
			f.advice = fmt.Sprintf("write return %s(…)", id.Value)
		} else {
			f.message = fmt.Sprintf("%s(…) gives %s(…), and nobody returns it", id.Value, said[0].word)
			f.advice = fmt.Sprintf("write local v = %s(…) if v then return v end", id.Value)
		}
		found = append(found, f)
	}
	used := map[*variable]bool{}
	for _, u := range s.uses {
		used[u.v] = used[u.v] || u.how != written
	}
	for _, v := range s.locals {
		value, ok := first(v.values).(*ast.FuncCallExpr)
		if ok && !used[v] && len(s.said(value)) > 0 {
			found = append(found, finding{hook.Warning, v.at,
				fmt.Sprintf("the verdict in %q is not returned: it has no effect", v.name), fmt.Sprintf("write return %s", v.name)})
		}
	}
	return found
}
