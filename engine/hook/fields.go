package hook

import (
	"fmt"
	"slices"
	"strings"
)

// FieldReader reads the fields of one entry for its type and collects what
// is wrong with them. It is for one goroutine, in Type.New.
type FieldReader struct {
	spec  *Spec
	known []string
	diags []Diagnostic
}

// Read starts reading the fields of s.
func (s *Spec) Read() *FieldReader { return &FieldReader{spec: s} }

func (r *FieldReader) field(name string) (Field, bool) {
	r.known = append(r.known, name)
	for _, f := range r.spec.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Fail records an error at the field name, or at the entry if it has none.
func (r *FieldReader) Fail(name, message, advice string) { r.report(Error, name, message, advice) }

// Warn records a warning likewise.
func (r *FieldReader) Warn(name, message, advice string) { r.report(Warning, name, message, advice) }

func (r *FieldReader) report(sev Severity, name, message, advice string) {
	d := Diagnostic{Severity: sev, Pos: r.spec.Pos, Path: r.spec.ID, Message: message, Advice: advice}
	for _, f := range r.spec.Fields {
		if f.Name == name {
			d.Pos, d.Path = f.Pos, d.Path+"."+name
		}
	}
	if !slices.Contains(r.diags, d) { // a field that is read twice is wrong once
		r.diags = append(r.diags, d)
	}
}

// value reads a field of type T and records any other type.
func value[T any](r *FieldReader, name, want string) (v T, ok bool) {
	f, found := r.field(name)
	if !found {
		return v, false
	}
	if v, ok = f.Value.(T); !ok {
		r.Fail(name, fmt.Sprintf("expected %s, got %s", want, describe(f.Value)), "")
	}
	return v, ok
}

// Text returns a string field, "" if absent.
func (r *FieldReader) Text(name string) string {
	s, _ := value[string](r, name, "a string")
	return s
}

// MustText returns a string field that may not be absent or empty.
func (r *FieldReader) MustText(name string) string {
	s, ok := value[string](r, name, "a string")
	if _, found := r.field(name); !found {
		r.Fail(name, fmt.Sprintf("missing %q: %s needs it", name, r.spec.kind()), "")
	} else if ok && s == "" {
		r.Fail(name, "empty", "")
	}
	return s
}

// Bool returns a boolean field, false if absent.
func (r *FieldReader) Bool(name string) bool {
	b, _ := value[bool](r, name, "true or false")
	return b
}

// Int returns a whole number, 0 if absent.
func (r *FieldReader) Int(name string) int {
	n, _ := value[int](r, name, "a whole number")
	return n
}

// Word returns a string field that must be one of words; "" if absent.
func (r *FieldReader) Word(name string, words ...string) string {
	s, ok := value[string](r, name, "a string")
	if ok && !slices.Contains(words, s) {
		r.Fail(name, fmt.Sprintf("expected one of %s, got %q", strings.Join(words, ", "), s), DidYouMean(s, words))
		return ""
	}
	return s
}

// Texts returns a list of strings and whether the field is there at all.
func (r *FieldReader) Texts(name string) ([]string, bool) {
	list, ok := value[[]any](r, name, "a list of strings")
	if !ok {
		return nil, false
	}
	texts := make([]string, 0, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			r.Fail(name, fmt.Sprintf("item %d: expected a string, got %s", i, describe(v)), "quote it")
			continue
		}
		texts = append(texts, s)
	}
	return texts, true
}

// Map returns a mapping field, nil if absent.
func (r *FieldReader) Map(name string) map[string]any {
	m, _ := value[map[string]any](r, name, "a mapping")
	return m
}

// Done reports all that was wrong, and warns of fields that nobody read.
func (r *FieldReader) Done() []Diagnostic {
	for _, f := range r.spec.Fields {
		if !slices.Contains(r.known, f.Name) {
			r.Warn(f.Name, fmt.Sprintf("unknown key %q in %s", f.Name, r.spec.kind()), DidYouMean(f.Name, append(slices.Clip(r.known), r.spec.commonKeys()...)))
			if f.Key.Line > 0 {
				r.diags[len(r.diags)-1].Pos = f.Key
			}
		}
	}
	return r.diags
}

// describe names a value of a settings file in an error.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing (null)"
	case string:
		return fmt.Sprintf("the string %q", v)
	case bool:
		return fmt.Sprintf("%v", v)
	case int, float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	return fmt.Sprintf("%T", v)
}
