package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
)

const tasksPolicy = `
rules:
  - name: no-prod
    on: TaskCreated
    when: subject contains "prod"
    decision: deny
    reason: "production is closed: ${task_subject}"
hooks:
  TaskCreated:
    - hooks: [{type: prompt, prompt: "use bun"}]
  SubagentStart:
    - matcher: scout
      hooks: [{type: prompt, prompt: "branch main"}]
  SubagentStop:
    - matcher: scout
      hooks:
        - type: lua
          lua: |
            if not ev.subagent_result:find("%.go") then return deny("name the files") end
            return output("checked: " .. ev.more.subagent_result)
`

// TestTasksAndSubagents: the events of task.Runner and subagent.Dispatcher go
// through an engine, and its decisions count.
func TestTasksAndSubagents(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pawl.yaml")
	if err := os.WriteFile(file, []byte(tasksPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	tested := false
	guard := func(_ context.Context, c engine.Call) (engine.Result, error) {
		if c.Facts.Event.More.Text("task_terminal_status") == "completed" && !tested {
			tested = true
			return engine.Result{Verdict: engine.Deny, Reason: "run the tests"}, nil
		}
		return engine.Result{}, nil
	}
	eng, err := engine.Open(t.Context(), file, engine.WithHook(engine.TaskCompleted, "", guard), engine.WithManaged("/nonexistent"))
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close(t.Context())

	var jobs []task.Job
	r := task.Runner{Session: "s", Parallel: 1, Dispatch: eng.Dispatch, Execute: func(_ context.Context, job task.Job) (string, error) {
		jobs = append(jobs, job)
		return "done", nil
	}}
	outcomes, err := r.Run(t.Context(), []task.Task{
		{ID: "build", Subject: "build it"}, {ID: "ship", Subject: "ship to prod", DependsOn: []string{"build"}}, {ID: "tell", DependsOn: []string{"ship"}}})
	if err == nil || !strings.Contains(err.Error(), "production is closed: ship to prod") {
		t.Errorf("error %v", err)
	}
	if o := outcomes; o[0].Status != task.Completed || o[1].Status != task.Rejected || o[2].Status != task.Blocked {
		t.Errorf("build %s, ship %s, tell %s", o[0].Status, o[1].Status, o[2].Status)
	}
	if len(jobs) != 2 || !slices.Equal(jobs[0].Notes, []string{"use bun"}) || jobs[1].Feedback != "run the tests" {
		t.Errorf("jobs %+v", jobs)
	}
	if steps := outcomes[1].Steps; !slices.ContainsFunc(steps, func(s engine.Step) bool { return s.Hook == "rules.no-prod" && s.Verdict == engine.Deny }) {
		t.Errorf("the trace of a rejected task does not name the rule: %+v", steps)
	}

	d, err := subagent.New(subagent.Config{Session: "s", Dispatch: eng.Dispatch, Run: func(_ context.Context, c subagent.Call) (string, error) {
		if c.Feedback == "" {
			return "four callers on " + strings.Join(c.Notes, ""), nil
		}
		return c.Feedback + ": cart.go", nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	for agent, want := range map[string]string{"scout": "checked: name the files: cart.go", "other": "four callers on "} {
		res, err := d.Dispatch(t.Context(), subagent.Request{Parent: "main", Agent: agent, Task: "find callers"}).Wait(t.Context())
		if err != nil || res.Text != want {
			t.Errorf("%s says %q, want %q; error %v", agent, res.Text, want, err)
		}
	}
}
