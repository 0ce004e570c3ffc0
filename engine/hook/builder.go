package hook

import (
	"encoding/json"
	"strconv"
	"strings"
)

// ObjectBuilder makes an Object of texts and numbers, member by member, as
// an event has them beside its fields. The zero ObjectBuilder is empty; it is
// for one goroutine. Each name may be added once.
type ObjectBuilder struct {
	raw     []byte
	members []Member
}

// Text adds a string member, unless value is empty. Bytes that are not UTF-8
// become U+FFFD.
func (b *ObjectBuilder) Text(name, value string) {
	if value != "" {
		start := b.open(name)
		if isPlain(value) {
			b.add(name, start, appendPlain(b.raw, value))
		} else {
			b.add(name, start, appendText(b.raw, strings.ToValidUTF8(value, "\ufffd")))
		}
	}
}

// Int adds a number.
func (b *ObjectBuilder) Int(name string, n int) {
	start := b.open(name)
	b.add(name, start, strconv.AppendInt(b.raw, int64(n), 10))
}

// Object returns the object; it is absent if it has no member. Its view is
// made when it is asked for: most events are dispatched to nobody.
func (b *ObjectBuilder) Object() Object {
	if b.raw == nil {
		return Object{}
	}
	return Object{raw: append(b.raw, '}'), members: b.members}
}

// open writes up to the value of a member and returns where it begins.
func (b *ObjectBuilder) open(name string) int {
	if b.raw == nil {
		first := new(struct {
			members [6]Member
			raw     [208]byte
		})
		b.raw, b.members = append(first.raw[:0], '{'), first.members[:0]
	} else {
		b.raw = append(b.raw, ',')
	}
	b.raw = append(appendText(b.raw, name), ':')
	return len(b.raw)
}

func (b *ObjectBuilder) add(name string, start int, raw []byte) {
	b.raw = raw
	b.members = append(b.members, Member{name, raw[start:len(raw):len(raw)]})
}

// built decodes a value that an ObjectBuilder has written.
func built(raw []byte) any {
	if n, err := strconv.Atoi(string(raw)); err == nil {
		return n
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil // cannot happen: it was written as a string
	}
	return s
}
