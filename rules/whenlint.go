package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/file"
	"github.com/pawl-dev/pawl/engine/hook"
)

// report turns an error of the compiler into a diagnostic. Our own come first
// and say it better.
func (l *lowering) report(err error) {
	if l.notes.failed() {
		return
	}
	message, offset := faultOf(err)
	message, offset, advice := plainer(l.cond.source, message, offset)
	l.failAt(offset, message, advice)
}

// faultOf returns the message of an error of expr in one line, and its rune
// offset into the source.
func faultOf(err error) (string, int) {
	fault, ok := errors.AsType[*file.Error](err)
	if !ok {
		return err.Error(), 0
	}
	message, _, _ := strings.Cut(fault.Message, "\n")
	return message, fault.From
}

// placeAt is the position of a rune offset in a text that starts at pos.
func placeAt(pos hook.Position, source string, runes int) hook.Position {
	if pos.Line == 0 || pos.Col == 0 {
		return pos
	}
	at := 0
	for ; runes > 0 && at < len(source); runes-- {
		_, n := utf8.DecodeRuneInString(source[at:])
		at += n
	}
	before := source[:at]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		pos.Line += strings.Count(before, "\n")
		pos.Col = at - i
		return pos
	}
	pos.Col += at
	return pos
}

// lint warns of names and input fields that no matched tool has, and of
// regular expressions over a whole shell text.
func (l *lowering) lint() {
	l.lintNames()
	for _, at := range l.raw {
		l.noteAt(at, hook.Warning, "this looks at the raw text of a command, where quotes and line breaks hide words", `write bash("rm *"), which looks at what runs`)
	}
	tools := l.tools
	if len(tools) == 0 {
		tools = l.notes.scope.Subjects
	}
	var known []string
	for _, t := range tools {
		fields := hook.ToolFields(t)
		if fields == nil {
			return
		}
		known = append(known, fields...)
	}
	if len(known) == 0 {
		return
	}
	for _, u := range l.fields {
		if !slices.Contains(known, u.name) {
			l.noteAt(u.offset, hook.Warning, fmt.Sprintf("%s has no input field %q", strings.Join(tools, ", "), u.name), hook.DidYouMean(u.name, known))
		}
	}
}
