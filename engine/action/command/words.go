package command

import (
	"path/filepath"
	"strings"
)

// word is one word of a shell text without its quotes, or an operator.
type word struct {
	text string // variables that are known are replaced
	op   string // ; newline & | ( ) < << and the like; text is then ""
	open bool   // it has an expansion that is not known
	glob bool   // it has an unquoted * ? or [

	from, to int // where it stands in the command itself; to is 0 if it does not
}

// lexer cuts a shell text into words. It is no parser of the shell (that is
// package rules/shell, which actions do not link, and which knows no files). It knows what names of scripts need:
// quotes, expansions, comments and here-documents. What it cannot read it
// calls open.
type lexer struct {
	s     *search
	rest  string
	depth int
	docs  []string // ends of the here-documents that begin at the next line
	end   int      // where rest ends in the command itself, or -1
}

const operators = ";&|()<>\n"

// next returns the next word; false at the end.
func (l *lexer) next() (word, bool) {
	for l.rest != "" {
		switch c := l.rest[0]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.rest = l.rest[1:]
		case strings.HasPrefix(l.rest, "\\\n"):
			l.rest = l.rest[2:]
		case c == '#':
			l.rest = strings.TrimLeftFunc(l.rest, func(r rune) bool { return r != '\n' })
		case strings.HasPrefix(l.rest, "<(") || strings.HasPrefix(l.rest, ">("):
			l.rest = l.rest[1:]
			l.substitution("(", ")")
			return word{open: true}, true
		case strings.IndexByte(operators, c) >= 0:
			return l.operator(), true
		default:
			from := l.end - len(l.rest)
			w := l.word()
			if l.end >= 0 {
				w.from, w.to = from, l.end-len(l.rest)
			}
			return w, true
		}
	}
	return word{}, false
}

func (l *lexer) operator() word {
	for _, op := range []string{"<<<", "<<-", "<<", ";;&", ";;", ";&", "&&", "||", "|&", "&>>", "&>", ">>", ">&", "<&", "<>", ">|"} {
		if rest, ok := strings.CutPrefix(l.rest, op); ok {
			l.rest = rest
			if op == "<<" || op == "<<-" {
				l.rest = strings.TrimLeft(rest, " \t")
				l.docs = append(l.docs, l.word().text)
			}
			return word{op: op}
		}
	}
	op := l.rest[:1]
	l.rest = l.rest[1:]
	if op == "\n" {
		l.skipDocuments()
	}
	return word{op: op}
}

// skipDocuments skips the here-documents that begin here: a shell that is fed
// by one is a doubt anyway, and to others they are data.
func (l *lexer) skipDocuments() {
	for _, end := range l.docs {
		for l.rest != "" {
			line, rest, _ := strings.Cut(l.rest, "\n")
			if l.rest = rest; strings.TrimLeft(strings.TrimSuffix(line, "\r"), "\t") == end {
				break
			}
		}
	}
	l.docs = nil
}

// word reads one word with all of its quoted parts.
func (l *lexer) word() (w word) {
	var b strings.Builder
	for quoted := false; l.rest != ""; {
		c := l.rest[0]
		switch {
		case c == '"':
			quoted, l.rest = !quoted, l.rest[1:]
		case c == '\'' && !quoted:
			text, rest, _ := strings.Cut(l.rest[1:], "'")
			b.WriteString(text)
			l.rest = rest
		case c == '\\' && len(l.rest) > 1:
			if l.rest[1] != '\n' {
				b.WriteByte(l.rest[1])
			}
			l.rest = l.rest[2:]
		case c == '$' || c == '`':
			value, known := l.expansion()
			b.WriteString(value)
			w.open = w.open || !known
		case !quoted && (c == ' ' || c == '\t' || c == '\r' || strings.IndexByte(operators, c) >= 0):
			w.text = b.String()
			return w
		default:
			w.glob = w.glob || !quoted && (c == '*' || c == '?' || c == '[' && l.joined(']'))
			w.open = w.open || !quoted && c == '{' && l.joined('}')
			if c == '~' && b.Len() == 0 && !quoted && (len(l.rest) == 1 || l.rest[1] == '/') {
				b.WriteString(l.s.home)
			} else {
				b.WriteByte(c)
			}
			l.rest = l.rest[1:]
		}
	}
	w.text = b.String()
	return w
}

// joined reports whether end comes before the next blank.
func (l *lexer) joined(end byte) bool {
	near := l.rest[:min(len(l.rest), 256)]
	i := strings.IndexAny(near, string(end)+" \t\n")
	return i > 1 && near[i] == end
}

// expansion reads what begins with $ or ` and returns its value if that is
// known. The commands in it are looked at like all others.
func (l *lexer) expansion() (value string, known bool) {
	switch {
	case l.rest[0] == '`':
		return l.substitution("`", "`")
	case strings.HasPrefix(l.rest, "$(("):
		l.rest = l.rest[1:]
		l.balanced('(', ')')
		return "0", true
	case strings.HasPrefix(l.rest, "$("):
		l.rest = l.rest[1:]
		return l.substitution("(", ")")
	case strings.HasPrefix(l.rest, "${"):
		l.rest = l.rest[1:]
		inner := l.balanced('{', '}')
		name, _, _ := strings.Cut(inner, ":-")
		if name == "BASH_SOURCE[0]" || name == "BASH_SOURCE" {
			name = "0"
		}
		value, known = l.s.value(name)
		if strings.Contains(inner, "$(") || strings.Contains(inner, "`") {
			return "", false
		}
		return value, known
	}
	l.rest = l.rest[1:]
	n := 0
	for n < len(l.rest) && isName(l.rest[:n+1]) {
		n++
	}
	switch {
	case n == 0 && l.rest != "" && strings.IndexByte("?#$!", l.rest[0]) >= 0:
		l.rest = l.rest[1:]
		return "0", true
	case n == 0 && l.rest != "" && strings.IndexByte("0123456789@*-", l.rest[0]) >= 0:
		n = 1
	case n == 0:
		return "$", true
	}
	name := l.rest[:n]
	l.rest = l.rest[n:]
	return l.s.value(name)
}

// substitution reads a command substitution and looks at its commands.
func (l *lexer) substitution(open, end string) (value string, known bool) {
	var inner string
	at := -1
	if open == end {
		var ok bool
		if inner, l.rest, ok = strings.Cut(l.rest[1:], end); !ok {
			l.s.doubts("a ` is not closed")
			return "", false
		}
	} else {
		if inner = l.balanced(open[0], end[0]); l.end >= 0 {
			at = l.end - len(l.rest) - len(end)
		}
	}
	return l.s.output(l.s.shellAt(inner, l.depth+1, at))
}

// balanced reads from an opening sign to the one that closes it and returns
// what is between. Signs in quotes do not count.
func (l *lexer) balanced(open, end byte) string {
	nested, quote := 0, byte(0)
	for i := 0; i < len(l.rest); i++ {
		switch c := l.rest[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == open:
			nested++
		case c == end:
			if nested--; nested == 0 {
				inner := l.rest[1:i]
				l.rest = l.rest[i+1:]
				return inner
			}
		}
	}
	l.s.doubts("a " + string(open) + " is not closed")
	inner := l.rest[1:]
	l.rest = ""
	return inner
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return s != ""
}

// output is what a few commands print that scripts find themselves with.
func (s *search) output(commands [][]word) (string, bool) {
	last := func(c []word) (string, bool) {
		w := c[len(c)-1]
		return w.text, len(c) > 1 && !w.open && !w.glob
	}
	switch n := len(commands); {
	case n == 1 && commands[0][0].text == "pwd":
		return s.dir, true
	case n == 1 && commands[0][0].text == "dirname":
		arg, ok := last(commands[0])
		return filepath.Dir(arg), ok
	case n == 1 && (commands[0][0].text == "realpath" || commands[0][0].text == "readlink"):
		return last(commands[0])
	case n == 2 && commands[0][0].text == "cd" && commands[1][0].text == "pwd":
		return last(commands[0])
	}
	return "", false
}
