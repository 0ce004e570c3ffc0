package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain ünï 日本", "plain ünï 日本"},
		{"\x1b[31mred\x07", `\x1b[31mred\x07`},
		{"a\nb\tc\r", `a\nb\tc\r`},
		{"\x00\x7f", `\x00\x7f`},
		{"\u009b31m", `\u009b31m`},
		{"left\u202eright\u200b", `left\u202eright\u200b`},
		{"line\u2028sep", `line\u2028sep`},
		{"bad \xff utf8", `bad \xff utf8`},
	} {
		if got := Escape(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := EscapeLines("a\n\tb\x1b"); got != "a\n\tb\\x1b" {
		t.Errorf("escapeLines: %q", got)
	}
}

// TestEscapeLeavesNothingHidden: what is escaped steers no terminal, and
// escaping it again changes nothing but the backslashes' own text.
func TestEscapeLeavesNothingHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := Escape(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text"))
		if !utf8.ValidString(got) || strings.ContainsFunc(got, hidden) || Escape(got) != got {
			t.Fatalf("%q", got)
		}
	})
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 0, []string{"one two three"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a\nb", 80, []string{"a", "b"}},
		{"日本語の文", 4, []string{"日本", "語の", "文"}},
		{"日", 1, []string{"日"}},
		{"", 5, []string{""}},
	} {
		if got := Wrap(tt.in, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

// TestWrapKeepsWords: no line is wider than asked (but for one character
// that is), and nothing but blanks is lost.
func TestWrapKeepsWords(t *testing.T) {
	squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z日é ]{0,60}`).Draw(t, "text")
		n := rapid.IntRange(2, 30).Draw(t, "n")
		lines := Wrap(text, n)
		for _, l := range lines {
			if Columns(l) > n {
				t.Fatalf("%q is wider than %d", l, n)
			}
		}
		if squeeze(strings.Join(lines, "")) != squeeze(text) {
			t.Fatalf("%q became %q", text, lines)
		}
	})
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{{"abcdef", 4, "abc…"}, {"abcd", 4, "abcd"}, {"abcd", 0, "abcd"}, {"日本語", 4, "日…"}} {
		if got := Clip(tt.in, tt.n); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestWantsColour(t *testing.T) {
	for _, tt := range []struct {
		env      map[string]string
		terminal bool
		want     bool
	}{
		{nil, true, true},
		{nil, false, false},
		{map[string]string{"NO_COLOR": "1"}, true, false},
		{map[string]string{"FORCE_COLOR": "1"}, false, true},
		{map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, true, false},
		{map[string]string{"FORCE_COLOR": "0"}, true, false},
		{map[string]string{"TERM": "dumb"}, true, false},
	} {
		if got := wantsColour(func(k string) string { return tt.env[k] }, tt.terminal); got != tt.want {
			t.Errorf("%v terminal %v: %v", tt.env, tt.terminal, got)
		}
	}
}
