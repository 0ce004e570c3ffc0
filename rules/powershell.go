package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxPowerShell bounds a text before it is read.
const maxPowerShell = 256 << 10

// aliases maps PowerShell's short names to its commands, in lower case.
var aliases = map[string]string{
	"ls": "get-childitem", "dir": "get-childitem", "gci": "get-childitem", "cat": "get-content", "gc": "get-content", "type": "get-content",
	"rm": "remove-item", "ri": "remove-item", "del": "remove-item", "erase": "remove-item", "rd": "remove-item", "rmdir": "remove-item",
	"cp": "copy-item", "copy": "copy-item", "cpi": "copy-item", "mv": "move-item", "move": "move-item", "mi": "move-item",
	"ren": "rename-item", "rni": "rename-item", "ni": "new-item", "md": "mkdir", "echo": "write-output", "write": "write-output",
	"iex": "invoke-expression", "iwr": "invoke-webrequest", "curl": "invoke-webrequest", "wget": "invoke-webrequest",
	"irm": "invoke-restmethod", "cd": "set-location", "sl": "set-location", "chdir": "set-location", "pwd": "get-location", "kill": "stop-process",
	"spps": "stop-process", "ps": "get-process", "gps": "get-process", "sc": "set-content", "ac": "add-content", "clc": "clear-content", "saps": "start-process", "start": "start-process",
}

// parsePowerShell splits a text at ; | && || and line ends. It knows quotes,
// escapes and comments; a text with anything else that could run commands
// ($(…), (…), {…}, &, Invoke-Expression) may run anything.
func parsePowerShell(text string) hook.Commands {
	r := &psReader{}
	if len(text) > maxPowerShell {
		r.opaque("the command is longer than 256 KiB")
		return r.out
	}
	for i := 0; i < len(text); {
		i += r.next(text[i:])
	}
	r.endCommand()
	return r.out
}

type psReader struct {
	out   hook.Commands
	cmd   hook.Command
	word  strings.Builder
	open  bool // a word has begun
	vague bool // the word is not literal
}

func (r *psReader) opaque(reason string) {
	r.out.Opaque = true
	r.out.Unknown = append(r.out.Unknown, hook.Doubt{Reason: reason})
}

// next reads one character or quoted string at the start of s and returns
// its length.
func (r *psReader) next(s string) int {
	switch c := s[0]; c {
	case ' ', '\t', '\r':
		r.endWord()
	case '\n', ';', '|':
		r.endCommand()
	case '#':
		if !r.open {
			if end := strings.IndexByte(s, '\n'); end >= 0 {
				return end
			}
			return len(s)
		}
		r.word.WriteByte(c)
	case '&':
		if strings.HasPrefix(s, "&&") {
			r.endCommand()
			return 2
		}
		r.opaque("& runs what its operand names")
	case '(', ')', '{', '}', '@', '<':
		r.opaque(string(c) + " may run other commands")
		r.open, r.vague = true, true
	case '>':
		r.opaque("a redirection")
	case '$':
		r.open, r.vague = true, true
		r.word.WriteByte(c)
	case '`':
		if len(s) > 1 {
			if s[1] != '\n' {
				r.open = true
				r.word.WriteByte(s[1])
			}
			return 2
		}
	case '\'', '"':
		return r.quoted(s)
	default:
		r.open = true
		r.word.WriteByte(c)
	}
	return 1
}

func (r *psReader) quoted(s string) int {
	r.open = true
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 {
		r.opaque("a quote is not closed")
		return len(s)
	}
	body := s[1 : 1+end]
	if s[0] == '"' && strings.ContainsAny(body, "$`") {
		r.vague = true
		if strings.Contains(body, "$(") {
			r.opaque("$( may run other commands")
		}
	}
	r.word.WriteString(body)
	return end + 2
}

func (r *psReader) endWord() {
	if r.open {
		r.cmd.Argv = append(r.cmd.Argv, hook.Word{Text: r.word.String(), Known: !r.vague})
	}
	r.word.Reset()
	r.open, r.vague = false, false
}

func (r *psReader) endCommand() {
	r.endWord()
	if len(r.cmd.Argv) == 0 {
		return
	}
	parts := make([]string, len(r.cmd.Argv))
	for i, w := range r.cmd.Argv {
		parts[i] = w.Text
	}
	r.cmd.Text = strings.Join(parts, " ")
	r.cmd.Raw = r.cmd.Text
	switch psHead(parts[0]) {
	case "invoke-expression", "start-process", "invoke-command", "powershell", "pwsh", "cmd":
		r.opaque(parts[0] + " runs what its operands say")
	}
	if !r.cmd.Argv[0].Known {
		r.opaque(parts[0] + " is not a literal command")
	}
	r.out.List = append(r.out.List, r.cmd)
	r.cmd = hook.Command{}
}

// psHead is the command that a first word names.
func psHead(word string) string {
	w := strings.TrimSuffix(strings.ToLower(word), ".exe")
	if i := strings.LastIndexAny(w, `/\`); i >= 0 {
		w = w[i+1:]
	}
	if full, ok := aliases[w]; ok {
		return full
	}
	return w
}

func psText(text string) string {
	head, rest, ok := strings.Cut(text, " ")
	if !ok {
		return psHead(head)
	}
	return psHead(head) + " " + strings.ToLower(rest)
}

// powershellGlob is a PowerShell pattern: like Bash's, letter case aside.
type powershellGlob struct {
	glob wild
	bare string // what a trailing " *" matches alone, "" if there is none
	head string // literal first word, "" if it has a wildcard
}

func compilePowerShell(pattern string) (*powershellGlob, error) {
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = prefix + " *"
	}
	pattern = psText(strings.Join(strings.Fields(pattern), " "))
	g := &powershellGlob{}
	if bare, ok := strings.CutSuffix(pattern, " *"); ok && !strings.Contains(bare, "*") {
		g.bare = bare
	}
	if head, _, _ := strings.Cut(pattern, " "); !strings.Contains(head, "*") {
		g.head = head
	}
	w, err := compileWild(escapeWild(pattern))
	g.glob = w
	return g, err
}

// escapeWild leaves * as the only wildcard.
func escapeWild(p string) string {
	return strings.NewReplacer(`\`, `\\`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`).Replace(p)
}

func (g *powershellGlob) match(c *hook.Command) hook.Tri {
	text := psText(c.Text)
	for _, w := range c.Argv {
		if !w.Known {
			head, _, _ := strings.Cut(text, " ")
			return hook.TriOf(g.head == "" || g.head == head || !c.Argv[0].Known).And(hook.Unknown)
		}
	}
	return hook.TriOf(g.glob.match(text) || g.bare != "" && text == g.bare)
}

// powershellTest is bashTest for PowerShell.
type powershellTest struct {
	globs []*powershellGlob
	grant bool
}

func (t *powershellTest) eval(f *hook.Facts, why *string) hook.Tri {
	c := f.Commands()
	if t.grant {
		return t.grants(&c, why)
	}
	best := hook.No
	say(why, "runs no matching command")
	if c.Opaque {
		best = hook.Unknown
		say(why, c.Unknown[0].Reason)
	}
	for i := range c.List {
		if one := t.any(&c.List[i]); one > best {
			best = one
			say(why, c.List[i].Text)
		}
	}
	return best
}

func (t *powershellTest) any(c *hook.Command) hook.Tri {
	best := hook.No
	for _, g := range t.globs {
		best = best.Or(g.match(c))
	}
	return best
}

func (t *powershellTest) grants(c *hook.Commands, why *string) hook.Tri {
	if c.Opaque {
		say(why, c.Unknown[0].Reason)
		return hook.Unknown
	}
	best := hook.TriOf(len(c.List) > 0)
	for i := range c.List {
		if one := t.any(&c.List[i]); one < best {
			best = one
			say(why, "not granted: ", c.List[i].Text)
		}
	}
	return best
}
