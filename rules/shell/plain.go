package shell

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// plainByte marks the bytes that mean only themselves, wherever they stand.
var plainByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	for _, c := range []byte(" -_./:,@%+=") {
		t[c] = true
	}
	return t
}()

// plain reads a text of plain bytes without the parser: one command, each
// word as it stands. It declines keywords and assignments.
func (s *scope) plain(text string) bool {
	words, doubled := 1, false
	for i := 0; i < len(text); i++ {
		if !plainByte[text[i]] {
			return false
		}
		if text[i] == ' ' {
			words++
			doubled = doubled || i > 0 && text[i-1] == ' '
		}
	}
	text = strings.TrimRight(text, " ")
	start := len(text) - len(strings.TrimLeft(text, " "))
	raw := text[start:]
	head, rest, _ := strings.Cut(raw, " ")
	if head == "" || strings.IndexByte(head, '=') >= 0 || has(keywords, head) {
		return false
	}
	if !s.inert(head, rest) {
		s.invoke(invocation{words: literals(raw, start, words), end: len(text)})
		return true
	}
	argv := make([]hook.Word, 0, words)
	for w := range strings.SplitSeq(raw, " ") {
		if w != "" {
			argv = append(argv, hook.Word{Text: w, Known: true})
		}
	}
	c := hook.Command{Argv: argv, Raw: raw, Text: raw, Offset: start, Dir: here}
	if normal := normalise(argv); doubled || len(normal) != len(argv) {
		c.Text = join(normal)
	}
	s.run.out.List = []hook.Command{c}
	return true
}

// keywords of the shell that consist of plain bytes.
const keywords = "if then else elif fi for while until do done case esac in select function time coproc"

func literals(raw string, start, n int) []word {
	out := make([]word, 0, n)
	for i := 0; i < len(raw); {
		end := strings.IndexByte(raw[i:], ' ')
		if end < 0 {
			end = len(raw) - i
		}
		if end > 0 {
			w := literal(raw[i:i+end], start+i)
			w.bare = true
			out = append(out, w)
		}
		i += end + 1
	}
	return out
}

// inert reports that a command of plain words runs nothing but its program:
// a program that no row and no code of this package follows.
func (s *scope) inert(head, rest string) bool {
	if programs[head] != data || len(s.run.wrappers) > 0 || wrapperIndex[head] != nil || sameAs[head] != "" {
		return false
	}
	switch head {
	case "git":
		sub, _, _ := strings.Cut(rest, " ")
		return has("status log diff show add commit checkout branch switch restore merge stash tag reset rm mv blame describe rev-parse", sub)
	case "make", "sed", "eval", "source", "trap", "alias", "find", "parallel":
		return false
	}
	return !subcommandHeads[head]
}
