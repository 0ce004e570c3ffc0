package mcptool

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// placeholders are the ${a.b} in a text.
var placeholders = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{([^${}]+)\}`) })

// document is an event whose values are looked up by dotted names. It is for
// one goroutine.
type document struct {
	raw json.RawMessage
	top map[string]json.RawMessage // decoded when first asked
}

// value returns the value of a name, as it came.
func (d *document) value(name string) (json.RawMessage, bool) {
	if d.top == nil && json.Unmarshal(d.raw, &d.top) != nil {
		return nil, false
	}
	head, rest, more := strings.Cut(strings.TrimSpace(name), ".")
	v, ok := d.top[head]
	for ok && more {
		head, rest, more = strings.Cut(rest, ".")
		v, ok = member(v, head)
	}
	return v, ok
}

// member returns a member of an object, or an item of a list.
func member(v json.RawMessage, name string) (json.RawMessage, bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(v, &object) == nil {
		m, ok := object[name]
		return m, ok
	}
	var list []json.RawMessage
	if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(v, &list) == nil && i >= 0 && i < len(list) {
		return list[i], true
	}
	return nil, false
}

// text returns the value of a name as text: a string without its quotes, any
// other value as JSON, and nothing for null or no value.
func (d *document) text(name string) string {
	v, ok := d.value(name)
	if !ok || string(v) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// fill returns v with its placeholders filled in; false if v is a placeholder
// of a value that is not there.
func (d *document) fill(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		re := placeholders()
		if m := re.FindStringSubmatch(v); m != nil && m[0] == v {
			raw, ok := d.value(m[1])
			return raw, ok
		}
		return re.ReplaceAllStringFunc(v, func(p string) string { return d.text(p[2 : len(p)-1]) }), true
	case map[string]any:
		return d.fillMap(v), true
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			if filled, ok := d.fill(item); ok {
				list[i] = filled
			}
		}
		return list, true
	}
	return v, true
}

// fillMap fills the members of m; those without a value are left out.
func (d *document) fillMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		if filled, ok := d.fill(v); ok {
			out[name] = filled
		}
	}
	return out
}
