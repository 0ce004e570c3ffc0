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
	case *ast.StringExpr:
		w.s.spots[e] = w.text.take(e.Value, aLiteral, e.Line())
	case *ast.AttrGetExpr:
		w.expr(e.Object, indexed)
		if key, ok := e.Key.(*ast.StringExpr); ok {
			w.s.members = append(w.s.members, member{object: e.Object, name: key.Value, how: how, at: w.member(e, key), in: w.in})
			return
		}
		w.expr(e.Key, read)
		w.note(e, subscript)
	case *ast.FuncCallExpr:
		w.call(e)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			w.key(f.Key)
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

// key is what stands before = in a table: x, ["x"] or [expr].
func (w *walker) key(e ast.Expr) {
	text, ok := e.(*ast.StringExpr)
	switch {
	case !ok:
		w.expr(e, read)
	case w.text.has(text.Value, aName, text.Line()):
		w.text.take(text.Value, aName, text.Line())
	default:
		w.text.take(text.Value, aMember, text.Line())
	}
}

// member notes the place of a member.
func (w *walker) member(e *ast.AttrGetExpr, key *ast.StringExpr) spot {
	w.s.spots[e] = w.text.take(key.Value, aMember, key.Line())
	return w.s.spots[e]
}

// spotOf is the place of the word that stands for e, which has been read.
func (w *walker) spotOf(e ast.Expr) spot {
	if at, ok := w.s.spots[e]; ok {
		return at
	}
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return w.spotOf(e.Object)
	case *ast.FuncCallExpr:
		return w.spotOf(e.Func)
	case *ast.LogicalOpExpr:
		return w.spotOf(e.Rhs)
	}
	return spot{text: w.text, line: e.Line()}
}

func (w *walker) call(e *ast.FuncCallExpr) {
	if e.Func != nil {
		w.expr(e.Func, called)
	} else {
		w.expr(e.Receiver, indexed)
		w.s.spots[e] = w.text.take(e.Method, aMember, e.Line())
		w.s.members = append(w.s.members, member{object: e.Receiver, name: e.Method, how: called, method: true, at: w.s.spots[e], in: w.in})
	}
	w.exprs(e.Args)
	if w.s.libraryName(e.Func) == "type" {
		w.ask(first(e.Args))
	}
	if id, ok := first(e.Args).(*ast.IdentExpr); ok && len(e.Args) > 1 && w.s.libraryName(e.Func) == "table.insert" {
		v := w.s.names[id]
		v.items = append(v.items, e.Args[len(e.Args)-1])
	}
	w.s.calls = append(w.s.calls, callSite{expr: e, at: w.spotOf(e), in: w.in})
}
