package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

// TestBashCompletion asks bash what it offers at the end of a line.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to ask")
	}
	dir := t.TempDir()
	for _, name := range []string{"a policy.yaml", "b.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, cmd := range program().All() {
		names = append(names, cmd.Name)
	}
	slices.Sort(names)
	for line, want := range map[string][]string{
		"":                       names,
		"ex":                     {"explain"},
		"check --j":              {"--json"},
		"check x --time":         {"--timeouts"},
		"hook --agent cl":        {"claude"},
		"hook --agent = cl":      {"claude"},
		"hook --agent =":         {"claude", "echo", "pawl"},
		"init --agent ":          {"claude"},
		"hook --config ":         {"a policy.yaml", "b.yaml"},
		"hook --config = b":      {"b.yaml"},
		"hook --config x --conf": {"--config"},
		"check ":                 {"a policy.yaml", "b.yaml"},
		"completion ":            {"bash", "fish", "zsh"},
		"help tr":                {"trust", "try"},
		"try --tool Wri":         {"Write"},
		"try --input ":           nil,
		"nonsense --":            nil,
	} {
		words := append([]string{"pawl"}, strings.Split(line, " ")...)
		for i, w := range words {
			words[i] = cli.QuoteShell(w)
		}
		script := fmt.Sprintf("%s\nCOMP_WORDS=(%s); COMP_CWORD=%d; _pawl; [ ${#COMPREPLY[@]} = 0 ] || printf '%%s\\n' \"${COMPREPLY[@]}\"",
			bashCompletion(program().All()), strings.Join(words, " "), len(words)-1)
		cmd := exec.Command(bash, "--norc", "-c", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("pawl %s: offers %q, want %q", line, got, want)
		}
	}
}

// TestCompletionsAreWhole: each script names every command and flag, and a
// shell that is there takes it.
func TestCompletionsAreWhole(t *testing.T) {
	for shell, script := range map[string]string{
		"bash": bashCompletion(program().All()), "zsh": zshCompletion(program().All()), "fish": fishCompletion(program().All()),
	} {
		for _, cmd := range program().All() {
			if !strings.Contains(script, cmd.Name) {
				t.Errorf("%s: no command %s", shell, cmd.Name)
			}
			for _, f := range cmd.Flags {
				dashes := "--" + f.Name
				if shell == "fish" {
					dashes = " " + cmd.Name + "' -l " + f.Name
				}
				if !strings.Contains(script, dashes) {
					t.Errorf("%s: %s lacks --%s", shell, cmd.Name, f.Name)
				}
			}
		}
		if path, err := exec.LookPath(shell); err == nil {
			cmd := exec.Command(path, "-n", "/dev/stdin")
			cmd.Stdin = strings.NewReader(script)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, out)
			}
		}
	}
}
