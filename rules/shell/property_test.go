package shell

import (
	"os"
	"os/exec"
	"path/filepath"
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

// spelling draws one way to write a text that may or may not run `rm x`.
func spelling(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{"rm x", `r\m x`, `'rm' x`, `"r"m x`, `$'\162m' x`, "{rm,x}", "echo rm x", "echo 'a; rm x'", "true # rm x", "A=rm; $A x", "A='rm x'; $A", "x='rm y'", ": rm x", "rm\\\n x", "'rm x'", "echo \\\nrm x"}).Draw(t, "leaf")
	}
	in := spelling(t, depth-1)
	return rapid.SampledFrom([]func() string{
		func() string { return "bash -c " + quote(in) },
		func() string { return "eval " + quote(in) },
		func() string { return "( " + in + "\n)" },
		func() string { return "{ " + in + "\n}" },
		func() string { return "if true; then " + in + "\nfi" },
		func() string { return "for i in 1; do " + in + "\ndone" },
		func() string { return "f() { " + in + "\n}; f" },
		func() string { return "echo \"$(" + in + "\n)\"" },
		func() string { return "sh <<'E'\n" + in + "\nE" },
		func() string { return "cat <<'E'\n" + in + "\nE" },
		func() string { return "bash <<< " + quote(in) },
		func() string { return "echo " + quote(in) },
		func() string { return "echo " + quote(in) + " | sh" },
		func() string { return "trap " + quote(in) + " EXIT" },
		func() string { return "true && " + in },
		func() string { return "env A=1 sh -c " + quote(in) },
		func() string { return "case a in a) " + in + "\n;; esac" },
		func() string { return "printf '%s\\n' " + quote(in) + " | bash" },
	}).Draw(t, "shape")()
}

// What real bash runs is never called data. rm is a stub that leaves a mark;
// nothing else is on the path but what the texts need.
func TestAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the oracle is bash itself, and there is none here")
	}
	dir := t.TempDir()
	bin, mark := filepath.Join(dir, "bin"), filepath.Join(dir, "ran")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	stub := "#!" + bash + "\n[ $# -gt 0 ] && echo \"$*\" >>" + mark + "\n"
	if err := os.WriteFile(filepath.Join(bin, "rm"), []byte(stub), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"bash": bash, "sh": bash, "cat": "/bin/cat", "env": "/usr/bin/env"} {
		if err := os.Symlink(target, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	g := CompileGlob("rm *")
	runs, ran := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		if runs++; runs > 60 {
			return // a process each
		}
		text := spelling(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		cmd := exec.Command(bash, "--norc", "--noprofile", "-c", text)
		cmd.Env, cmd.Dir = []string{"PATH=" + bin}, dir
		_ = cmd.Run()
		_, err := os.Stat(mark)
		_ = os.Remove(mark)
		if err == nil {
			ran++
		}
		if got, _, why := g.Match(Parse(text, Options{}), false); err == nil && got == hook.No {
			t.Fatalf("%q ran rm, but is called data (%s)", text, why)
		}
	})
	if ran == 0 {
		t.Error("no text ran the stub: the oracle says nothing")
	}
}
