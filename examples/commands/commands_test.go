//go:build unix

// Package commands_test runs the policy of the example against its scripts.
package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// open opens the example in a directory of the test's own.
func open(t *testing.T, opts ...engine.Option) (*engine.Engine, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"bin/check-version", "bin/unit-tests"} {
		if err := os.Chmod(filepath.Join(dir, script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	opts = append(opts, engine.WithTrust(func(string) bool { return true }),
		engine.WithHome(t.TempDir()), engine.WithManaged(t.TempDir()), engine.WithScratch(t.TempDir()))
	eng, err := engine.Open(t.Context(), dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return eng, dir
}

func TestOnce(t *testing.T) {
	var messages []string
	eng, dir := open(t, engine.WithObserver(func(p engine.Progress) {
		if !p.Ended {
			messages = append(messages, p.Message)
		}
	}))
	defer eng.Close(t.Context())
	start := engine.Event{Name: engine.SessionStart, Session: "a", Dir: dir, Subject: "startup"}
	if dec := eng.Dispatch(t.Context(), start); strings.Join(dec.Context, "") != "Releases are cut on Tuesdays." {
		t.Errorf("context %q", dec.Context)
	}
	if dec := eng.Dispatch(t.Context(), start); len(dec.Context) > 0 {
		t.Errorf("the second time: context %q", dec.Context)
	}
	if len(messages) != 1 || messages[0] != "reading the notes" {
		t.Errorf("shown while it ran: %q", messages)
	}
}

func TestRelease(t *testing.T) {
	_, err := exec.LookPath("bwrap")
	confined := err == nil && exec.Command("bwrap", "--ro-bind", "/", "/", "--unshare-all", "true").Run() == nil
	eng, dir := open(t)
	defer eng.Close(t.Context())
	release := engine.Event{Name: engine.PreToolUse, Session: "a", Dir: dir, Tool: "Bash", Input: engine.Input("command", "make release")}
	for _, tt := range []struct{ file, text, bwrap, without string }{
		{"VERSION", "1.4.0\n", "", "bwrap"},
		{"VERSION", "soon\n", "no version such as 1.2.3", "bwrap"},
		{"CHANGES.md", "", "write CHANGES.md first\nVERSION holds no version", "write CHANGES.md first"},
	} {
		if err := os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := tt.bwrap
		if !confined {
			want = tt.without
		}
		dec := eng.Dispatch(t.Context(), release)
		if dec.Proceed() != (want == "") || !strings.Contains(dec.Reason(), want) {
			t.Errorf("%s holds %q: reason %q, want one with %q", tt.file, tt.text, dec.Reason(), want)
		}
	}
}

func TestBackground(t *testing.T) {
	woken := make(chan string, 1)
	eng, dir := open(t, engine.WithWake(func(session, text string) { woken <- session + ": " + text }))
	if err := os.WriteFile(filepath.Join(dir, "broken"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dec := eng.Dispatch(t.Context(), engine.Event{Name: engine.PostToolUse, Session: "a", Dir: dir, Tool: "Write",
		Input: engine.Input("file_path", "main.go", "content", "x")})
	if !dec.Proceed() || len(dec.Steps) != 2 || dec.Steps[0].Status != hook.Started {
		t.Errorf("decision %+v", dec)
	}
	if text := <-woken; !strings.Contains(text, "a: ") || !strings.Contains(text, "broken is there") {
		t.Errorf("woken with %q", text)
	}
	if err := eng.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if log, err := os.ReadFile(filepath.Join(dir, "edits.jsonl")); err != nil || !strings.Contains(string(log), `"file_path":"main.go"`) {
		t.Errorf("the log holds %q, %v", log, err)
	}
}
