package settings

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for _, r := range []struct {
		name, src string
		line, col int
		want      string
	}{
		{"first line", "abc\ndef", 1, 2, "abc\n ^"},
		{"last line, CRLF", "abc\r\ndef\r\n", 2, 3, "def\n  ^"},
		{"tabs", "\ta\tb", 1, 4, "\ta\tb\n\t \t^"},
		{"behind the end", "abc", 1, 99, "abc\n   ^"},
		{"no column", "abc", 1, 0, "abc"},
		{"no line", "abc", 2, 1, ""},
		{"line 0", "abc", 0, 1, ""},
		{"empty", "", 1, 1, "\n^"},
		{"characters of several bytes", "写入前 x", 1, 11, "写入前 x\n    ^"},
		{"nothing that moves a cursor", "a\x1b[31mb\x00", 1, 7, "a?[31mb?\n      ^"},
		{"long, start", long, 1, 1, long[:100] + "…\n^"},
		{"long, middle", long, 1, 151, "…" + long[90:190] + "…\n" + strings.Repeat(" ", 61) + "^"},
		{"long, end", long, 1, 301, "…" + long[200:] + "\n" + strings.Repeat(" ", 101) + "^"},
		{"long, inside a character", strings.Repeat("é", 150), 1, 152, "…" + strings.Repeat("é", 50) + "…\n" + strings.Repeat(" ", 32) + "^"},
	} {
		t.Run(r.name, func(t *testing.T) {
			if got := Excerpt([]byte(r.src), hook.Position{Line: r.line, Col: r.col}, 100); got != r.want {
				t.Errorf("got\n%q\nwant\n%q", got, r.want)
			}
		})
	}
}

func TestExcerptOfAnyWidth(t *testing.T) {
	line := strings.Repeat("0123456789", 30)
	for width := 1; width < 120; width++ {
		for col := 1; col <= len(line); col += 7 {
			shown, caret, _ := strings.Cut(Excerpt([]byte(line), hook.Position{Line: 1, Col: col}, width), "\n")
			under := []rune(shown)
			if at := len(caret) - 1; len(under) > width+2 || at >= len(under) || under[at] != rune(line[col-1]) {
				t.Fatalf("width %d, column %d:\n%s\n%s", width, col, shown, caret)
			}
		}
	}
}
