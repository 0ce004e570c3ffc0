package settings

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Excerpt returns the line of src at pos and below it a caret under the
// column, without a line break at the end; "" if there is no such line. Tabs
// stay, so that the caret lines up; other control characters become "?",
// because the text may reach a terminal. Of a line longer than width bytes it
// shows the part around the column, in at most two columns more: "…" on either
// side. Without a column there is no caret.
func Excerpt(src []byte, pos hook.Position, width int) string {
	t := newText(pos.File, src)
	if pos.Line < 1 || pos.Line > len(t.lines) {
		return ""
	}
	line := t.line(pos.Line)
	at := max(0, min(pos.Col-1, len(line)))
	start, end := 0, len(line)
	head, tail := "", ""
	if len(line) > width {
		if start = max(0, min(at-width*3/5, len(line)-width)); start > 0 {
			start, head = boundary(line, start), "…"
		}
		if end = start + width; end < len(line) {
			end, tail = boundary(line, end), "…"
		}
		end = min(end, len(line))
	}
	shown := head + printable(line[start:end]) + tail
	if pos.Col < 1 {
		return shown
	}
	return shown + "\n" + padding(head+printable(line[start:at])) + "^"
}

// boundary returns the offset of the character that i is in.
func boundary(s string, i int) int {
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// padding is white space as wide as s.
func padding(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, s)
}
