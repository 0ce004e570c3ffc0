package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Object builds an object from names and Go values, in that order:
//
//	Object("command", "ls", "timeout", 1000)
//
// A value is anything that Value takes. Keys are the tool's own (Payload).
func Object(pairs ...any) (hook.Object, error) {
	if o, ok := textObject(pairs); ok {
		return o, nil
	}
	if len(pairs)%2 != 0 {
		return hook.Object{}, fmt.Errorf("object: %d arguments, expected pairs of a name and a value", len(pairs))
	}
	b := []byte{'{'}
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return hook.Object{}, fmt.Errorf("object: argument %d: expected a name, got %T", i, pairs[i])
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(quote(b, name), ':')
		var err error
		if b, err = appendValue(b, pairs[i+1], 1); err != nil {
			return hook.Object{}, fmt.Errorf("object: %q: %w", name, err)
		}
	}
	return Payload(append(b, '}'))
}

// textObject builds an object of texts, the usual input of a tool, without
// reading what it has just written. ok is false for any other.
func textObject(pairs []any) (o hook.Object, ok bool) {
	size := 2
	for _, p := range pairs {
		text, ok := p.(string)
		if !ok || !utf8.ValidString(text) {
			return o, false
		}
		size += len(text) + len(`"",`)
	}
	n := len(pairs) / 2
	raw, members, view := append(make([]byte, 0, size), '{'), make([]hook.Member, n), make(map[string]any, n)
	for i := range members {
		name, text := pairs[2*i].(string), pairs[2*i+1].(string)
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(quote(raw, name), ':')
		start := len(raw)
		raw = quote(raw, text)
		members[i] = hook.Member{Name: name, Raw: raw[start:len(raw):len(raw)]}
		view[name] = text
	}
	return hook.NewObject(append(raw, '}'), members, view), n > 0 && len(pairs)%2 == 0 && len(view) == n
}

// Value encodes v on one line: what encoding/json takes, and hook.Object,
// also inside a map[string]any or []any. Map keys are sorted, < > & are left
// alone, bytes that are not UTF-8 become U+FFFD.
func Value(v any) ([]byte, error) { return appendValue(nil, v, 0) }

func appendValue(b []byte, v any, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("nested deeper than %d", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case string:
		return quote(b, v), nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case hook.Object:
		if v.Absent() {
			return append(b, "null"...), nil
		}
		return appendForeign(b, json.RawMessage(v.Raw()))
	case []any:
		return appendList(b, v, depth)
	case map[string]any:
		return appendMap(b, v, depth)
	}
	return appendForeign(b, v)
}

func appendList(b []byte, list []any, depth int) (_ []byte, err error) {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, v, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, m map[string]any, depth int) (_ []byte, err error) {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(append(quote(b, name), ':'), m[name], depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendForeign encodes a type that is not of the view.
func appendForeign(b []byte, v any) ([]byte, error) {
	buf := bytes.NewBuffer(b)
	e := json.NewEncoder(buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// quote appends s as a JSON string.
func quote(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		return append(b, `""`...) // cannot happen: only invalid UTF-8 is an error
	}
	return quoted
}
