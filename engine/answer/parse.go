package answer

import (
	"bytes"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

// MaxDepth bounds how deep objects and arrays may nest.
const MaxDepth = 200

const (
	byteOrderMark = "\ufeff"
	blanks        = " \t\r\n"
)

// Parse reads data as one JSON object of the protocol: an event, or the
// answer of a hook. White space around it and a byte order mark before it are
// passed over. The error is a *SyntaxError.
//
// Duplicate names are errors at any depth; so are names that differ from one
// of the protocol's own in case only, except inside payloads such as
// tool_input and members that the protocol does not know. Bytes that are not
// UTF-8 are errors. A lone surrogate escape is U+FFFD in the view.
//
// The object and its members are slices of data. Numbers that a float64
// cannot hold are clamped to ±math.MaxFloat64 in the view.
func Parse(data []byte) (hook.Object, error) { return parse(data, messageNames) }

// Payload is Parse for an object whose keys are not the protocol's: a tool's
// input, a settings file. Case variants are different names there.
func Payload(data []byte) (hook.Object, error) { return parse(data, nil) }

func parse(data []byte, own spellings) (hook.Object, error) {
	if at := invalidUTF8(data); at >= 0 {
		return hook.Object{}, syntaxError(data, at, "byte 0x%02x is not UTF-8", data[at])
	}
	start := len(data) - len(trimStart(data))
	switch {
	case start == len(data):
		return hook.Object{}, syntaxError(data, start, "expected a JSON object, got nothing")
	case data[start] != '{':
		return hook.Object{}, syntaxError(data, start, "expected a JSON object, it starts with %q", data[start])
	}
	o, err := parseAt(data, start, 1, own)
	if err != nil {
		return hook.Object{}, err
	}
	if rest := bytes.TrimLeft(data[start+len(o.Raw()):], blanks); len(rest) > 0 {
		return hook.Object{}, syntaxError(data, len(data)-len(rest), "text after the end of the object")
	}
	return o, nil
}

// parseAt reads the object that starts at an offset of data, whatever follows.
// It counts as one of level depth.
func parseAt(data []byte, start, depth int, own spellings) (hook.Object, error) {
	p := newParser(data, start)
	members, view, err := p.object(depth, own, true)
	if err != nil {
		return hook.Object{}, err
	}
	end := p.offset()
	return hook.NewObject(data[start:end:end], members, view), nil
}

// Child returns the member name of o as an Object that shares its bytes and
// view, and whether it is an object at all.
func Child(o hook.Object, name string) (hook.Object, bool) {
	view, ok := o.View()[name].(map[string]any)
	if !ok {
		return hook.Object{}, false
	}
	raw := o.RawOf(name)
	p := newParser(raw, 0)
	members, err := p.split()
	return hook.NewObject(raw, members, view), err == nil
}

// trimStart returns data without a byte order mark and leading white space.
func trimStart(data []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), blanks)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
