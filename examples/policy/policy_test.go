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
	"github.com/pawl-dev/pawl/engine/policytest"
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
	if found := eng.Diagnostics(); len(found) > 0 {
		t.Errorf("the policy is not clean: %v", found)
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
		{"flag", bash("git push --force origin"), engine.Deny, "no force push"},
		{"flag anywhere", bash("git push origin main --force"), engine.Deny, "no force push"},
		{"flag in a cluster", bash("git push -uf origin main"), engine.Deny, "no force push"},
		{"another flag", bash("git push --force-with-lease"), engine.Ask, "git push"},
		{"permission", engine.Event{Tool: "mcp__production__restart"}, engine.Ask, "reaches the servers"},
		{"deny", engine.Event{Tool: "Read", Input: engine.Input("file_path", "~/.ssh/id_rsa")}, engine.Deny, "Read(~/.ssh/**)"},
		{"host", engine.Event{Tool: "WebFetch", Input: engine.Input("url", "https://wiki.internal/x")}, engine.Deny, "WebFetch"},
		{"command", engine.Event{Tool: "Write", Input: engine.Input("file_path", "/tmp/k", "content", "-----BEGIN PRIVATE KEY-----")}, engine.Deny, "keys do not belong"},
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

// TestCases runs pawl_test.yaml, in which every hook and rule fires.
func TestCases(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	report, err := policytest.Run(t.Context(), []string{"pawl_test.yaml"}, policytest.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != policytest.Passed {
			t.Errorf("line %d: %s: %s", r.Line, r.Name, strings.Join(r.Problems, "\n"))
		}
	}
	for _, u := range report.Coverage.Unreached {
		t.Errorf("%s (%s) fires in no test", u.ID, u.Pos)
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
