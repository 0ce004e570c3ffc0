package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// test answers whether an event fits one pattern. It writes to why, if that
// is not nil, what matched or why it is not known better.
type test interface {
	eval(f *hook.Facts, why *string) hook.Tri
}

// Pattern is a compiled matcher, `if` or permission rule. It is immutable and
// implements hook.Matcher.
type Pattern struct {
	text  string
	terms []term // any of them
	grant bool
}

// term is one alternative of a pattern.
type term struct {
	test
	expr     string
	subjects []string // that it can match; nil means any
}

// Match says how well f fits. It does not allocate beyond what f computes on
// first use.
func (p *Pattern) Match(f *hook.Facts) hook.Tri {
	best := hook.No
	for i := range p.terms {
		if best = best.Or(p.terms[i].eval(f, nil)); best == hook.Yes {
			break
		}
	}
	return best
}

// Explain is Match with the reason.
func (p *Pattern) Explain(f *hook.Facts) hook.Match {
	best, why := hook.Match{}, ""
	for i := range p.terms {
		why = ""
		if t := p.terms[i].eval(f, &why); t > best.Tri || i == 0 {
			best = hook.Match{Tri: t, Why: why}
		}
	}
	if len(p.terms) == 0 {
		best.Why = "no alternative of " + strconv.Quote(p.text) + " fits"
	}
	return best
}

// Expr returns the pattern as the source of a condition: pasted back as a
// `when` of the same entry it means the same.
func (p *Pattern) Expr() string {
	switch len(p.terms) {
	case 0:
		return "false"
	case 1:
		return p.terms[0].expr
	}
	parts := make([]string, len(p.terms))
	for i, t := range p.terms {
		parts[i] = t.expr
		if strings.Contains(t.expr, " && ") {
			parts[i] = "(" + t.expr + ")"
		}
	}
	return strings.Join(parts, " || ")
}

// Subjects returns the exact subjects that the pattern can match, canonical
// names of tools or names of the host; nil means any. For MCP tools see
// MCPTools.
func (p *Pattern) Subjects() []string {
	subjects := []string{}
	for _, t := range p.terms {
		if t.subjects == nil {
			return nil
		}
		for _, s := range t.subjects {
			if !slices.Contains(subjects, s) {
				subjects = append(subjects, s)
			}
		}
	}
	return subjects
}

// String returns the text of the pattern.
func (p *Pattern) String() string { return p.text }

// always fits every event.
type always struct{}

func (always) eval(_ *hook.Facts, why *string) hook.Tri {
	say(why, "fits everything")
	return hook.Yes
}

// onTool restricts a test to one or more canonical tools.
type onTool struct {
	tools []string
	not   bool // to all other tools
	test  test
}

func (o *onTool) eval(f *hook.Facts, why *string) hook.Tri {
	if slices.Contains(o.tools, f.Event.Tool) == o.not {
		say(why, "the tool is ", f.Event.Tool)
		return hook.No
	}
	return o.test.eval(f, why)
}

// onToolTerm makes the term of a test for tools; expr is the source of the
// test alone, "" if the tools say it all.
func onToolTerm(t test, expr string, tools ...string) term {
	cond := "tool == " + quote(tools[0])
	if len(tools) > 1 {
		cond = "tool in " + quoteList(tools)
	}
	if expr != "" {
		cond += " && " + expr
	}
	return term{&onTool{tools: tools, test: t}, cond, tools}
}

// bashTest asks whether one of the commands of a Bash call matches; as a
// grant, whether the globs together grant all that it does.
type bashTest struct {
	globs []*shell.Glob
	grant bool
}

func (b *bashTest) eval(f *hook.Facts, why *string) hook.Tri {
	if b.grant {
		t, reason := granted(b.globs, nil, f)
		say(why, reason)
		return t
	}
	best, c := hook.No, f.Commands()
	for _, g := range b.globs {
		t, _, reason := g.Match(c, false)
		if t > best {
			best = t
			say(why, reason)
		}
		if best == hook.Yes {
			return best
		}
	}
	if best == hook.No && why != nil {
		*why = "runs no matching command"
	}
	return best
}

// say joins parts into why if it is asked for.
func say(why *string, parts ...string) {
	if why != nil {
		*why = strings.Join(parts, "")
	}
}

// quote writes s as an expr string literal.
func quote(s string) string { return strconv.Quote(s) }

func quoteList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quoteArgs(list []string) string {
	q := quoteList(list)
	return q[1 : len(q)-1]
}

var _ hook.Matcher = (*Pattern)(nil)
