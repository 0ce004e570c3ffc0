package lua

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

func jsonGroup() group {
	return group{name: "json", doc: "JSON texts", functions: []function{
		{"decode", "(text: string): any", "the value of a JSON text; whole numbers beyond 2^53 are texts", func(L *glua.LState) int {
			L.Push(of(L).decode(L, []byte(L.CheckString(1)), "json.decode"))
			return 1
		}},
		{"encode", "(value: any): string", "value as a JSON text on one line", func(L *glua.LState) int {
			L.Push(glua.LString(of(L).encode(L, L.CheckAny(1), "json.encode")))
			return 1
		}},
		{"array", "(t?: table): table", "marks an empty table as an array", func(L *glua.LState) int {
			s, t := of(L), L.OptTable(1, nil)
			if t == nil {
				t = L.CreateTable(0, 0)
			}
			s.charge(L, costTable)
			s.markEmpty(t)
			L.Push(t)
			return 1
		}},
	}, values: func(s *state, t *glua.LTable) { t.RawSetString("null", s.null) }}
}

// decoder reads one JSON value token by token, so that depth, memory and
// time are bounded.
type decoder struct {
	*json.Decoder
	s     *state
	L     *glua.LState
	doing string
	depth int
}

func (s *state) decode(L *glua.LState, text []byte, doing string) glua.LValue {
	if len(text) > maxString {
		s.size(L, len(text), doing)
	}
	d := &decoder{Decoder: json.NewDecoder(strings.NewReader(string(text))), s: s, L: L, doing: doing}
	d.UseNumber()
	v := d.value(d.token())
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		L.RaiseError("%s: more text after the value", doing)
	}
	return v
}

func (d *decoder) token() json.Token {
	d.s.step(d.L, 16, d.doing)
	t, err := d.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		d.L.RaiseError("%s: %s", d.doing, err.Error())
	}
	return t
}

func (d *decoder) value(t json.Token) glua.LValue {
	switch t := t.(type) {
	case string:
		return d.s.text(d.L, t, d.doing)
	case json.Number:
		return d.s.fromNumber(d.L, t.String())
	case bool:
		return glua.LBool(t)
	case json.Delim:
		if d.depth++; d.depth > maxDepth {
			d.L.RaiseError("%s: nested deeper than %d", d.doing, maxDepth)
		}
		defer func() { d.depth-- }()
		d.s.charge(d.L, costTable)
		if t == '[' {
			return d.array()
		}
		return d.object()
	}
	return d.s.null
}

func (d *decoder) array() glua.LValue {
	t := d.L.CreateTable(0, 0)
	n := 0
	for d.More() {
		n++
		d.s.charge(d.L, costItem)
		t.RawSetInt(n, d.value(d.token()))
	}
	d.token()
	if n == 0 {
		d.s.markEmpty(t)
	}
	return t
}

func (d *decoder) object() glua.LValue {
	t := d.L.CreateTable(0, 0)
	for d.More() {
		name := d.token().(string)
		if t.RawGetString(name) != glua.LNil {
			d.L.RaiseError("%s: the name %q occurs twice", d.doing, clip(name, 40))
		}
		d.s.charge(d.L, costKey+len(name))
		t.RawSetString(name, d.value(d.token()))
	}
	d.token()
	return t
}
