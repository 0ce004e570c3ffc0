package shell

import "strings"

// pyToken is one token of python.
type pyToken struct {
	kind byte   // 'w' word or number, 's' literal string, 'f' other string, 'p' other
	text string // the value of a string
}

// pyTokens splits code of python; comments and blanks are left out.
func pyTokens(code string) (out []pyToken) {
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == '#':
			i = lineEnd(code, i)
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '"' || c == '\'':
			var t pyToken
			t, i = pyString(code, i)
			if n := len(out); n > 0 && out[n-1].kind == 'w' && len(out[n-1].text) < 3 && strings.Trim(strings.ToLower(out[n-1].text), "rbfut") == "" {
				if strings.Trim(out[n-1].text, "uU") != "" && (t.text != strings.ReplaceAll(t.text, `\`, "") || strings.Trim(out[n-1].text, "rR") != "") {
					t.kind = 'f'
				}
				out = out[:n-1]
			}
			out = append(out, t)
		case validName("_" + code[i:i+1]):
			start := i
			for i < len(code) && validName("_"+code[i:i+1]) {
				i++
			}
			out = append(out, pyToken{'w', code[start:i]})
		default:
			out = append(out, pyToken{'p', code[i : i+1]})
			i++
		}
	}
	return out
}

// pyString reads the string that starts at i; one with escapes is no literal.
func pyString(code string, i int) (pyToken, int) {
	quote := code[i : i+1]
	if strings.HasPrefix(code[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	start := i + len(quote)
	kind := byte('s')
	for i = start; i < len(code); i++ {
		if code[i] == '\\' {
			kind = 'f'
			i++
		} else if strings.HasPrefix(code[i:], quote) {
			return pyToken{kind, code[start:i]}, i + len(quote)
		}
	}
	return pyToken{'f', code[start:]}, len(code)
}

const (
	pyTexts  = "system popen getoutput getstatusoutput"                                                 // functions that run one shell text
	pyRuns   = "run call check_call check_output Popen"                                                 // functions of subprocess
	pyNames  = "PIPE DEVNULL STDOUT CalledProcessError TimeoutExpired SubprocessError"                  // that run nothing
	pyPasses = "capture_output text check cwd stdout stderr timeout universal_newlines encoding errors" // arguments that change nothing of what runs
)

// python follows the literal commands of os.system and subprocess, and returns
// what else in the code can start a program.
func (s *scope) python(name string, l language, w word) string {
	t := s.inner(name, false)
	t.sure = false
	tokens := pyTokens(w.text)
	p := pyCode{tokens}
	for i := 0; i < len(tokens); i++ {
		x := tokens[i]
		switch {
		case x.kind == 'f' && l.starts(x.text) != "":
			return l.starts(x.text)
		case x.kind == 's':
			if last := x.text[strings.LastIndexByte(x.text, '.')+1:]; has(l.exec, last) && validName(last) {
				return last
			}
		case x.kind == 'p' && x.text[0] >= 0x80:
			return "letters that stand for others"
		case x.kind == 'p' && has(l.exec, x.text):
			return x.text
		case x.kind != 'w' || !has(l.exec, x.text):
		case p.is(i+1, "(") && p.is(i+2, ")") && x.text == "system":
		case has(pyTexts, x.text) && p.is(i+1, "(") && p.at(i+2).kind == 's' && p.is(i+3, ")"):
			t.possible(literal(p.at(i+2).text, w.pos))
			i += 3
		case x.text == "getattr" && p.harmlessAttribute(i, l):
		case x.text == "subprocess" && p.imported(i):
		case x.text == "subprocess" && p.is(i+1, ".") && has(pyNames, p.at(i+2).text):
			i += 2
		case x.text == "subprocess" && p.is(i+1, ".") && has(pyRuns, p.at(i+2).text) && p.is(i+3, "("):
			end, ok := t.pyRun(p, i+4, w)
			if !ok {
				return x.text
			}
			i = end
		default:
			return x.text
		}
	}
	return ""
}

// pyCode is code as tokens.
type pyCode struct{ tokens []pyToken }

func (p pyCode) at(i int) pyToken {
	if i < 0 || i >= len(p.tokens) {
		return pyToken{'p', "\n"}
	}
	return p.tokens[i]
}

func (p pyCode) is(i int, text string) bool { t := p.at(i); return t.kind == 'p' && t.text == text }

// imported reports that the word at i stands in `import a, b` under its name.
func (p pyCode) imported(i int) bool {
	if p.at(i+1).text == "as" || p.is(i+1, ".") {
		return false
	}
	for i--; p.is(i, ",") && p.at(i-1).kind == 'w'; i -= 2 {
	}
	return p.at(i).text == "import" && (p.is(i-1, "\n") || p.is(i-1, ";") || p.is(i-1, ":"))
}

// harmlessAttribute reports that getattr at i asks for a literal name.
func (p pyCode) harmlessAttribute(i int, l language) bool {
	for i += 2; p.at(i).kind == 'w' || p.is(i, "."); i++ {
	}
	name := p.at(i + 1)
	return p.is(i, ",") && name.kind == 's' && (p.is(i+2, ")") || p.is(i+2, ",")) && !has(l.exec, name.text) && !strings.HasPrefix(name.text, "__")
}

// pyRun follows the arguments of a function of subprocess from i on: a list of
// literals, or one text and shell=True. It returns the index of what ends them.
func (s *scope) pyRun(p pyCode, i int, w word) (int, bool) {
	var words []word
	list := p.is(i, "[")
	if list {
		for i++; p.at(i).kind == 's'; i++ {
			words = append(words, literal(p.at(i).text, w.pos))
			if i++; !p.is(i, ",") {
				break
			}
		}
		if !p.is(i, "]") || len(words) == 0 {
			return i, false
		}
	} else if p.at(i).kind == 's' {
		words = append(words, literal(p.at(i).text, w.pos))
	} else {
		return i, false
	}
	t := *s
	shell := false
	for i++; p.is(i, ","); {
		key := p.at(i + 1)
		if p.is(i+1, ")") {
			i++
			break
		}
		if key.kind != 'w' || !p.is(i+2, "=") {
			return i, false
		}
		switch {
		case key.text == "shell" && p.at(i+3).text == "True":
			shell = true
		case !has(pyPasses, key.text):
			return i, false
		case key.text == "cwd":
			t.dir.Known = false
		}
		for i += 3; p.at(i).kind != 'p' || p.is(i, "."); i++ {
		}
	}
	if !p.is(i, ")") || shell && list {
		return i, false
	}
	if shell {
		t.possible(words[0])
	} else {
		t.invoke(invocation{words: words, end: w.pos})
	}
	return i, true
}
