package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// wrappers reads the `wrappers:` of the settings: programs that run their
// operands, which Pawl would not know. They may not redefine one that it
// knows, and an untrusted workspace may not add any: whatever is taken for an
// option is not taken for a command.
func (b *builder) wrappers() []shell.Wrapper {
	var list []shell.Wrapper
	for _, f := range b.set.Files {
		for _, raw := range f.Raw {
			if raw.Name != "wrappers" {
				continue
			}
			if b.snap.gates.tighten(f.Source.Layer) && !f.Trusted {
				b.diagnose(raw, hook.Warning, "wrappers of a workspace that is not trusted are left out", "pawl trust")
				continue
			}
			list = append(list, b.wrapperList(raw)...)
		}
	}
	return list
}

func (b *builder) wrapperList(raw hook.Field) []shell.Wrapper {
	rows, ok := raw.Value.([]any)
	if !ok {
		b.diagnose(raw, hook.Error, "expected a list of mappings with name, flags, values, operands, …", "")
		return nil
	}
	var list []shell.Wrapper
	for i, row := range rows {
		m, ok := row.(map[string]any)
		w, err := wrapper(m)
		if ok && err == nil && slices.ContainsFunc(list, func(o shell.Wrapper) bool { return o.Name == w.Name }) {
			err = fmt.Errorf("%q stands there twice", w.Name)
		}
		if !ok {
			err = fmt.Errorf("expected a mapping")
		}
		if err != nil {
			b.diagnose(raw, hook.Error, fmt.Sprintf("wrappers[%d]: %v", i, err), "")
			continue
		}
		list = append(list, w)
	}
	return list
}

// wrapper reads one row.
func wrapper(m map[string]any) (shell.Wrapper, error) {
	var w shell.Wrapper
	texts := map[string]*string{"name": &w.Name, "flags": &w.Flags, "values": &w.Values, "optional": &w.Optional, "shell": &w.Shell, "chdir": &w.Chdir}
	bools := map[string]*bool{"env": &w.Env, "text": &w.Text, "dashes": &w.Dashes}
	for key, v := range m {
		ok := true
		switch {
		case texts[key] != nil:
			*texts[key], ok = options(v)
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

// options reads a list of options, or one text with blanks between them,
// without their dashes.
func options(v any) (string, bool) {
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

func (b *builder) diagnose(at hook.Field, sev hook.Severity, message, advice string) {
	b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: sev, Pos: at.Pos, Path: at.Name, Message: message, Advice: advice})
}

// names returns what the index must not take for a plain program.
func names(wrappers []shell.Wrapper) []string {
	var list []string
	for _, w := range wrappers {
		head, _, _ := strings.Cut(w.Name, " ")
		list = append(list, head)
	}
	return list
}
