// Embed is the smallest host of Pawl: a shell tool that asks before it runs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

func main() {
	if err := shellTool(context.Background(), os.Stdout, strings.Join(os.Args[1:], " ")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// shellTool stands for the tool of an agent. It says what it would run; an
// error is what the model gets to read instead. A long-lived host opens the
// engine once and calls Dispatch from as many goroutines as it likes.
func shellTool(ctx context.Context, out io.Writer, cmd string) error {
	// The lines that the README shows.
	eng, err := engine.Open(ctx, "pawl.yaml")
	if err != nil {
		return err
	}
	dec := eng.Dispatch(ctx, engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", cmd)})
	if !dec.Proceed() {
		return errors.New(dec.Reason())
	}

	fmt.Fprintln(out, "would run:", cmd)
	return eng.Close(ctx)
}
