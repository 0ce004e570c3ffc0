// Services is a host whose policy asks services: one over HTTP, and a tool of
// an MCP server.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/action/mcptool"
	"github.com/pawl-dev/pawl/engine/action/webhook"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: services Bash COMMAND | services Write PATH")
		os.Exit(2)
	}
	if err := demo(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// demo starts the services where the policy looks for them, and asks.
func demo(ctx context.Context, tool, operand string) error {
	l, err := net.Listen("tcp", "127.0.0.1:8731")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: services(os.Getenv("REVIEW_TOKEN"))}
	go server.Serve(l)
	defer server.Close()
	return ask(ctx, os.Stdout, "pawl.yaml", tool, operand)
}

// ask prints what the policy decides on one call of a tool.
func ask(ctx context.Context, out io.Writer, policy, tool, operand string) error {
	eng, err := engine.Open(ctx, policy,
		engine.WithType("http", webhook.Type(webhook.Options{})),
		engine.WithType("mcp_tool", mcptool.New(mcptool.Options{})))
	if err != nil {
		return err
	}
	defer eng.Close(ctx) // ends the connections

	input := engine.Input("command", operand)
	if tool == "Write" {
		input = engine.Input("file_path", operand)
	}
	dec := eng.Dispatch(ctx, engine.Event{Name: engine.PreToolUse, Tool: tool, Input: input})
	fmt.Fprintf(out, "%s %s: %s\n", tool, operand, dec.Verdict)
	if reason := dec.Reason(); reason != "" {
		fmt.Fprintln(out, reason)
	}
	return nil
}
