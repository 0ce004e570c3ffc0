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
