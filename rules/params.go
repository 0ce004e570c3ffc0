package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// primaryFields have a grammar of their own, so that param:value may not
// test them.
var primaryFields = []string{"command", "file_path", "path", "notebook_path", "url"}

// isParam reports whether spec is param:value. Where the tool has a grammar
// of its own the param must be one of its fields.
func isParam(tool, spec string) bool {
	name, value, ok := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.IndexFunc(name, func(r rune) bool { return !isWordRune(r) && r != '-' }) >= 0 {
		return false
	}
	fields := hook.ToolFields(tool)
	if tool == "Bash" || tool == "PowerShell" {
		return slices.Contains(fields, name) && strings.TrimSpace(value) != "*"
	}
	return fields == nil || slices.Contains(fields, name)
}

// paramPattern reads Tool(param:value), for deny and ask.
func paramPattern(n *notes, tool, spec string) ([]term, bool) {
	name, value, _ := strings.Cut(spec, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case slices.Contains(primaryFields, name):
		n.add(hook.Warning, fmt.Sprintf("%s(%s) is ignored: %s has patterns of its own", tool, spec, name), "")
		return nil, true
	case n.scope.Grant:
		n.add(hook.Error, fmt.Sprintf("%s(%s): param:value is for deny and ask only", tool, spec), "test the field in a when")
		return nil, false
	}
	return fieldPattern(n, tool, name, value)
}

// fieldPattern compares a scalar field of the input with a glob.
func fieldPattern(n *notes, tool, field, glob string) ([]term, bool) {
	w, err := compileWild(glob)
	if err != nil {
		n.add(hook.Error, fmt.Sprintf("%s(%s): %v", tool, glob, err), "")
		return nil, false
	}
	t := &fieldTest{field: field, globs: []wild{w}}
	return []term{onToolTerm(t, "glob("+quote(glob)+", "+inputField(field)+")", tool)}, true
}

// skillPattern reads Skill(name), and Skill(name *) for a name with anything
// after it.
func skillPattern(n *notes, spec string) ([]term, bool) {
	head, prefix := strings.CutSuffix(spec, " *")
	if !prefix {
		head, prefix = strings.CutSuffix(spec, ":*")
	}
	if !prefix {
		return fieldPattern(n, "Skill", "skill", spec)
	}
	var globs []wild
	var exprs []string
	for _, g := range []string{head, head + " *"} {
		w, err := compileWild(g)
		if err != nil {
			n.add(hook.Error, fmt.Sprintf("Skill(%s): %v", spec, err), "")
			return nil, false
		}
		globs = append(globs, w)
		exprs = append(exprs, "glob("+quote(g)+", input.skill)")
	}
	return []term{onToolTerm(&fieldTest{"skill", globs}, "("+strings.Join(exprs, " || ")+")", "Skill")}, true
}

func inputField(name string) string {
	if name[0] >= '0' && name[0] <= '9' || strings.Contains(name, "-") {
		return "input[" + quote(name) + "]"
	}
	return "input." + name
}

// fieldTest compares a scalar field of the input; a missing one never fits.
type fieldTest struct {
	field string
	globs []wild
}

func (t *fieldTest) eval(f *hook.Facts, why *string) hook.Tri {
	v, _ := f.Event.Input.Get(t.field)
	s, ok := scalar(v)
	say(why, t.field, " is ", s)
	if !ok {
		say(why, t.field, " is missing or no scalar")
	}
	return hook.TriOf(ok && slices.ContainsFunc(t.globs, func(w wild) bool { return w.match(s) }))
}

// scalar writes a string, number or boolean as text.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}
