package lua

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// foreignHabits finds what is right in other languages.
func foreignHabits(s *survey) (found []finding) {
	for _, o := range s.odd {
		f := finding{severity: hook.Error, at: o.at}
		switch o.place {
		case over:
			if kind := s.kindOf(o.expr); kind == "table" || strings.HasSuffix(kind, "[]") {
				f.message, f.advice = "for … in wants an iterator, and this is a list", "write for _, item in ipairs(list)"
			}
		case added:
			if text, ok := o.expr.(*ast.StringExpr); ok {
				if _, err := strconv.ParseFloat(strings.TrimSpace(text.Value), 64); err != nil {
					f.message, f.advice = "+ adds numbers", "write a .. b to join texts"
				}
			}
		case from:
			if isZero(o.expr) {
				f.severity, f.message, f.advice = hook.Warning, "lists begin at 1", "write for i = 1, #list"
			}
		case subscript:
			if a := o.expr.(*ast.AttrGetExpr); isZero(a.Key) && strings.HasSuffix(s.kindOf(a.Object), "[]") {
				f.message, f.advice = "lists begin at 1", "write list[1] for the first"
			}
		case asked:
			if e, ok := o.expr.(*ast.LogicalOpExpr); ok && e.Operator == "or" && isLiteral(e.Rhs) {
				f.severity, f.message, f.advice = hook.Warning, "this is always true", "write x == a or x == b"
			}
		}
		if f.message != "" && len(found) < maxFindings {
			found = append(found, f)
		}
	}
	return append(found, swappedPatterns(s)...)
}

func isZero(e ast.Expr) bool {
	n, ok := e.(*ast.NumberExpr)
	return ok && n.Value == "0"
}

func isLiteral(e ast.Expr) bool {
	switch e.(type) {
	case *ast.StringExpr, *ast.NumberExpr, *ast.TrueExpr:
		return true
	}
	return false
}

// swappedPatterns finds calls with the text first, as string.match has it,
// where the pattern comes first.
func swappedPatterns(s *survey) (found []finding) {
	for _, c := range s.calls {
		name := s.libraryName(c.expr.Func)
		if !strings.HasPrefix(name, "re.") && name != "glob.match" || len(c.expr.Args) < 2 {
			continue
		}
		text, field := c.expr.Args[0].(*ast.AttrGetExpr)
		_, literal := c.expr.Args[1].(*ast.StringExpr)
		if !field || !literal {
			continue
		}
		if of := s.kindOf(text.Object); of == "Event" || of == "Command" {
			found = append(found, finding{hook.Warning, c.at,
				fmt.Sprintf("%s takes the pattern first, and then the text", name), ""})
		}
	}
	return found
}

// wrongAnswers finds values that a handler returns and that are no verdicts.
func wrongAnswers(s *survey) (found []finding) {
	for _, r := range s.functions {
		for i := 0; i < len(r.returns) && len(r.events)+len(r.points) > 0; i++ {
			if what := s.noVerdict(r.returns[i].expr); what != "" {
				found = append(found, finding{hook.Error, r.returns[i].at,
					fmt.Sprintf("a handler returns verdicts, and this is %s", what), "write return deny(\"why\"), or return nothing"})
			}
		}
	}
	return found
}

// noVerdict says what e is if it cannot be a verdict.
func (s *survey) noVerdict(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StringExpr, *ast.StringConcatOpExpr:
		return "a text"
	case *ast.TrueExpr:
		return "true"
	case *ast.NumberExpr:
		return "a number"
	case *ast.IdentExpr:
		if name := s.libraryName(e); s.library.verdicts[name] {
			return fmt.Sprintf("the function %s itself", name)
		}
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if f.Key != nil {
				return "a table with names"
			}
		}
	}
	return ""
}
