package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine/hook"
)

// shellMode says which shell reads a text.
type shellMode uint8

const (
	newShell  shellMode = iota // one of its own: nothing is certain, nothing comes back
	sameShell                  // eval, source
)

// nested is a scope for a text that a word of s holds.
func (s *scope) nested(w word, chain []string) *scope {
	t := s.blank()
	t.base, t.fixed, t.src, t.depth, t.chain = s.at(w.pos), true, w.text, s.depth+1, chain
	t.nesting = 0
	return t
}

// spend takes n bytes of what may still be parsed; starting the parser costs
// as much as some bytes.
func (r *run) spend(n int) bool {
	if n += 128; n > r.left {
		return false
	}
	r.left -= n
	return true
}

// text follows a word that a shell reads as text.
func (s *scope) text(w word, mode shellMode) {
	if body, ok := s.quotedBody(w); ok {
		w.text = body.text
	}
	if strings.Contains(w.text, hole) {
		s.opaque("shell text with a part that is not known: "+shown(w.src), w.pos)
	}
	if strings.Trim(w.text, hole+" \t\n") == "" {
		return
	}
	if s.depth >= maxDepth || !s.run.spend(len(w.text)) {
		s.opaque("more shell text within shell text than is followed", w.pos)
		return
	}
	t := s.nested(w, s.chain)
	if mode == sameShell {
		t.vars, t.wrote = s.vars, s.wrote
	} else {
		t.aliases, t.functions = nil, nil
	}
	t.read()
	if mode == sameShell {
		s.vars, s.aliases, s.functions, s.dir = t.vars, t.aliases, t.functions, t.dir
	}
}

// quotedBody is the text of "$(cat <<'EOF' … EOF)", the usual way to write a
// long text as one word. Other substitutions are not looked into: their
// output is not a text that somebody sees.
func (s *scope) quotedBody(w word) (word, bool) {
	if q, ok := w.sub.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		w.sub = q.Parts[0]
	}
	sub, ok := w.sub.(*syntax.CmdSubst)
	if !ok || w.text != hole || len(sub.Stmts) != 1 || len(sub.Stmts[0].Redirs) != 1 {
		return word{}, false
	}
	return s.output(sub.Stmts[0])
}

// possible follows text that a program may give to a shell. Text that does
// not parse is no shell text, which is likely there: it raises no doubt.
func (s *scope) possible(w word) {
	if i := strings.IndexAny(w.text, " \t="); i > 0 && has(sshCommands, strings.ToLower(w.text[:i])) {
		w.text = strings.TrimLeft(w.text[i:], " \t=")
	} else if name, value, ok := strings.Cut(w.text, "="); ok && !strings.ContainsAny(name, " \t'\"$;|&") {
		if validName(name) && strings.ContainsAny(value, " \t") {
			s.possibleText(w) // NAME=value may stand before a command
		}
		w.text = value
	}
	s.possibleText(w)
}

// sshCommands are the configuration keys of ssh that hold commands.
const sshCommands = "proxycommand localcommand remotecommand knownhostscommand"

func (s *scope) possibleText(w word) {
	w.text = strings.TrimPrefix(w.text, "!")
	if w.text == hole {
		s.unknownWord(w)
		return
	}
	if s.depth >= maxDepth || len(w.text) > maxText || nests(w.text) || !s.run.spend(len(w.text)) {
		s.opaque("more shell text within shell text than is followed", w.pos)
		return
	}
	t := s.nested(w, s.chain)
	t.sure, t.aliases, t.functions = false, nil, nil
	t.stmts(s.run.parse(w.text).stmts)
}

// unknownWord lists an unknown word as a possible command.
func (s *scope) unknownWord(w word) {
	t := *s
	t.sure = false
	t.add(hook.Command{Argv: []hook.Word{w.export()}, Text: w.src, Raw: w.src, Offset: s.at(w.pos), Dir: s.dir, Wrappers: s.chain})
}

// read parses and follows the text of the scope.
func (s *scope) read() {
	if len(s.src) > maxText || nests(s.src) {
		s.opaque("the text is too long or nested too deep to be read", 0)
		return
	}
	text := strings.ReplaceAll(s.src, "\x00", "")
	if text != s.src {
		s.opaque("the text has a NUL byte", strings.IndexByte(s.src, 0))
		s.sure = false
	}
	text = letters(text)
	s.src = text
	defer s.blank().withoutReturns(text)
	p := s.run.parse(text)
	for i := 0; p.err != nil && i < maxRepairs; i++ {
		again, ok := repair(text, p.err)
		if !ok || !s.run.spend(len(again)) {
			break
		}
		if q := s.run.parse(again); q.err == nil || q.end >= p.end {
			text, s.src, p = again, again, q
		}
	}
	for i := 0; i < maxRepairs; i++ {
		again, ok := shortened(text, p.stmts)
		if !ok {
			break
		}
		s.opaque("a here-document ends within an expansion", 0)
		if !s.run.spend(len(again)) {
			break
		}
		text, s.src, p = again, again, s.run.parse(again)
	}
	s.stmts(p.stmts)
	if p.err != nil {
		s.recover(p)
	}
}

func (r *run) parse(text string) parsed {
	r.parses++
	return parse(text)
}

// unclosed is the delimiter of a here-document that the text does not close.
func unclosed(err error) (string, bool) {
	_, rest, ok := strings.Cut(err.Error(), "unclosed here-document `")
	if !ok || !strings.HasSuffix(rest, "`") {
		return "", false
	}
	return rest[:len(rest)-1], true
}

// recover looks for commands in what could not be parsed: bash runs none of
// it, but another shell, or a mended text, may.
func (s *scope) recover(p parsed) {
	rest := s.src[min(p.end, len(s.src)):]
	if !strings.ContainsFunc(rest, func(c rune) bool { return c >= '0' && strings.IndexRune("<>;={|}[]^:?@", c) < 0 }) {
		return
	}
	s.opaque(fmt.Sprintf("the text does not parse: %v", p.err), p.end)
	t := s.blank()
	t.sure = false
	if !s.run.spend(2 * len(rest)) {
		return
	}
	offset := p.end
	t.src, t.base = rest, t.at(offset)
	t.stmts(mend(rest))
	for i, part := range segments(rest) {
		if i >= 64 || !s.run.spend(len(part)) {
			break
		}
		t.src = part
		t.stmts(t.run.parse(part).stmts)
	}
}

// produced is the input that the output of a list gives, if it is literal.
func (s *scope) produced(list []*syntax.Stmt, otherwise input) input {
	all := word{known: true}
	for _, st := range list {
		w, ok := s.output(st)
		if !ok {
			return otherwise
		}
		all.text += w.text
		all.pos, all.src = w.pos, w.src
		if !w.known {
			all.known, all.why = false, w.why
		}
	}
	if len(list) == 0 {
		return otherwise
	}
	return input{kind: typed, text: all}
}

// output is what a statement prints, if its text shows that.
func (s *scope) output(st *syntax.Stmt) (word, bool) {
	switch x := st.Cmd.(type) {
	case *syntax.Block:
		in := s.produced(x.Stmts, input{})
		return in.text, in.kind == typed && len(st.Redirs) == 0
	case *syntax.Subshell:
		in := s.produced(x.Stmts, input{})
		return in.text, in.kind == typed && len(st.Redirs) == 0
	case *syntax.CallExpr:
		return s.printed(st, x)
	}
	return word{}, false
}

// printed is the output of echo, printf or cat of a here-document.
func (s *scope) printed(st *syntax.Stmt, call *syntax.CallExpr) (word, bool) {
	if len(call.Args) == 0 || st.Background {
		return word{}, false
	}
	words := s.words(call.Args)
	if len(words) == 0 || !words[0].known {
		return word{}, false
	}
	if words[0].text == "cat" && (len(words) == 1 || len(words) == 2 && words[1].text == "-") && len(st.Redirs) == 1 {
		r := st.Redirs[0]
		switch {
		case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
			return s.body(r), true
		case r.Op == syntax.WordHdoc:
			return s.one(r.Word), true
		}
	}
	if len(st.Redirs) > 0 || len(words) < 2 {
		return word{}, false
	}
	out := joined(words[1:])
	switch words[0].text {
	case "echo":
		return echoed(words[1:], out), true
	case "printf":
		out.text = formatted(words[1].text, words[2:])
		return out, true
	}
	return word{}, false
}

func echoed(words []word, out word) word {
	escapes := false
	for len(words) > 0 && len(words[0].text) > 1 && words[0].text[0] == '-' && strings.Trim(words[0].text[1:], "neE") == "" {
		escapes = escapes || strings.Contains(words[0].text, "e")
		words = words[1:]
	}
	out.text = ""
	for i, w := range words {
		if i > 0 {
			out.text += " "
		}
		out.text += w.text
	}
	if escapes {
		out.text = ansi(out.text, false)
	}
	out.text += "\n"
	return out
}

// formatted is the output of printf; what it cannot tell is a hole.
func formatted(format string, args []word) string {
	if strings.Contains(format, hole) {
		return hole
	}
	var b, own strings.Builder // own is of the format itself, whose escapes count
	flush := func() {
		b.WriteString(ansi(own.String(), false))
		own.Reset()
	}
	for rounds := 0; rounds < 64; rounds++ {
		used := false
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i+1 == len(format) {
				own.WriteByte(format[i])
				continue
			}
			i++
			switch verb := format[i]; verb {
			case '%':
				own.WriteByte('%')
			case 's', 'b', 'd', 'q':
				flush()
				if used = true; len(args) > 0 {
					text := args[0].text
					if verb == 'b' {
						text = ansi(text, false)
					}
					b.WriteString(text)
					args = args[1:]
				}
			default:
				own.WriteString(hole)
			}
		}
		if !used || len(args) == 0 {
			break
		}
	}
	flush()
	return b.String()
}
