package lua

import (
	"math"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

func globals() group {
	return group{functions: []function{
		{"on", "(event: string|string[], matcher?: string, options?: table, handler: fun(ev: Event): any)", "registers a handler; only while the file is loaded", on},
		{"require", "(name: string): any", "the value of another file of this directory; only while the file is loaded", require},
		{"assert", "(value: any, message?: string): any", "raises message unless value is true", nil},
		{"error", "(message: any, level?: integer)", "raises message", nil},
		{"getmetatable", "(value: any): table?", "the metatable of a table", nil},
		{"ipairs", "(list: table)", "for i, v in ipairs(list)", nil},
		{"next", "(t: table, key?: any)", "the key and value after key", nil},
		{"pairs", "(t: table)", "for k, v in pairs(t)", nil},
		{"pcall", "(f: function, ...: any): boolean, ...", "calls f and catches its error; limits are not caught", nil},
		{"rawequal", "(a: any, b: any): boolean", "a == b without metatables", nil},
		{"rawget", "(t: table, key: any): any", "t[key] without metatables", nil},
		{"select", "(n: integer|'#', ...: any): any", "the arguments from n on, or their number", nil},
		{"setmetatable", "(t: table, meta: table?): table", "sets the metatable of a table", setMetatable},
		{"tonumber", "(value: any, radix?: integer): number?", "the number that value is or spells", toNumber},
		{"tostring", "(value: any): string", "value as text", toString},
		{"type", "(value: any): string", "the name of the type of value", nil},
		{"unpack", "(list: table, from?: integer, to?: integer): ...", "the items of list", unpack},
		{"xpcall", "(f: function, handler: fun(err: any): any): boolean, ...", "calls f; handler makes something of its error", xpcall},
	}}
}

func mathGroup() group {
	g := group{name: "math", doc: "numbers", values: func(_ *state, t *glua.LTable) {
		t.RawSetString("pi", glua.LNumber(math.Pi))
		t.RawSetString("huge", glua.LNumber(math.Inf(1)))
	}}
	for _, name := range strings.Fields("abs ceil exp floor fmod log log10 max min modf pow sqrt") {
		g.functions = append(g.functions, function{name: name, args: "(...: number): number", doc: "as in Lua 5.1"})
	}
	return g
}

func setMetatable(L *glua.LState) int {
	t := L.CheckTable(1)
	L.CheckTypes(2, glua.LTNil, glua.LTTable)
	if mt, ok := t.Metatable.(*glua.LTable); ok && mt.RawGetString("__metatable") != glua.LNil {
		L.RaiseError("cannot change a protected metatable")
	}
	t.Metatable = L.Get(2)
	L.SetTop(1)
	return 1
}

func toNumber(L *glua.LState) int {
	radix := L.OptInt(2, 10)
	switch v := L.CheckAny(1).(type) {
	case glua.LNumber:
		L.Push(v)
		return 1
	case glua.LString:
		if len(v) < 1<<10 && radix >= 2 && radix <= 36 {
			L.Push(parseNumber(strings.TrimSpace(string(v)), radix))
			return 1
		}
	}
	L.Push(glua.LNil)
	return 1
}

func parseNumber(text string, radix int) glua.LValue {
	lower := strings.ToLower(text)
	if rest, ok := strings.CutPrefix(lower, "0x"); ok && (radix == 10 || radix == 16) {
		lower, radix = rest, 16
	}
	if radix != 10 {
		if n, err := strconv.ParseInt(lower, radix, 64); err == nil {
			return glua.LNumber(n)
		}
		return glua.LNil
	}
	if strings.ContainsAny(lower, "_xpin") { // what Go reads beyond Lua: 1_0, inf, nan
		return glua.LNil
	}
	if n, err := strconv.ParseFloat(lower, 64); err == nil {
		return glua.LNumber(n)
	}
	return glua.LNil
}

func toString(L *glua.LState) int {
	L.Push(of(L).shownValue(L, L.CheckAny(1)))
	return 1
}

// shownValue is tostring: __tostring of a table, else a text without the
// address of anything.
func (s *state) shownValue(L *glua.LState, v glua.LValue) glua.LValue {
	switch v := v.(type) {
	case glua.LString:
		return v
	case *glua.LTable, *glua.LUserData:
		if fn, ok := L.GetMetaField(v, "__tostring").(*glua.LFunction); ok {
			L.Push(fn)
			L.Push(v)
			L.Call(1, 1)
			shown, ok := L.Get(-1).(glua.LString)
			if L.Pop(1); !ok {
				L.RaiseError("'__tostring' must return a string")
			}
			return shown
		}
		return glua.LString(typeName(v))
	case glua.LNumber, glua.LBool, *glua.LNilType:
		return glua.LString(v.String())
	}
	return glua.LString(v.Type().String())
}

// typeName names the type of v as an author would.
func typeName(v glua.LValue) string {
	if u, ok := v.(*glua.LUserData); ok {
		switch u.Value.(type) {
		case *event:
			return "event"
		case *command:
			return "command"
		case *verdict:
			return "verdict"
		}
		return "module"
	}
	return v.Type().String()
}

func unpack(L *glua.LState) int {
	t := L.CheckTable(1)
	from := L.OptInt(2, 1)
	to := L.OptInt(3, t.Len())
	n := to - from + 1
	if n <= 0 {
		return 0
	}
	if n > maxValues || to < 0 && from > 0 {
		L.RaiseError("unpack: more than %d values", maxValues)
	}
	for i := from; i <= to; i++ {
		L.Push(t.RawGetInt(i))
	}
	return n
}

// xpcall calls the handler after the stack is unwound, so that what f left
// open is closed.
func xpcall(L *glua.LState) int {
	fn, handler := L.CheckFunction(1), L.CheckFunction(2)
	L.SetTop(0)
	L.Push(fn)
	err := L.PCall(0, glua.MultRet, nil)
	if err == nil {
		L.Insert(glua.LTrue, 1)
		return L.GetTop()
	}
	of(L).check(L, "xpcall")
	L.SetTop(0)
	L.Push(glua.LFalse)
	L.Push(handler)
	L.Push(errorObject(err))
	L.Call(1, glua.MultRet)
	return L.GetTop()
}

func errorObject(err error) glua.LValue {
	if e, ok := err.(*glua.ApiError); ok && e.Object != nil {
		return e.Object
	}
	return glua.LString(err.Error())
}
