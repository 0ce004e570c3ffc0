// Models is a host whose policy asks a language model: before a file is
// written, and, with tools to look, before the agent stops.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/standard"
)

func main() {
	events := []engine.Event{
		{Name: engine.PreToolUse, Tool: "Write", Input: engine.Input("file_path", "config.py", "content", `DB_PASSWORD = "hunter2"`)},
		{Name: engine.Stop, Message: "Added feature: dark mode."},
	}
	if err := decide(context.Background(), os.Stdout, events); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// decide tells what the policy says to each event, and what asking cost.
func decide(ctx context.Context, out io.Writer, events []engine.Event, opts ...engine.Option) error {
	eng, err := engine.Open(ctx, "pawl.yaml", append(opts, standard.Types(standard.Options{}))...)
	if err != nil {
		return err
	}
	defer eng.Close(ctx)
	for _, ev := range events {
		dec := eng.Dispatch(ctx, ev)
		fmt.Fprintf(out, "%s: %s %s\n", ev.Name, dec.Verdict, dec.Reason())
		for _, s := range dec.Steps {
			fmt.Fprintf(out, "  %s %s: %s\n", s.Type, s.Status, s.Detail)
		}
	}
	return nil
}
