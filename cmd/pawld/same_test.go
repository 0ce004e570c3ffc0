package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
)

// policy has hooks of each kind that pawl links.
const policy = `
rules:
  - {name: rm, on: PreToolUse, match: "Bash(rm *)", decision: deny, reason: "no ${tool_input.command}"}
  - {name: stage, on: PreToolUse, when: 'env("STAGE") == "prod"', decision: ask}
hooks:
  PreToolUse:
    - hooks: [{type: command, command: "echo $STAGE in $PWD >&2; exit 2", if: "Write"}]
  UserPromptSubmit: [{hooks: [{type: command, command: "printenv HOME STAGE; umask"}]}]
  Stop: [{hooks: [{type: lua, lua: "return deny('call ' .. state.incr('stops', 1))"}]}]
  SessionStart: [{hooks: [{type: prompt, prompt: hello, once: true}]}]
`

// elsewhere is a directory of the machine that the events come from.
var elsewhere = regexp.MustCompile(`"cwd": "[^"]*"`)

// TestSameBytes: with a resident engine and without, pawl hook writes the same
// bytes and ends with the same code, for all events of testdata.
func TestSameBytes(t *testing.T) {
	b := besides(t, policy)
	files, err := filepath.Glob("../../testdata/events/*/*.json")
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), err)
	}
	files = append(files, os.DevNull)
	decided := 0
	for _, path := range files {
		event, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		event = elsewhere.ReplaceAll(event, fmt.Appendf(nil, `"cwd": %q`, b.dir))
		alone := b.hook(t, event, b.alone("STAGE=prod"))
		if served := b.hook(t, event, b.served("STAGE=prod")); served != alone {
			t.Errorf("%s:\nserved\n%s\nalone\n%s", path, served, alone)
		}
		if alone != "stdout \nstderr \ncode 0" {
			decided++
		}
	}
	if decided < 10 {
		t.Errorf("only %d events were decided by the policy", decided)
	}
	b.wasAsked(t)
}

// B072: a rewrite gives the same final input by the Go API, by a call of pawl
// hook, and by the resident engine.
func TestSameRewrite(t *testing.T) {
	b := besides(t, `
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - {type: lua, lua: 'return rewrite({command = "git status --short", timeout = 1.5e3, big = 9007199254740993})'}
        - {type: command, command: "cat rewrite.json"}
`)
	event := fmt.Appendf(nil, `{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"}}`, b.dir)
	const want = `{"command":"git status --short","n":12345678901234567890,"s":"\u00e9<"}`
	answer := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":` + want + `}}`
	if err := os.WriteFile(filepath.Join(b.dir, "rewrite.json"), []byte(answer), 0o644); err != nil {
		t.Fatal(err)
	}
	eng, err := engine.Open(t.Context(), filepath.Join(b.dir, "pawl.yaml"), engine.WithManaged(t.TempDir()), engine.WithHome(b.home))
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close(context.Background())
	dec := eng.Dispatch(t.Context(), engine.Event{Name: engine.PreToolUse, Session: "s", Dir: b.dir, Tool: "Bash", Input: engine.Input("command", "git status")})
	if got := string(dec.Input.Raw()); got != want {
		t.Errorf("engine: %s, want %s\n%+v", got, want, dec)
	}
	for name, env := range map[string][]string{"alone": b.alone(), "served": b.served()} {
		if got := b.hook(t, event, env); !strings.Contains(got, `"updatedInput":`+want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	b.wasAsked(t)
}

// both is a home with one trusted project, and pawld beside it.
type both struct{ home, dir string }

func besides(t *testing.T, policy string) both {
	t.Helper()
	home := t.TempDir()
	b := both{home, filepath.Join(home, "project")}
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "pawl.yaml"), []byte(policy), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{b.alone(), b.served()} {
		trust := exec.Command(filepath.Join(programs, "pawl"), "trust", b.dir)
		trust.Env = env
		if out, err := trust.CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	serve := exec.Command(filepath.Join(programs, "pawld"), "serve")
	serve.Env = b.served()
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		serve.Process.Signal(os.Interrupt)
		serve.Wait()
	})
	if _, err := stderr.Read(make([]byte, 1)); err != nil { // it is ready
		t.Fatal(err)
	}
	return b
}

// alone is the environment of a call that decides by itself, served that of
// one that asks pawld. Each has its own state.
func (b both) alone(more ...string) []string { return b.env("alone", append(more, "PAWL_DAEMON=off")) }

func (b both) served(more ...string) []string { return b.env("served", more) }

func (b both) env(state string, more []string) []string {
	return append([]string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + b.home, "XDG_STATE_HOME=" + filepath.Join(b.home, state)}, more...)
}

// hook is all that a call of pawl hook says.
func (b both) hook(t *testing.T, event []byte, env []string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs, "pawl"), "hook")
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = b.dir, env, bytes.NewReader(event), &out, &errs
	if _, exited := errors.AsType[*exec.ExitError](cmd.Run()); cmd.ProcessState == nil {
		t.Fatal("not started", exited)
	}
	return fmt.Sprintf("stdout %s\nstderr %s\ncode %d", &out, &errs, cmd.ProcessState.ExitCode())
}

// wasAsked fails where pawld has not answered a call: a busy machine may miss
// some, and not all.
func (b both) wasAsked(t *testing.T) {
	t.Helper()
	status := exec.Command(filepath.Join(programs, "pawld"), "status", "--json")
	status.Env = b.served()
	out, err := status.Output()
	if err != nil || !strings.Contains(string(out), `"calls":`) || strings.Contains(string(out), `"calls":0,`) {
		t.Errorf("the engine was not asked: %v, %s", err, out)
	}
}
