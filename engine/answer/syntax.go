package answer

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError says where bytes are not one JSON object, and why.
type SyntaxError struct {
	Offset    int // in bytes from the start of the input, a byte order mark included
	Line, Col int // from 1; Col in bytes
	Msg       string

	// Ambiguous: two readers could read two different messages, because a
	// name occurs twice or differs from a protocol name only in case.
	Ambiguous bool
}

// Error returns "line:col: what is wrong".
func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// syntaxError makes an error at an offset of data.
func syntaxError(data []byte, offset int, format string, args ...any) *SyntaxError {
	offset = min(max(offset, 0), len(data))
	before := data[:offset]
	return &SyntaxError{
		Offset: offset,
		Line:   1 + bytes.Count(before, []byte{'\n'}),
		Col:    offset - bytes.LastIndexByte(before, '\n'),
		Msg:    fmt.Sprintf(format, args...),
	}
}

// wrap gives an error of the tokenizer our position and words. The offsets of
// err count from base.
func wrap(data []byte, base int, err error) *SyntaxError {
	s, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok || errors.Is(err, io.ErrUnexpectedEOF) {
		return syntaxError(data, len(data), "the text ends inside the object (cut off?)")
	}
	at := base + int(s.ByteOffset)
	switch {
	case errors.Is(s.Err, jsontext.ErrDuplicateName):
		e := syntaxError(data, at, "duplicate name %.60q", s.JSONPointer.LastToken())
		e.Ambiguous = true
		return e
	case at < len(data) && data[at] == 0:
		return syntaxError(data, at, "NUL byte")
	}
	return syntaxError(data, at, "%v", s.Err)
}
