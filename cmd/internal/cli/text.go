package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes s safe to print on one line of a terminal: control characters,
// invalid UTF-8 and characters that turn the text direction become visible.
func Escape(s string) string { return EscapeBut(s, "") }

// EscapeLines is escape that keeps line breaks and tabs.
func EscapeLines(s string) string { return EscapeBut(s, "\n\t") }

// EscapeBut is Escape that keeps the characters in keep.
func EscapeBut(s, keep string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether r steers a terminal or hides in a text.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// Columns returns how many terminal cells s takes; colours take none.
func Columns(s string) int {
	n, colour := 0, false
	for _, r := range s {
		switch {
		case r == '\x1b' || colour:
			colour = r != 'm'
		case unicode.Is(unicode.Mn, r):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}

// Pad fills s with blanks to n columns.
func Pad(s string, n int) string {
	if w := Columns(s); w < n {
		return s + strings.Repeat(" ", n-w)
	}
	return s
}

// Clip shortens s to n columns, 0 for no limit, and marks the cut.
func Clip(s string, n int) string {
	if n <= 0 || Columns(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		w := Columns(string(r))
		if used+w > n-1 {
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

// Wrap breaks s at blanks into lines of at most n columns, 0 for no limit.
// Line breaks of s stay. A word that is longer is broken.
func Wrap(s string, n int) []string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = wrapLine(lines, line, n)
	}
	return lines
}

func wrapLine(lines []string, line string, n int) []string {
	for n > 0 && Columns(line) > n {
		cut := breakAt(line, n)
		if head := strings.TrimRight(line[:cut], " "); head != "" {
			lines = append(lines, head)
		}
		if line = strings.TrimLeft(line[cut:], " "); line == "" {
			return lines
		}
	}
	return append(lines, line)
}

// breakAt returns the offset of the last blank that ends a line of at most n
// columns, or where n columns end. It is never 0.
func breakAt(line string, n int) int {
	used, blank := 0, 0
	for i, r := range line {
		if r == ' ' && i > 0 {
			blank = i
		}
		w := Columns(string(r))
		if used+w > n {
			if blank > 0 {
				return blank
			}
			if i == 0 {
				return utf8.RuneLen(r)
			}
			return i
		}
		used += w
	}
	return len(line)
}

// Plural returns "1 rule" or "2 rules".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
