package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// The functions that a hardened chunk gets; see harden.go.

const (
	costItem = 32  // bytes of one more place in a list
	costKey  = 192 // bytes of one more key of another kind

	maxIndex = 64 << 20 // from here on the machine keeps numbers as keys
)

// grownFunctions returns them in the order of grownNames.
func (s *state) grownFunctions() []glua.LValue {
	return []glua.LValue{
		s.L.NewFunction(concat), s.L.NewFunction(storeField), s.L.NewFunction(grow), s.L.NewFunction(built), s.L.NewFunction(listKey),
		s.L.NewFunction((*glua.LState).GetTop),
	}
}

// concat is a .. b .. c.
func concat(L *glua.LState) int {
	s := of(L)
	n, size := L.GetTop(), 0
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case glua.LString:
			size += len(v)
		case glua.LNumber:
			size += 24
		default:
			return concatSlowly(L)
		}
	}
	s.size(L, size, "..")
	var b strings.Builder
	b.Grow(size)
	for i := 1; i <= n; i++ {
		b.WriteString(L.Get(i).String())
	}
	L.Push(glua.LString(b.String()))
	return 1
}

// concatSlowly joins from the right, two at a time, by __concat.
func concatSlowly(L *glua.LState) int {
	right := L.Get(-1)
	for i := L.GetTop() - 1; i >= 1; i-- {
		left := L.Get(i)
		if glua.LVCanConvToString(left) && glua.LVCanConvToString(right) {
			a, b := left.String(), right.String()
			of(L).size(L, len(a)+len(b), "..")
			right = glua.LString(a + b)
			continue
		}
		fn := L.GetMetaField(left, "__concat")
		if fn == glua.LNil {
			fn = L.GetMetaField(right, "__concat")
		}
		if fn == glua.LNil {
			bad := left
			if glua.LVCanConvToString(left) {
				bad = right
			}
			L.RaiseError("attempt to join a %s to a text with '..'", typeName(bad))
		}
		L.Push(fn)
		L.Push(left)
		L.Push(right)
		L.Call(2, 1)
		right = L.Get(-1)
		L.Pop(1)
	}
	L.Push(right)
	return 1
}

// storeField is t[k] = v.
func storeField(L *glua.LState) int {
	s, target, k, v := of(L), L.Get(1), L.Get(2), L.Get(3)
	for range glua.MaxTableGetLoop {
		table, ok := target.(*glua.LTable)
		if !ok {
			L.RaiseError("attempt to set field %s of a %s", shownKey(k), typeName(target))
		}
		if table.RawGet(k) != glua.LNil {
			L.RawSet(table, k, v)
			return 0
		}
		next := glua.LValue(glua.LNil)
		if table.Metatable != glua.LNil {
			next = L.GetMetaField(table, "__newindex")
		}
		if next == glua.LNil {
			s.put(L, table, k, v)
			return 0
		}
		if next.Type() == glua.LTFunction {
			L.Push(next)
			L.Push(table)
			L.Push(k)
			L.Push(v)
			L.Call(3, 0)
			return 0
		}
		target = next
	}
	L.RaiseError("a loop of '__newindex'")
	return 0
}

// put adds a key to a table and charges it. No key is added for nil: the
// machine would fill a list up to it.
func (s *state) put(L *glua.LState, t *glua.LTable, k, v glua.LValue) {
	if v == glua.LNil && k != glua.LNil {
		return
	}
	s.charge(L, growth(t, k))
	L.RawSet(t, k, v)
}

func shownKey(k glua.LValue) string {
	if s, ok := k.(glua.LString); ok {
		return "'" + clip(string(s), 40) + "'"
	}
	return k.String()
}

// growth is what a new key of t costs: a list is filled up to the key.
func growth(t *glua.LTable, k glua.LValue) int {
	n, ok := k.(glua.LNumber)
	if !ok || n < 1 || n >= maxIndex || n != glua.LNumber(int(n)) {
		return costKey
	}
	return costItem * max(1, int(n)-t.Len())
}

// grow charges what a block constructs.
func grow(L *glua.LState) int {
	of(L).charge(L, L.CheckInt(1))
	return 0
}

// built charges the items that f() or ... put into { f() }.
func built(L *glua.LState) int {
	of(L).charge(L, costItem*L.CheckTable(1).Len())
	return 1
}

// listKey charges the list that { [k] = v } fills up to k.
func listKey(L *glua.LState) int {
	of(L).charge(L, growth(&glua.LTable{}, L.Get(1)))
	L.SetTop(1)
	return 1
}
