package subagent_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
)

// The hooks of the seed log, and try again; here the second failure is handed
// to another agent.
func Example() {
	mine := subagent.Hooks{
		Name:           "mine",
		BeforeDispatch: func(_ context.Context, c subagent.Context) { fmt.Println("dispatch to:", c.SubagentName) },
		AfterDispatch: func(_ context.Context, c subagent.Context, r subagent.Result) {
			fmt.Println("done:", c.SubagentName, "->", r.Text)
		},
		OnFailure: func(_ context.Context, c subagent.Context, err error) subagent.Decision {
			fmt.Println("failed:", c.SubagentName, "attempt", c.Attempt, err)
			if c.Attempt == 1 {
				return subagent.Retry{Delay: time.Millisecond}
			}
			return subagent.Delegate{Agent: "reviewer"}
		},
	}
	d, err := subagent.New(subagent.Config{
		Agents: []string{"junior", "reviewer"},
		Hooks:  []subagent.Hooks{mine},
		Run: func(_ context.Context, c subagent.Call) (string, error) {
			if c.SubagentName == "junior" {
				return "", errors.New("context window is full")
			}
			return "looks good", nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	defer d.Close(ctx)
	res, err := d.Dispatch(ctx, subagent.Request{Parent: "main", Agent: "junior", Task: "review the diff"}).Wait(ctx)
	fmt.Println(res.Text, res.Attempts, err)
	// Output:
	// dispatch to: junior
	// failed: junior attempt 1 context window is full
	// dispatch to: junior
	// failed: junior attempt 2 context window is full
	// dispatch to: reviewer
	// done: reviewer -> looks good
	// looks good 3 <nil>
}

// Two forks work beside their parent. Events give them context when they start
// and change what they say when they stop; with an engine, Dispatch is its
// method.
func ExampleDispatcher_Dispatch_fork() {
	policy := func(_ context.Context, ev hook.Event) hook.Decision {
		dec := hook.Decision{Event: ev.Name}
		switch ev.Name {
		case hook.SubagentStart:
			dec.Context = []string{"branch: main"}
		case hook.SubagentStop:
			dec.Output = fmt.Appendf(nil, "%q", ev.Message+" (checked)")
		}
		return dec
	}
	d, err := subagent.New(subagent.Config{
		Dispatch: policy,
		Run: func(_ context.Context, c subagent.Call) (string, error) {
			return c.Task + " on " + c.Notes[0], nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	defer d.Close(ctx)
	lint := d.Dispatch(ctx, subagent.Request{Parent: "main", Agent: "linter", Mode: subagent.Fork, Task: "lint"})
	docs := d.Dispatch(ctx, subagent.Request{Parent: "main", Agent: "writer", Mode: subagent.Fork, Task: "docs"})
	for _, r := range []*subagent.Running{lint, docs} {
		res, err := r.Wait(ctx)
		fmt.Println(res.Text, err)
	}
	// Output:
	// lint on branch: main (checked) <nil>
	// docs on branch: main (checked) <nil>
}
