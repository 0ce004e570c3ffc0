package rules

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// If compiles an `if`: one permission pattern, in which the named tool itself
// is meant. On an event without a tool it never fits.
func If(t hook.Text, s Scope) (*Pattern, []hook.Diagnostic) {
	n := s.notes(t)
	if !s.Event.ToolEvent() {
		n.add(hook.Warning, fmt.Sprintf("an if never fits on %s, which is not about a tool", s.Event), "remove it, or use when")
		return &Pattern{text: t.Value, grant: s.Grant}, n.list
	}
	return onePattern(n, t.Value, false)
}

// Permission compiles one entry of permissions.deny, .ask or .allow
// (Scope.Grant). Edit and Read mean every tool that writes or reads.
func Permission(t hook.Text, s Scope) (*Pattern, []hook.Diagnostic) {
	return onePattern(s.notes(t), t.Value, true)
}

func onePattern(n *notes, text string, listed bool) (*Pattern, []hook.Diagnostic) {
	terms, ok := parsePermission(n, strings.TrimSpace(text), listed)
	if !ok || n.failed() {
		return nil, n.list
	}
	return &Pattern{text: text, terms: terms, grant: n.scope.Grant}, n.list
}

// parsePermission reads Tool, a glob of tool names, or Tool(specifier). An
// empty list of terms is a pattern that never fits.
func parsePermission(n *notes, text string, listed bool) ([]term, bool) {
	tool, spec, hasSpec, err := splitPattern(text)
	if err != "" {
		n.add(hook.Error, fmt.Sprintf("%q: %s", text, err), "")
		return nil, false
	}
	if hasSpec && severalPatterns(spec) {
		n.add(hook.Error, fmt.Sprintf("%q: one pattern only, not a combination of several", text), "write one entry for each, or combine them in a when")
		return nil, false
	}
	switch {
	case isMCP(text):
		return mcpPattern(n, text)
	case strings.HasPrefix(tool, "mcp__") && hasSpec:
		n.add(hook.Error, fmt.Sprintf("%q: a pattern for an MCP tool takes no parentheses", text), "name the tool alone; test its input in a when")
		return nil, false
	case !hasSpec && strings.Contains(tool, "*"):
		return globPattern(n, tool)
	case !hasSpec:
		lintShellGrant(n, text, tool)
		return barePattern(n, tool), true
	}
	return specPattern(n, tool, spec, listed)
}

// splitPattern splits Tool(specifier); parentheses inside belong to the
// specifier.
func splitPattern(text string) (tool, spec string, hasSpec bool, err string) {
	tool, rest, hasSpec := strings.Cut(text, "(")
	tool = strings.TrimSpace(tool)
	switch {
	case tool == "":
		return "", "", false, "no tool is named"
	case strings.IndexFunc(tool, func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("-*.", r) }) >= 0:
		return "", "", false, "not the name of a tool"
	case !hasSpec:
		return tool, "", false, ""
	}
	spec, ok := strings.CutSuffix(rest, ")")
	switch {
	case !ok:
		return "", "", false, "no ) at the end"
	case strings.TrimSpace(spec) == "":
		return "", "", false, "nothing between the parentheses"
	case strings.ContainsAny(spec, "\n\r\x00"):
		return "", "", false, "a line break between the parentheses"
	}
	return tool, spec, true, ""
}

// severalPatterns recognizes `a) || Tool(b`: what the outer parentheses of
// two patterns enclose.
func severalPatterns(spec string) bool {
	for i := 0; i < len(spec); i++ {
		if spec[i] != ')' {
			continue
		}
		rest := strings.TrimLeft(spec[i+1:], " |&,")
		for _, word := range []string{"or ", "and ", "OR ", "AND "} {
			rest = strings.TrimPrefix(rest, word)
		}
		if name, _, ok := strings.Cut(rest, "("); ok && len(rest) < len(spec)-i-1 && hook.KnownTool(strings.TrimLeft(name, "!")) {
			return true
		}
	}
	return false
}

func mcpPattern(n *notes, text string) ([]term, bool) {
	if server, _, _ := strings.Cut(strings.TrimPrefix(text, "mcp__"), "__"); n.scope.Grant && strings.Contains(server, "*") {
		n.add(hook.Error, fmt.Sprintf("%q: an allow may use * only after a literal mcp__server__", text), "name the server")
		return nil, false
	}
	t, err := mcpTerm(text, n.scope.Grant)
	if err != nil {
		n.add(hook.Error, fmt.Sprintf("%q: %v", text, err), "")
		return nil, false
	}
	return []term{t}, true
}

// globPattern is a glob of whole tool names, for deny and ask.
func globPattern(n *notes, text string) ([]term, bool) {
	if n.scope.Grant {
		n.add(hook.Error, fmt.Sprintf("%q: an allow may use * only after a literal mcp__server__", text), "name the tools one by one")
		return nil, false
	}
	if text == "*" {
		return []term{{test: always{}, expr: "true"}}, true
	}
	w, err := compileWild(text)
	if err != nil {
		n.add(hook.Error, fmt.Sprintf("%q: %v", text, err), "")
		return nil, false
	}
	match := func(name string) hook.Tri { return hook.TriOf(w.match(name)) }
	return []term{{
		test: &wordTest{match: match, what: text, tool: true, host: true},
		expr: fmt.Sprintf("glob(%s, tool) || glob(%[1]s, host_tool)", quote(text)),
	}}, true
}

func barePattern(n *notes, tool string) []term {
	n.checkTool(tool)
	return []term{nameTerm([]string{actualTool(tool)}, true)}
}

// actualTool is the canonical name of Task; every other name is kept.
func actualTool(name string) string {
	if name == "Task" {
		return hook.CanonicalTool(name)
	}
	return name
}

// checkTool warns of a name that looks like a misspelt tool.
func (n *notes) checkTool(name string) {
	if hook.KnownTool(name) || strings.HasPrefix(name, "mcp__") {
		return
	}
	if c := hook.CanonicalTool(name); c != name {
		if strings.EqualFold(c, name) {
			n.add(hook.Warning, fmt.Sprintf("%q is what some hosts call %s; it does not match %[2]s itself", name, c), hook.DidYouMean(name, []string{c}))
		}
		return
	}
	if advice := hook.DidYouMean(name, hook.ToolNames()); advice != "" {
		n.add(hook.Warning, fmt.Sprintf("unknown tool %q", name), advice)
	}
}
