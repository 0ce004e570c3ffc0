package lua

import (
	glua "github.com/yuin/gopher-lua"
)

// group is a host module, or with the name "" the global functions.
type group struct {
	name, doc string
	functions []function
	values    func(*state, *glua.LTable) // what is not a function
}

// function is one entry of the library: what registers it, what stubs for
// editors are made of, and what people read.
type function struct {
	name string
	args string // (text: string, ttl?: number): boolean, as ---@field fun has it
	doc  string
	fn   glua.LGFunction // nil is the machine's own
}

// library is everything that a policy can call. Whatever is not here does not
// exist for it.
func library() []group {
	return []group{
		globals(), verdicts(), stringGroup(), tableGroup(), mathGroup(),
		jsonGroup(), reGroup(), globGroup(), pathGroup(), timeGroup(), logGroup(), stateGroup(), envGroup(),
	}
}

// metatables are those of the values that are not tables. Scripts can
// neither read nor replace them.
type metatables struct {
	env, event, command, verdict glua.LValue
	matches, flag                glua.LValue // their methods
}

// open builds the library of a new state.
func (s *state) open() {
	stock := s.stock()
	s.grown = s.grownFunctions()
	s.library = s.L.CreateTable(0, 64)
	s.null = &glua.LUserData{}
	for _, g := range library() {
		table := s.library
		if g.name != "" {
			table = s.L.CreateTable(0, len(g.functions)+1)
		}
		for _, f := range g.functions {
			fn := glua.LValue(glua.LNil)
			if f.fn != nil {
				fn = s.L.NewFunction(f.fn)
			} else {
				fn = stock(g.name, f.name)
			}
			table.RawSetString(f.name, fn)
		}
		if g.values != nil {
			g.values(s, table)
		}
		if g.name != "" {
			s.library.RawSetString(g.name, &glua.LUserData{Metatable: s.frozen("__index", table)})
		}
	}
	methods := s.L.CreateTable(0, 24) // s:find(…): the same functions, out of reach
	for _, f := range stringGroup().functions {
		methods.RawSetString(f.name, s.L.GetField(s.library.RawGetString("string"), f.name))
	}
	s.L.SetMetatable(glua.LString(""), s.frozen("__index", methods))
	s.metas.env = s.frozen("__index", s.library)
	s.metas.event = s.frozen("__index", s.L.NewFunction(eventIndex))
	s.metas.command = s.frozen("__index", s.L.NewFunction(commandIndex))
	s.metas.verdict = s.frozen()
	s.metas.matches, s.metas.flag = s.L.NewFunction(matches), s.L.NewFunction(flag)
	s.null.Metatable = s.frozen("__tostring", s.L.NewFunction(func(L *glua.LState) int {
		L.Push(glua.LString("null"))
		return 1
	}))
}

// frozen is a metatable that getmetatable and setmetatable do not touch.
func (s *state) frozen(pairs ...any) *glua.LTable {
	mt := s.L.CreateTable(0, 1+len(pairs)/2)
	mt.RawSetString("__metatable", glua.LFalse)
	for i := 0; i < len(pairs); i += 2 {
		mt.RawSetString(pairs[i].(string), pairs[i+1].(glua.LValue))
	}
	return mt
}

// stock opens the machine's own libraries out of reach of scripts and
// returns what picks a function of them.
func (s *state) stock() func(group, name string) glua.LValue {
	for _, open := range []glua.LGFunction{glua.OpenBase, glua.OpenMath, glua.OpenString, glua.OpenTable} {
		s.L.Push(s.L.NewFunction(open))
		s.L.Call(0, 0)
	}
	global := s.L.G.Global
	s.L.G.Global, s.L.G.Registry = s.L.CreateTable(0, 0), s.L.CreateTable(0, 0)
	s.L.Env = s.L.G.Global
	return func(group, name string) glua.LValue {
		from := global
		if group != "" {
			from = global.RawGetString(group).(*glua.LTable)
		}
		fn := from.RawGetString(name)
		s.detach(fn)
		return fn
	}
}

// detach lets go of the stock globals, which a function would keep.
func (s *state) detach(v glua.LValue) {
	if fn, ok := v.(*glua.LFunction); ok && fn.Env != s.L.Env {
		fn.Env = s.L.Env
		for _, up := range fn.Upvalues {
			s.detach(up.Value())
		}
	}
}

// environment is the table of globals of one instance.
func (s *state) environment() *glua.LTable {
	env := s.L.CreateTable(0, 0)
	env.Metatable = s.metas.env
	return env
}
