package rules

import (
	"path"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// madeLink is a link that the text at hand makes: what happens to from
// happens to to, which is "" where it is not known.
type madeLink struct{ from, to string }

// maxLinked bounds the paths that links of the text add.
const maxLinked = 4096

// prepare notes what a command makes that changes what names mean in the
// others, whatever their order: it may run twice.
func (d *finder) prepare(cmd *hook.Command) {
	for _, a := range cmd.Assigns {
		d.dotted = d.dotted || a.Name == "GLOBIGNORE"
	}
	if len(cmd.Argv) < 2 || !cmd.Argv[0].Known {
		return
	}
	d.dir = commandDir(cmd, d.cwd)
	name := path.Base(cmd.Argv[0].Text)
	switch name {
	case "shopt", "setopt", "bash", "zsh":
		for _, w := range cmd.Argv[1:] {
			d.dotted = d.dotted || strings.Contains(w.Text, "dotglob") || strings.Contains(strings.ReplaceAll(strings.ToLower(w.Text), "_", ""), "globdots")
		}
		return
	case "mkdir", "install", "ln", "cp":
	default:
		return
	}
	operands, options := fileCommands()[name].scan(cmd.Argv[1:])
	switch {
	case name == "mkdir", name == "install" && has(options, "-d --directory"):
		for _, w := range operands {
			if d.dirs == nil {
				d.dirs = make(map[string]bool)
			}
			d.dirs[wordPath(w, d.dir, d.cwd, wr, -1).Clean] = true
		}
	case name == "ln", name == "cp" && has(options, "-l -s --link --symbolic-link"):
		d.link(operands, options)
	}
}

// link notes the links that ln makes.
func (d *finder) link(operands []hook.Word, options []option) {
	target, sources := hook.Word{Text: ".", Known: true}, operands
	inside := true
	for _, o := range options {
		if hasOption("-t --target-directory", o.name) {
			target = o.value
		}
	}
	if n := len(operands); target.Text == "." && n > 1 {
		target, sources = operands[n-1], operands[:n-1]
		inside = n > 2 || d.isDir(target)
	}
	at := wordPath(target, d.dir, d.cwd, wr, -1).Clean
	if at == "" {
		return
	}
	for _, s := range sources {
		text, ok := literal(s, d.cwd)
		l := madeLink{from: at}
		if inside && ok {
			l.from = path.Join(at, path.Base(text))
		}
		base := d.dir
		if has(options, "-s --symbolic --symbolic-link") && !has(options, "-r --relative") {
			base = path.Dir(l.from)
		}
		if ok {
			l.to = locate(text, base, d.cwd, rd, -1).Clean
		}
		d.links = append(d.links, l)
	}
}

// add adds a path, and where the links of the text lead from it.
func (d *finder) add(p hook.Path) {
	d.paths = append(d.paths, p)
	d.lead(p, 4)
}

func (d *finder) lead(p hook.Path, hops int) {
	if hops == 0 || len(d.links) == 0 || p.Clean == "" && p.Glob == "" {
		return
	}
	if len(d.paths) > maxLinked {
		d.flood()
		return
	}
	for _, l := range d.links {
		rest, ok := strings.CutPrefix(p.Clean, l.from)
		switch {
		case p.Clean != "" && (!ok || rest != "" && rest[0] != '/'):
			continue
		case p.Clean == "":
			rule := newAutomaton()
			rule.text(strings.ToLower(l.from))
			rule.below()
			if len(p.Glob) <= maxAutomaton && !meet(globAutomaton(p.Glob), rule) {
				continue
			}
			rest = ""
		}
		q := hook.Path{Given: p.Given, Access: p.Access, Command: p.Command, Reason: p.Given + " leads to a file that is not known"}
		if l.to != "" {
			q = locate(l.to+rest, "", d.cwd, p.Access, p.Command)
			q.Given, q.Known, q.Tree = p.Given, q.Known && p.Known, p.Tree
			if q.Reason == "" {
				q.Reason = p.Reason
			}
		}
		d.paths = append(d.paths, q)
		d.lead(q, hops-1)
	}
}
