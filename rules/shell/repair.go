package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxRepairs bounds how often one text is parsed again.
const maxRepairs = 8

// repair rewrites what bash takes and the parser does not, such that the text
// means the same and every byte stays where it is, but for a blank that tells
// `( (` from `((`. It returns false if it knows no way.
//
//	cat <<E         without its end: bash warns, and ends it with the text
//	! ! a, time ! a each ! is one
//	a[1]=2 b        arrays and elements may be set before a command
//	((a); b)        what ends with one bracket is no arithmetic
func repair(text string, err error) (string, bool) {
	if name, ok := unclosed(err); ok {
		return text + "\n" + name + "\n", true
	}
	var at syntax.ParseError
	if !errors.As(err, &at) || int(at.Pos.Offset()) >= len(text) {
		return "", false
	}
	from := int(at.Pos.Offset())
	switch {
	case strings.HasPrefix(at.Text, "cannot negate") || strings.HasPrefix(at.Text, "`!` can only be"):
		if strings.HasPrefix(text[from:], "!") {
			return text[:from] + " " + text[from+1:], true
		}
	case strings.HasPrefix(at.Text, "inline variables"):
		if end := assignmentEnd(text, from); end < len(text) && (text[end] == ' ' || text[end] == '\t') {
			return text[:end] + ";" + text[end+1:], true
		}
	default:
		if again := subshells(text); len(again) > len(text) {
			return again, true
		}
	}
	return "", false
}

// assignmentEnd is the index behind the assignment at from: its subscript, its
// list or value.
func assignmentEnd(text string, from int) int {
	depth := 0
	for i := from; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\', '\'', '"', '`':
			i = quotedEnd(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ' ', '\t', '\n', ';', '&', '|':
			if depth <= 0 {
				return i
			}
		}
	}
	return len(text)
}

// quotedEnd is the index of the last byte of the quoted part at i.
func quotedEnd(text string, i int) int {
	open := text[i]
	if open == '\\' {
		return i + 1
	}
	for i++; i < len(text) && text[i] != open; i++ {
		if text[i] == '\\' && open != '\'' {
			i++
		}
	}
	return i
}

// subshells puts a blank into each `((` that bash does not read as arithmetic,
// as the bracket that closes the second is not followed by another.
func subshells(text string) string {
	var open []int // indexes of brackets
	single := map[int]bool{}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\', '\'':
			i = quotedEnd(text, i)
		case '(':
			open = append(open, i)
		case ')':
			if len(open) == 0 {
				continue
			}
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if at > 0 && text[at-1] == '(' && (i+1 == len(text) || text[i+1] != ')') {
				single[at] = true
			}
		}
	}
	if len(single) == 0 {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if single[i] {
			b.WriteByte(' ')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// shortened makes the parser end here-documents where bash does. bash ends one
// at the first line that is its delimiter, be it within an expansion; the
// parser reads the expansion to its end, and takes for data what bash runs. The
// body is made plain in the text that it returns.
func shortened(text string, list []*syntax.Stmt) (string, bool) {
	if !strings.Contains(text, "<<") || !strings.ContainsAny(text, "$`") {
		return text, false
	}
	from, to := -1, -1
	for _, st := range list {
		syntax.Walk(st, func(n syntax.Node) bool {
			r, ok := n.(*syntax.Redirect)
			if ok && from < 0 && r.Hdoc != nil && (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc) && !quotedDelimiter(r.Word) {
				start, end := int(r.Hdoc.Pos().Offset()), min(int(r.Hdoc.End().Offset()), len(text))
				if at := delimiterLine(text, start, end, r.Word.Lit(), r.Op == syntax.DashHdoc); at >= 0 {
					from, to = start, at
				}
			}
			return from < 0
		})
	}
	if from < 0 {
		return text, false
	}
	body := strings.NewReplacer("$", " ", "`", " ").Replace(text[from:to])
	return text[:from] + body + text[to:], true
}

// delimiterLine is the index of the first line of text[start:end] that is the
// delimiter, or -1.
func delimiterLine(text string, start, end int, delimiter string, tabs bool) int {
	for at := start; at < end; {
		line, _, _ := strings.Cut(text[at:], "\n")
		bare := line
		if tabs {
			bare = strings.TrimLeft(line, "\t")
		}
		before := text[start:at]
		if slashes := len(before) - len(strings.TrimRight(strings.TrimSuffix(before, "\n"), "\\")) - 1; bare == delimiter && slashes%2 != 1 && at+len(line) < end {
			return at
		}
		at += len(line) + 1
	}
	return -1
}
