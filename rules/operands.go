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
	name := path.Base(cmd.Argv[0].Text)
	if !cmd.Argv[0].Known || textCommands()[name] {
		return
	}
	if name == "dd" {
		d.assignments(cmd.Argv[1:])
		return
	}
	row, ok := fileCommands()[name]
	if !ok {
		d.mentioned(name, cmd.Argv[1:])
		return
	}
	var files []hook.Word
	skip, all := row.skip, row.all
	for args := cmd.Argv[1:]; len(args) > 0; args = args[1:] {
		w := args[0]
		if w.Known && w.Text == "--" {
			files = append(files, args[1:]...)
			break
		}
		if !w.Known || len(w.Text) < 2 || w.Text[0] != '-' {
			files = append(files, w)
			continue
		}
		option, value, glued := splitOption(w.Text)
		if hasOption(row.unskip, option) {
			skip = 0
		}
		if row.writes != "" && (hasOption(row.writes, option) || w.Text[1] != '-' && strings.Contains(w.Text, "i")) {
			all |= wr // -i, also in a cluster: -ni
		}
		access := hook.Access(0)
		switch {
		case hasOption(row.in, option):
			access = rd
		case hasOption(row.out, option):
			access = wr
		case !hasOption(row.values, option) && (!hasOption(row.unskip, option) || glued):
			continue
		}
		word := hook.Word{Text: value, Known: true}
		if !glued {
			if args = args[1:]; len(args) == 0 {
				break
			}
			word = args[0]
		}
		if access != 0 {
			d.word(word, access)
		}
	}
	d.files(files[min(skip, len(files)):], all, row.last)
}

// splitOption splits --name=value and -xVALUE.
func splitOption(text string) (name, value string, glued bool) {
	if strings.HasPrefix(text, "--") {
		name, value, glued = strings.Cut(text, "=")
		return name, value, glued
	}
	if len(text) > 2 {
		return text[:2], text[2:], true
	}
	return text, "", false
}

// files adds operands; last is what happens to the last of several.
func (d *finder) files(words []hook.Word, all, last hook.Access) {
	if all == 0 {
		return
	}
	for i, w := range words {
		access := all
		if last != 0 && i == len(words)-1 && i > 0 {
			access = last
		}
		d.word(w, access)
	}
	if last != 0 && len(words) > 1 {
		d.into(words[:len(words)-1], words[len(words)-1])
	}
}

// into adds the files that arise in a directory which is the target of cp.
func (d *finder) into(sources []hook.Word, target hook.Word) {
	at := wordPath(target, d.dir, d.cwd, wr, d.index)
	if at.Clean == "" {
		return
	}
	if info, err := os.Stat(at.Clean); !strings.HasSuffix(target.Text, "/") && (err != nil || !info.IsDir()) {
		return
	}
	for _, s := range sources {
		if text, ok := literal(s, d.cwd); ok {
			d.paths = append(d.paths, locate(at.Clean+"/"+path.Base(text), "", d.cwd, wr, d.index))
		}
	}
}

// assignments adds the files of dd: if=FILE of=FILE.
func (d *finder) assignments(words []hook.Word) {
	for _, w := range words {
		name, value, ok := strings.Cut(w.Text, "=")
		access := map[string]hook.Access{"if": rd, "of": wr}[name]
		if ok && access != 0 {
			d.word(hook.Word{Text: value, Known: w.Known}, access)
		}
	}
}

// mentioned adds what a program that we do not know has for literal words:
// it may touch these files.
func (d *finder) mentioned(program string, words []hook.Word) {
	if d.followed(program) {
		return
	}
	for i, w := range words {
		if !w.Known || i > 0 && words[i-1].Known && (words[i-1].Text == "-m" || words[i-1].Text == "--message") {
			continue
		}
		for _, name := range names(w.Text) {
			if d.named++; d.named > maxNamed {
				return
			}
			p := locate(name, d.dir, d.cwd, rw, d.index)
			p.Known, p.Reason = false, program+" may touch "+name
			d.paths = append(d.paths, p)
		}
	}
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
	return strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("'\"()[]{},;=<>| \t\n", r) })
}
