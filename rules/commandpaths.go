package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxNamed bounds how many words of programs we do not know are taken for
// files.
const maxNamed = 512

// finder collects the paths of the commands of one event.
type finder struct {
	cwd     string
	text    string // of the shell call
	cmds    []hook.Command
	paths   []hook.Path
	links   []madeLink      // that the text makes
	dirs    map[string]bool // that the text makes
	dotted  bool            // patterns match a leading dot
	found   []string        // patterns of what the find around the command at hand gives it
	named   int
	guesses int
	flooded bool   // by more words than are looked at
	tree    bool   // operands at hand stand for all below them
	remote  bool   // operands at hand may be HOST:PATH
	dir     string // of the command at hand, "" where unknown
	index   int    // of the command at hand
}

// commandPaths lists what the commands of a Bash call read and write.
func commandPaths(f *hook.Facts) []hook.Path {
	c := f.Commands()
	d := &finder{cwd: f.Event.Dir, text: commandText(&f.Event), cmds: c.List, paths: opaquePaths(c)}
	for _, list := range [...][]hook.Command{c.List, c.Possible} {
		for i := range list {
			d.prepare(&list[i])
		}
	}
	for i := range c.List {
		d.command(&c.List[i], i)
	}
	sure := len(d.paths)
	for i := range c.Possible {
		if !operandOf(&c.Possible[i]) {
			d.command(&c.Possible[i], -1)
		}
	}
	for i := sure; i < len(d.paths); i++ {
		if d.paths[i].Known {
			d.paths[i].Known, d.paths[i].Reason = false, d.paths[i].Given+" may be touched"
		}
	}
	return d.paths
}

// operandOf reports that a command which may run is the subcommand of a
// program whose files are known.
func operandOf(cmd *hook.Command) bool {
	if len(cmd.Wrappers) == 0 || len(cmd.Argv) == 0 {
		return false
	}
	_, ok := fileCommands()[path.Base(cmd.Wrappers[len(cmd.Wrappers)-1])+" "+cmd.Argv[0].Text]
	return ok
}

func (d *finder) command(cmd *hook.Command, index int) {
	d.index, d.dir, d.tree = index, commandDir(cmd, d.cwd), false
	d.remote = false
	if !slices.Contains(cmd.Wrappers, "find") {
		d.found = nil
	}
	for _, r := range cmd.Redirects {
		d.redirect(r)
	}
	if len(cmd.Argv) > 0 {
		d.operands(cmd)
	}
}

// redirect adds the target of a redirection, which is a word that the shell
// does not split, but whose braces and patterns bash follows.
func (d *finder) redirect(r hook.Redirect) {
	d.word(r.Target, r.Access)
	if !r.Target.Known {
		return
	}
	text := r.Target.Text
	head, rest, open := strings.Cut(text, "{")
	inner, tail, closed := strings.Cut(rest, "}")
	switch {
	case open && closed && strings.ContainsAny(head+inner+tail, "{}*?["):
		d.guess(escapeName(head)+"**", text, r.Access)
	case open && closed:
		for name := range strings.SplitSeq(inner, ",") {
			d.maybe(head+name+tail, r.Access, text+" may be several names")
		}
	case strings.ContainsAny(text, "*?["):
		d.guess(text, text, r.Access)
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
	case (c.Dir.Text == "" || c.Dir.Text == ".") && c.Dir.Known, c.Dir == hook.Word{}:
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

// word adds the file that a word names, or what it may be.
func (d *finder) word(w hook.Word, access hook.Access) {
	switch {
	case w.Known && (w.Text == "-" || w.Text == ""):
		return
	case !w.Known && w.Text == "{}" && d.found != nil:
		for _, glob := range d.found {
			d.guess(glob, "what find finds", access)
		}
		return
	}
	p := wordPath(w, d.dir, d.cwd, access, d.index)
	p.Tree = d.tree
	text, ok := literal(w, d.cwd)
	if ok {
		d.add(p)
		if p.Clean == "" && d.dir == "" {
			d.guess(escapeName(text), w.Text, access)
		}
		return
	}
	glob, whole := wordGlob(w)
	if !whole {
		d.add(p)
	}
	if glob != "" {
		d.guess(glob, w.Text, access)
	}
}

// nowhere adds a file of which nothing is known.
func (d *finder) nowhere(access hook.Access, reason string) {
	d.add(hook.Path{Access: access, Command: d.index, Reason: reason})
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
	if w.Moved {
		return "", false
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
