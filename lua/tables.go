package lua

import (
	"sort"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

func tableGroup() group {
	return group{name: "table", doc: "as in Lua 5.1", functions: []function{
		{"concat", "(list: table, separator?: string, from?: integer, to?: integer): string", "the items in one text", tableConcat},
		{"insert", "(list: table, at?: integer, value: any)", "adds an item", tableInsert},
		{"maxn", "(t: table): integer", "the largest index", nil},
		{"remove", "(list: table, at?: integer): any", "takes an item out", nil},
		{"sort", "(list: table, less?: fun(a: any, b: any): boolean)", "sorts in place", tableSort},
	}}
}

func tableInsert(L *glua.LState) int {
	t, s := L.CheckTable(1), of(L)
	switch L.GetTop() {
	case 2:
		s.put(L, t, glua.LNumber(t.Len()+1), L.Get(2))
	case 3:
		at, n := L.CheckInt(2), t.Len()
		if at < 1 || at > n {
			s.put(L, t, glua.LNumber(at), L.Get(3))
			return 0
		}
		s.charge(L, costItem)
		s.step(L, (n-at)/64, "table.insert")
		t.Insert(at, L.Get(3))
	default:
		L.RaiseError("table.insert: expected a list, perhaps a place, and a value")
	}
	return 0
}

func tableConcat(L *glua.LState) int {
	t, sep, s := L.CheckTable(1), L.OptString(2, ""), of(L)
	from, to := L.OptInt(3, 1), L.OptInt(4, t.Len())
	var out strings.Builder
	for i := from; i <= to; i++ {
		v := t.RawGetInt(i)
		if !glua.LVCanConvToString(v) {
			L.RaiseError("table.concat: item %d is a %s", i, typeName(v))
		}
		out.WriteString(v.String())
		if i < to {
			out.WriteString(sep)
		}
		if out.Len() > maxString {
			s.size(L, out.Len(), "table.concat")
		}
		s.step(L, 1, "table.concat")
	}
	L.Push(s.text(L, out.String(), "table.concat"))
	return 1
}

// tableSort sorts a copy, so that nothing that less does to the list matters.
func tableSort(L *glua.LState) int {
	t, s := L.CheckTable(1), of(L)
	n := t.Len()
	items := make([]glua.LValue, n)
	s.charge(L, 16*n)
	for i := range items {
		if items[i] = t.RawGetInt(i + 1); items[i] == glua.LNil {
			L.RaiseError("table.sort: item %d is nil", i+1)
		}
	}
	less := L.LessThan
	if L.GetTop() > 1 {
		fn := L.CheckFunction(2)
		less = func(a, b glua.LValue) bool {
			L.Push(fn)
			L.Push(a)
			L.Push(b)
			L.Call(2, 1)
			ok := L.ToBool(-1)
			L.Pop(1)
			return ok
		}
	}
	sort.Slice(items, func(i, j int) bool {
		s.step(L, 1+compareCost(items[i]), "table.sort")
		return less(items[i], items[j])
	})
	for i, v := range items {
		t.RawSetInt(i+1, v)
	}
	return 0
}

func compareCost(v glua.LValue) int {
	if s, ok := v.(glua.LString); ok {
		return len(s) / 64
	}
	return 0
}
