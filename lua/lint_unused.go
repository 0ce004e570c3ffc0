package lua

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// unusedFunctions finds functions that are named and never used.
func unusedFunctions(s *survey) (found []finding) {
	used := map[*variable]bool{}
	for _, u := range s.uses {
		fn, _ := first(u.v.values).(*ast.FunctionExpr)
		if u.how != written && !u.inside(fn) {
			used[u.v] = true
		}
	}
	for _, v := range slices.Concat(s.locals, slices.Collect(maps.Values(s.globals))) {
		_, ok := first(v.values).(*ast.FunctionExpr)
		if !ok || used[v] || strings.HasPrefix(v.name, "_") || v.at.text.required && v.global {
			continue
		}
		found = append(found, finding{hook.Warning, v.at,
			fmt.Sprintf("function %q is never used", v.name), "call it, hand it to on(…), or remove it"})
	}
	return found
}

// inside reports whether u stands in fn, which then names itself.
func (u use) inside(fn *ast.FunctionExpr) bool {
	for f := u.in; f != nil && fn != nil; f = f.outer {
		if f.expr == fn {
			return true
		}
	}
	return false
}
