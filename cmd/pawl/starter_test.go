package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/policytest"
)

func starterEngine(t testing.TB) (*engine.Engine, string) {
	dir := t.TempDir()
	path := filepath.Join(dir, policyName)
	if err := os.WriteFile(path, starterPolicy, 0o600); err != nil {
		t.Fatal(err)
	}
	eng, err := engine.Open(t.Context(), path, engine.WithHome(t.TempDir()), engine.WithManaged(t.TempDir()), engine.WithTrace())
	if err != nil {
		t.Fatal(err)
	}
	return eng, dir
}

// TestStarterPolicy: the policy that init writes decides as its tests want
// it, each rule speaks in one of them, and it starts nothing.
func TestStarterPolicy(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	report, err := policytest.Run(t.Context(), []string{filepath.Join("starter", testsName)}, policytest.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range report.Results {
		if res.Status != policytest.Passed {
			t.Errorf("%d: %s: %s", res.Line, res.Name, strings.Join(res.Problems, "; "))
		}
	}
	if report.Passed < 40 {
		t.Errorf("only %d cases passed", report.Passed)
	}
	for _, u := range report.Coverage.Unreached {
		t.Errorf("%s: no case in which it speaks", u.ID)
	}
	eng, _ := starterEngine(t)
	for _, d := range slices.Concat(eng.Diagnostics(), eng.Lint()) {
		t.Errorf("the starter policy is not clean: %v", d)
	}
	for _, h := range eng.Hooks() {
		switch h.Spec.Type {
		case "expr", "permission":
		default:
			t.Errorf("%s starts something: type %s", h.Spec.ID, h.Spec.Type)
		}
	}
}

// TestStarterPolicyIsFast: microseconds a decision. The bound is far above
// what it takes, so that a busy machine does not fail it.
func TestStarterPolicyIsFast(t *testing.T) {
	const most = 2 * time.Millisecond
	eng, dir := starterEngine(t)
	ev := engine.Event{Name: engine.PreToolUse, Session: "test", Dir: dir, Tool: "Bash", Input: engine.Input("command", "cd src && go test ./... | tail -n 5")}
	best := time.Hour
	for range 50 {
		start := time.Now()
		eng.Dispatch(context.Background(), ev)
		best = min(best, time.Since(start))
	}
	if best > most {
		t.Errorf("the best of 50 decisions took %v, more than %v", best, most)
	}
}

// What no rule of the starter policy is about costs nothing.
func TestStarterPolicyLeavesAlone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("symlinks are looked for one by one, with allocations")
	}
	dir := t.TempDir()
	eng, err := engine.Open(t.Context(), filepath.Join("starter", policyName), engine.WithManaged(dir), engine.WithHome(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"ls -la", "git status", "cat README.md", "mkdir -p out/x", "docker ps"} {
		ev := engine.Event{Name: engine.PreToolUse, Tool: "Bash", Dir: dir, Input: engine.Input("command", command)}
		if n := testing.AllocsPerRun(20, func() { eng.Dispatch(t.Context(), ev) }); n != 0 {
			t.Errorf("%s: %v allocations", command, n)
		}
	}
	ev := engine.Event{Name: engine.PreToolUse, Tool: "Edit", Dir: dir, Input: engine.Input("file_path", filepath.Join(dir, "src/a.go"))}
	if n := testing.AllocsPerRun(20, func() { eng.Dispatch(t.Context(), ev) }); n != 0 {
		t.Errorf("an edit: %v allocations", n)
	}
}
