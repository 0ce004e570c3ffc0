package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr/ast"
	"github.com/pawl-dev/pawl/engine/hook"
)

// regexSyntax finds in a command pattern what only a regular expression
// means: anchors, groups, classes, and a .* where a glob has *.
var regexSyntax = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\^|\([^()]*\|[^()]*\)|\\[bBdDsSwW]|\[[^\]]*\][+*]|\.\+|^[\w-]+\.\*|\s\.\*(?:\s|$)|[^\s$]\$$`)
})

// lintGlob warns of a command pattern that is written as a regular
// expression. shown is the pattern with its call, tool is "Bash" or the like.
func lintGlob(n *notes, shown, pattern string) {
	if !strings.ContainsAny(pattern, `^|.\+$`) || !regexSyntax().MatchString(pattern) {
		return
	}
	n.add(hook.Warning, fmt.Sprintf(`%s takes a glob, in which * is any text and ^ $ . | ( ) are literal`, shown),
		`write rm * for every rm; several patterns side by side for alternatives`)
}

// combined reports an error for a part of a matcher that joins tool patterns
// in a way that only a regular expression could read, and that then fits no
// tool: Bash(rm *) && x, or Bash(rm *), Write.
func combined(n *notes, part string) bool {
	if isToolPattern(part) && !severalPatterns(part[strings.IndexByte(part, '(')+1:len(part)-1]) {
		return false
	}
	outside, patterns := outsidePatterns(part)
	switch {
	case patterns == 0:
		return false
	case strings.HasPrefix(outside, "!"), strings.HasPrefix(outside, "not "):
		n.add(hook.Error, fmt.Sprintf("%q: a matcher cannot be negated, so that this never fits", part), `write it as a condition: when: '!bash("npm *")'`)
	case strings.Contains(outside, "&"), strings.Contains(outside, " and "):
		n.add(hook.Error, fmt.Sprintf("%q: patterns of a matcher are alternatives, so that this never fits", part), "put what must hold besides into if or when")
	case strings.ContainsAny(outside, ",;"), strings.Contains(outside, " or "), patterns > 1:
		n.add(hook.Error, fmt.Sprintf("%q: alternatives with a tool pattern among them are separated by |", part), "write Bash(rm *)|Write")
	case strings.Contains(strings.TrimSpace(outside), " "):
		n.add(hook.Error, fmt.Sprintf("%q: something beside the tool pattern, so that this never fits", part), "a matcher is a name, a list A|B, or a tool pattern such as Bash(rm *)")
	default:
		return false
	}
	return true
}

// outsidePatterns returns part with each Tool(…) of a known tool replaced by
// an x, and how many there were.
func outsidePatterns(part string) (string, int) {
	var b strings.Builder
	count, depth, start := 0, 0, 0
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '(':
			if depth == 0 {
				word := len(strings.TrimRightFunc(part[start:i], isWordRune))
				if !hook.KnownTool(part[start+word : i]) {
					return "", 0
				}
				b.WriteString(part[start:start+word] + "x")
				count++
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				start = i + 1
			}
		}
	}
	if depth != 0 {
		return "", 0
	}
	b.WriteString(part[start:])
	return b.String(), count
}

// compared is a comparison of the tool or the event with a literal name.
type compared struct {
	node  ast.Node
	field string // tool or event
	name  string
	equal bool
}

// lintNames looks for comparisons with names that the field never has. Where
// the whole condition hangs on one, it can never hold.
func (l *lowering) lintNames() {
	var must []int
	for _, part := range conjuncts(*l.root, nil) {
		must = append(must, part.Location().From)
	}
	for _, c := range l.compared {
		message, advice, sure := c.wrong(l.notes.scope.Event)
		if message == "" {
			continue
		}
		sev, at := hook.Warning, c.node.Location().From
		if sure && c.equal && slices.Contains(must, at) {
			sev, message = hook.Error, message+", so that this never holds"
		}
		l.noteAt(at, sev, message, advice)
	}
}

// wrong says what is wrong with the name, "" for nothing. sure: the field
// never has it; else it may be the host's own.
func (c compared) wrong(event hook.EventName) (message, advice string, sure bool) {
	if c.field == "event" {
		_, known := hook.Lookup(hook.EventName(c.name))
		if known || c.name == string(event) || hook.Nearest(c.name, hook.EventNames()) == "" {
			return "", "", false
		}
		return fmt.Sprintf("unknown event %q", c.name), hook.DidYouMean(c.name, hook.EventNames()), true
	}
	if hook.KnownTool(c.name) && c.name != "Task" || strings.HasPrefix(c.name, "mcp__") {
		return "", "", false
	}
	if canonical := hook.CanonicalTool(c.name); canonical != c.name {
		return fmt.Sprintf("tool is the canonical name, which is never %q", c.name), fmt.Sprintf("did you mean %q? host_tool is the name that the host uses", canonical), true
	}
	if hook.Nearest(c.name, hook.ToolNames()) == "" {
		return "", "", false
	}
	return fmt.Sprintf("unknown tool %q", c.name), hook.DidYouMean(c.name, hook.ToolNames()), false
}

// noteAt records a diagnostic at a rune offset of the condition.
func (l *lowering) noteAt(offset int, sev hook.Severity, message, advice string) {
	n := notes{scope: l.notes.scope, pos: placeAt(l.notes.pos, l.cond.source, offset)}
	n.add(sev, message, advice)
	l.notes.list = append(l.notes.list, n.list...)
}
