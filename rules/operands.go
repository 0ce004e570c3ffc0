package rules

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// operands adds the files among the words of a command.
func (d *finder) operands(cmd *hook.Command) {
	name, args := path.Base(cmd.Argv[0].Text), cmd.Argv[1:]
	switch {
	case !cmd.Argv[0].Known:
		d.mentioned(cmd.Argv[0].Text, args)
		return
	case textCommands()[name]:
		return
	}
	if values, ok := subcommands()[name]; ok {
		name, args = d.subcommand(name, values, args)
	}
	row, ok := fileCommands()[name]
	if !ok {
		d.mentioned(name, args)
		return
	}
	d.row(row, name, args)
}

// subcommand joins a program and its subcommand, without the options between
// them.
func (d *finder) subcommand(program, values string, args []hook.Word) (string, []hook.Word) {
	row := fileCommand{values: values, stop: true, cd: "-C"}
	for i := range args {
		operands, options := row.scan(args[:i+1])
		if len(operands) == 0 {
			continue
		}
		d.chdir(&row, options)
		if !operands[0].Known {
			break
		}
		return program + " " + operands[0].Text, args[i+1:]
	}
	return program, args
}

func (d *finder) chdir(row *fileCommand, options []option) {
	for _, o := range options {
		if hasOption(row.cd, o.name) {
			d.dir = wordPath(o.value, d.dir, d.cwd, rd, d.index).Clean
		}
	}
}

// row adds the files of a program whose words are known.
func (d *finder) row(row *fileCommand, name string, args []hook.Word) {
	if row.special != 0 && d.special(row, name, args) {
		return
	}
	operands, options := row.scan(args)
	d.chdir(row, options)
	skip, all, last := row.skip, row.all, row.last
	switch {
	case has(options, row.unskip):
		skip = 0
	case name == "sudo" && has(options, "-e --edit"), row.special == made && has(options, "-d --directory"):
		all, last = wr|all, 0
	}
	if has(options, row.writes) {
		all |= wr
	}
	d.values(row, options)
	d.tree = row.tree == "*" || has(options, row.tree)
	operands = operands[min(skip, len(operands)):]
	d.remote = row.remote
	if row.walks && d.tree && len(operands) == 0 {
		operands = []hook.Word{{Text: ".", Known: true}}
	}
	for _, o := range options {
		if hasOption(row.dir, o.name) {
			d.word(o.value, wr)
			d.files(operands, all, 0)
			d.into(operands, o.value)
			return
		}
	}
	d.files(operands, all, last)
}

// values adds the files that options name.
func (d *finder) values(row *fileCommand, options []option) {
	for _, o := range options {
		switch {
		case hasOption(row.in, o.name):
			d.word(o.value, rd)
			if _, file, ok := strings.Cut(o.value.Text, "="); ok && o.name == "--from-file" && o.value.Known {
				d.word(hook.Word{Text: file, Known: true}, rd) // kubectl: KEY=FILE
			}
		case hasOption(row.out, o.name):
			d.word(o.value, wr)
		case hasOption(row.at, o.name):
			d.posted(o.value)
		case hasOption(row.code, o.name):
			d.code(o.value)
		}
	}
}

// posted adds the file of curl's @FILE, NAME@FILE, NAME=@FILE and NAME=<FILE.
func (d *finder) posted(w hook.Word) {
	text := w.Text
	if !w.Known {
		text = w.Prefix
	}
	at := strings.IndexAny(text, "@<")
	if at < 0 || at > 0 && text[at] == '<' && text[at-1] != '=' {
		return
	}
	text = text[at+1:]
	if w.Known {
		text, _, _ = strings.Cut(text, ";")
		d.word(hook.Word{Text: text, Known: true}, rd)
		return
	}
	d.word(hook.Word{Text: w.Text, Prefix: text, Suffix: w.Suffix}, rd)
}

// code adds what a program text names, which it may read or write.
func (d *finder) code(w hook.Word) {
	for _, name := range strings.FieldsFunc(w.Text, inCode) {
		d.named++
		d.maybe(name, rw, "the program text may touch "+name)
	}
}

// elsewhere reports that a word is HOST:PATH.
func elsewhere(w hook.Word) bool {
	text := w.Text
	if !w.Known {
		text = w.Prefix
	}
	at := strings.IndexByte(text, ':')
	return at > 0 && !strings.Contains(text[:at], "/")
}

// operand adds an operand that is a file here.
func (d *finder) operand(w hook.Word, access hook.Access) {
	if !d.remote || !elsewhere(w) {
		d.word(w, access)
	}
}

// files adds operands; last is what happens to the last of several.
func (d *finder) files(words []hook.Word, all, last hook.Access) {
	if all == 0 {
		return
	}
	n := len(words)
	if last == 0 || n < 2 {
		for _, w := range words {
			d.operand(w, all)
		}
		return
	}
	for _, w := range words[:n-1] {
		d.operand(w, all)
	}
	target, tree := words[n-1], d.tree
	if d.remote && elsewhere(target) {
		return
	}
	isDir := n > 2 || d.isDir(target)
	d.tree = tree && !isDir
	d.word(target, last)
	if d.tree = tree; isDir {
		d.into(words[:n-1], target)
	}
}

// isDir reports whether a word names a directory: by its slash, by what is
// there, or by what the text makes there.
func (d *finder) isDir(w hook.Word) bool {
	at := wordPath(w, d.dir, d.cwd, wr, d.index)
	if strings.HasSuffix(w.Text, "/") || at.Clean != "" && d.dirs[at.Clean] {
		return true
	}
	info, err := os.Stat(at.Clean)
	return at.Clean != "" && err == nil && info.IsDir()
}

// into adds the files that arise in a directory which is the target of cp.
func (d *finder) into(sources []hook.Word, target hook.Word) {
	at := wordPath(target, d.dir, d.cwd, wr, d.index)
	if at.Clean == "" {
		return
	}
	for _, s := range sources {
		if text, ok := literal(s, d.cwd); ok {
			if _, file, ok := strings.Cut(text, ":"); ok && d.remote && elsewhere(s) {
				text = file
			}
			p := locate(at.Clean+"/"+path.Base(text), "", d.cwd, wr, d.index)
			p.Tree = d.tree
			d.add(p)
			continue
		}
		glob, _ := wordGlob(s)
		if glob = path.Base(glob); glob == "." {
			glob = "**"
		}
		d.guess(escapeName(at.Clean)+"/"+glob, s.Text, wr)
	}
}

// mentioned adds what a program that we do not know has for words: it may
// touch these files.
func (d *finder) mentioned(program string, words []hook.Word) {
	if d.followed(path.Base(program)) {
		return
	}
	for i, w := range words {
		if i > 0 && words[i-1].Known && hasOption("-m --message --title --body --description --notes --subject", words[i-1].Text) {
			continue
		}
		if !w.Known {
			if glob, _ := wordGlob(w); glob != "" && w.Prefix+w.Suffix != "" && !strings.HasPrefix(w.Prefix, "-") {
				d.guess(glob, w.Text, rw)
			}
			continue
		}
		for _, name := range names(w.Text) {
			d.named++
			d.maybe(name, rw, program+" may touch "+name)
		}
	}
}

// maybe adds a file that may be touched.
func (d *finder) maybe(name string, access hook.Access, reason string) {
	if name == "" {
		return
	}
	if d.named > maxNamed {
		d.flood()
		return
	}
	p := locate(name, d.dir, d.cwd, access, d.index)
	p.Known, p.Reason, p.Tree = false, reason, d.tree
	d.add(p)
}

// followed reports whether the commands that a program runs are listed by
// themselves.
func (d *finder) followed(program string) bool {
	return slices.ContainsFunc(d.cmds, func(c hook.Command) bool {
		return slices.ContainsFunc(c.Wrappers, func(w string) bool { return path.Base(w) == program })
	})
}

// names returns what in a word may be the name of a file: the word, the value
// of an option, the quoted parts of a program text.
func names(word string) []string {
	if word != "" && word[0] == '-' {
		_, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return nil
		}
		return []string{value}
	}
	if !strings.ContainsAny(word, "'\"(") {
		if word == "" {
			return nil
		}
		return []string{word}
	}
	return strings.FieldsFunc(word, inCode)
}

// inCode reports that r ends the name of a file in a program text.
func inCode(r rune) bool { return strings.ContainsRune("'\"()[]{},;=<>| \t\n", r) }
