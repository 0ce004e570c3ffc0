package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// Wrapper is a program that runs its operands.
type Wrapper = shell.Wrapper

// ReadWrappers reads the value of `wrappers:` in a settings file: a list of
// programs that run their operands and that Pawl would not know. None may
// redefine one that it knows. What is wrong costs its own entry.
func ReadWrappers(f hook.Field) ([]Wrapper, []hook.Diagnostic) {
	var diags []hook.Diagnostic
	fail := func(message string) {
		diags = append(diags, hook.Diagnostic{Severity: hook.Error, Pos: f.Pos, Path: f.Name, Message: message})
	}
	rows, ok := f.Value.([]any)
	if !ok {
		fail("expected a list of mappings with name, flags, values, operands, …")
		return nil, diags
	}
	var list []Wrapper
	for i, row := range rows {
		m, ok := row.(map[string]any)
		w, err := readWrapper(m)
		switch {
		case !ok:
			err = fmt.Errorf("expected a mapping")
		case err == nil && slices.ContainsFunc(list, func(o Wrapper) bool { return o.Name == w.Name }):
			err = fmt.Errorf("%q stands there twice", w.Name)
		}
		if err != nil {
			fail(fmt.Sprintf("wrappers[%d]: %v", i, err))
			continue
		}
		list = append(list, w)
	}
	return list, diags
}

// readWrapper reads one row.
func readWrapper(m map[string]any) (Wrapper, error) {
	var w Wrapper
	texts := map[string]*string{"name": &w.Name, "flags": &w.Flags, "values": &w.Values, "optional": &w.Optional, "shell": &w.Shell, "chdir": &w.Chdir}
	bools := map[string]*bool{"env": &w.Env, "text": &w.Text, "dashes": &w.Dashes}
	for key, v := range m {
		ok := true
		switch {
		case texts[key] != nil:
			*texts[key], ok = optionNames(v)
		case bools[key] != nil:
			*bools[key], ok = v.(bool)
		case key == "operands":
			w.Operands, ok = v.(int)
			ok = ok && w.Operands >= 0 && w.Operands < 100
		default:
			known := append(slices.Sorted(maps.Keys(texts)), "env", "text", "dashes", "operands")
			return w, fmt.Errorf("unknown key %q, expected one of %s", key, strings.Join(known, ", "))
		}
		if !ok {
			return w, fmt.Errorf("%s: got %v", key, v)
		}
	}
	switch {
	case w.Name == "":
		return w, fmt.Errorf("missing name")
	case shell.Known(w.Name):
		return w, fmt.Errorf("%q is known already", w.Name)
	}
	return w, nil
}

// optionNames reads a list of options, or one text with blanks between them,
// without their dashes.
func optionNames(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return trimDashes(strings.Fields(s)), true
	}
	list, ok := v.([]any)
	var words []string
	for _, e := range list {
		s, isText := e.(string)
		words, ok = append(words, s), ok && isText
	}
	return trimDashes(words), ok
}

func trimDashes(words []string) string {
	for i, w := range words {
		words[i] = strings.TrimLeft(w, "-")
	}
	return strings.Join(words, " ")
}
