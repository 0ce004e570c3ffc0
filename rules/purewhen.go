package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// pureTest compiles a condition that is nothing but one call of a pattern
// function with texts in quotes, such as path("src/**", "docs/**"): it needs
// no machine. ok is false for every other source, and for one with a fault,
// which the compiler explains better.
func pureTest(n *notes, source string) (t test, ok bool) {
	name, args, ok := pureCall(source)
	if !ok {
		return nil, false
	}
	t, err := signedTest(name, args, *n.scope, plain)
	if err != nil {
		return nil, false
	}
	lintPatterns(n, name, args)
	return t, true
}

// pureCall reads name("text", "text").
func pureCall(source string) (name string, args []string, ok bool) {
	name, rest, ok := strings.Cut(strings.TrimSpace(source), "(")
	rest, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed || !slices.Contains([]string{"bash", "powershell", "reads", "writes", "path", "domain"}, name) {
		return "", nil, false
	}
	for {
		rest = strings.TrimSpace(rest)
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil || quoted[0] != '"' || strings.Contains(quoted, `\`) || len(quoted) == 2 {
			return "", nil, false
		}
		args = append(args, quoted[1:len(quoted)-1])
		if rest = strings.TrimSpace(rest[len(quoted):]); rest == "" {
			return name, args, true
		}
		if rest, ok = strings.CutPrefix(rest, ","); !ok {
			return "", nil, false
		}
	}
}

// evalPure evaluates a condition of one pattern.
func (c *Condition) evalPure(f *hook.Facts) hook.Match {
	why := ""
	t := c.pure.eval(f, &why)
	return hook.Match{Tri: t, Why: why}
}
