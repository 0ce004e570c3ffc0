package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonNode is a JSON value with its place in the source.
type jsonNode struct {
	start, end int // offsets of the value
	kind       jsontext.Kind
	name       string     // of the member that holds it
	text       string     // of a string
	kids       []jsonNode // members or elements
}

// parseTree reads src, in which comments count as white space.
func parseTree(src []byte) (jsonNode, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(blankComments(src)))
	root, err := readNode(dec)
	if err == nil {
		if _, err = dec.ReadToken(); err == io.EOF {
			return root, nil
		} else if err == nil {
			err = errors.New("something follows the end of the value")
		}
	}
	offset := int(dec.InputOffset())
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, err = int(syntax.ByteOffset), syntax.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = len(src), errors.New("it ends too early")
	}
	return root, placed(src, offset, err)
}

// placed puts the line and column of an offset before err.
func placed(src []byte, offset int, err error) error {
	before := src[:min(offset, len(src))]
	line := 1 + bytes.Count(before, []byte("\n"))
	col := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%d:%d: %w", line, col, err)
}

func readNode(dec *jsontext.Decoder) (n jsonNode, err error) {
	n.kind = dec.PeekKind()
	if n.kind != '{' && n.kind != '[' {
		value, err := dec.ReadValue()
		n.end = int(dec.InputOffset())
		n.start = n.end - len(value)
		if err == nil && n.kind == '"' {
			n.text, err = unquote(value)
		}
		return n, err
	}
	if _, err = dec.ReadToken(); err != nil {
		return n, err
	}
	n.start = int(dec.InputOffset()) - 1
	for kind := dec.PeekKind(); kind != '}' && kind != ']'; kind = dec.PeekKind() {
		var name string
		if n.kind == '{' {
			raw, err := dec.ReadValue()
			if err != nil {
				return n, err
			}
			if name, err = unquote(raw); err != nil {
				return n, err
			}
		}
		kid, err := readNode(dec)
		if err != nil {
			return n, err
		}
		kid.name = name
		n.kids = append(n.kids, kid)
	}
	_, err = dec.ReadToken()
	n.end = int(dec.InputOffset())
	return n, err
}

func unquote(raw []byte) (string, error) {
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err
}

// member returns the member name of an object, nil if there is none.
func (n *jsonNode) member(name string) *jsonNode {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i := range n.kids {
		if n.kids[i].name == name {
			return &n.kids[i]
		}
	}
	return nil
}

// blankComments returns src with a byte order mark and all comments turned
// into blanks, so that every offset stays.
func blankComments(src []byte) []byte {
	out := bytes.Clone(src)
	if bytes.HasPrefix(out, []byte("\ufeff")) {
		copy(out, "   ")
	}
	for i := 0; i < len(out); {
		switch {
		case out[i] == '"':
			i = stringEnd(out, i)
		case bytes.HasPrefix(out[i:], []byte("//")):
			i = blank(out, i, lengthTo(out[i:], "\n", 0))
		case bytes.HasPrefix(out[i:], []byte("/*")):
			i = blank(out, i, lengthTo(out[i:], "*/", 2))
		default:
			i++
		}
	}
	return out
}

// stringEnd returns the offset after the string that starts at i.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

// lengthTo returns the length of text up to mark, with extra bytes of it.
func lengthTo(text []byte, mark string, extra int) int {
	from := min(extra, len(text)) // the star of "/*" does not end it
	if n := bytes.Index(text[from:], []byte(mark)); n >= 0 {
		return from + n + extra
	}
	return len(text)
}

func blank(src []byte, i, n int) int {
	for end := i + n; i < end; i++ {
		if src[i] != '\n' && src[i] != '\r' {
			src[i] = ' '
		}
	}
	return i
}
