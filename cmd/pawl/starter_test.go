package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// policyCase is one entry of testdata/starter_test.yaml.
type policyCase struct {
	Bash  string
	Event map[string]any
	Want  string
}

func (pc policyCase) event(t testing.TB, dir string) hook.Event {
	message := map[string]any{"hook_event_name": "PreToolUse", "session_id": "test", "cwd": dir}
	if pc.Bash != "" {
		message["tool_name"], message["tool_input"] = "Bash", map[string]any{"command": pc.Bash}
	}
	for name, value := range pc.Event {
		message[name] = value
	}
	data, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	object, err := answer.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	ev, notes, err := dialect.Detect(object).Decode(object)
	if err != nil || len(notes) > 0 {
		t.Fatalf("%s: %v %v", data, notes, err)
	}
	return ev
}

func starterEngine(t testing.TB) (*engine.Engine, string) {
	dir := t.TempDir()
	c := &console{out: bufio.NewWriter(io.Discard), err: io.Discard, getenv: func(string) string { return "" }}
	eng, err := openBundled(c, filepath.Join(dir, policyName), starterPolicy, dir)
	if err != nil {
		t.Fatal(err)
	}
	return eng, dir
}

// TestStarterPolicy: the policy that init writes decides as its cases want it.
func TestStarterPolicy(t *testing.T) {
	eng, dir := starterEngine(t)
	for _, d := range eng.Diagnostics() {
		t.Errorf("the starter policy is not clean: %v", d)
	}
	var file struct{ Cases []policyCase }
	cases, err := os.ReadFile(filepath.Join("testdata", "starter_test.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(cases, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 40 {
		t.Fatalf("only %d cases were read", len(file.Cases))
	}
	seen := map[string]bool{}
	for _, pc := range file.Cases {
		ev := pc.event(t, dir)
		dec := eng.Dispatch(context.Background(), ev)
		if dec.Verdict.String() != pc.Want {
			t.Errorf("%s%v: %v, want %s\n%s", pc.Bash, pc.Event, dec.Verdict, pc.Want, dec.Reason())
		}
		for _, s := range dec.Steps {
			if s.Verdict > hook.None {
				seen[s.Hook] = true
			}
		}
	}
	for _, h := range eng.Hooks() {
		if h.Spec.Source.File != "" && !seen[h.Spec.ID] {
			t.Errorf("%s: no case in which it speaks", h.Spec.ID)
		}
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
	ev := policyCase{Bash: "cd src && go test ./... | tail -n 5"}.event(t, dir)
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
