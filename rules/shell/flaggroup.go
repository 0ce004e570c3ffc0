package shell

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// flagGroup is one {--force,-f} of a pattern: a command has to have one of
// these options, behind the literal words before the group and before a `--`.
//
//	-f        also in a cluster: -fu, -vf; and with a value: -i.bak, -j8
//	--force   also --force=x, and --forc where the program takes that for it;
//	          not --force-with-lease
//	-delete   a word of its own, also -delete=x
//
// The value of another option is none, and an unknown word may be any. The
// rest of the pattern is compared with the command without these options.
type flagGroup struct {
	names []string
	after int // words of the command that stand before it
}

// cutFlags takes the groups out of a pattern; before is the pattern up to the
// first of them.
func cutFlags(p string) (rest, before string, groups []flagGroup) {
	if !strings.Contains(p, " {-") {
		return p, p, nil
	}
	var kept []string
	literal, starred := 0, false
	for i, w := range strings.Split(p, " ") {
		names := flagNames(w)
		if i > 0 && names != nil {
			if groups == nil {
				before = strings.Join(kept, " ")
			}
			groups = append(groups, flagGroup{names, literal})
			continue
		}
		kept = append(kept, w)
		if starred = starred || strings.Contains(w, "*"); !starred {
			literal++
		}
	}
	if groups == nil {
		return p, p, nil
	}
	return strings.Join(kept, " "), before, groups
}

// flagNames are the members of {-f,--force}; nil if the word is another one.
func flagNames(word string) []string {
	inner, open := strings.CutPrefix(word, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !open || !closed || strings.ContainsAny(inner, "{}*=") {
		return nil
	}
	names := strings.Split(inner, ",")
	for _, name := range names {
		if strings.Trim(name, "-") == "" || name[0] != '-' {
			return nil
		}
	}
	return names
}

// withFlags is one for a pattern with groups.
func (g *Glob) withFlags(c *hook.Command) (hook.Tri, string) {
	best, why := hook.No, ""
	for i, argv := range [2][]hook.Word{normalise(c.Argv), c.Argv} {
		cut := g.cut(argv, false)
		t := cut.all()
		if t == hook.No {
			continue
		}
		var r reading
		r.read(cut.rest, i == 0)
		if t = t.And(g.read(&r).Or(g.writtenFlags(c))); t > best {
			best, why = t, " has "+strings.Join(cut.found, " and ")
		}
	}
	if best == hook.Unknown {
		why = undecided(c)
	}
	return best, why
}

// writtenFlags compares a pattern that quotes or expands with the source text.
func (g *Glob) writtenFlags(c *hook.Command) hook.Tri {
	if !g.raw {
		return hook.No
	}
	cut := g.cut(exportAll(literals(spaced(c.Raw), 0, 0)), false)
	return hook.TriOf(cut.all() == hook.Yes && wildcard(g.glob, join(cut.rest), g.bare))
}

func exportAll(words []word) []hook.Word {
	out := make([]hook.Word, len(words))
	for i := range words {
		out[i] = words[i].export()
	}
	return out
}

// cutting is a command without the flags of the groups.
type cutting struct {
	rest  []hook.Word
	hits  []hook.Tri // by group
	found []string
	maybe []int // of rest: unknown words that may be flags
}

// all says whether there was a flag of each group.
func (c *cutting) all() hook.Tri {
	t := hook.Yes
	for _, hit := range c.hits {
		t = t.And(hit)
	}
	return t
}

// cut takes the flags of all groups out of a command. To grant, every word
// before a flag must be known: an unknown one may be a `--`.
func (g *Glob) cut(argv []hook.Word, grant bool) cutting {
	c := cutting{rest: make([]hook.Word, 0, len(argv)), hits: make([]hook.Tri, len(g.groups))}
	takes, clusters := flagHabits(argv)
	value, moved := false, false // the word is the value of an option; words before it may be more or fewer
	for i, w := range argv {
		dash := w.Known && len(w.Text) > 1 && w.Text[0] == '-'
		switch {
		case !w.Known && grant || !value && w.Known && w.Text == "--":
			c.rest = append(c.rest, argv[i:]...)
			return c.forget()
		case value && (w.Known || oneWord(w)):
			value = false
		case !w.Known:
			value = false
			moved = moved || !oneWord(w)
			g.mayCut(&c, w, i, moved)
		case dash:
			s := scan{groups: g.groups, at: i, takes: takes, clusters: clusters, short: !grant && abbreviates(argv[0]), out: &c}
			if moved {
				s.at = maxFields * 8 // it may stand anywhere
			}
			if w.Text, value = s.word(w.Text); w.Text == "" {
				continue
			}
		}
		c.rest = append(c.rest, w)
	}
	return c.forget()
}

// mayCut notes an unknown word that may be a flag of a group.
func (g *Glob) mayCut(c *cutting, w hook.Word, at int, moved bool) {
	for k := range g.groups {
		if f := &g.groups[k]; (at >= f.after || moved) && f.may(w) {
			c.hits[k] = c.hits[k].Or(hook.Unknown)
			c.maybe = append(c.maybe, len(c.rest))
		}
	}
}

// forget makes the words that have to be flags such that they may be absent.
func (c cutting) forget() cutting {
	if c.all() == hook.Unknown {
		for _, i := range c.maybe {
			if c.rest[i].Prefix = ""; i > 0 {
				c.rest[i] = hook.Word{}
			}
		}
	}
	return c
}

// may reports whether an unknown word may hold an option of the group.
func (f *flagGroup) may(w hook.Word) bool {
	if !oneWord(w) && !fileNames(w) {
		return true
	}
	if w.Prefix == "" {
		return start(w) != rooted && !strings.ContainsAny(w.Suffix, "/.")
	}
	return w.Prefix[0] == '-' && slices.ContainsFunc(f.names, func(name string) bool {
		cluster := len(name) == 2 && !strings.HasPrefix(w.Prefix, "--") && !strings.Contains(w.Prefix, "=")
		return cluster || strings.HasPrefix(name, w.Prefix) || strings.HasPrefix(w.Prefix, name+"=")
	})
}
