package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// psHead is the command that a first word names.
func psHead(word string) string {
	w := strings.TrimSuffix(strings.ToLower(word), ".exe")
	if i := strings.LastIndexAny(w, `/\`); i >= 0 {
		w = w[i+1:]
	}
	if full, ok := aliases[w]; ok {
		return full
	}
	return w
}

func psText(text string) string {
	head, rest, ok := strings.Cut(text, " ")
	if !ok {
		return psHead(head)
	}
	return psHead(head) + " " + strings.ToLower(rest)
}

// powershellGlob is a PowerShell pattern: like Bash's, letter case aside.
type powershellGlob struct {
	glob wild
	bare string // what a trailing " *" matches alone, "" if there is none
	head string // literal first word, "" if it has a wildcard
}

func compilePowerShell(pattern string) (*powershellGlob, error) {
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = prefix + " *"
	}
	pattern = psText(strings.Join(strings.Fields(pattern), " "))
	g := &powershellGlob{}
	if bare, ok := strings.CutSuffix(pattern, " *"); ok && !strings.Contains(bare, "*") {
		g.bare = bare
	}
	if head, _, _ := strings.Cut(pattern, " "); !strings.Contains(head, "*") {
		g.head = head
	}
	w, err := compileWild(escapeWild(pattern))
	g.glob = w
	return g, err
}

// escapeWild leaves * as the only wildcard.
func escapeWild(p string) string {
	return strings.NewReplacer(`\`, `\\`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`).Replace(p)
}

func (g *powershellGlob) match(c *hook.Command) hook.Tri {
	text := psText(c.Text)
	for _, w := range c.Argv {
		if !w.Known {
			head, _, _ := strings.Cut(text, " ")
			return hook.TriOf(g.head == "" || g.head == head || !c.Argv[0].Known).And(hook.Unknown)
		}
	}
	return hook.TriOf(g.glob.match(text) || g.bare != "" && text == g.bare)
}

// powershellTest is bashTest for PowerShell.
type powershellTest struct {
	globs []*powershellGlob
	grant bool
}

func (t *powershellTest) eval(f *hook.Facts, why *string) hook.Tri {
	c := f.Commands()
	if t.grant {
		return t.grants(&c, why)
	}
	best := hook.No
	say(why, "runs no matching command")
	if c.Opaque {
		best = hook.Unknown
		say(why, c.Unknown[0].Reason)
	}
	for i := range c.List {
		if one := t.any(&c.List[i]); one > best {
			best = one
			say(why, c.List[i].Text)
		}
	}
	return best
}

func (t *powershellTest) any(c *hook.Command) hook.Tri {
	best := hook.No
	for _, g := range t.globs {
		best = best.Or(g.match(c))
	}
	return best
}

func (t *powershellTest) grants(c *hook.Commands, why *string) hook.Tri {
	if c.Opaque {
		say(why, c.Unknown[0].Reason)
		return hook.Unknown
	}
	best := hook.TriOf(len(c.List) > 0)
	for i := range c.List {
		if one := t.any(&c.List[i]); one < best {
			best = one
			say(why, "not granted: ", c.List[i].Text)
		}
	}
	return best
}
