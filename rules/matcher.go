package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Matcher compiles the `matcher` field of an entry: everything, names, tool
// patterns or a regular expression, tested against the event's subject.
func Matcher(t hook.Text, s Scope) (*Pattern, []hook.Diagnostic) {
	n := s.notes(t)
	text := strings.TrimSpace(t.Value)
	p := &Pattern{text: t.Value, grant: s.Grant}
	info, _ := hook.Lookup(s.Event)
	all := text == "" || text == "*"
	switch {
	case all || info.Subject == "":
		if !all {
			n.add(hook.Warning, fmt.Sprintf("%s has nothing that a matcher tests; it is ignored", s.Event), "remove it, or use when")
		}
		p.terms = []term{{test: always{}, expr: "true"}}
	case s.Event == hook.FileChanged:
		if names := splitNames(text, "|"); len(names) > 0 {
			p.terms = []term{nameTerm(names, false)}
		} else {
			n.add(hook.Error, fmt.Sprintf("%q names no file", text), "")
		}
	default:
		p.terms = parseMatcher(n, text, s.Event.ToolEvent())
	}
	if n.failed() {
		return nil, n.list
	}
	return p, n.list
}

// parseMatcher reads a list of alternatives, or one regular expression.
func parseMatcher(n *notes, text string, tool bool) []term {
	parts := splitTop(text)
	if tool && slices.ContainsFunc(parts, func(p string) bool { return combined(n, p) }) {
		return nil
	}
	if !isList(parts) {
		return regexTerms(n, text, tool)
	}
	var terms []term
	var names []string
	for _, part := range parts {
		switch {
		case isToolPattern(part):
			if !tool {
				n.notAboutTools(part)
				continue
			}
			more, _ := parsePermission(n, part, false)
			terms = append(terms, more...)
		case !isNames(part):
			terms = append(terms, regexTerms(n, part, tool)...)
		default:
			for _, name := range splitNames(part, ",") {
				if isMCP(name) && tool {
					more, _ := mcpPattern(n, name)
					terms = append(terms, more...)
					continue
				}
				if tool {
					n.checkTool(name)
					name = actualTool(name)
				} else {
					n.checkSubject(name)
				}
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		terms = append([]term{nameTerm(names, tool)}, terms...)
	}
	if len(terms) == 0 && !n.failed() {
		n.add(hook.Error, fmt.Sprintf("%q names nothing", text), "")
	}
	return mergeTerms(terms)
}

// notAboutTools reports a tool pattern on an event whose subject is no tool.
func (n *notes) notAboutTools(part string) {
	info, known := hook.Lookup(n.scope.Event)
	if n.scope.About != "" {
		n.add(hook.Error, fmt.Sprintf("%q is a tool pattern, but the matcher tests %s", part, n.scope.About), "write names, or a regular expression")
		return
	}
	if !known {
		n.add(hook.Error, fmt.Sprintf("unknown event %q: nobody can tell whether it is about tools", n.scope.Event), hook.DidYouMean(string(n.scope.Event), hook.EventNames()))
		return
	}
	n.add(hook.Error, fmt.Sprintf("%q is a tool pattern, but the matcher of %s tests its %s", part, n.scope.Event, info.Subject), "")
}

// checkSubject warns of a tool where the subject is no tool. Agents and the
// like may be called as they please.
func (n *notes) checkSubject(name string) {
	info, known := hook.Lookup(n.scope.Event)
	if known && hook.KnownTool(name) && !strings.HasSuffix(info.Subject, "name") && info.Subject != "agent_type" {
		n.add(hook.Warning, fmt.Sprintf("%q is a tool, but the matcher of %s tests its %s", name, n.scope.Event, info.Subject), "")
	}
}

// isList reports whether parts are alternatives to be read one by one: names
// only, or with a tool pattern among them.
func isList(parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !isNames(p) }) || slices.ContainsFunc(parts, isToolPattern)
}

// isNames reports whether text consists of what names and lists of them are
// made of; the * is for MCP names.
func isNames(text string) bool {
	star := false
	for _, r := range text {
		switch {
		case r == '*':
			star = true
		case !isWordRune(r) && !strings.ContainsRune("- ,|", r):
			return false
		}
	}
	return !star || !slices.ContainsFunc(splitNames(text, ","), func(s string) bool { return strings.Contains(s, "*") && !isMCP(s) })
}

// isToolPattern reports whether text is Tool(specifier) of a known tool.
func isToolPattern(text string) bool {
	name, _, ok := strings.Cut(text, "(")
	return ok && strings.HasSuffix(text, ")") && hook.KnownTool(strings.TrimSpace(name))
}

// splitTop splits at each | outside of parentheses and brackets.
func splitTop(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(depth-1, 0)
		case '|':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(text[start:]))
}

// splitNames splits at sep and drops what is empty.
func splitNames(text, sep string) []string {
	var names []string
	for part := range strings.SplitSeq(text, sep) {
		if part = strings.TrimSpace(part); part != "" {
			names = append(names, part)
		}
	}
	return names
}

// regexTerms compiles an unanchored regular expression.
func regexTerms(n *notes, text string, tool bool) []term {
	name, _, open := strings.Cut(text, "(")
	if open && tool && strings.HasSuffix(text, ")") && looksLikeTool(n, name) {
		return nil
	}
	if open && tool && hook.KnownTool(name) && strings.Count(text, "(") > strings.Count(text, ")") {
		n.add(hook.Error, fmt.Sprintf("%q: the parenthesis is not closed", text), "write "+text+")")
		return nil
	}
	re, err := compileRegex(text)
	if err != nil {
		n.add(hook.Error, fmt.Sprintf("%q is not a regular expression: %v", text, err), "a matcher is a name, a list A|B, a tool pattern such as Bash(rm *), or a regular expression")
		return nil
	}
	lintRegex(n, text, re)
	if tool && strings.Contains(text, " ") {
		n.add(hook.Warning, fmt.Sprintf("%q is read as a regular expression, and no name of a tool has a blank in it", text), "")
	}
	expr := "regex(" + quote(text) + ", subject)"
	if tool {
		expr = fmt.Sprintf("regex(%s, tool) || regex(%[1]s, host_tool)", quote(text))
	}
	return []term{{test: &wordTest{match: re.match, what: text, tool: tool, host: tool}, expr: expr}}
}

// looksLikeTool reports an error if name is a misspelt tool with a specifier.
func looksLikeTool(n *notes, name string) bool {
	if name == "" || strings.IndexFunc(name, func(r rune) bool { return !isWordRune(r) }) >= 0 {
		return false
	}
	near := hook.CanonicalTool(name)
	if near == name {
		near = hook.Nearest(name, hook.ToolNames())
	}
	if near == "" {
		return false
	}
	n.add(hook.Error, fmt.Sprintf("unknown tool %q; as a regular expression this can never fit", name), hook.DidYouMean(name, []string{near}))
	return true
}
