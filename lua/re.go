package lua

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

const (
	maxRegex   = 1 << 10 // bytes of an expression
	maxProgram = 4000    // instructions of a compiled one
	maxRegexes = 128     // compiled ones that a state keeps
)

// regex is a compiled expression and what a byte of text costs it at most.
type regex struct {
	*regexp.Regexp
	cost int
}

func reGroup() group {
	return group{name: "re", doc: "regular expressions (RE2), linear in time", functions: []function{
		{"find", "(expression: string, text: string): integer?, integer?", "the bounds of the first match", reFind},
		{"gsub", "(expression: string, text: string, repl: string): string", "replaces all matches; ${1} and ${name} are captures", reGsub},
		{"match", "(expression: string, text: string): string?, ...", "captures of the first match, or the whole of it", reMatch},
		{"test", "(expression: string, text: string): boolean", "whether there is a match", reTest},
	}}
}

// regex compiles an expression, or finds it compiled.
func (s *state) regex(L *glua.LState, doing string) regex {
	text := L.CheckString(1)
	if re, ok := s.regexes[text]; ok {
		return re
	}
	if len(text) > maxRegex {
		L.RaiseError("%s: an expression of %d bytes, the limit is %d", doing, len(text), maxRegex)
	}
	s.step(L, 50*len(text), doing)
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		L.RaiseError("%s: %s", doing, err.Error())
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil || len(prog.Inst) > maxProgram {
		L.RaiseError("%s: the expression is too large", doing)
	}
	re := regex{regexp.MustCompile(text), 1 + len(prog.Inst)/8}
	if s.regexes == nil || len(s.regexes) >= maxRegexes {
		s.regexes = map[string]regex{}
	}
	s.charge(L, 256*len(prog.Inst))
	s.regexes[text] = re
	return re
}

// counted lets a regular expression read text a rune at a time, and ends the
// text early where the call must stop; the next check then raises.
type counted struct {
	*strings.Reader
	s    *state
	cost int
}

func (c counted) ReadRune() (rune, int, error) {
	c.s.steps += c.cost
	if c.s.steps > maxSteps {
		return 0, 0, io.EOF
	}
	if c.s.steps%checkEvery < c.cost {
		select {
		case <-c.s.done:
			return 0, 0, io.EOF
		default:
		}
	}
	return c.Reader.ReadRune()
}

// indexes finds the first match in text from an offset on.
func (s *state) indexes(L *glua.LState, re regex, text, doing string) []int {
	if len(text)*re.cost < checkEvery*16 { // short: no need to watch it
		s.step(L, 1+len(text)*re.cost/4, doing)
		return re.FindStringSubmatchIndex(text)
	}
	loc := re.FindReaderSubmatchIndex(counted{strings.NewReader(text), s, re.cost})
	s.step(L, 1, doing)
	s.check(L, doing)
	return loc
}

func reTest(L *glua.LState) int {
	s := of(L)
	loc := s.indexes(L, s.regex(L, "re.test"), L.CheckString(2), "re.test")
	L.Push(glua.LBool(loc != nil))
	return 1
}

func reFind(L *glua.LState) int {
	s := of(L)
	loc := s.indexes(L, s.regex(L, "re.find"), L.CheckString(2), "re.find")
	if loc == nil {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(glua.LNumber(loc[0] + 1))
	L.Push(glua.LNumber(loc[1]))
	return 2
}

func reMatch(L *glua.LState) int {
	s, text := of(L), L.CheckString(2)
	loc := s.indexes(L, s.regex(L, "re.match"), text, "re.match")
	if loc == nil {
		L.Push(glua.LNil)
		return 1
	}
	first := min(2, len(loc)-2)
	for i := first; i < len(loc); i += 2 {
		if loc[i] < 0 {
			L.Push(glua.LNil)
		} else {
			L.Push(glua.LString(text[loc[i]:loc[i+1]]))
		}
	}
	return (len(loc) - first) / 2
}

func reGsub(L *glua.LState) int {
	const doing = "re.gsub"
	s, text, repl := of(L), L.CheckString(2), L.CheckString(3)
	re := s.regex(L, doing)
	if len(text)*re.cost > maxSteps/20 {
		L.RaiseError("%s: a text of %d bytes is too long for this expression", doing, len(text))
	}
	s.step(L, len(text)*re.cost, doing)
	var out []byte
	from := 0
	for _, loc := range re.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, text[from:loc[0]]...)
		out = re.ExpandString(out, repl, text, loc)
		from = loc[1]
		s.step(L, 1+len(repl)/8, doing)
		if len(out) > maxString {
			s.size(L, len(out), doing)
		}
	}
	L.Push(s.text(L, string(append(out, text[from:]...)), doing))
	return 1
}
