package lua

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxDepth = 200 // of a JSON value
	maxExact = 1 << 53
)

// Between JSON and Lua: an object or array is a fresh table, null is
// json.null, a whole number beyond 2^53 is the text of its digits. What was
// an empty array, or such a number, is one again when it is encoded in the
// same call.

// fromObject is a new table of o; nil for an absent object.
func (s *state) fromObject(L *glua.LState, o hook.Object) glua.LValue {
	if o.Absent() {
		return glua.LNil
	}
	return s.fromView(L, o.View(), o.Raw)
}

// fromView converts a decoded value, or decodes raw where the view has
// rounded a number.
func (s *state) fromView(L *glua.LState, v any, raw func() []byte) glua.LValue {
	if rounded(v) {
		return s.decode(L, raw(), "ev")
	}
	return s.fromGo(L, v)
}

func rounded(v any) bool {
	switch v := v.(type) {
	case float64:
		return math.Abs(v) >= maxExact && v == math.Trunc(v)
	case []any:
		return slices.ContainsFunc(v, rounded)
	case map[string]any:
		for _, item := range v {
			if rounded(item) {
				return true
			}
		}
	}
	return false
}

func (s *state) fromGo(L *glua.LState, v any) glua.LValue {
	switch v := v.(type) {
	case string:
		s.charge(L, 16)
		return glua.LString(v)
	case bool:
		return glua.LBool(v)
	case int:
		return glua.LNumber(v)
	case float64:
		return glua.LNumber(v)
	case []any:
		return s.list(L, len(v), func(i int) glua.LValue { return s.fromGo(L, v[i]) })
	case map[string]any:
		s.charge(L, costTable+costKey*len(v))
		s.check(L, "ev")
		t := L.CreateTable(0, len(v))
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			t.RawSetString(name, s.fromGo(L, v[name]))
		}
		return t
	}
	return s.null
}

func (s *state) list(L *glua.LState, n int, item func(int) glua.LValue) glua.LValue {
	s.charge(L, costTable+costItem*n)
	t := L.CreateTable(n, 0)
	if n == 0 {
		s.markEmpty(t)
	}
	for i := range n {
		t.RawSetInt(i+1, item(i))
	}
	return t
}

func (s *state) markEmpty(t *glua.LTable) {
	if s.empty == nil {
		s.empty = map[*glua.LTable]bool{}
	}
	s.empty[t] = true
}

// fromNumber converts the text of a JSON number.
func (s *state) fromNumber(L *glua.LState, text string) glua.LValue {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && -maxExact <= n && n <= maxExact {
		return glua.LNumber(n)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || whole(text) {
		if s.large == nil {
			s.large = map[string]bool{}
		}
		s.charge(L, costKey)
		s.large[text] = true
		return glua.LString(text)
	}
	return glua.LNumber(f)
}

func whole(text string) bool {
	for i := range len(text) {
		if !digit(text[i]) && (i > 0 || text[i] != '-') {
			return false
		}
	}
	return true
}

// encode is v as JSON on one line.
func (s *state) encode(L *glua.LState, v glua.LValue, doing string) []byte {
	b := s.append(L, nil, v, 0, doing)
	s.size(L, len(b), doing)
	return b
}

func (s *state) append(L *glua.LState, b []byte, v glua.LValue, depth int, doing string) []byte {
	s.step(L, 1+len(b)>>20, doing)
	if depth > maxDepth {
		L.RaiseError("%s: nested deeper than %d, or in a circle", doing, maxDepth)
	}
	if len(b) > maxString {
		s.size(L, len(b), doing)
	}
	switch v := v.(type) {
	case *glua.LNilType:
		return append(b, "null"...)
	case glua.LBool:
		return strconv.AppendBool(b, bool(v))
	case glua.LString:
		if s.large[string(v)] {
			return append(b, v...)
		}
		return appendText(b, string(v))
	case glua.LNumber:
		return appendNumber(L, b, float64(v), doing)
	case *glua.LTable:
		return s.appendTable(L, b, v, depth, doing)
	case *glua.LUserData:
		if v == s.null {
			return append(b, "null"...)
		}
	}
	L.RaiseError("%s: a %s is no JSON", doing, typeName(v))
	return nil
}

func appendNumber(L *glua.LState, b []byte, f float64, doing string) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		L.RaiseError("%s: the number %v is no JSON", doing, f)
	}
	if f == math.Trunc(f) && math.Abs(f) <= maxExact {
		return strconv.AppendInt(b, int64(f), 10)
	}
	text, err := json.Marshal(f)
	if err != nil {
		L.RaiseError("%s: %s", doing, err.Error())
	}
	return append(b, text...)
}

// appendText appends a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendText(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ':
			b = append(b, `\u00`...)
			b = append(b, hex[r>>4], hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

func (s *state) appendTable(L *glua.LState, b []byte, t *glua.LTable, depth int, doing string) []byte {
	n := t.Len()
	if n > 0 || s.empty[t] {
		for k, _ := t.Next(glua.LNil); k != glua.LNil; k, _ = t.Next(k) {
			if i, ok := k.(glua.LNumber); !ok || int(i) < 1 || int(i) > n || glua.LNumber(int(i)) != i {
				if s.empty[t] && n == 0 { // it has become an object
					return s.appendObject(L, b, t, depth, doing)
				}
				L.RaiseError("%s: a table with items and the key %s is neither an array nor an object", doing, shownKey(k))
			}
			s.step(L, 1, doing)
		}
		b = append(b, '[')
		for i := 1; i <= n; i++ {
			if i > 1 {
				b = append(b, ',')
			}
			b = s.append(L, b, t.RawGetInt(i), depth+1, doing)
		}
		return append(b, ']')
	}
	return s.appendObject(L, b, t, depth, doing)
}

func (s *state) appendObject(L *glua.LState, b []byte, t *glua.LTable, depth int, doing string) []byte {
	b = append(b, '{')
	s.members(L, t, doing, func(name string, v glua.LValue) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(appendText(b, name), ':')
		b = s.append(L, b, v, depth+1, doing)
	})
	return append(b, '}')
}

// members calls f for each key of an object, in the order of their making.
func (s *state) members(L *glua.LState, t *glua.LTable, doing string, f func(string, glua.LValue)) {
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		name, ok := k.(glua.LString)
		if !ok {
			L.RaiseError("%s: the key %s (a %s) is no JSON", doing, shownKey(k), typeName(k))
		}
		f(string(name), v)
	}
}

// object makes an Object of a table.
func (s *state) object(L *glua.LState, t *glua.LTable, doing string) hook.Object {
	if t.Len() > 0 {
		L.RaiseError("%s: expected a table with names, got a list", doing)
	}
	raw, view := []byte{'{'}, map[string]any{}
	var members []hook.Member
	s.members(L, t, doing, func(name string, v glua.LValue) {
		value := s.append(L, nil, v, 1, doing)
		members = append(members, hook.Member{Name: name, Raw: value})
		view[name] = s.toView(v)
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(append(appendText(raw, name), ':'), value...)
		s.size(L, len(value), doing)
	})
	return hook.NewObject(append(raw, '}'), members, view)
}

// toView is the view of what append has encoded.
func (s *state) toView(v glua.LValue) any {
	switch v := v.(type) {
	case glua.LBool:
		return bool(v)
	case glua.LString:
		if s.large[string(v)] {
			f, _ := strconv.ParseFloat(string(v), 64)
			return f
		}
		return string([]rune(string(v))) // valid UTF-8, as it was written
	case glua.LNumber:
		if f := float64(v); f != math.Trunc(f) || math.Abs(f) > maxExact {
			return f
		}
		return int(v)
	case *glua.LTable:
		n := v.Len()
		if first, _ := v.Next(glua.LNil); n > 0 || s.empty[v] && first == glua.LNil {
			list := make([]any, n)
			for i := range list {
				list[i] = s.toView(v.RawGetInt(i + 1))
			}
			return list
		}
		m := map[string]any{}
		for k, item := v.Next(glua.LNil); k != glua.LNil; k, item = v.Next(k) {
			m[k.String()] = s.toView(item)
		}
		return m
	}
	return nil
}
