package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pawl-dev/pawl/engine/hook"
)

// jsonReader turns the tokens of jsontext into nodes.
type jsonReader struct {
	*text
	blank []byte // the text with its comments blanked: the same offsets
	dec   *jsontext.Decoder
	count int
}

// readJSON reads t behind the first from bytes; comments may stand anywhere.
// The node is nil if there is no value; with an error the text is lost as a
// whole.
func readJSON(t *text, from int) (*node, *hook.Diagnostic) {
	blank, open := blankComments(t.data)
	if open >= 0 {
		return nil, t.broken(open, "not valid JSON: this comment does not end", "close it with */")
	}
	if from > 0 {
		blank = bytes.Clone(blank)
		wipe(blank, 0, from)
	}
	r := jsonReader{text: t, blank: blank}
	if len(bytes.TrimSpace(blank)) == 0 {
		return nil, nil
	}
	r.dec = jsontext.NewDecoder(bytes.NewBuffer(blank), jsontext.AllowDuplicateNames(true))
	root, bad := r.node(way{})
	if bad != nil {
		return nil, bad
	}
	if rest := r.next(); rest < len(blank) {
		return nil, t.broken(rest, "not valid JSON: more text after the end of the value", "remove it")
	}
	return root, nil
}

// next returns the offset of the next token.
func (r *jsonReader) next() int {
	off := int(r.dec.InputOffset())
	for off < len(r.blank) && strings.IndexByte(" \t\r\n,:", r.blank[off]) >= 0 {
		off++
	}
	return off
}

func (r *jsonReader) node(w way) (*node, *hook.Diagnostic) {
	off := r.next()
	if w.depth++; w.depth > maxDepth {
		return nil, r.broken(off, fmt.Sprintf("nested deeper than %d levels", maxDepth), "")
	}
	if r.count++; r.count > maxNodes {
		return nil, r.tooMany(off)
	}
	tok, err := r.dec.ReadToken()
	if err != nil {
		return nil, r.fail(err)
	}
	n := &node{pos: r.pos(off), parent: w.parent, key: w.key, index: w.index}
	switch tok.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		n.kind, n.text = boolNode, tok.String()
	case jsontext.KindString:
		n.kind, n.text = textNode, tok.String()
	case jsontext.KindNumber:
		n.kind, n.text = numberNode, tok.String()
		n.num = jsonNumber(n.text)
		if f, ok := n.num.(float64); ok && math.IsInf(f, 0) {
			n.fault(fault{pos: n.pos, message: n.text + " is not a finite number"})
		}
	case jsontext.KindBeginArray:
		n.kind = listNode
		return n, r.list(n, w.depth)
	case jsontext.KindBeginObject:
		n.kind = mapNode
		return n, r.object(n, w.depth)
	}
	return n, nil
}

func (r *jsonReader) list(n *node, depth int) *hook.Diagnostic {
	for r.dec.PeekKind() != jsontext.KindEndArray {
		item, bad := r.node(way{parent: n, index: len(n.items), depth: depth})
		if bad != nil {
			return bad
		}
		n.items = append(n.items, item)
	}
	return r.end()
}

func (r *jsonReader) object(n *node, depth int) *hook.Diagnostic {
	for r.dec.PeekKind() != jsontext.KindEndObject {
		off := r.next()
		tok, err := r.dec.ReadToken()
		if err != nil {
			return r.fail(err)
		}
		name := tok.String()
		v, bad := r.node(way{parent: n, key: name, depth: depth})
		if bad != nil {
			return bad
		}
		n.add(member{name, r.pos(off), v})
	}
	return r.end()
}

func (r *jsonReader) end() *hook.Diagnostic {
	if _, err := r.dec.ReadToken(); err != nil {
		return r.fail(err)
	}
	return nil
}

func jsonNumber(s string) any {
	if i, err := strconv.Atoi(s); err == nil {
		return i
	}
	f, _ := strconv.ParseFloat(s, 64) // out of range: infinite
	return f
}

// fail is the Diagnostic of a syntax error.
func (r *jsonReader) fail(err error) *hook.Diagnostic {
	off, message := len(r.blank), "the text ends in the middle of a value"
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
		off, message = min(int(syntax.ByteOffset), len(r.blank)), syntax.Err.Error()
		off += len(r.blank[off:]) - len(bytes.TrimLeft(r.blank[off:], " \t\r\n"))
	}
	return r.broken(off, "not valid JSON: "+message, r.advise(off, message))
}

func (r *jsonReader) advise(off int, message string) string {
	rest := r.blank[min(off, len(r.blank)):]
	switch at := firstByte(rest); {
	case at == ',' && strings.IndexByte("}]", firstByte(rest[1:])) >= 0:
		return "remove this comma"
	case strings.Contains(message, "expecting ','"):
		return "a comma is missing before it"
	case at == '\'' || at >= 'a' && at <= 'z' || at >= 'A' && at <= 'Z':
		return "text that begins with { is read as JSON: names and strings need double quotes"
	}
	return ""
}

// firstByte returns the first byte of b that is not white space, or 0.
func firstByte(b []byte) byte {
	if b = bytes.TrimLeft(b, " \t\r\n"); len(b) > 0 {
		return b[0]
	}
	return 0
}
