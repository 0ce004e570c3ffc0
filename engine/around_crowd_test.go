package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
)

// TestAroundCrowd: callbacks of one session wait for each other, and that is no
// part of the time which each has.
func TestAroundCrowd(t *testing.T) {
	const crowd = 40
	dir := policyDir(t, map[string]string{"policies/a.lua": `
task.on_failure(function(t)
  local stop = time.now() + 0.01
  while time.now() < stop do end
  return skip()
end)`, "pawl.yaml": "policies: [policies/]\n"})
	eng := openDir(t, dir, true)
	tasks := make([]task.Task, crowd)
	for i := range tasks {
		tasks[i].ID = fmt.Sprint(i)
	}
	out, err := eng.Tasks(task.Runner{Session: "s", Parallel: crowd, HookTimeout: time.Minute,
		Execute: func(context.Context, task.Job) (string, error) { return "", errBroken }}).Run(t.Context(), tasks)
	for _, o := range out {
		if err != nil && o.Status != task.Skipped {
			t.Errorf("task %s is %s: %q", o.ID, o.Status, details(o.Steps))
		}
	}
}

// TestAroundMany: of a thousand dispatches at once through one session, every
// callback of the policy and of the host is called, and none twice. One that a
// busy machine stops before it has counted is told of by a step.
func TestAroundMany(t *testing.T) {
	const n = 1000
	dir := policyDir(t, map[string]string{"policies/a.lua": `
subagent.before(function(a) state.incr("before") end)
subagent.after(function(a, result) state.incr("after") end)
subagent.on_failure(function(a) state.incr("failure") end)
on("SubagentStop", "last", function(ev)
  return output(state.get("before") - 1 .. " " .. state.get("after") .. " " .. state.get("failure"))
end)`, "pawl.yaml": "policies: [policies/]\nsubagents: {match: scout, retry: {max: 1, delay: 0}}\n"})
	var host [3]atomic.Int32
	eng := openDir(t, dir, true, engine.WithSubagentHooks(subagent.Hooks{
		BeforeDispatch: func(context.Context, subagent.Context) { host[0].Add(1) },
		AfterDispatch:  func(context.Context, subagent.Context, subagent.Result) { host[1].Add(1) },
		OnFailure:      func(context.Context, subagent.Context, error) subagent.Decision { host[2].Add(1); return nil },
	}))
	d, err := eng.Subagents(subagent.Config{Session: "s", HookTimeout: time.Minute, Run: func(_ context.Context, c subagent.Call) (string, error) {
		if c.Attempt == 1 && c.SubagentName == "scout" {
			return "", errBroken
		}
		return "done", nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	var running []*subagent.Running
	for i := range n {
		running = append(running, d.Dispatch(t.Context(), subagent.Request{Agent: "scout", Mode: subagent.Teammate, Task: fmt.Sprint(i)}))
	}
	stopped := map[string]int{}
	for i, r := range running {
		res, err := r.Wait(t.Context())
		if err != nil || res.Attempts != 2 || len(details(res.Steps)) != 3 {
			t.Fatalf("dispatch %d: %+v, error %v", i, res, err)
		}
		for _, s := range res.Steps {
			if s.Status == "failed" {
				stopped[s.Hook[strings.LastIndexByte(s.Hook, '.')+1:]]++
			}
		}
	}
	for i, want := range []int32{2 * n, n, n} {
		if got := host[i].Load(); got != want {
			t.Errorf("host func %d was called %d times, want %d", i, got, want)
		}
	}
	res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "last"}).Wait(t.Context())
	var before, after, failure int
	if _, scan := fmt.Sscan(res.Text, &before, &after, &failure); err != nil || scan != nil {
		t.Fatalf("counted %q, error %v", res.Text, err)
	}
	for phase, lost := range map[string]int{"BeforeDispatch": 2*n - before, "AfterDispatch": n - after, "OnFailure": n - failure} {
		if lost < 0 || lost > stopped[phase] {
			t.Errorf("%s in Lua: %d calls are missing, %d were stopped", phase, lost, stopped[phase])
		}
	}
}
