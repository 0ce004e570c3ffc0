package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
)

// prefix draws a valid use of a wrapper, up to its command.
func prefix(t *rapid.T, w Wrapper) string {
	words := []string{w.Name}
	for _, f := range strings.Fields(w.Flags) {
		if len(words) < 4 && !has(w.Quits, f) && f != "-" && rapid.Bool().Draw(t, "flag") {
			words = append(words, dashed(f))
		}
	}
	for _, f := range strings.Fields(w.Values) {
		if len(words) < 8 && !has(w.Quits, f) && rapid.Bool().Draw(t, "value") {
			switch rapid.IntRange(0, 2).Draw(t, "form") {
			case 0:
				words = append(words, dashed(f), "v")
			case 1:
				words = append(words, dashed(f), `"$V"`)
			default:
				words = append(words, dashed(f)+map[bool]string{true: "=", false: ""}[len(f) > 1]+"v")
			}
		}
	}
	if w.Env && rapid.Bool().Draw(t, "env") {
		words = append(words, "A=1")
	}
	if w.Operands < NoCommand {
		for range w.Operands {
			words = append(words, "7")
		}
	}
	if w.Rest != "" {
		words = append(words, dashed(strings.Fields(w.Rest)[0]))
	} else if w.Dashes && (w.Operands == NoCommand || rapid.Bool().Draw(t, "dashes")) {
		words = append(words, "--")
	}
	return strings.Join(words, " ") + " "
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Wrapping a command in a wrapper of the table, with valid options, never
// hides it.
func TestWrappersHideNothing(t *testing.T) {
	var rows []Wrapper
	for _, w := range wrapperTable {
		if w.Operands < NoCommand || w.Rest != "" || w.Dashes {
			rows = append(rows, w)
		}
	}
	g := CompileGlob("rm *")
	rapid.Check(t, func(t *rapid.T) {
		text := "rm x"
		for range rapid.IntRange(1, 3).Draw(t, "layers") {
			w := rapid.SampledFrom(rows).Draw(t, "row")
			if w.Name == "builtin" || w.Name == "git bisect run" || w.Name == "runuser" { // which runs its operand only with -u
				continue
			}
			text = prefix(t, w) + text
		}
		if got, _, why := g.Match(Parse(text, Options{}), false); got == hook.No {
			t.Fatalf("%q: no (%s)", text, why)
		}
	})
}

// Options that take shell text never hide it.
func TestTextsHideNothing(t *testing.T) {
	g := CompileGlob("rm *")
	for _, w := range wrapperTable {
		for _, f := range strings.Fields(w.Shell + " " + w.Maybe) {
			text := w.Name + " " + dashed(f) + " 'ls; rm x' y"
			if got, _, why := g.Match(Parse(text, Options{}), false); got == hook.No {
				t.Errorf("%q: no (%s)", text, why)
			}
		}
	}
}
