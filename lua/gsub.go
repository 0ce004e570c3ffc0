package lua

import (
	"math"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

const gsubName = "string.gsub"

func stringGsub(L *glua.LState) int {
	src := L.CheckString(1)
	m := prepare(L, src, L.CheckString(2), gsubName)
	L.CheckTypes(3, glua.LTString, glua.LTNumber, glua.LTTable, glua.LTFunction)
	repl, limit := L.Get(3), L.OptInt(4, math.MaxInt)
	s := of(L)
	var out strings.Builder
	count, pos, copied := 0, 0, 0
	for count < limit && pos <= len(src) {
		from, to := m.next(L, pos)
		if from < 0 {
			break
		}
		count++
		out.WriteString(src[copied:from])
		m.replace(L, &out, repl, from, to)
		if out.Len() > maxString {
			s.size(L, out.Len(), gsubName)
		}
		copied, pos = to, to
		if to == from {
			if pos < len(src) {
				out.WriteByte(src[pos])
			}
			pos++
			copied = min(pos, len(src))
		}
		if strings.HasPrefix(m.pat, "^") {
			break
		}
	}
	out.WriteString(src[copied:])
	L.Push(s.text(L, out.String(), gsubName))
	L.Push(glua.LNumber(count))
	return 2
}

// replace writes what stands for one match.
func (m *matcher) replace(L *glua.LState, out *strings.Builder, repl glua.LValue, from, to int) {
	first := func() glua.LValue {
		if m.level == 0 {
			return glua.LString(m.src[from:to])
		}
		return m.captured(0)
	}
	var v glua.LValue
	switch repl := repl.(type) {
	case *glua.LTable:
		v = L.GetTable(repl, first())
	case *glua.LFunction:
		of(L).check(L, gsubName)
		L.Push(repl)
		n := m.push(L, from, to, true)
		saved := *m // the function may use the same names again
		L.Call(n, 1)
		*m = saved
		v = L.Get(-1)
		L.Pop(1)
	default:
		m.expand(L, out, repl.String(), from, to)
		return
	}
	switch v.(type) {
	case glua.LString, glua.LNumber:
		out.WriteString(v.String())
	default:
		if glua.LVAsBool(v) {
			L.RaiseError("invalid replacement value (a %s)", typeName(v))
		}
		out.WriteString(m.src[from:to])
	}
}

// expand writes a replacement text with its %0 … %9.
func (m *matcher) expand(L *glua.LState, out *strings.Builder, repl string, from, to int) {
	for i := 0; i < len(repl); i++ {
		if repl[i] != '%' {
			out.WriteByte(repl[i])
			continue
		}
		i++
		switch {
		case i >= len(repl):
			L.RaiseError("a replacement text ends with '%s'", "%")
		case !digit(repl[i]):
			out.WriteByte(repl[i])
		case repl[i] == '0' || repl[i] == '1' && m.level == 0:
			out.WriteString(m.src[from:to])
		case int(repl[i]-'1') >= m.level:
			L.RaiseError("%s: %%%c in a replacement text", errCapture, repl[i])
		default:
			out.WriteString(m.captured(int(repl[i] - '1')).String())
		}
		if out.Len() > maxString {
			of(L).size(L, out.Len(), gsubName)
		}
	}
}
