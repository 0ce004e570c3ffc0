package lua

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// settle finds out which functions are handlers, and what they are called
// with, when all texts are read.
func (s *survey) settle() {
	for _, u := range s.uses {
		u.v.escapes = u.v.escapes || u.how == read
		if fn, ok := first(u.v.values).(*ast.FunctionExpr); ok && len(u.v.values) == 1 {
			s.functions[fn].owner = u.v
		}
	}
	for _, c := range s.calls {
		s.sites[c.expr] = c
		if id, ok := c.expr.Func.(*ast.IdentExpr); ok {
			s.callers[s.names[id]] = append(s.callers[s.names[id]], c.expr)
		}
		if f := s.functionOf(last(c.expr.Args)); f != nil {
			s.registered(c.expr, f)
		}
	}
}

// registered notes that f was handed to a function of the library.
func (s *survey) registered(c *ast.FuncCallExpr, f *routine) {
	name := s.libraryName(c.Func)
	if name == "" {
		return
	}
	entry, _ := s.entry(c)
	params, _ := signature(entry.args)
	_, kind, _ := strings.Cut(last(params), ": ")
	if args, ok := strings.CutPrefix(kind, "fun"); ok {
		types, _ := signature(args)
		f.types = nil
		for _, t := range types {
			_, t, _ = strings.Cut(t, ": ")
			f.types = append(f.types, t)
		}
	}
	of, at, _ := strings.Cut(name, ".")
	switch {
	case name == "on":
		f.handles(c)
	case of == "task" || of == "subagent":
		for m := Before; m <= OnFailure; m++ {
			if m.String() == at {
				f.points = append(f.points, point{of, m})
			}
		}
	}
}

// handles reads what on is called with, as far as the text says it.
func (f *routine) handles(c *ast.FuncCallExpr) {
	names := []ast.Expr{c.Args[0]}
	if t, ok := c.Args[0].(*ast.TableExpr); ok {
		names = nil
		for _, field := range t.Fields {
			names = append(names, field.Value)
		}
	}
	for _, n := range names {
		if text, ok := n.(*ast.StringExpr); ok {
			f.events = append(f.events, text.Value)
		}
	}
	for _, arg := range c.Args {
		t, ok := arg.(*ast.TableExpr)
		for i := 0; ok && i < len(t.Fields); i++ {
			key, named := t.Fields[i].Key.(*ast.StringExpr)
			if _, yes := t.Fields[i].Value.(*ast.TrueExpr); named && yes {
				f.async = f.async || key.Value == "async"
				f.rewake = f.rewake || key.Value == "rewake"
			}
		}
	}
}

func last[T any](list []T) (v T) {
	if n := len(list); n > 0 {
		v = list[n-1]
	}
	return v
}

// kindOf is the type of a value in the words of the library: "Event",
// "string", "Command[]", "re." for a module; "" if it cannot be told.
func (s *survey) kindOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StringExpr, *ast.StringConcatOpExpr:
		return "string"
	case *ast.TableExpr:
		return "table"
	case *ast.IdentExpr:
		if name := s.libraryName(e); s.library.types[name+"."] != nil {
			return name + "."
		}
		return s.variableKind(s.names[e])
	case *ast.AttrGetExpr:
		of := s.kindOf(e.Object)
		if key, ok := e.Key.(*ast.StringExpr); ok {
			f, _ := s.library.find(of, key.Value)
			return plainKind(f.args)
		}
		item, _ := strings.CutSuffix(of, "[]")
		if item != of {
			return item
		}
	case *ast.FuncCallExpr:
		if f, ok := s.entry(e); ok && f.name != "setmetatable" { // whose table may be anything
			_, returns := signature(strings.TrimPrefix(f.args, "fun"))
			return plainKind(first(returns))
		}
	}
	return ""
}

// plainKind is a type without what it may be besides; "" of a function.
func plainKind(t string) string {
	t = strings.TrimSuffix(t, "?")
	switch {
	case strings.HasPrefix(t, "'"):
		return "string"
	case strings.ContainsAny(t, "(|"):
		return ""
	}
	return t
}

// variableKind is the type of all that a variable is given.
func (s *survey) variableKind(v *variable) string {
	if v == nil || v.kinded {
		return v.known()
	}
	v.kinded = true // a variable that depends on itself has no type
	switch {
	case v.each != nil:
		if list := s.kindOf(v.each); strings.HasSuffix(list, "[]") {
			v.kind = strings.TrimSuffix(list, "[]")
		}
	case v.of != nil:
		if len(v.values) == 1 { // it is not assigned to
			v.kind = s.parameterKind(v)
		}
	default:
		v.kind = s.agreed(v, v.values)
	}
	return v.kind
}

func (v *variable) known() string {
	if v == nil {
		return ""
	}
	return v.kind
}

// parameterKind is what a function is called with, by whom it is handed to or
// by all who call it.
func (s *survey) parameterKind(v *variable) string {
	if f := v.of; f.types != nil {
		if v.index < len(f.types) {
			return plainKind(f.types[v.index])
		}
		return ""
	}
	owner := v.of.owner
	if owner == nil || owner.escapes {
		return ""
	}
	var args []ast.Expr
	for _, c := range s.callers[owner] {
		if v.index >= len(c.Args) {
			return ""
		}
		args = append(args, c.Args[v.index])
	}
	return s.agreed(v, args)
}

// agreed is the one type of all values; v itself among them says nothing.
func (s *survey) agreed(v *variable, values []ast.Expr) (kind string) {
	for _, e := range values {
		if id, ok := e.(*ast.IdentExpr); ok && s.names[id] == v {
			continue
		}
		k := s.kindOf(e)
		if k == "" || kind != "" && k != kind {
			return ""
		}
		kind = k
	}
	return kind
}
