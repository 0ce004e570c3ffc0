package shell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// trace parses and returns the work done.
func trace(text string) *run {
	var r *run
	Options{}.follow(text, func(s *scope) {
		r = s.run
		s.read()
	})
	return r
}

// The parser is not called for a text above the bounds.
func TestBoundsBeforeParser(t *testing.T) {
	for name, text := range map[string]string{
		"long":   "rm " + strings.Repeat("'x' ", maxText/4),
		"subst":  strings.Repeat("$(", 100_000),
		"closed": strings.Repeat("(", 1000) + strings.Repeat(")", 1000),
		"quoted": strings.Repeat(`"$(`, 50_000),
		"param":  strings.Repeat("${a:-", 1000),
		"arith":  strings.Repeat("$((", 1000),
		"tick":   strings.Repeat("\\`", 10_000),
	} {
		r := trace(text)
		if r.parses != 0 || !r.out.Opaque {
			t.Errorf("%s: %d calls of the parser, opaque %v", name, r.parses, r.out.Opaque)
		}
	}
}

// Text whose quotes hide its depth from the scan is stopped by the depth of
// the parser's own stack, soon after the bound.
func TestHiddenDepth(t *testing.T) {
	for _, unit := range []string{"$(case x in a) ", "$(#)\n", "\"$(#)\n", "$(')' "} {
		text := strings.Repeat(unit, maxText/len(unit))
		if p := parse(text); p.err == nil {
			t.Errorf("%q: parsed", unit)
		}
	}
}

// Work is linear in the size of the text, whatever its shape: calls of the
// parser, bytes given to it, steps, and what comes out.
func TestLinearWork(t *testing.T) {
	shapes := map[string]func(n int) string{
		"list":      func(n int) string { return strings.Repeat("'ls'; ", n) },
		"heredocs":  func(n int) string { return strings.Repeat("cat <<A\nA\n", n) },
		"open":      func(n int) string { return strings.Repeat("cat <<A\n", n) },
		"eval":      func(n int) string { return strings.Repeat("eval ", n) + "'ls'" },
		"sudo":      func(n int) string { return strings.Repeat("sudo ", n) + "'ls'" },
		"texts":     func(n int) string { return strings.Repeat("bash -c 'ls';", n) },
		"braces":    func(n int) string { return strings.Repeat("{1..999} ", n) },
		"loops":     func(n int) string { return "for a in 1 2 3 4 5 6 7 8; do " + strings.Repeat("ls $a;", n) + "done" },
		"variables": func(n int) string { return strings.Repeat("A=1; $(ls $A);", n) },
		"pipes":     func(n int) string { return strings.Repeat("echo a | ", n) + "sh" },
		"find":      func(n int) string { return "find . " + strings.Repeat("-exec ls {} + ", n) },
		"operands":  func(n int) string { return "tmux " + strings.Repeat("'a' ", n) },
		"broken":    func(n int) string { return strings.Repeat("ls; ) ; ", n) },
	}
	for name, shape := range shapes {
		for _, n := range []int{100, 1000, 10_000} {
			text := shape(n)
			r := trace(text)
			if r.left < 0 || r.parses > 8+reread(len(text))/128 {
				t.Errorf("%s of %d bytes: %d parses, %d bytes left", name, len(text), r.parses, r.left)
			}
			if r.walked > maxWalk+len(text) {
				t.Errorf("%s of %d bytes: %d steps", name, len(text), r.walked)
			}
			if got := len(r.out.List) + len(r.out.Possible); got > maxCommands || len(r.out.Unknown) > 64 {
				t.Errorf("%s of %d bytes: %d commands, %d doubts", name, len(text), got, len(r.out.Unknown))
			}
		}
	}
}

// Quoting within quoting is followed to a depth, then anything may run.
func TestDeepTexts(t *testing.T) {
	text := "rm x"
	for depth := range 16 {
		got, _, _ := CompileGlob("rm *").Match(Parse(text, Options{}), false)
		if want := hook.Yes; depth <= 8 && got != want || got == hook.No {
			t.Errorf("depth %d: got %v", depth, got)
		}
		text = fmt.Sprintf("bash -c %s", quote(text))
		if len(text) > maxText {
			break
		}
	}
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
