package lua

import (
	"fmt"
	"strings"
)

const (
	maxSource  = 256 << 10 // bytes of one text
	maxNesting = 200       // of brackets and blocks
)

// scanner walks a Lua text before the parser sees it: brackets and blocks
// that are nested too deep would cost it seconds, or the Go stack. It reads
// strings and comments as Lua does; what else is wrong is for the parser.
type scanner struct {
	text  string
	pos   int
	line  int
	depth int
}

// scan returns what is too large in text, or nil.
func scan(text string) *fault {
	if len(text) > maxSource {
		return &fault{msg: fmt.Sprintf("%d bytes of source, the limit is %d", len(text), maxSource)}
	}
	if strings.HasPrefix(text, "\x1b") {
		return &fault{msg: "compiled Lua is not read, only source"}
	}
	s := &scanner{text: text, line: 1}
	for s.pos < len(text) {
		if s.token(); s.depth > maxNesting {
			return &fault{line: s.line, msg: fmt.Sprintf("nested deeper than %d", maxNesting)}
		}
	}
	return nil
}

func (s *scanner) token() {
	c := s.text[s.pos]
	switch {
	case c == '\n':
		s.line++
		s.pos++
	case c == '"' || c == '\'':
		s.quoted(c)
	case c == '-' && strings.HasPrefix(s.text[s.pos:], "--"):
		s.pos += 2
		if !s.long() {
			end := strings.IndexByte(s.text[s.pos:], '\n')
			if end < 0 {
				end = len(s.text) - s.pos
			}
			s.pos += end
		}
	case c == '[' && s.long():
	case c == '(' || c == '[' || c == '{':
		s.depth++
		s.pos++
	case c == ')' || c == ']' || c == '}':
		s.depth--
		s.pos++
	case letter(c):
		s.word()
	default:
		s.pos++
	}
}

// quoted skips a string, which ends at its quote or with the line.
func (s *scanner) quoted(quote byte) {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case quote:
			s.pos++
			return
		case '\n':
			return
		case '\\':
			s.pos++
			if s.pos < len(s.text) && s.text[s.pos] == '\n' {
				s.line++
			}
		}
	}
}

// long skips a long bracket that starts here, if one does.
func (s *scanner) long() bool {
	rest := s.text[s.pos:]
	if rest == "" || rest[0] != '[' {
		return false
	}
	level := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "="))
	if !strings.HasPrefix(rest[1+level:], "[") {
		return false
	}
	body := rest[2+level:]
	end := strings.Index(body, "]"+strings.Repeat("=", level)+"]")
	if end < 0 {
		end = len(body)
	} else {
		end += level + 2
	}
	s.line += strings.Count(body[:end], "\n")
	s.pos += 2 + level + end
	return true
}

func (s *scanner) word() {
	start := s.pos
	for s.pos < len(s.text) && (letter(s.text[s.pos]) || '0' <= s.text[s.pos] && s.text[s.pos] <= '9') {
		s.pos++
	}
	switch s.text[start:s.pos] {
	case "function", "do", "then", "repeat": // for and while have a do
		s.depth++
	case "end", "until":
		s.depth--
	case "elseif", "else": // then … elseif … then … end: one block
		s.depth--
		if s.text[start:s.pos] == "else" {
			s.depth++
		}
	}
}

func letter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
