// Package policy_test asserts what the README of this example promises.
package policy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
)

func TestDecisions(t *testing.T) {
	eng, err := engine.Open(t.Context(), "pawl.yaml", engine.WithManaged(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	bash := func(cmd string) engine.Event {
		return engine.Event{Tool: "Bash", Input: engine.Input("command", cmd)}
	}
	write := func(path, mode string) engine.Event {
		return engine.Event{Tool: "Write", Mode: mode, Input: engine.Input("file_path", path, "content", "x")}
	}
	for _, c := range []struct {
		name   string
		event  engine.Event
		want   engine.Verdict
		reason string // part of it
	}{
		{"plain", bash("ls -la"), engine.None, ""},
		{"seen through", bash("cd x && sudo rm -rf /"), engine.Deny, "use trash-put"},
		{"only data", bash("echo rm -rf /"), engine.None, ""},
		{"cannot tell", bash("$TOOL -rf build"), engine.Ask, "$TOOL"},
		{"path", write("/srv/prod/app.conf", "default"), engine.Deny, "production is read-only: /srv/prod/app.conf"},
		{"when", write("/srv/prod/app.conf", "plan"), engine.None, ""},
		{"cleaned path", write("/srv/prod/../test/app.conf", "default"), engine.None, ""},
		{"ask", bash("git push"), engine.Ask, "git push"},
		{"deny before ask", bash("git push --force origin"), engine.Deny, "git push --force"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := c.event
			ev.Name, ev.Session, ev.Dir = engine.PreToolUse, "s", "/tmp"
			dec := eng.Dispatch(t.Context(), ev)
			if dec.Verdict != c.want || !strings.Contains(dec.Reason(), c.reason) {
				t.Errorf("%s: %q, want %s with %q", dec.Verdict, dec.Reason(), c.want, c.reason)
			}
		})
	}
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestShownCommand runs the README's command as a reader would.
func TestShownCommand(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	command := shellBlock.FindSubmatch(readme)
	if command == nil {
		t.Fatal("README.md shows no command")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "pawl"), "../../cmd/pawl").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	run := func(command string) string {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		return string(out)
	}
	denied := run(string(command[1]))
	if !strings.Contains(denied, `"deny"`) || !strings.Contains(denied, "use trash-put") {
		t.Errorf("the shown command prints %q, want a deny with the reason", denied)
	}
	if out := run(strings.Replace(string(command[1]), "cd x && sudo rm -rf /", "ls -la", 1)); out != "" {
		t.Errorf("ls -la prints %q, want nothing", out)
	}
}
