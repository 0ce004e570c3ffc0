package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// plainer says an error of the parser of conditions as an author of policies
// would: what is wrong, where, and what to write instead.
func plainer(source, message string, offset int) (string, int, string) {
	if call := bareCall()(source); call.pattern != "" {
		return fmt.Sprintf("%s takes literal patterns, in quotes", call.name), call.at,
			fmt.Sprintf("quote the pattern: %s(%s)", call.name, quote(call.pattern))
	}
	switch {
	case strings.HasPrefix(message, "unexpected token Operator(\"=\")"):
		return "= assigns nothing in a condition", offset, "use == to compare"
	case strings.HasPrefix(message, "unexpected token Operator(\"&\")"):
		return message, offset, "use && for and"
	case strings.HasPrefix(message, "unexpected token Operator(\""):
		if op := operatorOf(message); slices.Contains([]string{"contains", "startsWith", "endsWith", "matches", "in"}, op) {
			return op + " stands between what it compares", offset, fmt.Sprintf("write command %s \"…\"", op)
		}
	case strings.Contains(message, " has no method "):
		if _, op, _ := strings.Cut(message, " has no method "); slices.Contains([]string{"contains", "startsWith", "endsWith", "matches"}, op) {
			return message, offset, fmt.Sprintf("write command %s \"…\"", op)
		}
	case message == "unexpected token EOF":
		if at, bracket := neverClosed(source); bracket != 0 {
			return fmt.Sprintf("%c is not closed", bracket), at, ""
		}
		return "the condition ends too early", offset, ""
	case message == "literal not terminated":
		if at, mark := neverClosed(source); mark != 0 {
			return "this quote is never closed", at, ""
		}
	}
	if name, ok := strings.CutPrefix(message, "unknown name "); ok {
		return message, offset, nameAdvice(name)
	}
	if strings.HasPrefix(message, "error parsing regexp") || strings.Contains(message, "invalid or unsupported Perl syntax") {
		return message, offset, `write regex("…", text), which knows look-around`
	}
	return message, offset, ""
}

// operatorOf is the operator of: unexpected token Operator("contains").
func operatorOf(message string) string {
	_, rest, _ := strings.Cut(message, `("`)
	op, _, _ := strings.Cut(rest, `"`)
	return op
}

// agentNames are the members of an agent's message that a condition knows by
// another name.
var agentNames = map[string]string{"tool_input": "input", "tool_name": "tool", "hook_event_name": "event", "user_prompt": "prompt"}

func nameAdvice(name string) string {
	if hook.KnownTool(name) {
		return fmt.Sprintf("a tool is compared: tool == %s; what a shell text runs is bash(\"…\")", quote(name))
	}
	if field, ok := agentNames[name]; ok {
		return fmt.Sprintf("did you mean %q?", field)
	}
	return hook.DidYouMean(name, slices.Concat(fieldNames, patternNames, builtins))
}

// unquoted is a call of a pattern function whose pattern has no quotes.
type unquoted struct {
	name, pattern string
	at            int // rune offset of the pattern
}

// bareCall finds the first call such as bash(rm *). What begins with a quote,
// a field or another call is none: the parser has something else to say.
var bareCall = sync.OnceValue(func() func(string) unquoted {
	re := regexp.MustCompile(`\b(?i:(bash|powershell|reads|writes|path|domain))\(\s*([^"'` + "`" + `()]+?)\s*(?:\)|$)`)
	return func(source string) unquoted {
		m := re.FindStringSubmatchIndex(source)
		if m == nil || inQuotes(source[:m[0]]) {
			return unquoted{}
		}
		pattern := source[m[4]:m[5]]
		if !strings.ContainsAny(pattern, " */~-") {
			return unquoted{}
		}
		return unquoted{strings.ToLower(source[m[2]:m[3]]), pattern, len([]rune(source[:m[4]]))}
	}
})

func inQuotes(before string) bool {
	_, open := neverClosed(before)
	return open == '"' || open == '\'' || open == '`'
}

// neverClosed returns the rune offset of the innermost quote or bracket that
// source opens and does not close, and which it is; 0 if there is none.
func neverClosed(source string) (int, rune) {
	type opening struct {
		at   int
		what rune
	}
	var open []opening
	quoted, escaped := rune(0), false
	for i, r := range []rune(source) {
		switch {
		case escaped:
			escaped = false
		case quoted != 0:
			escaped = r == '\\' && quoted != '`'
			if r == quoted {
				quoted = 0
				open = open[:len(open)-1]
			}
		case strings.ContainsRune("\"'`", r):
			quoted = r
			open = append(open, opening{i, r})
		case strings.ContainsRune("([{", r):
			open = append(open, opening{i, r})
		case strings.ContainsRune(")]}", r) && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0, 0
	}
	last := open[len(open)-1]
	return last.at, last.what
}
