package shell

import "strings"

// Wrapper says how a program that runs its operands finds them. Lists of
// options are separated by blanks; a name of one letter is a short option, a
// longer one long (--name). Options that no list names are taken as flags,
// and the other reading is kept as possible.
type Wrapper struct {
	Name     string // program, or program and subcommands: "sudo", "docker exec"
	Flags    string // options without a value
	Values   string // options with a value, glued or as the next word
	Optional string // options whose value can only be glued
	Shell    string // options whose value is shell text that is run
	Maybe    string // options whose value is shell text that may run
	Split    string // options whose value is split into words (env -S)
	Rest     string // options after which the command stands; without one nothing runs
	Chdir    string // options with the directory in which the command runs
	Program  string // options with a program that runs the operands (--entrypoint)
	Quits    string // options with which no operand is run
	Pairs    string // options with two values
	Replace  string // options with the word that input replaces (xargs -I)
	Operands int    // words before the command; NoCommand: all of them
	Env      bool   // NAME=value words may stand before the command
	Text     bool   // the command's words are joined and read by a shell
	Append   bool   // further words come from input
	Dashes   bool   // if there is a word --, the command starts after it
	Away     bool   // runs on another machine or file system
	Texts    bool   // each operand is shell text, with Operands NoCommand
	Exact    bool   // a grant with a wildcard never covers it
	Strip    bool   // grants look through it
	Default  string // what runs when no command is given: "sh", "echo"
}

// NoCommand as Wrapper.Operands: no operand is a command.
const NoCommand = 1 << 20

// options is what the words before a wrapped command say.
type options struct {
	start   int // index of the first word of the command
	other   int // the same if an unknown option has a value; 0: there is none
	shell   []word
	maybe   []word
	split   []word // words of the split text
	env     []word // NAME=value
	chdir   *word
	program *word
	replace string
	flags   bool // there were options
	quits   bool
	rest    bool
}

// has reports that the blank-separated list names the option.
func has(list, name string) bool {
	for list != "" {
		var first string
		first, list, _ = strings.Cut(list, " ")
		if first == name {
			return true
		}
	}
	return false
}

// scan reads the options and operands between a wrapper and its command;
// words[0] is the wrapper, or its last subcommand.
func (w *Wrapper) scan(words []word) options {
	o := options{start: len(words)}
	operands := w.Operands
	dashes := false
	for i := 1; i < len(words); {
		x := words[i]
		switch {
		case o.quits || o.rest || o.split != nil:
			o.start = i
			return o
		case w.Env && strings.IndexByte(x.text, '=') > 0 && x.text[0] != '-':
			o.env = append(o.env, x)
			i++
			continue
		case dashes:
		case x.text == "--":
			dashes = true
			i++
			if w.Dashes {
				o.start = i
				return o
			}
			continue
		case o.program != nil && operands == 0: // its options
			o.start = i
			return o
		case x.text == "-" || len(x.text) > 1 && (x.text[0] == '-' || x.text[0] == '+' && operands == w.Operands && w.Env):
			o.flags = true
			i = w.option(words, i, &o)
			continue
		}
		if operands == 0 {
			if at := dashesAt(words, i); w.Dashes && at > 0 {
				i = at
			}
			o.start = i
			return o
		}
		if w.Texts {
			o.shell = append(o.shell, x)
		}
		operands--
		i++
	}
	return o
}

// dashesAt is the index behind the first -- at or after i, or 0.
func dashesAt(words []word, i int) int {
	for ; i < len(words); i++ {
		if words[i].text == "--" {
			return i + 1
		}
	}
	return 0
}

// option reads the option at words[i] and returns the index behind it.
func (w *Wrapper) option(words []word, i int, o *options) int {
	text := words[i].text
	if strings.HasPrefix(text, "--") {
		name, value, glued := strings.Cut(text[2:], "=")
		full, known := w.whole(name)
		next := w.named(full, value, glued, words, i, o)
		if !known && full != name && next < len(words) && !glued {
			o.other = i + 1 // the abbreviation may be of another option
			if next == o.other {
				o.other++
			}
			if o.other >= len(words) {
				o.other = 0
			}
		}
		return next
	}
	if len(text) > 2 && has(w.Maybe, text[1:]) {
		return w.named(text[1:], "", false, words, i, o) // -TT of zip
	}
	for k := 1; k < len(text); k++ {
		name := text[k : k+1]
		switch {
		case has(w.Flags, name) || has(w.Rest, name):
			w.named(name, "", false, words, i, o)
		case w.valued(name):
			return w.named(name, text[k+1:], k+1 < len(text), words, i, o)
		case has(w.Optional, name):
			return w.named(name, text[k+1:], true, words, i, o)
		case name >= "0" && name <= "9":
			return i + 1
		default:
			if k == len(text)-1 && i+2 < len(words) {
				o.other = i + 2
			}
		}
	}
	return i + 1
}

// whole is the long option that a name abbreviates, as getopt_long has it, and
// whether the row has that very name. Of several, one that runs something.
func (w *Wrapper) whole(name string) (string, bool) {
	found := ""
	for _, list := range []string{w.Shell, w.Maybe, w.Program, w.Split, w.Rest, w.Replace, w.Chdir, w.Pairs, w.Values, w.Optional, w.Flags} {
		for option := range strings.SplitSeq(list, " ") {
			switch {
			case option == name && name != "":
				return name, true
			case found == "" && len(option) > 1 && name != "" && strings.HasPrefix(option, name):
				found = option
			}
		}
	}
	if found == "" {
		return name, false
	}
	return found, false
}

// valued reports that the option takes a value.
func (w *Wrapper) valued(name string) bool {
	return has(w.Values, name) || has(w.Pairs, name) || has(w.Shell, name) || has(w.Split, name) ||
		has(w.Maybe, name) || has(w.Program, name) || has(w.Chdir, name) || has(w.Replace, name) && !has(w.Optional, name)
}

// named notes what one option says.
func (w *Wrapper) named(name, value string, glued bool, words []word, i int, o *options) int {
	x := words[i]
	x.text, x.sub = value, nil
	if len(value) < len(x.src) {
		x.known = x.known || !strings.ContainsAny(value, holes)
	}
	next := i + 1
	switch {
	case glued:
	case w.valued(name):
		if next == len(words) {
			return next
		}
		x = words[next]
		if next++; has(w.Pairs, name) {
			next = min(next+1, len(words))
		}
	case name != "" && !has(w.Flags, name) && !has(w.Rest, name) && !has(w.Optional, name) && i+2 < len(words):
		o.other = i + 2
	}
	o.quits = o.quits || has(w.Quits, name)
	o.rest = o.rest || has(w.Rest, name)
	switch {
	case has(w.Shell, name):
		o.shell = append(o.shell, x)
	case has(w.Maybe, name):
		o.maybe = append(o.maybe, x)
	case has(w.Split, name):
		x.text = splitEscapes(x.text)
		o.split = x.split()
	case has(w.Program, name):
		o.program = &x
	case has(w.Chdir, name):
		o.chdir = &x
	case has(w.Replace, name):
		if o.replace = x.text; o.replace == "" {
			o.replace = "{}"
		}
	}
	return next
}

// splitEscapes reads the escapes of env -S that no shell has.
func splitEscapes(text string) string {
	text = strings.NewReplacer(`\\`, `\\`, `\_`, " ", `\t`, "\t", `\n`, "\n", `\v`, "\v", `\f`, "\f", `\r`, "\r", `\c`, "\x00").Replace(text)
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

// assigned reports that text has the form NAME=value or NAME+=value.
func assigned(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && validName(strings.TrimSuffix(name, "+"))
}

func validName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
