// Package policies_test runs the example policies through their cases.
package policies_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// policyCase is one entry of a pawl_test.yaml: a shell command, an event, or
// events of one session, of which the last is judged.
type policyCase struct {
	Bash   string
	Event  map[string]any
	Events []map[string]any
	Want   string
	Reason string
}

// messages are the events of the case as an agent sends them.
func (pc policyCase) messages() []map[string]any {
	switch {
	case pc.Events != nil:
		return pc.Events
	case pc.Event != nil:
		return []map[string]any{pc.Event}
	}
	return []map[string]any{{"bash": pc.Bash}}
}

func decode(t *testing.T, message map[string]any, dir string) engine.Event {
	t.Helper()
	all := map[string]any{"hook_event_name": "PreToolUse", "session_id": "test", "cwd": dir}
	for name, value := range message {
		all[name] = value
	}
	if bash, ok := all["bash"]; ok {
		delete(all, "bash")
		all["tool_name"], all["tool_input"] = "Bash", map[string]any{"command": bash}
	}
	data, err := json.Marshal(all)
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

func open(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	eng, err := engine.Open(t.Context(), filepath.Join(dir, "pawl.yaml"), engine.WithManaged(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eng.Close(context.Background()) })
	return eng
}

// TestPolicies: each example loads without a fault, decides as its cases
// want it, and has a case for every hook and rule.
func TestPolicies(t *testing.T) {
	files, err := filepath.Glob("*/pawl.yaml")
	if err != nil || len(files) != 8 {
		t.Fatalf("found %d policies, %v", len(files), err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Dir(file)
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(string(readme), "("+name+"/pawl.yaml)") {
				t.Errorf("README.md does not point to %s", file)
			}
			dir, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			runCases(t, dir)
		})
	}
}

func runCases(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "pawl_test.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []policyCase }
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 8 {
		t.Fatalf("only %d cases", len(file.Cases))
	}
	clean(t, dir)
	spoke := judge(t, dir, file.Cases)
	for _, h := range open(t, dir).Hooks() {
		if h.Spec.Source.File != "" && !spoke[h.Spec.ID] {
			t.Errorf("%s: no case reaches it", h.Spec.ID)
		}
	}
}

// clean loads the policy of dir, which must have no faults.
func clean(t *testing.T, dir string) {
	t.Helper()
	for _, d := range open(t, dir).Diagnostics() {
		if d.Severity >= hook.Warning {
			t.Errorf("the policy is not clean: %v", d)
		}
	}
}

// judge dispatches each case to an engine of its own, and so to a state of
// its own. It returns the hooks that ran.
func judge(t *testing.T, dir string, cases []policyCase) map[string]bool {
	t.Helper()
	ran := map[string]bool{}
	for _, pc := range cases {
		eng := open(t, dir)
		var dec engine.Decision
		messages := pc.messages()
		for _, m := range messages {
			dec = eng.Dispatch(t.Context(), decode(t, m, dir))
			for _, s := range dec.Steps {
				ran[s.Hook] = ran[s.Hook] || s.Status == hook.Ran
			}
		}
		if dec.Verdict.String() != pc.Want || !strings.Contains(dec.Reason(), pc.Reason) {
			t.Errorf("%v: %v %q, want %s %q", messages[len(messages)-1], dec.Verdict, dec.Reason(), pc.Want, pc.Reason)
		}
	}
	return ran
}
