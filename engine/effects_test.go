package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// openText opens one settings file with this text.
func openText(t *testing.T, text string, opts ...engine.Option) *engine.Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pawl.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), path, append(opts, engine.WithManaged(t.TempDir()))...)
	if e == nil {
		t.Fatal(err)
	}
	return e
}

func TestSideEffects(t *testing.T) {
	const judging = engine.SideEffects(0)
	e := openText(t, `
hooks:
  PreToolUse:
    - hooks: [{type: permission, decision: ask}, {type: expr, when: "true", decision: ask}, {type: prompt, prompt: x}]
  PostToolUse:
    - hooks: [{type: command, command: "true", async: true}]
  UserPromptSubmit:
    - hooks: [{type: lua, lua: "return nil"}]
  SessionStart:
    - hooks: [{type: prompt, prompt: x, once: true}]
  Notification:
    - hooks: [{type: comand, command: "true"}]
`)
	for event, want := range map[engine.EventName]engine.SideEffects{
		engine.PreToolUse:       engine.Keeps, // the background hook may have left something to tell
		engine.PostToolUse:      engine.Starts | engine.Keeps,
		engine.PermissionDenied: judging,
		engine.UserPromptSubmit: engine.Keeps,
		engine.SessionStart:     engine.Keeps,
		engine.Notification:     judging, // a broken entry starts nothing
		engine.Stop:             engine.Keeps,
	} {
		if got := e.SideEffects(event); got != want {
			t.Errorf("%s: %b, want %b", event, got, want)
		}
	}
	// What counts stops, and what waits for its session, is state.
	e = openText(t, "hooks: {Stop: [{hooks: [{type: permission, decision: deny}]}], PostToolUse: [{hooks: [{type: command, command: x, asyncRewake: true}]}]}")
	if got := e.SideEffects(engine.Stop); got != engine.Keeps {
		t.Errorf("Stop: %b", got)
	}
	if got := e.SideEffects(engine.UserPromptSubmit); got != engine.Keeps {
		t.Errorf("UserPromptSubmit, where a wake may wait: %b", got)
	}
}

func TestUnlinked(t *testing.T) {
	e := openText(t, `
hooks:
  PreToolUse:
    - hooks: [{type: http, url: "http://x"}, {type: http, url: "http://y"}, {type: prompt, prompt: "is $ARGUMENTS fine?"}, {type: prompt, prompt: x}]
`)
	if got := e.Unlinked(); !slices.Equal(got, []string{"http", "prompt"}) {
		t.Errorf("got %q", got)
	}
	if got := openText(t, "permissions: {deny: [Bash]}").Unlinked(); len(got) > 0 {
		t.Errorf("got %q, and nothing is missing", got)
	}
}

// An event brings the environment of the process that asks: one engine
// answers for many.
func TestEventEnv(t *testing.T) {
	t.Setenv("STAGE", "engine")
	e := openText(t, `
hooks:
  UserPromptSubmit:
    - hooks:
        - {type: command, command: "echo $STAGE $PAWL_TEST_ONLY"}
        - {type: command, command: mine, args: []}
rules:
  - {name: prod, on: PreToolUse, when: 'env("STAGE") == "prod"', decision: deny, reason: "in ${tool_name}"}
`)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("#!/bin/sh\necho mine\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env     []string
		verdict engine.Verdict
		context string
	}{
		{nil, engine.None, "engine"},
		{[]string{"STAGE=prod", "PAWL_TEST_ONLY=x", "PATH=" + os.Getenv("PATH") + ":" + dir}, engine.Deny, "prod x|mine"},
		{[]string{"STAGE=test", "STAGE_=prod", "PATH=" + os.Getenv("PATH") + ":" + dir}, engine.None, "test|mine"},
		{[]string{}, engine.None, ""}, // no PATH: nothing is found
	} {
		ev := engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", "x"), Env: tt.env}
		if dec := e.Dispatch(t.Context(), ev); dec.Verdict != tt.verdict {
			t.Errorf("%q: %v, want %v", tt.env, dec.Verdict, tt.verdict)
		}
		dec := e.Dispatch(t.Context(), engine.Event{Name: engine.UserPromptSubmit, Env: tt.env})
		got := ""
		for i, c := range dec.Context {
			if i > 0 {
				got += "|"
			}
			got += c
		}
		if got != tt.context {
			t.Errorf("%q: context %q, want %q", tt.env, got, tt.context)
		}
	}
}

// B098: a hook in the background decides nothing, which is told where it looks
// as if it did; and asyncRewake is a key, no type.
func TestBackgroundHooksDecideNothing(t *testing.T) {
	e := openText(t, "hooks: {PreToolUse: [{hooks: [{type: command, command: 'echo no >&2; exit 2', async: true}]}]}")
	if dec := e.Dispatch(t.Context(), engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", "x")}); dec.Verdict != engine.None {
		t.Errorf("%v %q", dec.Verdict, dec.Reasons)
	}
	if d := e.Diagnostics(); len(d) != 1 || d[0].Severity != hook.Note || !strings.Contains(d[0].Message, "in the background: on PreToolUse it can stop nothing") {
		t.Errorf("%v", d)
	}
	e = openText(t, "hooks: {PreToolUse: [{hooks: [{type: asyncRewake, command: x}]}]}")
	if d := e.Diagnostics(); len(d) != 1 || d[0].Severity != hook.Error || !strings.Contains(d[0].Message, `hook type "asyncRewake"`) {
		t.Errorf("%v", d)
	}
}
