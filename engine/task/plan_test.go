package task_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/task"
)

// TestBadPlans: what is wrong with a plan is told before anything starts.
func TestBadPlans(t *testing.T) {
	for _, c := range []struct {
		name  string
		tasks []task.Task
		want  string
	}{
		{"no id", []task.Task{{Subject: "x"}}, `tasks[0]: no id (subject "x")`},
		{"an id twice", named("a", "b", "a"), `tasks[2]: duplicate id "a", tasks[0] has it too`},
		{"a dependency that is not there", named("build", "test<biuld"), `task "test": depends on "biuld", which is not among the tasks (did you mean "build"?)`},
		{"a dependency like nothing there", named("a", "b<zzzzzz"), `task "b": depends on "zzzzzz", which is not among the tasks`},
		{"an id in another case", named("Build", "test<build"), `task "test": depends on "build", which is not among the tasks (did you mean "Build"?)`},
		{"an id in another form", named("caf\u00e9", "b<cafe\u0301"), "task \"b\": depends on \"cafe\u0301\", which is not among the tasks (did you mean \"caf\u00e9\"?)"},
		{"itself", named("a<a"), `tasks wait for each other: "a" -> "a"`},
		{"a cycle, and what waits for it", named("z<a", "a<b", "b<c y", "c<a", "y"), `tasks wait for each other: "a" -> "b" -> "c" -> "a"`},
		{"a cycle among tasks that are done", []task.Task{{ID: "a", DependsOn: []string{"b"}, Status: task.Completed}, {ID: "b", DependsOn: []string{"a"}, Status: task.Completed}}, `tasks wait for each other: "a" -> "b" -> "a"`},
		{"a negative timeout", []task.Task{{ID: "a", Timeout: -time.Second}}, `task "a": timeout -1s, expected 0 or more`},
		{"a negative count", []task.Task{{ID: "a", RetryCount: -1}}, `task "a": retry count -1, expected 0 or more`},
		{"a status that is none", []task.Task{{ID: "a", Status: "complete"}}, `task "a": unknown status "complete" (did you mean "completed"?)`},
		{"all at once", named("a", "a", "b<zzz"), "tasks[1]: duplicate id \"a\", tasks[0] has it too\n" + `task "b": depends on "zzz", which is not among the tasks`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d diary
			r := task.Runner{Execute: d.script(nil), Dispatch: d.dispatch(nil)}
			outcomes, err := r.Run(t.Context(), c.tasks)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
			if outcomes != nil || d.text() != "" {
				t.Errorf("outcomes %v, called %s", outcomes, d.text())
			}
		})
	}
}

// TestManyFaults: a plan that is wrong throughout is refused in bounded time,
// with the first faults.
func TestManyFaults(t *testing.T) {
	tasks := layers(10_000)
	for i := range tasks {
		tasks[i].DependsOn = []string{fmt.Sprintf("missing-%d", i)}
	}
	r := task.Runner{Execute: func(context.Context, task.Job) (string, error) { return "", nil }}
	_, err := r.Run(t.Context(), tasks)
	if err == nil || strings.Count(err.Error(), "\n") != 20 || !strings.HasSuffix(err.Error(), "\nand 9980 more") {
		t.Errorf("error %.300v", err)
	}
}

// TestBadRunner: a Runner that cannot run says all that is wrong with it.
func TestBadRunner(t *testing.T) {
	r := task.Runner{Parallel: -1, HookTimeout: -time.Second}
	_, err := r.Run(t.Context(), nil)
	for _, want := range []string{"Execute is missing", "Parallel is -1, expected 1 or more", "HookTimeout -1s, expected 0 or more"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestNoTasks: nothing to do is done.
func TestNoTasks(t *testing.T) {
	r := task.Runner{Execute: func(context.Context, task.Job) (string, error) { return "", nil }}
	if outcomes, err := r.Run(t.Context(), nil); len(outcomes) != 0 || err != nil {
		t.Errorf("outcomes %v, error %v", outcomes, err)
	}
}

// TestDeepChain: a long chain that fails at its head blocks all the rest, and
// each says why in one line.
func TestDeepChain(t *testing.T) {
	const n = 10_000
	tasks := make([]task.Task, n)
	for i := range tasks {
		tasks[i].ID = fmt.Sprint(i)
		if i > 0 {
			tasks[i].DependsOn = []string{tasks[i-1].ID}
		}
	}
	r := task.Runner{Execute: func(context.Context, task.Job) (string, error) { return "", errBoom }}
	outcomes, err := r.Run(t.Context(), tasks)
	if last := outcomes[n-1]; last.Status != task.Blocked || last.Err.Error() != `it waits for task "0", which is failed: boom` {
		t.Errorf("the last task is %s: %v", last.Status, last.Err)
	}
	if err.Error() != `10000 of 10000 tasks are not done: task "0" is failed: boom` {
		t.Errorf("error %v", err)
	}
}

// TestEvents: the messages that hooks get have the names of Claude Code and
// of echo-agent.
func TestEvents(t *testing.T) {
	var got []string
	r := task.Runner{
		Session: "s1", Dir: "/src", Executor: "builder", Parallel: 1,
		Hooks: []task.Hooks{{OnFailure: func(context.Context, task.Context, error) task.Decision { return task.Skip{} }}},
		Execute: func(_ context.Context, job task.Job) (string, error) {
			if job.Task.ID == "8" {
				return "", errBoom
			}
			return "12 tests \"pass\"", nil
		},
		Dispatch: func(_ context.Context, ev hook.Event) hook.Decision {
			got = append(got, string(ev.JSON()))
			if ev.MatchSubject() == "" {
				t.Errorf("%s has no subject", ev.Name)
			}
			return hook.Decision{}
		},
	}
	tasks := []task.Task{{ID: "7", Subject: "write the tests", Description: "cover 0 %"}, {ID: "8", Subject: "ship"}}
	if _, err := r.Run(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	const rest = `"session_id":"s1","cwd":"/src","agent_type":"builder",`
	want := []string{
		`{"event":"TaskCreated","hook_event_name":"TaskCreated",` + rest + `"task_id":"7","task_subject":"write the tests","task_description":"cover 0 %","attempt":1}`,
		`{"event":"TaskCompleted","hook_event_name":"TaskCompleted",` + rest + `"task_id":"7","task_subject":"write the tests","task_description":"cover 0 %","attempt":1,"task_terminal_status":"completed","task_result":"12 tests \"pass\""}`,
		`{"event":"TaskCreated","hook_event_name":"TaskCreated",` + rest + `"task_id":"8","task_subject":"ship","attempt":1}`,
		`{"event":"TaskCompleted","hook_event_name":"TaskCompleted",` + rest + `"task_id":"8","task_subject":"ship","attempt":1,"task_terminal_status":"skipped","task_error":"boom"}`,
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("events\n%s\nwant\n%s", g, w)
	}
}
