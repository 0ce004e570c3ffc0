package rules

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// flagTest asks whether a command has one of some options: --name also as
// --name=value, -x also in a cluster of letters.
type flagTest struct{ flags []string }

func (t *flagTest) eval(f *hook.Facts, why *string) hook.Tri {
	c := f.Commands()
	best := hook.No
	if c.Opaque || len(c.Possible) > 0 {
		best = hook.Unknown
		say(why, doubtOf(c))
	}
	for i := range c.List {
		for j, w := range c.List[i].Argv {
			if j == 0 { // the program, and more if it is a variable that falls apart
				if !w.Known && best == hook.No && !strings.HasPrefix(w.Text, `"`) {
					best = hook.Unknown
					say(why, w.Text, " may hold an option")
				}
				continue
			}
			if w.Known && w.Text == "--" {
				break
			}
			switch {
			case w.Known && slices.ContainsFunc(t.flags, func(flag string) bool { return hasFlag(w.Text, flag) }):
				say(why, c.List[i].Text, " has ", w.Text)
				return hook.Yes
			case !w.Known && best == hook.No && mayBeFlag(w):
				best = hook.Unknown
				say(why, w.Text, " may be an option")
			}
		}
	}
	return best
}

// mayBeFlag reports whether an unknown word may hold an option: not if its
// literal start is that of an operand, unless it may fall apart.
func mayBeFlag(w hook.Word) bool {
	return w.Prefix == "" || w.Prefix[0] == '-' || !strings.HasPrefix(w.Text, `"`)
}

func hasFlag(word, flag string) bool {
	if strings.HasPrefix(flag, "--") || len(flag) != 2 {
		rest, ok := strings.CutPrefix(word, flag)
		return ok && (rest == "" || rest[0] == '=')
	}
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.IndexByte(word[1:], flag[1]) >= 0
}
