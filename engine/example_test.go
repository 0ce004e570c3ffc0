package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/settings"
)

// A policy in a file, and one question.
func Example() {
	dir, err := os.MkdirTemp("", "policy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "pawl.yaml")
	policy := `
rules:
  - name: no-rm
    on: PreToolUse
    match: Bash(rm *)
    decision: deny
    reason: "use trash-put, not ${tool_input.command}"
`
	if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	eng, err := engine.Open(ctx, file)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer eng.Close(ctx)
	for _, cmd := range []string{"cd build && sudo rm -rf x", "echo rm"} {
		dec := eng.Dispatch(ctx, engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", cmd)})
		fmt.Printf("%s: %q\n", dec.Verdict, dec.Reason())
	}
	// Output:
	// deny: "use trash-put, not cd build && sudo rm -rf x"
	// none: ""
}

// A hook of the host's own, for the life of the engine.
func ExampleWithHook() {
	quota := 1 // a host that dispatches concurrently guards it
	limit := func(_ context.Context, c engine.Call) (engine.Result, error) {
		if quota--; quota < 0 {
			return engine.Result{Verdict: engine.Ask, Reason: "another fetch of " + c.Facts.Host()}, nil
		}
		return engine.Result{}, nil
	}
	eng, err := engine.New(settings.Set{}, engine.WithHook(engine.PreToolUse, "WebFetch", limit))
	if err != nil {
		fmt.Println(err)
		return
	}
	fetch := engine.Event{Name: engine.PreToolUse, Tool: "WebFetch", Input: engine.Input("url", "https://example.com/a")}
	for range 2 {
		dec := eng.Dispatch(context.Background(), fetch)
		fmt.Printf("%s: %q\n", dec.Verdict, dec.Reason())
	}
	// Output:
	// none: ""
	// ask: "another fetch of example.com"
}

// A hook that replaces the input of a tool; the host runs what comes back.
func ExampleEngine_Dispatch_rewrite() {
	dry := func(_ context.Context, c engine.Call) (engine.Result, error) {
		cmd := c.Facts.Event.Input.Text("command")
		if strings.Contains(cmd, "--dry-run") {
			return engine.Result{}, nil
		}
		return engine.Result{Input: engine.Input("command", cmd+" --dry-run")}, nil
	}
	eng, err := engine.New(settings.Set{}, engine.WithHook(engine.PreToolUse, "Bash(terraform apply *)", dry))
	if err != nil {
		fmt.Println(err)
		return
	}
	ev := engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", "terraform apply")}
	dec := eng.Dispatch(context.Background(), ev)
	if dec.Proceed() && !dec.Input.Absent() {
		ev.Input = dec.Input
	}
	fmt.Println(ev.Input.Text("command"))
	// Output:
	// terraform apply --dry-run
}
