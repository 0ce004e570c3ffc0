package rules

import (
	"path"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// gitFiles adds what REV:PATH and quoted patterns name.
func (d *finder) gitFiles(words []hook.Word) {
	for _, w := range words {
		text := w.Text
		if !w.Known {
			text = w.Suffix
		}
		if _, file, ok := strings.Cut(text, ":"); ok && file != "" {
			d.word(hook.Word{Text: file, Known: true}, rd)
		} else if w.Known && strings.ContainsAny(w.Text, "*?[") {
			d.guess(strings.ReplaceAll(w.Text, "*", "**"), w.Text, rd)
		}
	}
}

// gitSpecs adds the pathspecs of git rm and git restore.
func (d *finder) gitSpecs(row *fileCommand, name string, args []hook.Word) {
	operands, options := row.scan(args)
	index := has(options, "--cached -n --dry-run")
	if name == "git restore" {
		index = has(options, "-S --staged") && !has(options, "-W --worktree")
	}
	if index {
		return
	}
	for _, w := range operands {
		d.pathspec(w, true)
	}
}

// gitCheckout adds the pathspecs of git checkout: what follows -- or a
// revision; one operand alone may be either.
func (d *finder) gitCheckout(row *fileCommand, args []hook.Word) {
	for i, w := range args {
		if w.Known && w.Text == "--" {
			for _, w := range args[i+1:] {
				d.pathspec(w, true)
			}
			return
		}
	}
	operands, options := row.scan(args)
	switch {
	case has(options, "-b -B --orphan --detach"):
	case len(operands) == 1 && operands[0].Known:
		d.pathspec(operands[0], false)
	case len(operands) > 1:
		for _, w := range operands[1:] {
			d.pathspec(w, true)
		}
		d.pathspec(operands[0], false)
	}
}

// gitTree adds what git stash and git clean write.
func (d *finder) gitTree(name string, args []hook.Word) {
	row := fileCommand{values: "-m --message -e --exclude"}
	operands, options := row.scan(args)
	verb := ""
	if len(operands) > 0 && operands[0].Known {
		verb = operands[0].Text
	}
	switch {
	case name == "git clean" && has(options, "-n --dry-run"):
	case name == "git clean":
		d.nowhere(wr, "which files git clean removes is not known")
	case hasOption("pop apply branch", verb):
		d.nowhere(wr, "what the stash holds is not known")
	case verb == "push":
		for _, w := range operands[1:] {
			d.pathspec(w, true)
		}
		fallthrough
	case verb == "", verb == "save":
		if has(options, "-u -a --include-untracked --all") {
			d.nowhere(wr, "which files git stash takes away is not known")
		}
	}
}

// pathspec adds what git writes of a path.
func (d *finder) pathspec(w hook.Word, sure bool) {
	d.tree = true
	text := w.Text
	if w.Known && strings.HasPrefix(text, ":") {
		if strings.HasPrefix(text, ":!") || strings.HasPrefix(text, ":^") || strings.HasPrefix(text, ":(exclude") {
			return
		}
		if _, rest, ok := strings.Cut(text, ")"); ok {
			text = rest
		}
		text = strings.TrimPrefix(strings.TrimPrefix(text, ":"), "/")
	}
	switch {
	case !w.Known:
		d.word(w, wr)
		return
	case strings.ContainsAny(text, "*?["):
		d.guess(strings.ReplaceAll(text, "*", "**"), w.Text, wr)
		return
	case text == "":
		text = "."
	}
	if path.Clean(text) == "." || !sure {
		d.maybe(text, wr, "git may write "+w.Text)
		return
	}
	d.word(hook.Word{Text: text, Known: true}, wr)
}

// patch adds the files that a patch in the text names; one that is read from
// elsewhere may name any.
func (d *finder) patch(row *fileCommand, name string, operands []hook.Word, options []option) {
	if has(options, "--check --stat --numstat --summary --dry-run --abort --skip --quit") {
		return
	}
	d.chdir(row, options)
	text := strings.ReplaceAll(d.text, `\n`, "\n")
	files := patchNames(text)
	for _, file := range files {
		d.word(hook.Word{Text: file, Known: true}, wr)
	}
	strip, given := 1, name != "patch"
	for _, o := range options {
		if n := o.value.Text; hasOption("-p --strip", o.name) && len(n) == 1 && n[0] >= '0' && n[0] <= '9' {
			strip, given = int(n[0]-'0'), true
		}
		if o.name == "--directory" && name != "patch" {
			d.dir = wordPath(o.value, d.dir, d.cwd, wr, d.index).Clean
		}
	}
	for line := range strings.Lines(text) {
		file, ok := diffName(line)
		if !ok {
			continue
		}
		files = append(files, file)
		if !given {
			d.word(hook.Word{Text: path.Base(file), Known: true}, wr)
			d.word(hook.Word{Text: file, Known: true}, wr)
			continue
		}
		for range strip {
			if _, rest, ok := strings.Cut(file, "/"); ok {
				file = rest
			}
		}
		d.word(hook.Word{Text: file, Known: true}, wr)
	}
	if len(files) == 0 && !(name == "patch" && len(operands) > 0) {
		d.nowhere(wr, "which files the patch names is not known")
	}
}

// diffName is the file that a line of a patch names.
func diffName(line string) (string, bool) {
	for _, mark := range [...]string{"+++ ", "--- ", "rename to ", "rename from ", "copy to "} {
		if file, ok := strings.CutPrefix(line, mark); ok {
			file, _, _ = strings.Cut(file, "\t")
			file = strings.Trim(strings.TrimSpace(file), `"'`)
			return file, file != "" && file != "/dev/null"
		}
	}
	return "", false
}
