package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// psReader reads a PowerShell text from left to right.
type psReader struct {
	text  string
	at    int
	depth int
	out   hook.Commands
}

// psStatement is the statement that is being read.
type psStatement struct {
	cmd      hook.Command
	word     strings.Builder
	open     bool   // a word has begun
	vague    bool   // it is not literal
	quoted   bool   // it begins with a quote
	called   bool   // & or . stood before the command
	value    bool   // an expression: no command
	table    bool   // an entry of @{…}
	blocks   int    // script blocks among the operands
	redirect string // the operator before this word
}

// statements reads statements up to the closing bracket, or to the end if it
// is 0. It leaves the bracket. In a table each has a key and a = before it.
func (r *psReader) statements(closing byte, table bool) {
	if r.depth++; r.depth > maxPowerShellDepth {
		r.opaque("nested too deep")
		r.at = len(r.text)
	}
	defer func() { r.depth-- }()
	s := &psStatement{table: table}
	for r.at < len(r.text) {
		c := r.text[r.at]
		if c == ')' || c == '}' {
			if c == closing || r.depth > 1 {
				break
			}
			r.opaque("a bracket is not opened")
		}
		r.next(s, c)
	}
	r.endCommand(s)
	if closing != 0 && r.at >= len(r.text) {
		r.opaque("a bracket is not closed")
	}
}

// next reads one character or group.
func (r *psReader) next(s *psStatement, c byte) {
	rest := r.text[r.at:]
	r.at++
	switch c {
	case ' ', '\t', '\r':
		s.endWord(r)
	case '\n', ';', '|':
		r.endCommand(s)
	case '#':
		if s.open {
			s.byte(c)
		} else {
			r.skipTo("\n", false)
		}
	case '<':
		if strings.HasPrefix(rest, "<#") {
			r.skipTo("#>", true)
		} else {
			s.byte(c)
		}
	case '&':
		switch {
		case strings.HasPrefix(rest, "&&"):
			r.at++
			r.endCommand(s)
		case s.first():
			s.called = true
		default:
			r.endCommand(s) // in the background
		}
	case '>':
		r.redirect(s)
	case '`':
		r.escaped(s)
	case '\'', '"':
		r.quote(s, c)
	case '@':
		r.atSign(s, rest)
	case '(':
		r.bracket(s, ')')
	case '{':
		s.blocks++
		r.bracket(s, '}')
	case '$':
		s.open, s.vague = true, true
		s.word.WriteByte(c)
		if strings.HasPrefix(rest, "${") {
			r.skipTo("}", true)
		}
	case '=':
		if s.assigns() {
			r.restart(s)
		} else {
			s.byte(c)
		}
	default:
		s.byte(c)
	}
}

func (s *psStatement) byte(c byte) {
	s.open = true
	s.word.WriteByte(c)
}

// first reports that the command has not been named yet.
func (s *psStatement) first() bool { return !s.open && len(s.cmd.Argv) == 0 && !s.value }

// assigns reports that a = here ends the target of an assignment: $x, $x.y, a
// key of a table.
func (s *psStatement) assigns() bool {
	word := s.word.String()
	switch {
	case s.value:
		return !s.open || strings.Trim(word, "+-*/%?") == ""
	case s.open && len(s.cmd.Argv) == 0:
		return s.table || word[0] == '$' || word[0] == '['
	}
	return s.table && !s.open && len(s.cmd.Argv) == 1
}

// restart begins the command behind an assignment or a block.
func (r *psReader) restart(s *psStatement) { *s = psStatement{} }

// endWord ends a word, which may turn out to be a keyword, a call operator or
// an expression.
func (s *psStatement) endWord(r *psReader) {
	if !s.open {
		return
	}
	w := hook.Word{Text: s.word.String(), Known: !s.vague}
	quoted := s.quoted
	s.word.Reset()
	s.open, s.vague, s.quoted = false, false, false
	switch {
	case s.redirect != "":
		s.target(w)
	case s.value:
	case s.called && len(s.cmd.Argv) == 0 && strings.HasPrefix(w.Text, "{"):
		s.value = true // & {…}: what it runs has been read
	case len(s.cmd.Argv) > 0 || s.called:
		s.cmd.Argv = append(s.cmd.Argv, w)
	case w.Text == "." && !quoted:
		s.called = true
		r.opaque("a . runs what is in a file")
	case quoted && !s.table:
		s.value = true
	case psHas(psKeywords, w.Text):
	case psHas(psNamed, w.Text), psExpression(w):
		s.value = true
	default:
		s.cmd.Argv = append(s.cmd.Argv, w)
	}
}

// psExpression reports that a first word begins an expression.
func psExpression(w hook.Word) bool {
	if w.Text == "" || strings.IndexByte("$[({@!-,+=", w.Text[0]) >= 0 {
		return true
	}
	rest := strings.TrimLeft(w.Text, "0123456789._")
	return len(rest) < len(w.Text) && w.Text[0] != '.' && w.Text[0] != '_' &&
		(rest == "" || strings.IndexByte("+-*/%,", rest[0]) >= 0 || psHas(" kb mb gb tb l d ", rest))
}

func (s *psStatement) target(w hook.Word) {
	if op := s.redirect; !strings.EqualFold(w.Text, "$null") {
		s.cmd.Redirects = append(s.cmd.Redirects, hook.Redirect{Op: op, Target: w, Access: hook.Writes})
	}
	s.redirect = ""
}

// redirect reads >, >>, 2>, *>, 2>&1.
func (r *psReader) redirect(s *psStatement) {
	op := ">"
	if stream := s.word.String(); s.open && !s.quoted && len(stream) == 1 && strings.Contains("123456*", stream) {
		s.word.Reset()
		s.open = false
		op = stream + op
	}
	s.endWord(r)
	if strings.HasPrefix(r.text[r.at:], ">") {
		op += ">"
		r.at++
	}
	if strings.HasPrefix(r.text[r.at:], "&") {
		r.at = min(r.at+2, len(r.text)) // into another stream
		return
	}
	s.redirect = op
}

// skipTo goes to the next mark, or behind it.
func (r *psReader) skipTo(mark string, behind bool) {
	i := strings.Index(r.text[r.at:], mark)
	switch {
	case i < 0:
		r.at = len(r.text)
		if behind {
			r.opaque(mark + " is missing")
		}
	case behind:
		r.at += i + len(mark)
	default:
		r.at += i
	}
}

// escaped reads what follows a ` outside of quotes.
func (r *psReader) escaped(s *psStatement) {
	if r.at >= len(r.text) {
		return
	}
	c := r.text[r.at]
	r.at++
	switch {
	case c == '\n':
	case c == '\r':
		if strings.HasPrefix(r.text[r.at:], "\n") {
			r.at++
		}
	default:
		s.vague = s.vague || strings.IndexByte("0abefnrtuv", c) >= 0 // by the version of the shell
		s.byte(c)
	}
}

// quote reads a quoted string.
func (r *psReader) quote(s *psStatement, q byte) {
	s.open, s.quoted = true, s.quoted || !s.open
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == q && r.at < len(r.text) && r.text[r.at] == q:
			r.at++
			s.word.WriteByte(q)
		case c == q:
			return
		case q == '"' && c == '`' && r.at < len(r.text):
			s.vague = s.vague || strings.IndexByte("0abefnrtuv", r.text[r.at]) >= 0
			s.word.WriteByte(r.text[r.at])
			r.at++
		case q == '"' && c == '$':
			s.vague = true
			s.word.WriteByte(c)
			if strings.HasPrefix(r.text[r.at:], "(") {
				r.at++
				r.group(s, ')', false)
			}
		default:
			s.word.WriteByte(c)
		}
	}
	r.opaque("a quote is not closed")
}

// atSign reads @(…), @{…}, a here-string or a splatted variable.
func (r *psReader) atSign(s *psStatement, rest string) {
	if len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"') && !s.open {
		q := rest[1:2]
		r.at++
		body := r.at
		r.skipTo("\n"+q+"@", true)
		s.open, s.quoted, s.vague = true, true, q == `"`
		s.word.WriteString("@" + q + "…")
		if inner := r.text[body:r.at]; q == `"` && strings.Contains(inner, "$(") {
			r.opaque("$( in a here-string may run other commands")
		}
		return
	}
	s.open, s.vague = true, true
	s.word.WriteByte('@')
	if strings.HasPrefix(rest, "@{") {
		r.at++
		r.group(s, '}', true)
	}
}

// bracket reads a group that starts here.
func (r *psReader) bracket(s *psStatement, closing byte) {
	if word := s.word.String(); closing == ')' && s.open && !s.quoted {
		if i := strings.LastIndexAny(word, ".:"); i >= 0 && i+1 < len(word) && !psHas(psFree, word[i+1:]) {
			r.opaque("a call of the method " + word[i+1:])
		}
	}
	if s.word.Len() == 0 {
		s.word.WriteByte(r.text[r.at-1])
	}
	r.group(s, closing, false)
}

// group reads the statements of a group; the word around it is not literal. A
// block ends it, and the statement if that is no command.
func (r *psReader) group(s *psStatement, closing byte, table bool) {
	s.open, s.vague = true, true
	r.statements(closing, table)
	if r.at < len(r.text) {
		if r.text[r.at] != closing {
			r.opaque("brackets do not fit")
		}
		r.at++
	}
	s.word.WriteString("…")
	if closing != '}' {
		return
	}
	if s.endWord(r); len(s.cmd.Argv) == 0 {
		r.endCommand(s)
	}
}
