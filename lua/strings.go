package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

func stringGroup() group {
	return group{name: "string", doc: "as in Lua 5.1; patterns count their steps, results have a limit", functions: []function{
		{"byte", "(s: string, from?: integer, to?: integer): ...", "the codes of bytes", stringByte},
		{"char", "(...: integer): string", "the text of byte codes", stringChar},
		{"find", "(s: string, pattern: string, init?: integer, plain?: boolean): integer?, integer?, ...", "bounds and captures of the first match", stringFind},
		{"format", "(format: string, ...: any): string", "text with values put in", stringFormat},
		{"gmatch", "(s: string, pattern: string): function", "iterates over all matches", stringGmatch},
		{"gsub", "(s: string, pattern: string, repl: string|table|function, n?: integer): string, integer", "replaces matches", stringGsub},
		{"len", "(s: string): integer", "the number of bytes", stringLen},
		{"lower", "(s: string): string", "in lower case", func(L *glua.LState) int { return mapped(L, "string.lower", strings.ToLower) }},
		{"match", "(s: string, pattern: string, init?: integer): string?, ...", "captures of the first match", stringMatch},
		{"rep", "(s: string, n: integer): string", "s n times", stringRep},
		{"reverse", "(s: string): string", "backwards", func(L *glua.LState) int { return mapped(L, "string.reverse", reversed) }},
		{"sub", "(s: string, from: integer, to?: integer): string", "a part", stringSub},
		{"upper", "(s: string): string", "in upper case", func(L *glua.LState) int { return mapped(L, "string.upper", strings.ToUpper) }},
	}}
}

func stringLen(L *glua.LState) int {
	L.Push(glua.LNumber(len(L.CheckString(1))))
	return 1
}

func stringChar(L *glua.LState) int {
	b := make([]byte, L.GetTop())
	for i := range b {
		n := L.CheckInt(i + 1)
		if n < 0 || n > 255 {
			L.RaiseError("string.char: %d is no byte", n)
		}
		b[i] = byte(n)
	}
	L.Push(of(L).text(L, string(b), "string.char"))
	return 1
}

func stringSub(L *glua.LState) int {
	text := L.CheckString(1)
	from, to := bounds(len(text), L.CheckInt(2), L.OptInt(3, -1))
	if from > to {
		L.Push(glua.LString(""))
	} else {
		L.Push(glua.LString(text[from-1 : to]))
	}
	return 1
}

func mapped(L *glua.LState, doing string, f func(string) string) int {
	s, text := of(L), L.CheckString(1)
	s.size(L, len(text), doing)
	s.step(L, len(text)/16, doing)
	L.Push(glua.LString(f(text)))
	return 1
}

func reversed(text string) string {
	b := []byte(text)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func stringRep(L *glua.LState) int {
	text, n := L.CheckString(1), float64(L.CheckNumber(2))
	if !(n > 0) || text == "" {
		L.Push(glua.LString(""))
		return 1
	}
	size := float64(len(text)) * n
	of(L).size(L, int(min(size, 1<<40)), "string.rep")
	L.Push(glua.LString(strings.Repeat(text, int(n))))
	return 1
}

func stringByte(L *glua.LState) int {
	text := L.CheckString(1)
	from := L.OptInt(2, 1)
	from, to := bounds(len(text), from, L.OptInt(3, from))
	if to-from+1 > maxValues {
		L.RaiseError("string.byte: more than %d values", maxValues)
	}
	for i := from; i <= to; i++ {
		L.Push(glua.LNumber(text[i-1]))
	}
	return max(0, to-from+1)
}

// bounds clips from and to, which count from 1 or back from -1, to n bytes.
func bounds(n, from, to int) (int, int) {
	if from < 0 {
		from = n + from + 1
	}
	if to < 0 {
		to = n + to + 1
	}
	return max(from, 1), min(to, n)
}

// prepare makes the matcher of a call of find, match, gmatch or gsub.
func prepare(L *glua.LState, src, pat, doing string) *matcher {
	s := of(L)
	return &matcher{src: src, pat: pat, tick: func(n int) { s.step(L, n, doing) }}
}

// matching turns a fault of the pattern into a Lua error.
func matching(L *glua.LState, m *matcher) {
	switch p := recover().(type) {
	case nil:
	case patternError:
		L.RaiseError("%s: %q", p.Error(), clip(m.pat, 60))
	default:
		panic(p)
	}
}

func (m *matcher) next(L *glua.LState, init int) (start, end int) {
	defer matching(L, m)
	return m.find(init)
}

// start is the init argument as an offset.
func start(L *glua.LState, n int, text string) int {
	init := L.OptInt(n, 1)
	if init < 0 {
		init = len(text) + init + 1
	}
	return min(max(init, 1)-1, len(text))
}

func stringFind(L *glua.LState) int {
	src, pat := L.CheckString(1), L.CheckString(2)
	init := start(L, 3, src)
	if L.ToBool(4) || literal(pat) {
		of(L).step(L, len(src)/64, "string.find")
		i := strings.Index(src[init:], pat)
		if i < 0 {
			L.Push(glua.LNil)
			return 1
		}
		L.Push(glua.LNumber(init + i + 1))
		L.Push(glua.LNumber(init + i + len(pat)))
		return 2
	}
	m := prepare(L, src, pat, "string.find")
	from, to := m.next(L, init)
	if from < 0 {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(glua.LNumber(from + 1))
	L.Push(glua.LNumber(to))
	return 2 + m.push(L, from, to, false)
}

func stringMatch(L *glua.LState) int {
	src := L.CheckString(1)
	m := prepare(L, src, L.CheckString(2), "string.match")
	from, to := m.next(L, start(L, 3, src))
	if from < 0 {
		L.Push(glua.LNil)
		return 1
	}
	return m.push(L, from, to, true)
}

// push pushes the captures; the whole match where there is none, if wanted.
func (m *matcher) push(L *glua.LState, from, to int, whole bool) int {
	if m.level == 0 && whole {
		L.Push(glua.LString(m.src[from:to]))
		return 1
	}
	for i := range m.level {
		L.Push(m.captured(i))
	}
	return m.level
}

func (m *matcher) captured(i int) glua.LValue {
	c := m.capture[i]
	if c.length == positionCapture {
		return glua.LNumber(c.start + 1)
	}
	return glua.LString(m.src[c.start : c.start+c.length])
}

func stringGmatch(L *glua.LState) int {
	m := prepare(L, L.CheckString(1), L.CheckString(2), "string.gmatch")
	pos := 0
	L.Push(L.NewFunction(func(L *glua.LState) int {
		if pos > len(m.src) {
			L.Push(glua.LNil)
			return 1
		}
		from, to := m.next(L, pos)
		if from < 0 {
			pos = len(m.src) + 1
			L.Push(glua.LNil)
			return 1
		}
		if pos = to; to == from {
			pos++
		}
		if strings.HasPrefix(m.pat, "^") {
			pos = len(m.src) + 1
		}
		return m.push(L, from, to, true)
	}))
	return 1
}
