package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// specPattern reads Tool(spec).
func specPattern(n *notes, name, spec string, listed bool) ([]term, bool) {
	tool := actualTool(name)
	if !hook.KnownTool(tool) {
		if c := hook.CanonicalTool(tool); c != tool {
			n.add(hook.Error, fmt.Sprintf("%q: a pattern with parentheses needs the canonical name of the tool", name), "write "+c+"(…)")
			return nil, false
		}
		if advice := hook.DidYouMean(tool, hook.ToolNames()); advice != "" || !isParam(tool, spec) {
			n.add(hook.Error, fmt.Sprintf("unknown tool %q", name), advice)
			return nil, false
		}
	}
	spec = strings.TrimSpace(spec)
	if isParam(tool, spec) {
		return paramPattern(n, tool, spec)
	}
	switch {
	case tool == "Bash":
		return bashPattern(n, spec)
	case tool == "PowerShell":
		return powershellPattern(n, spec)
	case tool == "WebFetch":
		return domainPattern(n, spec)
	case tool == "Agent":
		return fieldPattern(n, tool, "subagent_type", spec)
	case tool == "Skill":
		return skillPattern(n, spec)
	case slices.Contains(readTools, tool) || slices.Contains(editTools, tool):
		return pathPattern(n, tool, spec, listed)
	}
	n.add(hook.Error, fmt.Sprintf("%s takes no specifier %q", tool, spec), fmt.Sprintf("write %s, or %[1]s(param:value)", tool))
	return nil, false
}

func bashPattern(n *notes, spec string) ([]term, bool) {
	if spec == "*" {
		lintShellGrant(n, "Bash(*)", "Bash")
		return []term{nameTerm([]string{"Bash"}, true)}, true
	}
	if len(spec) > maxGlob*4 {
		n.add(hook.Error, fmt.Sprintf("a command pattern of %d bytes; at most %d", len(spec), maxGlob*4), "")
		return nil, false
	}
	lintBash(n, spec)
	t := &bashTest{globs: []*shell.Glob{shell.CompileGlob(spec)}, grant: n.scope.Grant}
	return []term{onToolTerm(t, "bash("+quote(spec)+")", "Bash")}, true
}

func powershellPattern(n *notes, spec string) ([]term, bool) {
	if spec == "*" {
		lintShellGrant(n, "PowerShell(*)", "PowerShell")
		return []term{nameTerm([]string{"PowerShell"}, true)}, true
	}
	g, err := compilePowerShell(spec)
	if err != nil {
		n.add(hook.Error, fmt.Sprintf("PowerShell(%s): %v", spec, err), "")
		return nil, false
	}
	t := &powershellTest{globs: []*powershellGlob{g}, grant: n.scope.Grant}
	return []term{onToolTerm(t, "powershell("+quote(spec)+")", "PowerShell")}, true
}

func domainPattern(n *notes, spec string) ([]term, bool) {
	text, ok := strings.CutPrefix(spec, "domain:")
	if !ok {
		n.add(hook.Error, fmt.Sprintf("WebFetch(%s): expected domain:HOST", spec), "write WebFetch(domain:example.com)")
		return nil, false
	}
	r, err := compileDomain(text)
	if err != nil {
		n.add(hook.Error, fmt.Sprintf("WebFetch(%s): %v", spec, err), "write WebFetch(domain:example.com)")
		return nil, false
	}
	return []term{onToolTerm(&domainTest{[]domainRule{r}}, "domain("+quote(strings.TrimSpace(text))+")", "WebFetch")}, true
}

// pathPattern reads a path pattern of a file tool. In a list of permissions
// Edit stands for all that writes and Read for all that reads; a guard on
// reading guards writing too.
func pathPattern(n *notes, tool, spec string, listed bool) ([]term, bool) {
	r, err := compilePath(spec, n.scope)
	if err != nil {
		if n.scope.Grant || len(spec) > maxGlob {
			n.add(hook.Error, fmt.Sprintf("%s(%s): %v", tool, spec, err), "")
			return nil, false
		}
		n.add(hook.Warning, fmt.Sprintf("%s(%s): %v; only a path of exactly this name is guarded", tool, spec, err), "")
	}
	lintPath(n, tool, spec)
	test := func(access hook.Access) *pathTest {
		return &pathTest{rules: []*pathRule{r}, access: access, grant: n.scope.Grant, named: n.scope.Named}
	}
	arg := "(" + quote(spec) + ")"
	if !listed || slices.Contains(walkTools, tool) {
		return []term{onToolTerm(test(rw), "path"+arg, tool)}, true
	}
	if tool != "Read" && tool != "Edit" {
		n.add(hook.Note, fmt.Sprintf("%s(%s) is read as Edit(%[2]s), which covers every tool that writes", tool, spec), fmt.Sprintf("write Edit(%s)", spec))
	}
	switch {
	case tool == "Read" && n.scope.Grant:
		return []term{onToolTerm(test(rd), "reads"+arg, readTools...)}, true
	case tool == "Read":
		t := &onTool{tools: []string{"NotebookEdit"}, not: true, test: test(rw)}
		return []term{{test: t, expr: `tool != "NotebookEdit" && path` + arg}}, true
	case n.scope.Grant:
		return []term{onToolTerm(test(wr), "writes"+arg, editTools...)}, true
	}
	return []term{{test: test(wr), expr: "writes" + arg}}, true
}
