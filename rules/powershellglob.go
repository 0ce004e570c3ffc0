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
	if full, ok := aliases()[w]; ok {
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
	glob  wild
	bare  string // what a trailing " *" matches alone, "" if there is none
	start string // literal text before the first *
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
	g.start, _, _ = strings.Cut(pattern, "*")
	w, err := compileWild(escapeWild(pattern))
	g.glob = w
	return g, err
}

// escapeWild leaves * as the only wildcard.
func escapeWild(p string) string {
	return strings.NewReplacer(`\`, `\\`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`).Replace(p)
}

// psUnknown stands for an unknown word; only a * matches it.
const psUnknown = "\x01"

func (g *powershellGlob) match(c *hook.Command) hook.Tri {
	if len(c.Argv) == 0 {
		return hook.No
	}
	words, known := make([]string, len(c.Argv)), true
	for i, w := range c.Argv {
		words[i], known = w.Text, known && w.Known
		if !w.Known {
			words[i] = psUnknown
		}
	}
	text := psText(strings.Join(words, " "))
	sure, _, _ := strings.Cut(text, psUnknown)
	switch {
	case g.glob.match(text) || g.bare != "" && text == g.bare:
		return hook.Yes
	case !known && (strings.HasPrefix(sure, g.start) || strings.HasPrefix(g.start, sure)):
		return hook.Unknown
	}
	return hook.No
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
		if len(c.List[i].Redirects) > 0 {
			say(why, "a redirection writes a file")
			return hook.Unknown
		}
		if one := t.any(&c.List[i]); one < best {
			best = one
			say(why, "not granted: ", c.List[i].Text)
		}
	}
	return best
}
