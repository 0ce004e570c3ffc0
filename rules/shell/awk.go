package shell

import (
	"path"
	"slices"
	"strings"
)

// awkToken is one token of an awk program.
type awkToken struct {
	kind byte   // 'w' word or number, 's' string, 'r' pattern, 'n' line end, 'p' other
	text string // without the quotes, escapes decoded
}

// awkReading chooses where the grammar of awk depends on more than the token
// before, or on which awk it is.
type awkReading struct {
	patterns bool // a slash behind ) starts a pattern
	sets     bool // a slash within [ ] does not end one
	choices  *int // how often patterns mattered
}

// awkTokens splits a program as one reading has it.
func awkTokens(code string, r awkReading) (out []awkToken) {
	add := func(kind byte, text string) { out = append(out, awkToken{kind, text}) }
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == '\n':
			add('n', "\n")
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\\' && i+1 < len(code) && code[i+1] == '\n':
			i += 2
		case c == '#':
			i = lineEnd(code, i)
		case c == '"':
			end := sedPart(code, i+1, '"')
			add('s', ansi(strings.TrimSuffix(code[i+1:end], `"`), true))
			i = end
		case c == '/' && r.pattern(out):
			i = awkPattern(code, i+1, r.sets)
			add('r', "")
		case validName("_" + code[i:i+1]):
			start := i
			for i < len(code) && (validName("_"+code[i:i+1]) || code[i] == '.') {
				i++
			}
			add('w', code[start:i])
		case strings.HasPrefix(code[i:], "||") || strings.HasPrefix(code[i:], "|&") || strings.HasPrefix(code[i:], "++") || strings.HasPrefix(code[i:], "--"):
			add('p', code[i:i+2])
			i += 2
		default:
			add('p', code[i:i+1])
			i++
		}
	}
	return out
}

// pattern reports that a slash behind these tokens starts a pattern.
func (r awkReading) pattern(before []awkToken) bool {
	if len(before) == 0 {
		return true
	}
	switch t := before[len(before)-1]; t.kind {
	case 'w':
		return has("print printf return in getline case else do", t.text)
	case 's', 'r':
		return false
	case 'p':
		if t.text == ")" {
			*r.choices++
			return r.patterns
		}
		return !has("] ++ --", t.text)
	}
	return true
}

func awkPattern(code string, i int, sets bool) int {
	for in := false; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\\':
			i++
		case c == '[' && sets:
			in = true
		case c == ']':
			in = false
		case c == '/' && !in, c == '\n':
			return i + 1
		}
	}
	return len(code)
}

// awk follows what an awk program starts: system("…"), "…" | getline and
// print | "…", where the text is one literal; else anything may run.
func (s *scope) awk(name string, w word) {
	t := s.inner(name, false)
	t.sure = false
	choices := 0
	why := t.awkStarts(awkTokens(w.text, awkReading{choices: &choices}), w)
	if why == "" && choices > 1 && strings.ContainsAny(w.text, "|@") || choices > 1 && strings.Contains(w.text, "system") {
		why = "slashes with more than one meaning"
	}
	if why == "" && choices == 1 {
		why = t.awkStarts(awkTokens(w.text, awkReading{choices: &choices, patterns: true}), w)
	}
	if why == "" && strings.Contains(w.text, "[") {
		why = t.awkStarts(awkTokens(w.text, awkReading{choices: &choices, sets: true}), w)
	}
	if why != "" {
		s.opaque("code of "+name+" may run anything: it has "+why, w.pos)
	}
}

// awkStarts follows literal texts that tokens run, and returns what runs
// anything else.
func (s *scope) awkStarts(tokens []awkToken, w word) string {
	at := func(i int) awkToken {
		if i < 0 || i >= len(tokens) {
			return awkToken{kind: 'n', text: "\n"}
		}
		return tokens[i]
	}
	for i, t := range tokens {
		var text awkToken
		switch {
		case t.kind == 'p' && t.text == "@":
		case t.kind == 'w' && t.text == "system":
			if at(i+1).text == "(" && at(i+3).text == ")" {
				text = at(i + 2)
			}
		case t.kind == 'p' && (t.text == "|" || t.text == "|&"):
			if b := at(i - 2); at(i+1).text == "getline" && (b.kind == 'n' || b.kind == 'p' && has("{ ; ( } !", b.text)) {
				text = at(i - 1)
			} else if e := at(i + 2); e.kind == 'n' || e.kind == 'p' && has("; } )", e.text) {
				text = at(i + 1)
			}
		default:
			continue
		}
		if text.kind != 's' || strings.Contains(text.text, hole) || readsShell(text.text) {
			return t.text
		}
		s.possible(literal(text.text, w.pos))
	}
	return ""
}

// readsShell reports that a command is a shell that reads what it runs.
func readsShell(command string) bool {
	words := strings.Fields(command)
	return len(words) > 0 && has(shellNames, path.Base(words[0])) && !slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.HasPrefix(w, "-") && strings.Contains(w, "c")
	})
}
