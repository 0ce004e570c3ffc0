package rules

import (
	"path"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxNamed bounds how many words of programs we do not know are taken for
// files.
const maxNamed = 64

// finder collects the paths of the commands of one event.
type finder struct {
	cwd   string
	cmds  []hook.Command
	paths []hook.Path
	named int
	dir   string // of the command at hand, "" where unknown
	index int    // of the command at hand
}

// commandPaths lists what the commands of a Bash call read and write.
func commandPaths(f *hook.Facts) []hook.Path {
	c := f.Commands()
	d := &finder{cwd: f.Event.Dir, cmds: c.List, paths: opaquePaths(c)}
	for i := range c.List {
		d.command(&c.List[i], i)
	}
	sure := len(d.paths)
	for i := range c.Possible {
		d.command(&c.Possible[i], -1)
	}
	for i := sure; i < len(d.paths); i++ {
		if d.paths[i].Known {
			d.paths[i].Known, d.paths[i].Reason = false, d.paths[i].Given+" may be touched"
		}
	}
	return d.paths
}

func (d *finder) command(cmd *hook.Command, index int) {
	d.index, d.dir = index, commandDir(cmd, d.cwd)
	for _, r := range cmd.Redirects {
		d.word(r.Target, r.Access)
	}
	if len(cmd.Argv) > 0 {
		d.operands(cmd)
	}
}

// powershellPaths lists what the words of a PowerShell call may name.
func powershellPaths(f *hook.Facts) []hook.Path {
	c := f.Commands()
	d := &finder{cwd: f.Event.Dir, dir: f.Event.Dir, paths: opaquePaths(c)}
	for i := range c.List {
		head, words := c.List[i].Argv[0].Text, c.List[i].Argv[1:]
		d.index = i
		d.mentioned(head, words)
		if !strings.HasSuffix(psHead(head), "-content") && !strings.HasSuffix(psHead(head), "-item") {
			continue
		}
		for _, w := range words {
			if !w.Known {
				d.word(w, rw)
			}
		}
	}
	return d.paths
}

// opaquePaths is the one unknown path of a text that may run anything.
func opaquePaths(c hook.Commands) []hook.Path {
	if !c.Opaque {
		return nil
	}
	reason := "what runs cannot be told"
	if len(c.Unknown) > 0 {
		reason = c.Unknown[0].Reason
	}
	return []hook.Path{{Access: rw, Command: -1, Reason: reason}}
}

// commandDir is the absolute directory that a command runs in, "" if unknown.
func commandDir(c *hook.Command, cwd string) string {
	switch {
	case c.Dir.Text == "" && c.Dir.Known, c.Dir == hook.Word{}:
		return cwd
	case !c.Dir.Known:
		return ""
	case path.IsAbs(c.Dir.Text):
		return c.Dir.Text
	case cwd == "":
		return ""
	}
	return cwd + "/" + c.Dir.Text
}

// word adds the file that a word names.
func (d *finder) word(w hook.Word, access hook.Access) {
	d.paths = append(d.paths, wordPath(w, d.dir, d.cwd, access, d.index))
}

func wordPath(w hook.Word, dir, cwd string, access hook.Access, index int) hook.Path {
	if text, ok := literal(w, cwd); ok {
		return locate(text, dir, cwd, access, index)
	}
	return hook.Path{Given: w.Text, Access: access, Command: index, Reason: w.Text + " is not a literal name"}
}

// literal returns the value of a word; of the unknown ones, those that only
// use ~, $HOME or $PWD in front. A ~ in a known word was quoted.
func literal(w hook.Word, cwd string) (string, bool) {
	text := w.Text
	if w.Known {
		if strings.HasPrefix(text, "~") {
			text = "./" + text
		}
		return text, true
	}
	if n := len(text); n > 1 && text[0] == '"' && text[n-1] == '"' {
		text = text[1 : n-1]
	}
	for _, v := range [...]struct{ name, value string }{
		{"~", "~"}, {"$HOME", "~"}, {"${HOME}", "~"}, {"$PWD", cwd}, {"${PWD}", cwd},
	} {
		rest, ok := strings.CutPrefix(text, v.name)
		if ok && v.value != "" && (rest == "" || rest[0] == '/') && !strings.ContainsAny(rest, "$`\"'\\*?[{~(") {
			return v.value + rest, true
		}
	}
	return "", false
}
