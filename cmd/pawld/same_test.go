package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
	home := t.TempDir()
	dir := filepath.Join(home, "project")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pawl.yaml"), []byte(policy), 0o644); err != nil {
		t.Fatal(err)
	}
	env := func(state string, more ...string) []string {
		return append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home, "XDG_STATE_HOME=" + filepath.Join(home, state)}, more...)
	}
	for _, state := range []string{"alone", "served"} {
		trust := exec.Command(filepath.Join(programs, "pawl"), "trust", dir)
		trust.Env = env(state)
		if out, err := trust.CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	serve := exec.Command(filepath.Join(programs, "pawld"), "serve")
	serve.Env = env("served")
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer serve.Wait()
	defer serve.Process.Signal(os.Interrupt)
	if _, err := stderr.Read(make([]byte, 1)); err != nil { // it is ready
		t.Fatal(err)
	}
	hook := func(event []byte, env []string) string {
		cmd := exec.Command(filepath.Join(programs, "pawl"), "hook")
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, env, bytes.NewReader(event), &out, &errs
		if _, exited := errors.AsType[*exec.ExitError](cmd.Run()); cmd.ProcessState == nil {
			t.Fatal("not started", exited)
		}
		return fmt.Sprintf("stdout %s\nstderr %s\ncode %d", &out, &errs, cmd.ProcessState.ExitCode())
	}
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
		event = elsewhere.ReplaceAll(event, fmt.Appendf(nil, `"cwd": %q`, dir))
		alone := hook(event, env("alone", "PAWL_DAEMON=off", "STAGE=prod"))
		if served := hook(event, env("served", "STAGE=prod")); served != alone {
			t.Errorf("%s:\nserved\n%s\nalone\n%s", path, served, alone)
		}
		if alone != "stdout \nstderr \ncode 0" {
			decided++
		}
	}
	if decided < 10 {
		t.Errorf("only %d events were decided by the policy", decided)
	}
	status := exec.Command(filepath.Join(programs, "pawld"), "status", "--json")
	status.Env = env("served")
	out, err := status.Output()
	if err != nil || !strings.Contains(string(out), `"calls":`) || strings.Contains(string(out), `"calls":0,`) {
		t.Errorf("the engine was not asked: %v, %s", err, out) // a busy machine may miss some hellos
	}
}
