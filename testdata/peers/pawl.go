package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// pawlEvent makes Pawl's event of e.
func pawlEvent(e *event) engine.Event {
	ev := engine.Event{Name: engine.PreToolUse, Session: "s", Dir: "/srv/checkout", Tool: e.Tool, Mode: e.Mode}
	switch e.Tool {
	case "Bash":
		ev.Input = engine.Input("command", e.Command)
	case "Edit":
		ev.Input = engine.Input("file_path", e.Path)
	case "Write":
		ev.Input = engine.Input("file_path", e.Path, "content", e.Content)
	case "WebFetch":
		ev.Input = engine.Input("url", e.URL)
	default:
		ev.Input = engine.Input()
	}
	return ev
}

// loadPawl times what a host does that has the input in fields of its own.
func loadPawl(rules []rule) (decider, error) {
	eng, err := openPawl(rules)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	return func(e *event) (engine.Verdict, error) {
		dec := eng.Dispatch(ctx, pawlEvent(e))
		return dec.Verdict, nil
	}, nil
}

// loadReady times Dispatch alone.
func loadReady(rules []rule) (decider, error) {
	eng, err := openPawl(rules)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	return func(e *event) (engine.Verdict, error) {
		dec := eng.Dispatch(ctx, e.ready)
		return dec.Verdict, nil
	}, nil
}

// openPawl opens the rules as a pawl.yaml, which is what people write.
func openPawl(rules []rule) (*engine.Engine, error) {
	dir, err := os.MkdirTemp("", "pawl-peers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "pawl.yaml")
	if err := os.WriteFile(path, []byte(pawlPolicy(rules)), 0o600); err != nil {
		return nil, err
	}
	return engine.Open(context.Background(), path, engine.WithManaged(filepath.Join(dir, "managed")))
}

func pawlPolicy(rules []rule) string {
	var b strings.Builder
	b.WriteString("rules:\n")
	for i := range rules {
		r := &rules[i]
		match, when := pawlMatch(r)
		fmt.Fprintf(&b, "  - name: %s\n    on: PreToolUse\n    match: %q\n", r.id, match)
		if when != "" {
			fmt.Fprintf(&b, "    when: '%s'\n", when)
		}
		fmt.Fprintf(&b, "    decision: %s\n", r.verdict)
	}
	return b.String()
}

// pawlMatch is what a rule tests, as the matcher and the condition of one.
func pawlMatch(r *rule) (match, when string) {
	switch r.kind {
	case onCommand:
		return "Bash(" + r.text + " *)", ""
	case onPath:
		return "Edit(/" + r.text + "/**)", ""
	case onHost:
		return "WebFetch(domain:" + r.text + ")", ""
	case onDomain:
		return "WebFetch(domain:*." + r.text + ")", ""
	case onContent:
		return r.tool, fmt.Sprintf("input.content contains %q", r.text)
	case onCommandHas:
		return r.tool, fmt.Sprintf("command contains %q and permission_mode != %q", r.text, "plan")
	}
	return r.tool, ""
}
