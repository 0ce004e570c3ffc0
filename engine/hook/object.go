package hook

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object: the bytes that were checked, which are the truth,
// and a decoded view of them. It does not parse; answer.Parse makes one from
// bytes and engine.Input from values. The zero Object is absent: it has no
// bytes and no members.
//
// In the view a number is an int where it is whole and within 2^53, else a
// float64; strings, bools, nil, []any and map[string]any are as in
// encoding/json.
type Object struct {
	raw     []byte
	members []Member
	view    map[string]any // nil for an object that an ObjectBuilder has made
}

// Member is one top-level member of an Object, its value as raw JSON.
type Member struct {
	Name string
	Raw  []byte
}

// NewObject joins checked bytes with their members in file order and their
// view. The caller vouches that the three agree and gives them away.
func NewObject(raw []byte, members []Member, view map[string]any) Object {
	return Object{raw: raw, members: members, view: view}
}

// Raw returns the bytes, or nil for an absent object.
func (o Object) Raw() []byte { return o.raw }

// Members returns the top-level members in file order.
func (o Object) Members() []Member { return o.members }

// View returns the decoded members; nil for an absent object.
func (o Object) View() map[string]any {
	if o.view != nil || len(o.members) == 0 {
		return o.view
	}
	view := make(map[string]any, len(o.members))
	for _, m := range o.members {
		view[m.Name] = built(m.Raw)
	}
	return view
}

// Absent reports whether there is no object at all (which {} is not).
func (o Object) Absent() bool { return o.raw == nil }

// Get returns the decoded value of one top-level member.
func (o Object) Get(name string) (any, bool) {
	if o.view != nil {
		v, ok := o.view[name]
		return v, ok
	}
	raw := o.RawOf(name)
	if raw == nil {
		return nil, false
	}
	return built(raw), true
}

// Text returns the member name if it is a string, else "".
func (o Object) Text(name string) string {
	v, _ := o.Get(name)
	s, _ := v.(string)
	return s
}

// RawOf returns the raw JSON of one top-level member, or nil.
func (o Object) RawOf(name string) []byte {
	for _, m := range o.members {
		if m.Name == name {
			return m.Raw
		}
	}
	return nil
}

// Equal reports whether both objects hold the same JSON, white space aside.
func (o Object) Equal(p Object) bool {
	if o.Absent() || p.Absent() {
		return o.Absent() == p.Absent()
	}
	return bytes.Equal(o.raw, p.raw) || bytes.Equal(compact(o.raw), compact(p.raw))
}

// compact returns raw on one line without white space between tokens; raw
// itself where it has no line break.
func compact(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 &&
		bytes.IndexByte(raw, ' ') < 0 && bytes.IndexByte(raw, '\t') < 0 {
		return raw
	}
	var b bytes.Buffer
	b.Grow(len(raw))
	if err := json.Compact(&b, raw); err != nil {
		return raw
	}
	return b.Bytes()
}

// appendText appends s as a JSON string. Unlike encoding/json it leaves
// < > & alone, so that hooks that grep for && find it.
func appendText(dst []byte, s string) []byte {
	if isPlain(s) {
		return appendPlain(dst, s)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return append(dst, `""`...)
	}
	return append(dst, bytes.TrimRight(b.Bytes(), "\n")...)
}

func appendPlain(dst []byte, s string) []byte { return append(append(append(dst, '"'), s...), '"') }

// isPlain reports whether s is its own JSON between quotes. Names and most
// values are.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
