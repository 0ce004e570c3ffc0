package shell

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// freeAssigns are variables that a grant looks past.
const freeAssigns = "NODE_ENV LANG NO_COLOR FORCE_COLOR CI TZ TERM"

func freeAssign(a hook.Assign) bool {
	return a.Value.Known && (has(freeAssigns, a.Name) || strings.HasPrefix(a.Name, "LC_"))
}

// Covers marks in covered, which has the length of c.List, the commands that
// the pattern grants by themselves: their words match as written, and nothing
// stands before them but free assignments. Redirects are not judged.
func (g *Glob) Covers(c hook.Commands, covered []bool) {
	for i := range c.List {
		covered[i] = covered[i] || g.covers(&c.List[i])
	}
}

func (g *Glob) covers(c *hook.Command) bool {
	if g.Any() {
		return true
	}
	if len(c.Argv) == 0 || !c.Argv[0].Known || g.starry && exact(c) {
		return false
	}
	if g.raw && len(g.groups) == 0 && wildcard(g.glob, spaced(c.Raw), g.bare) {
		return true
	}
	for _, a := range c.Assigns {
		if !freeAssign(a) {
			return false
		}
	}
	if g.grants(c.Argv) {
		return true
	}
	argv := harmless(c.Argv)
	return len(argv) != len(c.Argv) && g.grants(argv)
}

// grants reports whether the words match whatever is unknown of them.
func (g *Glob) grants(argv []hook.Word) bool {
	if len(g.groups) > 0 {
		cut := g.cut(argv, true)
		if cut.all() != hook.Yes {
			return false
		}
		argv = cut.rest
	}
	var r reading
	r.read(argv, false)
	return wildcard(g.glob, r.certain(), g.bare)
}

// harmless drops the options before a subcommand if a grant may look past
// all of them.
func harmless(argv []hook.Word) []hook.Word {
	free, ok := granted[argv[0].Text]
	if !ok {
		return argv
	}
	skip := shifted(argv, 0, argv[0].Text, wordText)
	for i := 1; i <= skip; i++ {
		if !argv[i].Known || !has(free, argv[i].Text) {
			return argv
		}
		if has(shifts()[argv[0].Text], argv[i].Text) {
			i++
		}
	}
	return append([]hook.Word{argv[0]}, argv[1+skip:]...)
}

// exact reports that only a pattern without wildcards covers the command: it
// runs others, or deletes, by its operands.
func exact(c *hook.Command) bool {
	name := c.Argv[0].Text
	if w := wrapperIndex()[name]; w != nil && w.Exact {
		return true
	}
	if name != "find" {
		return false
	}
	for _, w := range c.Argv[1:] {
		switch w.Text {
		case "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprintf", "-fprint0", "-fls":
			return true
		}
		if !w.Known && !strings.HasPrefix(w.Text, `"`) && w.Prefix == "" && !strings.ContainsAny(w.Text, "*?[") {
			return true
		}
	}
	return false
}

// strips reports that a grant looks through the command to the one it wraps.
func strips(c *hook.Command) bool {
	if len(c.Argv) < 2 || !c.Argv[0].Known {
		return false
	}
	w := wrapperIndex()[c.Argv[0].Text]
	if w == nil || !w.Strip || w.Name == "xargs" && strings.HasPrefix(c.Argv[1].Text, "-") {
		return false
	}
	for _, a := range c.Assigns {
		if !freeAssign(a) {
			return false
		}
	}
	return true
}

// Granted says whether the covered commands are all that c runs. A covered
// command covers what it wraps, as it is written in it; a wrapper that grants
// look through is covered with all that it wraps. If something is not
// covered, index is its place in c.List (-1: none in particular).
func Granted(c hook.Commands, covered []bool) (t hook.Tri, index int, why string) {
	if c.Opaque {
		reason := "the text cannot be told"
		if len(c.Unknown) > 0 {
			reason = c.Unknown[0].Reason
		}
		return hook.Unknown, -1, reason
	}
	if !slices.Contains(covered, true) {
		return hook.No, -1, "nothing is covered"
	}
	parents := layers(c.List)
	ok := append([]bool(nil), covered...)
	for i, p := range parents {
		ok[i] = ok[i] || p >= 0 && ok[p]
	}
	inside := make([]int, len(ok)) // 0: wraps nothing, 1: all covered, 2: not
	for i := len(ok) - 1; i >= 0; i-- {
		cmd := &c.List[i]
		ok[i] = ok[i] || inside[i] == 1 && strips(cmd) || bareCommand(cmd)
		if p := parents[i]; p >= 0 {
			if ok[i] {
				inside[p] = max(inside[p], 1)
			} else {
				inside[p] = 2
			}
		}
	}
	for i := range ok {
		if ok[i] {
			continue
		}
		if len(c.List[i].Argv) > 0 && !c.List[i].Argv[0].Known {
			return hook.Unknown, i, undecided(&c.List[i])
		}
		return hook.No, i, "`" + shown(c.List[i].Text) + "` is not covered"
	}
	return hook.Yes, 0, c.List[0].Text
}

// bareCommand reports redirects and free assignments without a program.
func bareCommand(c *hook.Command) bool {
	if len(c.Argv) > 0 {
		return false
	}
	for _, a := range c.Assigns {
		if !freeAssign(a) {
			return false
		}
	}
	return true
}

// layers gives for each command the index of the one that wraps it, or -1.
func layers(list []hook.Command) []int {
	parents := make([]int, len(list))
	var stack []int
	for i := range list {
		depth := len(list[i].Wrappers)
		for len(stack) > 0 && len(list[stack[len(stack)-1]].Wrappers) >= depth {
			stack = stack[:len(stack)-1]
		}
		parents[i] = -1
		if n := len(stack); n > 0 && depth > 0 {
			parents[i] = stack[n-1]
		}
		stack = append(stack, i)
	}
	return parents
}
