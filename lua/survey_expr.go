package lua

import (
	"github.com/yuin/gopher-lua/ast"
)

func (w *walker) exprs(list []ast.Expr) {
	for _, e := range list {
		w.expr(e, read)
	}
}

// condition is what an if or a loop asks: a name alone asks whether it is there.
func (w *walker) condition(e ast.Expr) {
	w.expr(e, read)
	w.ask(e)
	w.note(e, asked)
}

func (w *walker) ask(e ast.Expr) {
	if id, ok := e.(*ast.IdentExpr); ok {
		w.s.names[id].asked = true
	}
}

// expr reads an expression; how is what is done with its value.
func (w *walker) expr(e ast.Expr, how role) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		w.use(e, how)
	case *ast.AttrGetExpr:
		w.expr(e.Object, indexed)
		if key, ok := e.Key.(*ast.StringExpr); ok {
			w.s.members = append(w.s.members, member{object: e.Object, name: key.Value, how: how, text: w.text, line: key.Line(), in: w.in})
			return
		}
		w.expr(e.Key, read)
		w.note(e, subscript)
	case *ast.FuncCallExpr:
		w.call(e)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if f.Key != nil {
				w.expr(f.Key, read)
			}
			w.expr(f.Value, read)
		}
	case *ast.LogicalOpExpr:
		w.expr(e.Lhs, read)
		w.ask(e.Lhs)
		w.expr(e.Rhs, read)
	case *ast.RelationalOpExpr:
		w.expr(e.Lhs, read)
		w.expr(e.Rhs, read)
		if _, ok := e.Rhs.(*ast.NilExpr); ok {
			w.ask(e.Lhs)
		}
	case *ast.StringConcatOpExpr:
		w.expr(e.Lhs, read)
		w.expr(e.Rhs, read)
	case *ast.ArithmeticOpExpr:
		w.expr(e.Lhs, read)
		w.expr(e.Rhs, read)
		if e.Operator == "+" {
			w.note(e.Lhs, added)
			w.note(e.Rhs, added)
		}
	case *ast.UnaryMinusOpExpr:
		w.expr(e.Expr, read)
	case *ast.UnaryNotOpExpr:
		w.condition(e.Expr)
	case *ast.UnaryLenOpExpr:
		w.expr(e.Expr, read)
	case *ast.FunctionExpr:
		w.function(e, false)
	}
}

func (w *walker) call(e *ast.FuncCallExpr) {
	if e.Func != nil {
		w.expr(e.Func, called)
	} else {
		w.expr(e.Receiver, indexed)
		w.s.members = append(w.s.members, member{object: e.Receiver, name: e.Method, how: called, method: true, text: w.text, line: e.Line(), in: w.in})
	}
	w.exprs(e.Args)
	if w.s.libraryName(e.Func) == "type" {
		w.ask(first(e.Args))
	}
	if id, ok := first(e.Args).(*ast.IdentExpr); ok && len(e.Args) > 1 && w.s.libraryName(e.Func) == "table.insert" {
		v := w.s.names[id]
		v.items = append(v.items, e.Args[len(e.Args)-1])
	}
	w.s.calls = append(w.s.calls, callSite{expr: e, text: w.text, in: w.in})
}
