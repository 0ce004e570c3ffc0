package rules

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// Covers reports whether grants, patterns compiled with Scope.Grant, together
// grant everything that the event does: every sub-command, every target of a
// redirection to or from a file, every leading assignment. It returns the
// indices of the patterns that were needed, and why it is not Yes.
func Covers(grants []*Pattern, f *hook.Facts) (hook.Tri, []int, string) {
	unsure := hook.Match{Why: "no rule grants " + f.Event.Tool}
	for i, p := range grants {
		switch m := p.Explain(f); {
		case m.Tri == hook.Yes:
			return hook.Yes, []int{i}, ""
		case m.Tri > unsure.Tri:
			unsure = m
		}
	}
	switch {
	case f.Event.Tool == "Bash":
		return coverBash(grants, f)
	case f.Event.Tool == "PowerShell":
		all := &powershellTest{grant: true}
		used := each(grants, "PowerShell", func(t *powershellTest) { all.globs = append(all.globs, t.globs...) })
		return together(all, used, f)
	case slices.Contains(editTools, f.Event.Tool) || slices.Contains(readTools, f.Event.Tool):
		all := &pathTest{access: rw, grant: true}
		used := each(grants, f.Event.Tool, func(t *pathTest) { all.rules = append(all.rules, t.rules...) })
		return together(all, used, f)
	}
	return unsure.Tri, nil, unsure.Why
}

// together judges the patterns at used by one test made of all of theirs.
func together(all test, used []int, f *hook.Facts) (hook.Tri, []int, string) {
	if len(used) == 0 {
		return hook.No, nil, "no rule grants " + f.Event.Tool
	}
	why := ""
	t := all.eval(f, &why)
	if t == hook.No {
		why = "no rule grants " + why
	}
	return t, used, why
}

// each calls fn with the tests of kind T that grants have for tool, and
// returns the indices of those patterns.
func each[T test](grants []*Pattern, tool string, fn func(T)) []int {
	var used []int
	for i, p := range grants {
		for _, t := range p.terms {
			if o, ok := t.test.(*onTool); ok && slices.Contains(o.tools, tool) {
				if t, ok := o.test.(T); ok {
					fn(t)
					used = append(used, i)
				}
			}
		}
	}
	return used
}

func coverBash(grants []*Pattern, f *hook.Facts) (hook.Tri, []int, string) {
	var globs []*shell.Glob
	var owners []int
	for i, p := range grants {
		each([]*Pattern{p}, "Bash", func(t *bashTest) {
			for _, g := range t.globs {
				globs, owners = append(globs, g), append(owners, i)
			}
		})
	}
	t, why := granted(globs, grants, f)
	if t != hook.Yes {
		return t, nil, why
	}
	c := f.Commands()
	var used []int
	for i, g := range globs {
		covered := make([]bool, len(c.List))
		if g.Covers(c, covered); slices.Contains(covered, true) && !slices.Contains(used, owners[i]) {
			used = append(used, owners[i])
		}
	}
	return t, used, ""
}

// granted reports whether globs grant all commands and files of a Bash call;
// the path rules of files grant targets of redirections.
func granted(globs []*shell.Glob, files []*Pattern, f *hook.Facts) (hook.Tri, string) {
	if len(globs) == 0 {
		return hook.No, "no rule grants a command"
	}
	c := f.Commands()
	covered := make([]bool, len(c.List))
	for _, g := range globs {
		g.Covers(c, covered)
	}
	t, _, why := shell.Granted(c, covered)
	if t == hook.Yes && !slices.Contains(covered, true) {
		t, why = hook.No, "no rule grants a command"
	}
	if t != hook.Yes {
		return t, why
	}
	for i := range c.List {
		one, reason := grantedFiles(&c.List[i], i, files, f)
		if one < t {
			t, why = one, reason
		}
	}
	return t, why
}

// grantedFiles judges the redirections of one command.
func grantedFiles(c *hook.Command, index int, files []*Pattern, f *hook.Facts) (hook.Tri, string) {
	dir := commandDir(c, f.Event.Dir)
	for _, r := range c.Redirects {
		if r.Target.Known && r.Target.Text == "/dev/null" {
			continue
		}
		p := wordPath(r.Target, dir, f.Event.Dir, r.Access, index)
		if !p.Known {
			return hook.Unknown, p.Reason
		}
		if !grantsFile(&p, files, f) {
			return hook.No, fmt.Sprintf("no rule grants %s %s", r.Op, r.Target.Text)
		}
	}
	return hook.Yes, ""
}

// grantsFile reports whether the patterns grant all that happens to a file.
func grantsFile(p *hook.Path, files []*Pattern, f *hook.Facts) bool {
	for _, need := range []struct {
		access hook.Access
		tool   string
	}{{rd, "Read"}, {wr, "Edit"}} {
		if p.Access&need.access == 0 {
			continue
		}
		ok := slices.ContainsFunc(files, func(g *Pattern) bool {
			return slices.ContainsFunc(g.terms, func(t term) bool {
				if n, ok := t.test.(*nameTest); ok {
					return n.tool && slices.Contains(n.names, need.tool)
				}
				o, ok := t.test.(*onTool)
				if !ok || !slices.Contains(o.tools, need.tool) {
					return false
				}
				rules, ok := o.test.(*pathTest)
				return ok && slices.ContainsFunc(rules.rules, func(r *pathRule) bool { return r.covers(p, f) })
			})
		})
		if !ok {
			return false
		}
	}
	return true
}
