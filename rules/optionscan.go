package rules

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// option is one option of a command; value is empty for one without.
type option struct {
	name  string
	value hook.Word
}

// scan splits the words after a program into operands and options, as getopt
// does: short options may be clustered, long ones cut short.
func (c *fileCommand) scan(args []hook.Word) (operands []hook.Word, options []option) {
	for len(args) > 0 {
		w := args[0]
		args = args[1:]
		text := w.Text
		if !w.Known {
			text = w.Prefix
		}
		switch {
		case w.Known && text == "--":
			return append(operands, args...), options
		case len(text) < 2 || text[0] != '-':
			if operands = append(operands, w); c.stop {
				return operands, options
			}
			continue
		}
		found, open := c.options(w, text)
		if options = append(options, found...); open && len(args) > 0 {
			options[len(options)-1].value = args[0]
			args = args[1:]
		}
	}
	return operands, options
}

// options reads one word of options, of which text is known. open reports
// that the value of the last one is the next word.
func (c *fileCommand) options(w hook.Word, text string) (found []option, open bool) {
	glued := func(value string) hook.Word {
		if w.Known {
			return hook.Word{Text: value, Known: true}
		}
		return hook.Word{Text: w.Text, Prefix: value, Suffix: w.Suffix}
	}
	name, value, hasValue := strings.Cut(text, "=")
	if strings.HasPrefix(text, "--") || len(text) > 2 && c.takes(name) {
		name = c.whole(name)
		if hasValue {
			return []option{{name, glued(value)}}, false
		}
		return []option{{name: name}}, w.Known && c.takes(name)
	}
	for i := 1; i < len(text); i++ {
		name := "-" + text[i:i+1]
		found = append(found, option{name: name})
		rest := text[i+1:]
		switch {
		case name == "-i" && hasOption(c.writes, name): // the rest is a suffix of copies
			return found, false
		case !c.takes(name):
		case rest == "" && w.Known:
			return found, true
		default:
			found[len(found)-1].value = glued(rest)
			return found, false
		}
	}
	return found, false
}

func (c *fileCommand) valued() [8]string {
	return [...]string{c.values, c.unskip, c.in, c.out, c.dir, c.cd, c.at, c.code}
}

// takes reports whether an option takes a value.
func (c *fileCommand) takes(name string) bool {
	lists := c.valued()
	return slices.ContainsFunc(lists[:], func(list string) bool { return hasOption(list, name) })
}

// whole is the option that name is the start of, if there is exactly one.
func (c *fileCommand) whole(name string) string {
	lists := c.valued()
	found := ""
	for _, list := range append(lists[:], c.writes, c.tree) {
		for o := range strings.FieldsSeq(list) {
			switch {
			case o == name:
				return name
			case !strings.HasPrefix(o, name) || o == found:
			case found != "":
				return name
			default:
				found = o
			}
		}
	}
	if found == "" || len(name) < 3 {
		return name
	}
	return found
}

// has reports whether one of the options of list was given.
func has(options []option, list string) bool {
	return slices.ContainsFunc(options, func(o option) bool { return hasOption(list, o.name) })
}
