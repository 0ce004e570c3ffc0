package shell

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var errDeep = errors.New("nested too deep")

// depthReader hands the text to the parser and fails when the parser's stack
// has grown beyond what any sensible text needs. The parser reads 1 KiB at a
// time, so the check sees every depth soon after it is reached.
type depthReader struct {
	text   string
	frames [1]uintptr
}

func (r *depthReader) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	if runtime.Callers(maxFrames, r.frames[:]) > 0 {
		return 0, errDeep
	}
	n := copy(p[:min(len(p), 1024)], r.text)
	r.text = r.text[n:]
	return n, nil
}

// parsed is what the parser made of a text.
type parsed struct {
	stmts []*syntax.Stmt
	end   int   // offset behind the last whole statement
	err   error // why the text behind end could not be parsed
}

// parse reads text as bash. Every statement before an error counts.
func parse(text string) (out parsed) {
	defer func() {
		if r := recover(); r != nil {
			out.err = fmt.Errorf("the parser failed: %v", r)
		}
	}()
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	err := p.Stmts(&depthReader{text: text}, func(s *syntax.Stmt) bool {
		out.stmts = append(out.stmts, s)
		out.end = max(out.end, min(int(s.End().Offset()), len(text)))
		return true
	})
	out.err = err
	return out
}

// mend parses what is behind an error once more, filling in what is missing
// (`then` without `fi`, an open bracket), so that guards see its commands.
func mend(text string) (stmts []*syntax.Stmt) {
	defer func() {
		if recover() != nil {
			stmts = nil
		}
	}()
	p := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.RecoverErrors(16))
	_ = p.Stmts(&depthReader{text: text}, func(s *syntax.Stmt) bool {
		stmts = append(stmts, s)
		return true
	})
	return stmts
}

// document parses text as the body of a double-quoted string, for the
// substitutions in it.
func document(text string) (w *syntax.Word) {
	defer func() {
		if recover() != nil {
			w = nil
		}
	}()
	w, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Document(&depthReader{text: text})
	if err != nil {
		return nil
	}
	return w
}

// segments cuts text at separators and brackets, quotes or not: the last
// resort for text that does not parse.
func segments(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(";&|\n(){}`", r)
	})
}
