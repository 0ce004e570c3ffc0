package dialect

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// fields is a JSON object being written on one line, its members in the order
// in which they are added. The zero value is empty.
type fields struct{ buf []byte }

// raw adds a member whose value is JSON already.
func (f *fields) raw(name string, value []byte) {
	if len(f.buf) > 0 {
		f.buf = append(f.buf, ',')
	}
	f.buf = append(f.buf, quote(name)...)
	f.buf = append(f.buf, ':')
	var line bytes.Buffer
	if json.Compact(&line, value) != nil {
		line.Reset()
		line.WriteString("null")
	}
	f.buf = append(f.buf, line.Bytes()...)
}

// text adds a string, unless it is empty.
func (f *fields) text(name, value string) {
	if value != "" {
		f.raw(name, quote(value))
	}
}

// flag adds true or false.
func (f *fields) flag(name string, value bool) {
	if value {
		f.raw(name, []byte("true"))
	} else {
		f.raw(name, []byte("false"))
	}
}

// texts adds an array of strings; it is never null.
func (f *fields) texts(name string, list []string) {
	items := make([][]byte, len(list))
	for i, s := range list {
		items[i] = quote(s)
	}
	f.array(name, items)
}

// array adds an array of JSON values.
func (f *fields) array(name string, items [][]byte) {
	f.raw(name, append(append([]byte("["), bytes.Join(items, []byte(","))...), ']'))
}

// object adds another object, unless it is empty.
func (f *fields) object(name string, o fields) {
	if !o.empty() {
		f.raw(name, o.json())
	}
}

// join adds the members of another object.
func (f *fields) join(o fields) {
	if len(f.buf) > 0 && len(o.buf) > 0 {
		f.buf = append(f.buf, ',')
	}
	f.buf = append(f.buf, o.buf...)
}

// members returns an object of these members.
func members(list []hook.Member) (f fields) {
	for _, m := range list {
		f.raw(m.Name, m.Raw)
	}
	return f
}

// latest keeps the last member of each name.
func latest(list []hook.Member) []hook.Member {
	var kept []hook.Member
	for i, m := range list {
		later := func(o hook.Member) bool { return o.Name == m.Name }
		if !slices.ContainsFunc(list[i+1:], later) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (f *fields) empty() bool { return len(f.buf) == 0 }

// json returns the whole object.
func (f *fields) json() []byte {
	b := make([]byte, 0, len(f.buf)+2)
	return append(append(append(b, '{'), f.buf...), '}')
}

// line returns the whole object and a line break, or nothing if it is empty.
func (f *fields) line() []byte {
	if f.empty() {
		return nil
	}
	return append(f.json(), '\n')
}

// quote returns s as a JSON string. Unlike json.Marshal it leaves < > & alone.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// stderr returns text as lines for stderr, or nothing if it is empty.
func stderr(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(hook.Printable(text) + "\n")
}
