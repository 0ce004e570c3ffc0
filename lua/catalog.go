package lua

import (
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// catalog is the library by what a text calls things: the types of
// definitions for editors, here for a reading of the text.
type catalog struct {
	names    []string              // globals, with the modules
	verdicts map[string]bool       // the functions that make verdicts
	types    map[string][]function // "Event", "Command", "string"; "re." is the module
}

func newCatalog(s *state) *catalog {
	c := &catalog{verdicts: map[string]bool{}, types: map[string][]function{
		"":      append(globals().functions, verdicts().functions...),
		"Event": eventFields(), "Command": commandFields(), "Task": taskFields(), "Subagent": subagentFields(),
		"string": stringGroup().functions,
	}}
	for _, f := range c.types[""] {
		c.names = append(c.names, f.name)
	}
	for _, f := range verdicts().functions {
		c.verdicts[f.name] = true
	}
	for name, make := range modules() {
		g := make()
		c.names = append(c.names, name)
		c.types[name+"."] = g.functions
		if g.values == nil {
			continue
		}
		t := s.L.CreateTable(0, 0)
		g.values(s, t)
		t.ForEach(func(k, v glua.LValue) {
			c.types[name+"."] = append(c.types[name+"."], function{name: k.String(), args: v.Type().String()})
		})
	}
	slices.Sort(c.names)
	return c
}

// find returns what a type has under a name.
func (c *catalog) find(typ, name string) (function, bool) {
	for _, f := range c.types[typ] {
		if f.name == name {
			return f, true
		}
	}
	return function{}, false
}

// libraryName is the name of what e is of the library, "deny" or
// "table.insert", and "" if it is something else.
func (s *survey) libraryName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := s.names[e]
		switch {
		case v == nil:
		case !v.global && len(v.values) == 1: // local deny = deny
			return s.libraryName(v.values[0])
		case v.global && len(v.values) == 0 && slices.Contains(s.library.names, v.name):
			return v.name
		}
	case *ast.AttrGetExpr:
		key, ok := e.Key.(*ast.StringExpr)
		if module := s.libraryName(e.Object); ok && module != "" {
			return module + "." + key.Value
		}
	}
	return ""
}

// entry is what the library says of a function that is called.
func (s *survey) entry(c *ast.FuncCallExpr) (function, bool) {
	if c.Func == nil {
		return s.library.find(s.kindOf(c.Receiver), c.Method)
	}
	if name := s.libraryName(c.Func); name != "" {
		module, member, ok := strings.Cut(name, ".")
		if !ok {
			return s.library.find("", name)
		}
		return s.library.find(module+".", member)
	}
	if a, ok := c.Func.(*ast.AttrGetExpr); ok {
		if key, ok := a.Key.(*ast.StringExpr); ok {
			return s.library.find(s.kindOf(a.Object), key.Value)
		}
	}
	return function{}, false
}

// functionOf is the function that e is, nil if that cannot be told.
func (s *survey) functionOf(e ast.Expr) *routine {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return s.functions[e]
	case *ast.IdentExpr:
		if v := s.names[e]; v != nil && len(v.values) == 1 {
			if fn, ok := v.values[0].(*ast.FunctionExpr); ok {
				return s.functions[fn]
			}
		}
	}
	return nil
}
