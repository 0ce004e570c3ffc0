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
	all := []group{globals(), verdicts()}
	for _, m := range modules() {
		all = append(all, m())
	}
	return all
}

// modules has the host modules by name. A state makes those that are used.
func modules() map[string]func() group {
	return map[string]func() group{
		"string": stringGroup, "table": tableGroup, "math": mathGroup, "json": jsonGroup, "re": reGroup, "glob": globGroup,
		"path": pathGroup, "time": timeGroup, "log": logGroup, "state": stateGroup, "env": envGroup,
		"task": taskGroup, "subagent": subagentGroup,
	}
}

// metatables are those of the values that are not tables. Scripts can
// neither read nor replace them.
type metatables struct {
	env, event, command, verdict glua.LValue
	matches, flag                glua.LValue  // their methods
	text                         *glua.LTable // of texts
}

// open builds what every policy of a new state has.
func (s *state) open() {
	s.modules = modules()
	s.library = s.L.CreateTable(0, 40)
	s.null = &glua.LUserData{}
	s.fill(s.library, globals(), glua.OpenBase)
	s.fill(s.library, verdicts(), nil)
	s.library.Metatable = s.frozen("__index", s.L.NewFunction(openModule))
	s.grown = s.grownFunctions()
	s.openLines()
	s.metas.text = s.frozen("__index", s.L.NewFunction(openMethods))
	s.L.SetMetatable(glua.LString(""), s.metas.text)
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

// openModule makes the module that a global name stands for, if one does. It
// is a userdata, so that nothing can be put into it.
func openModule(L *glua.LState) int {
	s, name := of(L), L.Get(2).String()
	make, ok := s.modules[name]
	if !ok {
		s.absent = absent{"", name, L.Where(1)}
		L.Push(glua.LNil)
		return 1
	}
	m := &glua.LUserData{Metatable: s.frozen("__index", s.module(make()))}
	s.library.RawSetString(name, m)
	L.Push(m)
	return 1
}

// openMethods makes the methods of texts: the functions of string once more,
// out of the reach of scripts. From then on they are looked up directly.
func openMethods(L *glua.LState) int {
	s, name := of(L), L.Get(2)
	methods := s.module(stringGroup())
	s.metas.text.RawSetString("__index", methods)
	L.Push(L.GetTable(methods, name))
	return 1
}

func (s *state) module(g group) *glua.LTable {
	t := s.L.CreateTable(0, len(g.functions)+1)
	s.fill(t, g, map[string]glua.LGFunction{"table": glua.OpenTable, "math": glua.OpenMath}[g.name])
	if g.values != nil {
		g.values(s, t)
	}
	t.Metatable = s.frozen("__index", s.missed(g.name))
	return t
}

// fill puts the functions of g into t; those that have no code of ours come
// from the machine's own library. (That of texts is not opened at all: it
// would make itself the metatable of texts.)
func (s *state) fill(t *glua.LTable, g group, stock glua.LGFunction) {
	var own *glua.LTable
	if stock != nil {
		own = s.stock(g.name, stock)
	}
	for _, f := range g.functions {
		if f.fn != nil {
			t.RawSetString(f.name, s.L.NewFunction(f.fn))
			continue
		}
		fn := own.RawGetString(f.name)
		s.detach(fn)
		t.RawSetString(f.name, fn)
	}
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

// stock opens a library of the machine's own, out of the reach of scripts.
func (s *state) stock(name string, open glua.LGFunction) *glua.LTable {
	s.L.Push(s.L.NewFunction(open))
	s.L.Call(0, 0)
	t := s.L.G.Global
	if name != "" {
		t = t.RawGetString(name).(*glua.LTable)
	}
	s.L.G.Global, s.L.G.Registry = s.L.CreateTable(0, 0), s.L.CreateTable(0, 0)
	s.L.Env = s.L.G.Global
	return t
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
