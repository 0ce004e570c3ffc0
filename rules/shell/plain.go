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

// plain reports that every byte of text means only itself.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if !plainByte[text[i]] {
			return false
		}
	}
	return true
}

// quiet tells the plain commands of which no word is run: 1, or 2 if options
// may be looked past, else 0.
func quiet(head, rest string) uint8 {
	sub, _, _ := strings.Cut(rest, " ")
	switch kind := inertKind(head); {
	case head == "git":
		if inertGit(rest) {
			return 1
		}
	case kind == 3: // only some subcommands run something
		if sub != "" && sub[0] != '-' && sub[0] != '+' && !has(inertSubs(head), sub) {
			return 1
		}
	case kind == 4: // only options run something
		if !strings.HasPrefix(rest, "-") && !strings.Contains(rest, " -") && !strings.Contains(rest, "SHELL=") {
			return 1
		}
	default:
		return kind
	}
	return 0
}

// oneCommand is a command of few words in one piece.
type oneCommand struct {
	list [1]hook.Command
	argv [4]hook.Word
}

// inert reads a plain text whose program runs none of its words, which is
// what most commands are; nothing but the result is allocated.
func inert(text string) (hook.Commands, bool) {
	raw := strings.Trim(text, " ")
	head, rest, _ := strings.Cut(raw, " ")
	kind := quiet(head, rest)
	if kind == 0 {
		return hook.Commands{}, false
	}
	var list []hook.Command
	var argv []hook.Word
	if n := 1 + strings.Count(raw, " "); n <= len(oneCommand{}.argv) {
		b := new(oneCommand)
		list, argv = b.list[:], b.argv[:0]
	} else {
		list, argv = make([]hook.Command, 1), make([]hook.Word, 0, n)
	}
	for i := 0; i < len(raw); i++ {
		end := strings.IndexByte(raw[i:], ' ')
		if end < 0 {
			end = len(raw) - i
		}
		if end > 0 {
			argv = append(argv, hook.Word{Text: raw[i : i+end], Known: true})
		}
		i += end
	}
	c := &list[0]
	c.Argv, c.Raw, c.Text, c.Dir = argv[:len(argv):len(argv)], raw, raw, here
	c.Offset = len(text) - len(strings.TrimLeft(text, " "))
	normal := argv
	if kind == 2 {
		normal = normalise(argv)
	}
	if len(normal) != len(argv) || strings.Contains(raw, "  ") {
		c.Text = join(normal)
	}
	return hook.Commands{List: list}, true
}

// Plain reads a text that is one plain command which runs nothing but its
// program, and returns it without the blanks around it; "" where that takes a
// closer look. exact says that no word of it is looked past. It does not
// allocate.
func Plain(text string) (command string, exact bool) {
	if len(text) > maxText || !plain(text) {
		return "", false
	}
	command = strings.Trim(text, " ")
	head, rest, _ := strings.Cut(command, " ")
	kind := quiet(head, rest)
	if kind == 0 {
		return "", false
	}
	// Options before a subcommand are looked past; compose has its own.
	straight := kind == 1 || rest != "" && rest[0] != '-' && !strings.HasPrefix(rest, "compose")
	return command, straight && !strings.Contains(command, "  ")
}

// plainWords follows a plain text without the parser; it declines keywords and
// assignments.
func (s *scope) plainWords(text string) bool {
	raw := strings.Trim(text, " ")
	head, _, _ := strings.Cut(raw, " ")
	if head == "" || strings.IndexByte(head, '=') >= 0 || has(keywords, head) {
		return false
	}
	start := len(text) - len(strings.TrimLeft(text, " "))
	s.invoke(invocation{words: literals(raw, start, 1+strings.Count(raw, " ")), end: start + len(raw)})
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

// followed are data programs with code of their own; of their uses only some
// run something.
const followed = "tar make gmake xdotool sed gsed eval source . trap alias find gfind parallel git complete compgen bind nix deno"

// inertGit reports that git with these words runs nothing else.
func inertGit(words string) bool {
	sub, rest, _ := strings.Cut(words, " ")
	if has("push fetch pull", sub) {
		return !strings.Contains(rest, "--") && !strings.Contains(rest, "ext::")
	}
	return has("status log diff show add commit checkout branch switch restore merge stash tag reset rm mv blame describe rev-parse", sub)
}
