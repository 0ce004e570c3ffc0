package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// tar adds what an archive is made of, or what may come out of it.
func (d *finder) tar(row *fileCommand, args []hook.Word) {
	if len(args) > 0 && args[0].Known && args[0].Text != "" && args[0].Text[0] != '-' {
		args = unbundled(row, args)
	}
	operands, options := row.scan(args)
	d.values(row, options)
	access := rd
	create := has(options, "-c -r -u -A --create --append --update --catenate --concatenate")
	extract := has(options, "-x --extract --get") && !has(options, "-O --to-stdout --to-command")
	switch {
	case create && has(options, "--remove-files"):
		access = rw
	case extract:
		access = wr
	}
	for _, o := range options {
		if !hasOption("-f --file", o.name) || elsewhere(o.value) {
			continue
		}
		if create {
			d.word(o.value, wr)
		} else {
			d.word(o.value, rd)
		}
	}
	switch {
	case extract && len(operands) == 0:
		d.nowhere(wr, "what the archive holds is not known")
	case create, extract:
		here := d.dir
		d.tree = true
		d.members(operands, access, extract)
		for i := range options {
			if d.chdir(row, options[i:i+1]); hasOption(row.cd, options[i].name) {
				d.members(operands, access, extract)
			}
		}
		d.dir = here
	}
}

// members adds files that go into an archive, or may come out.
func (d *finder) members(words []hook.Word, access hook.Access, maybe bool) {
	first := len(d.paths)
	for _, w := range words {
		d.word(w, access)
	}
	for i := range d.paths[first:] {
		if p := &d.paths[first+i]; maybe && p.Known {
			p.Known, p.Reason = false, "the archive may hold "+p.Given
		}
	}
}

// unbundled writes the options of `tar xzf FILE` as others have them.
func unbundled(row *fileCommand, args []hook.Word) []hook.Word {
	letters := args[0].Text
	args = args[1:]
	var out []hook.Word
	for i := range len(letters) {
		name := "-" + letters[i:i+1]
		out = append(out, hook.Word{Text: name, Known: true})
		if row.takes(name) && len(args) > 0 {
			out = append(out, args[0])
			args = args[1:]
		}
	}
	return append(out, args...)
}

// zip adds the archive and what goes into it.
func (d *finder) zip(row *fileCommand, args []hook.Word) {
	operands, options := row.scan(args)
	if len(operands) == 0 {
		return
	}
	d.word(operands[0], wr)
	access := rd
	if has(options, "-m --move") {
		access = rw
	}
	d.tree = has(options, row.tree)
	d.files(operands[1:], access, 0)
}

// unpack adds an archive and what may come out of it.
func (d *finder) unpack(row *fileCommand, name string, args []hook.Word) {
	operands, options := row.scan(args)
	if len(operands) == 0 {
		return
	}
	list := has(options, "-l -t -p -v -Z")
	if name != "unzip" {
		mode := operands[0].Text
		list = hasOption("l t v lb vb p i h", mode)
		if hasOption("a u m", mode) && len(operands) > 1 {
			d.word(operands[1], wr)
			d.tree = true
			d.files(operands[2:], rd, 0)
			return
		}
	}
	d.word(operands[0], rd)
	switch {
	case list:
	case name == "unzip" && len(operands) > 1:
		for _, o := range options {
			if o.name == "-d" {
				d.dir = wordPath(o.value, d.dir, d.cwd, wr, d.index).Clean
			}
		}
		d.tree = true
		d.members(operands[1:], wr, true)
	default:
		d.nowhere(wr, "what the archive holds is not known")
	}
}

// pack adds files that are replaced by packed or unpacked ones.
func (d *finder) pack(row *fileCommand, args []hook.Word) {
	operands, options := row.scan(args)
	d.values(row, options)
	d.tree = has(options, row.tree)
	if has(options, "-c -t -l --stdout --to-stdout --test --list") {
		d.files(operands, rd, 0)
		return
	}
	d.files(operands, rw, 0)
	suffixes := strings.Fields(".gz .bz2 .xz .zst .lz4 .br .Z .tgz")
	for _, w := range operands {
		for _, suffix := range suffixes {
			if text, ok := strings.CutSuffix(w.Text, suffix); ok && w.Known {
				d.word(hook.Word{Text: text, Known: true}, wr)
			} else if w.Known {
				d.maybe(w.Text+suffix, wr, "the packed "+w.Text)
			}
		}
	}
}
