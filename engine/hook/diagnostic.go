package hook

import (
	"fmt"
	"strings"
)

// Severity grades a Diagnostic.
type Severity uint8

const (
	Note    Severity = iota // worth knowing: a clamp, a reading chosen
	Warning                 // has no effect, or another than it seems
	Error                   // broken, contradictory, or can never fire
)

// String returns note, warning or error.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[min(s, Error)] }

// MarshalText writes the word of s.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Position is a place in a file. Line and Col count from 1, Col in bytes;
// 0 means unknown.
type Position struct {
	File      string
	Line, Col int
}

// String returns file:line:col, without the parts that are unknown.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Diagnostic is one thing that is wrong in a settings file or an answer.
// It is an error value.
type Diagnostic struct {
	Severity Severity
	Pos      Position
	Path     string // hooks.PreToolUse[0].matcher
	Message  string // lower case: what is wrong, expected and got
	Advice   string // what to write instead, or ""
}

// Error returns "file:line:col: path: message (advice)".
func (d Diagnostic) Error() string {
	var b strings.Builder
	for _, part := range []string{d.Pos.String(), d.Path} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString(d.Message)
	if d.Advice != "" {
		b.WriteString(" (" + d.Advice + ")")
	}
	return b.String()
}

// DidYouMean is the advice for a misspelt word, or "" where nothing is near.
func DidYouMean(word string, candidates []string) string {
	if n := Nearest(word, candidates); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return ""
}
