package task_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/task"
)

// The hooks of the seed: they log, and try a task again while it has retries
// left. The second attempt succeeds.
func Example() {
	logging := task.Hooks{
		Name:          "logging",
		BeforeExecute: func(_ context.Context, c task.Context) { fmt.Println("start:", c.Task.Subject) },
		AfterExecute: func(_ context.Context, c task.Context, result string) {
			fmt.Println("done:", c.Task.Subject, "->", result)
		},
		OnFailure: func(_ context.Context, c task.Context, err error) task.Decision {
			fmt.Println("failed:", c.Task.Subject, "attempt", c.Attempt, err)
			if c.Task.RetryCount < c.Task.MaxRetries {
				return task.Retry{Delay: time.Millisecond}
			}
			return task.Fail{}
		},
	}
	r := task.Runner{
		Hooks:    []task.Hooks{logging},
		Executor: "builder",
		Parallel: 1,
		Execute: func(_ context.Context, job task.Job) (string, error) {
			switch {
			case job.Task.ID == "test" && job.Attempt == 1:
				return "", errors.New("2 tests fail")
			case job.Task.ID == "test":
				return "tested " + job.Results[0], nil
			}
			return "bin/shop", nil
		},
	}
	_, err := r.Run(context.Background(), []task.Task{
		{ID: "test", Subject: "run the tests", DependsOn: []string{"build"}, MaxRetries: 1},
		{ID: "build", Subject: "build the shop"},
	})
	fmt.Println("error:", err)
	// Output:
	// start: build the shop
	// done: build the shop -> bin/shop
	// start: run the tests
	// failed: run the tests attempt 1 2 tests fail
	// done: run the tests -> tested bin/shop
	// error: <nil>
}

// A run that has failed half-way is resumed with the tasks of its outcomes.
func ExampleRunner_Run_resume() {
	online := false
	r := task.Runner{Execute: func(_ context.Context, job task.Job) (string, error) {
		if job.Task.ID == "deploy" && !online {
			return "", errors.New("no network")
		}
		return job.Task.ID + " ok", nil
	}}
	tasks := []task.Task{{ID: "build"}, {ID: "deploy", DependsOn: []string{"build"}}, {ID: "announce", DependsOn: []string{"deploy"}}}
	for range 2 {
		outcomes, err := r.Run(context.Background(), tasks)
		for i, o := range outcomes {
			fmt.Println(o.ID, o.Status, "executions:", o.Attempts)
			tasks[i] = o.Task
		}
		fmt.Println("error:", err)
		online = true
	}
	// Output:
	// build completed executions: 1
	// deploy failed executions: 1
	// announce blocked executions: 0
	// error: 2 of 3 tasks are not done: task "deploy" is failed: no network
	// build completed executions: 0
	// deploy completed executions: 1
	// announce completed executions: 1
	// error: <nil>
}

// A guard on TaskCompleted keeps a task open until it is content. The guard is
// a func here; with an engine it is Dispatch: eng.Dispatch.
func ExampleRunner_Run_guard() {
	guard := func(_ context.Context, ev hook.Event) hook.Decision {
		if ev.Name == hook.TaskCompleted && ev.More.Text("task_result") == "written" {
			return hook.Decision{Event: ev.Name, Verdict: hook.Deny, Reasons: []string{"run what you wrote"}}
		}
		return hook.Decision{Event: ev.Name}
	}
	r := task.Runner{Dispatch: guard, Execute: func(_ context.Context, job task.Job) (string, error) {
		fmt.Printf("attempt %d: %q\n", job.Attempt, job.Feedback)
		if job.Feedback == "" {
			return "written", nil
		}
		return "written and run", nil
	}}
	outcomes, err := r.Run(context.Background(), []task.Task{{ID: "script", Subject: "write a script"}})
	fmt.Println(outcomes[0].Result, err)
	// Output:
	// attempt 1: ""
	// attempt 2: "run what you wrote"
	// written and run <nil>
}
