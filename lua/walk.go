package lua

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// walker reads one text.
type walker struct {
	s     *survey
	text  *listing
	in    *routine
	scope *scope
}

// scope is a block's local variables.
type scope struct {
	names map[string]*variable
	outer *scope
}

func (w *walker) open()  { w.scope = &scope{map[string]*variable{}, w.scope} }
func (w *walker) close() { w.scope = w.scope.outer }

func (w *walker) block(stmts []ast.Stmt) {
	w.open()
	w.stmts(stmts)
	w.close()
}

func (w *walker) stmts(stmts []ast.Stmt) {
	for _, s := range stmts {
		w.stmt(s)
	}
}

func (w *walker) declare(name string, at spot) *variable {
	v := &variable{name: name, at: at}
	w.scope.names[name] = v
	w.s.locals = append(w.s.locals, v)
	return v
}

func (w *walker) resolve(name string) *variable {
	for sc := w.scope; sc != nil; sc = sc.outer {
		if v, ok := sc.names[name]; ok {
			return v
		}
	}
	v, ok := w.s.globals[name]
	if !ok {
		v = &variable{name: name, global: true}
		w.s.globals[name] = v
	}
	return v
}

func (w *walker) use(e *ast.IdentExpr, how role) *variable {
	v := w.resolve(e.Value)
	w.s.names[e] = v
	w.s.spots[e] = w.text.take(e.Value, aName, e.Line())
	w.s.uses = append(w.s.uses, use{v, how, w.s.spots[e], w.in})
	return v
}

// take returns the places of names.
func (w *walker) take(line int, names ...string) []spot {
	spots := make([]spot, len(names))
	for i, name := range names {
		spots[i] = w.text.take(name, aName, line)
	}
	return spots
}

func (w *walker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.LocalAssignStmt:
		w.local(s)
	case *ast.FuncCallStmt:
		w.expr(s.Expr, read)
		w.s.calls[len(w.s.calls)-1].dropped = true // the outermost call comes last
	case *ast.DoBlockStmt:
		w.block(s.Stmts)
	case *ast.WhileStmt:
		w.condition(s.Condition)
		w.block(s.Stmts)
	case *ast.RepeatStmt:
		w.open()
		w.stmts(s.Stmts)
		w.condition(s.Condition)
		w.close()
	case *ast.IfStmt:
		w.condition(s.Condition)
		w.block(s.Then)
		w.block(s.Else)
	case *ast.NumberForStmt:
		at := w.take(s.Line(), s.Name)
		w.exprs([]ast.Expr{s.Init, s.Limit, s.Step})
		if _, ok := s.Limit.(*ast.UnaryLenOpExpr); ok {
			w.s.odd = append(w.s.odd, oddity{s.Init, from, at[0]})
		}
		w.loop([]string{s.Name}, at, nil, s.Stmts)
	case *ast.GenericForStmt:
		at := w.take(s.Line(), s.Names...)
		w.exprs(s.Exprs)
		if len(s.Exprs) == 1 {
			w.note(s.Exprs[0], over)
		}
		w.loop(s.Names, at, s.Exprs, s.Stmts)
	case *ast.FuncDefStmt:
		w.define(s)
	case *ast.ReturnStmt:
		at := w.text.take("return", aName, s.Line())
		w.exprs(s.Exprs)
		for _, e := range s.Exprs {
			w.in.returns = append(w.in.returns, returned{e, at})
		}
	}
}

func (w *walker) loop(names []string, at []spot, over []ast.Expr, body []ast.Stmt) {
	w.open()
	for i, name := range names {
		v := w.declare(name, at[i])
		v.values = []ast.Expr{nil}
		if c, ok := first(over).(*ast.FuncCallExpr); ok && i == 1 && len(c.Args) == 1 && strings.HasSuffix(w.s.libraryName(c.Func), "pairs") {
			v.each = c.Args[0]
		}
	}
	w.stmts(body)
	w.close()
}

func (w *walker) note(e ast.Expr, place oddPlace) {
	w.s.odd = append(w.s.odd, oddity{e, place, w.spotOf(e)})
}

func first[T any](list []T) (v T) {
	if len(list) > 0 {
		v = list[0]
	}
	return v
}

func (w *walker) local(s *ast.LocalAssignStmt) {
	fn, _ := first(s.Exprs).(*ast.FunctionExpr)
	recursive := fn != nil && len(s.Names) == 1 // local function f, which sees itself
	at := w.take(s.Line(), s.Names...)
	if !recursive {
		w.exprs(s.Exprs)
	}
	for i, name := range s.Names {
		v := w.declare(name, at[i])
		if len(s.Exprs) > 0 {
			v.values = append(v.values, paired(s.Names, s.Exprs, i))
		}
	}
	if recursive {
		w.exprs(s.Exprs)
	}
}

// paired is what the i-th of targets is given, nil where several values come
// of one expression.
func paired[T any](targets []T, values []ast.Expr, i int) ast.Expr {
	switch {
	case i < len(values)-1 || i == len(values)-1 && len(targets) == len(values):
		return values[i]
	case i == len(values)-1 && i == 0:
		return values[0] // the first value of a call
	}
	return nil
}

func (w *walker) assign(s *ast.AssignStmt) {
	for i, target := range s.Lhs {
		value := paired(s.Lhs, s.Rhs, i)
		switch t := target.(type) {
		case *ast.IdentExpr:
			w.give(t, value)
		case *ast.AttrGetExpr:
			w.store(t, value)
		}
	}
	w.exprs(s.Rhs)
}

// give is name = value.
func (w *walker) give(name *ast.IdentExpr, value ast.Expr) {
	v := w.use(name, written)
	if len(v.values) == 0 && v.global {
		v.at = w.s.spots[name]
	}
	v.values = append(v.values, value)
}

// store is t[k] = value.
func (w *walker) store(t *ast.AttrGetExpr, value ast.Expr) {
	w.expr(t.Object, indexed)
	if e, ok := t.Object.(*ast.IdentExpr); ok && value != nil {
		v := w.s.names[e]
		v.items = append(v.items, value)
	}
	if key, ok := t.Key.(*ast.StringExpr); ok {
		w.s.stores = append(w.s.stores, member{object: t.Object, name: key.Value, how: written, at: w.member(t, key), in: w.in})
		return
	}
	w.expr(t.Key, read)
}

// define is function f(), function t.f() and function t:f().
func (w *walker) define(s *ast.FuncDefStmt) {
	switch name := s.Name.Func.(type) {
	case *ast.IdentExpr:
		w.give(name, s.Func)
	case *ast.AttrGetExpr:
		w.store(name, nil)
	default:
		w.expr(s.Name.Receiver, indexed)
		w.text.take(s.Name.Method, aMember, s.Line())
	}
	w.function(s.Func, s.Name.Receiver != nil)
}

func (w *walker) function(e *ast.FunctionExpr, method bool) {
	f := &routine{expr: e, outer: w.in}
	w.s.functions[e] = f
	w.in = f
	w.open()
	names, at := e.ParList.Names, w.take(e.Line(), e.ParList.Names...)
	if method {
		names, at = append([]string{"self"}, names...), append([]spot{{text: w.text, line: e.Line()}}, at...)
	}
	for i, name := range names {
		v := w.declare(name, at[i])
		v.values, v.of, v.index = []ast.Expr{nil}, f, i
	}
	w.stmts(e.Stmts)
	w.close()
	w.in = f.outer
}
