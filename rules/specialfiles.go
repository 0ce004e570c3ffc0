package rules

import (
	"path"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// special adds the files that a row alone does not tell. It reports that
// there is nothing else.
func (d *finder) special(row *fileCommand, name string, args []hook.Word) bool {
	switch row.special {
	case ddFiles:
		d.assignments(args)
	case findFiles:
		d.find(args)
	case tarFiles:
		d.tar(row, args)
	case zipFiles:
		d.zip(row, args)
	case unpacked:
		d.unpack(row, name, args)
	case packed:
		d.pack(row, args)
	case gitSpecs:
		d.gitSpecs(row, name, args)
	case gitCheckout:
		d.gitCheckout(row, args)
	case anyWritten:
		d.gitTree(name, args)
	case fetched:
		d.fetch(row, name, args)
	default:
		d.scripts(row, name, args)
		return false
	}
	return true
}

// scripts adds the files of programs whose row tells the rest.
func (d *finder) scripts(row *fileCommand, name string, args []hook.Word) {
	operands, options := row.scan(args)
	switch row.special {
	case sedFiles:
		eachScript(operands, options, d.sed)
	case awkFiles:
		eachScript(operands, options, d.awk)
	case patched:
		d.patch(row, name, operands, options)
	case gitFiles:
		d.gitFiles(operands)
	}
}

func eachScript(operands []hook.Word, options []option, fn func(string)) {
	for _, o := range options {
		if hasOption("-e --expression --source", o.name) {
			fn(o.value.Text)
		}
	}
	for _, w := range operands {
		fn(w.Text)
	}
}

// assignments adds the files of dd: if=FILE of=FILE.
func (d *finder) assignments(words []hook.Word) {
	for _, w := range words {
		text := w.Text
		if !w.Known {
			text = w.Prefix
		}
		name, value, ok := strings.Cut(text, "=")
		access := map[string]hook.Access{"if": rd, "of": wr}[name]
		if ok && access != 0 && w.Known {
			d.word(hook.Word{Text: value, Known: true}, access)
		} else if ok && access != 0 {
			d.word(hook.Word{Text: w.Text, Prefix: value, Suffix: w.Suffix}, access)
		}
	}
}

var (
	sedFile   = regexp.MustCompile(`(?m)(?:^|[^A-Za-z]|[^A-Za-z][gpiIeEmM0-9]+)([wWrR])[ \t]*([^\s;}][^\n]*)$`)
	awkWrites = regexp.MustCompile(`>[ \t]*"([^"\n]+)"`)
	awkReads  = regexp.MustCompile(`<[ \t]*"([^"\n]+)"`)
	awkText   = regexp.MustCompile(`"[^"\n]*"`)
	awkAny    = regexp.MustCompile(`print[^;}\n]*>[ \t]*[A-Za-z_$(]`)
)

// sed adds the files of w and r in a script.
func (d *finder) sed(script string) {
	for _, m := range sedFile.FindAllStringSubmatch(script, maxNamed) {
		access := rd
		if strings.EqualFold(m[1], "w") {
			access = wr
		}
		d.maybe(strings.TrimSpace(m[2]), access, "the script may touch "+m[2])
	}
}

// awk adds the files of > and < in a program.
func (d *finder) awk(script string) {
	for _, m := range awkWrites.FindAllStringSubmatch(script, maxNamed) {
		d.maybe(m[1], wr, "the script writes "+m[1])
	}
	for _, m := range awkReads.FindAllStringSubmatch(script, maxNamed) {
		d.maybe(m[1], rd, "the script reads "+m[1])
	}
	if awkAny.MatchString(awkText.ReplaceAllString(script, `""`)) {
		d.nowhere(wr, "the script prints to a file that is not known")
	}
}

// find adds the roots, the files that tests name, and what -delete removes.
func (d *finder) find(args []hook.Word) {
	var roots []hook.Word
	for len(args) > 0 && !(args[0].Known && args[0].Text != "" && strings.Contains("-(!", args[0].Text[:1])) {
		roots, args = append(roots, args[0]), args[1:]
	}
	if len(roots) == 0 {
		roots = []hook.Word{{Text: ".", Known: true}}
	}
	for _, w := range roots {
		d.word(w, rd)
	}
	var tests []string
	all, removes := false, false
	for i := 0; i < len(args); i++ {
		next := hook.Word{}
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch args[i].Text {
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			d.word(next, wr)
			i++
		case "-newer", "-samefile", "-files0-from":
			d.word(next, rd)
			i++
		case "-name", "-iname", "-lname", "-ilname":
			all = all || !next.Known
			tests = append(tests, "**/"+strings.ReplaceAll(next.Text, "*", "**"))
			i++
		case "-path", "-ipath", "-wholename":
			all = all || !next.Known
			tests = append(tests, "**"+strings.ReplaceAll(strings.TrimPrefix(next.Text, "."), "*", "**"))
			i++
		case "!", "-not", "-o", "-or", ",", "-regex", "-iregex":
			all = all || args[i].Text[0] != '-' || strings.HasPrefix(args[i].Text, "-n")
		case "-delete":
			removes = true
		}
	}
	if all || len(tests) == 0 {
		tests = []string{"**"}
	}
	d.found = nil
	for _, w := range roots {
		root, ok := literal(w, d.cwd)
		for _, t := range tests {
			if root = strings.TrimSuffix(root, "/"); ok {
				t = escapeName(root) + "/" + t
			}
			d.found = append(d.found, t)
		}
	}
	for _, glob := range d.found {
		if removes {
			d.guess(glob, "find -delete", wr)
		}
	}
}

// fetch adds the files of curl and wget.
func (d *finder) fetch(row *fileCommand, name string, args []hook.Word) {
	operands, options := row.scan(args)
	d.values(row, options)
	here := d.dir
	for _, o := range options {
		if hasOption(row.dir, o.name) {
			d.dir = wordPath(o.value, here, d.cwd, wr, d.index).Clean
			defer func() { d.dir = here }()
			break
		}
	}
	if d.dir != here {
		for _, o := range options {
			if hasOption(row.out, o.name) {
				d.word(o.value, wr)
			}
		}
	}
	saves := has(options, "-O --remote-name --remote-name-all")
	if name == "wget" {
		saves = !saves && !has(options, "--output-document --spider")
	}
	for _, w := range operands {
		text := w.Text
		if !w.Known {
			text = w.Suffix
		}
		if file, ok := strings.CutPrefix(w.Text, "file://"); ok && w.Known {
			d.word(hook.Word{Text: file, Known: true}, rd)
		} else if file, ok := strings.CutPrefix(w.Prefix, "file://"); ok {
			d.word(hook.Word{Text: w.Text, Prefix: file, Suffix: w.Suffix}, rd)
		}
		if !saves {
			continue
		}
		text, _, _ = strings.Cut(text, "?")
		text, _, _ = strings.Cut(text, "#")
		base := path.Base(text)
		switch {
		case strings.Contains(text, "/") && !strings.HasSuffix(text, "/"):
			d.word(hook.Word{Text: base, Known: true}, wr)
		case !w.Known:
			d.nowhere(wr, w.Text+" may be saved by any name")
		}
	}
}
