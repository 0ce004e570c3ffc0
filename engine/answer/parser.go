package answer

import (
	"bytes"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pawl-dev/pawl/engine/hook"
)

// parser turns the tokens of data from base on into a view.
type parser struct {
	data []byte
	base int
	dec  *jsontext.Decoder
}

func newParser(data []byte, base int) *parser {
	// AllowInvalidUTF8 is about lone surrogate escapes here: the bytes
	// themselves have been checked.
	dec := jsontext.NewDecoder(bytes.NewBuffer(data[base:]), jsontext.AllowInvalidUTF8(true))
	return &parser{data: data, base: base, dec: dec}
}

func (p *parser) offset() int { return p.base + int(p.dec.InputOffset()) }

// value reads the next value, in which the names own count.
func (p *parser) value(depth int, own spellings) (any, error) {
	switch p.dec.PeekKind() {
	case '{':
		_, view, err := p.object(depth+1, own, false)
		return view, err
	case '[':
		return p.array(depth+1, own)
	}
	token, err := p.dec.ReadToken()
	if err != nil {
		return nil, wrap(p.data, p.base, err)
	}
	switch token.Kind() {
	case '"':
		return token.String(), nil
	case '0':
		return number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

// object reads an object whose brace is next, and its members if wanted.
func (p *parser) object(depth int, own spellings, wanted bool) ([]hook.Member, map[string]any, error) {
	if err := p.open(depth); err != nil {
		return nil, nil, err
	}
	var members []hook.Member
	view := make(map[string]any)
	for p.dec.PeekKind() != '}' {
		name, err := p.name(own)
		if err != nil {
			return nil, nil, err
		}
		before := p.offset()
		v, err := p.value(depth, own.inside(name))
		if err != nil {
			return nil, nil, err
		}
		view[name] = v
		if wanted {
			members = append(members, hook.Member{Name: name, Raw: p.since(before)})
		}
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, nil, wrap(p.data, p.base, err)
	}
	return members, view, nil
}

// split reads only the members of an object that has been checked before.
func (p *parser) split() (members []hook.Member, err error) {
	if _, err = p.dec.ReadToken(); err != nil {
		return nil, err
	}
	for p.dec.PeekKind() == '"' {
		name, err := p.name(nil)
		if err != nil {
			return nil, err
		}
		before := p.offset()
		if err := p.dec.SkipValue(); err != nil {
			return nil, err
		}
		members = append(members, hook.Member{Name: name, Raw: p.since(before)})
	}
	return members, nil
}

func (p *parser) array(depth int, own spellings) (any, error) {
	if err := p.open(depth); err != nil {
		return nil, err
	}
	list := []any{}
	for p.dec.PeekKind() != ']' {
		v, err := p.value(depth, own)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, wrap(p.data, p.base, err)
	}
	return list, nil
}

// open reads the brace or bracket that starts level depth.
func (p *parser) open(depth int) error {
	if depth > MaxDepth {
		return syntaxError(p.data, p.offset(), "nested deeper than %d", MaxDepth)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return wrap(p.data, p.base, err)
	}
	return nil
}

// name reads the name of a member.
func (p *parser) name(own spellings) (string, error) {
	before := p.offset()
	token, err := p.dec.ReadToken()
	if err != nil {
		return "", wrap(p.data, p.base, err)
	}
	name := token.String()
	if variant := own.variant(name); variant != "" {
		e := syntaxError(p.data, p.offset()-len(p.since(before)), "name %q differs from %q only in case", name, variant)
		e.Ambiguous = true
		return "", e
	}
	return name, nil
}

// since returns the name or value that ends here and began after offset before.
func (p *parser) since(before int) []byte {
	end := p.offset()
	return bytes.TrimLeft(p.data[before:end:end], blanks+":,")
}

// number returns an int if text is whole and within 2^53, else a float64.
func number(text string) any {
	const exact = 1 << 53
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && -exact <= n && n <= exact {
		return int(n)
	}
	f, _ := strconv.ParseFloat(text, 64) // the grammar was checked; a range error gives ±Inf
	if math.Abs(f) <= exact && f == math.Trunc(f) && !isInteger(text) {
		return int(f)
	}
	return min(max(f, -math.MaxFloat64), math.MaxFloat64)
}

// isInteger reports whether text has neither fraction nor exponent.
func isInteger(text string) bool {
	for _, c := range []byte(text) {
		if c == '.' || c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}
