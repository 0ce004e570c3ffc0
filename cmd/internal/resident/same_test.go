package resident_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// policies are what the same events are decided by; %s is a directory that
// commands may write to.
var policies = map[string]string{
	"none": "",
	"rules": `
rules:
  - {name: rm, on: PreToolUse, match: Bash(rm *), decision: deny, reason: "no ${tool_input.command}"}
  - {name: plan, on: PreToolUse, when: 'permission_mode == "plan" or env("STAGE") == "prod"', decision: ask}
  - {name: prompt, on: UserPromptSubmit, when: 'prompt contains "secret"', decision: deny}
permissions: {deny: ["Read(~/.ssh/**)"], ask: ["WebFetch"], allow: ["Bash(ls *)"]}
`,
	"commands": `
hooks:
  PreToolUse:
    - hooks:
        - {type: command, command: "echo $STAGE $PWD >&2; exit 2", if: "Bash(git *)"}
        - {type: command, command: 'echo ''{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"true"}}}'''}
  Stop: [{hooks: [{type: command, command: "echo go on >&2; exit 2"}]}]
  SessionStart: [{hooks: [{type: command, command: "echo context"}, {type: prompt, prompt: once, once: true}]}]
  PostToolUse: [{hooks: [{type: command, command: "exit 7"}, {type: command, command: "true", async: true}]}]
  WorktreeCreate: [{hooks: [{type: command, command: "echo no >&2; exit 2"}]}]
`,
	"lua": `
hooks:
  PreToolUse:
    - hooks:
        - type: lua
          lua: |
            local n = state.incr("calls", 1)
            if n % 2 == 0 then return deny("call " .. n) end
            return context("call " .. n)
`,

	"broken": `
rules:
  - {name: typo, on: PreToolUse, match: Bash, when: 'comand contains "x"', decision: deny}
  - {name: fine, on: PreToolUse, match: Read, decision: ask}
hooks:
  PreToolUse: [{hooks: [{type: http, url: "http://x"}]}]
  Stop: [{hooks: [{type: expr, when: "((", decision: deny}]}]
`,
	"unreadable": "rules: [",
}

// duration is what no two runs have in common.
var duration = regexp.MustCompile(`"duration_ns":\d+`)

func plain(r dialect.Reply) string {
	return duration.ReplaceAllString(fmt.Sprintf("stdout %s\nstderr %s\ncode %d", r.Stdout, r.Stderr, r.Code), `"duration_ns":0`)
}

// events are those of testdata, and some that cannot be read.
func events(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{"empty": nil, "text": []byte("hello"), "twice": []byte(`{"hook_event_name":"Stop","hook_event_name":"PreToolUse"}`), "nameless": []byte("{}")}
	files, err := filepath.Glob("../../../testdata/events/*/*.json")
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = data
	}
	return all
}

// alone is the reply that the hook command gives by itself.
func alone(f call.Flags, p call.Place, event []byte) string {
	c, err := call.New(f)
	if err != nil {
		return err.Error()
	}
	ctx, cancel := call.Until(context.Background(), time.Now().Add(time.Minute))
	defer cancel()
	return plain(c.Answer(ctx, &call.Desk{Open: func(ctx context.Context, s call.Setting, event hook.EventName) (*call.Engine, error) {
		return s.OpenOnce(ctx, event)
	}}, p, event).Reply)
}

// TestSameAnswers: for all events and policies, in every form, the server
// answers what the command would.
func TestSameAnswers(t *testing.T) {
	f := serve(t, resident.Options{})
	client := f.dial()
	all := events(t)
	for name, policy := range policies {
		dir := f.workspace(policy)
		for _, flags := range []call.Flags{{}, {JSON: true}, {FailOpen: true}, {Policy: call.Policy{Files: []string{"pawl.yaml"}}}, {Policy: call.Policy{Files: []string{"missing.yaml"}}}} {
			env := fmt.Sprintf("TAG=%s%v", name, flags)
			for path, event := range all {
				p := f.place(dir, name+"-alone", "STAGE=prod", env)
				want := alone(flags, p, event)
				p = f.place(dir, name+"-served", "STAGE=prod", env)
				r, err := client.Answer(wire.Call{Flags: flags, Place: p, Left: time.Minute, Event: event}, nothing)
				if err != nil {
					t.Fatal(err)
				}
				if got := plain(r); got != want {
					t.Errorf("%s, %+v, %s:\nserved\n%s\nalone\n%s", name, flags, path, got, want)
				}
			}
		}
	}
}

// TestVariablesOfPolicies: what a policy in Lua reads of the environment, when
// it is loaded and when it is called, is that of the caller.
func TestVariablesOfPolicies(t *testing.T) {
	t.Setenv("CI", "pawld")
	f := serve(t, resident.Options{})
	client := f.dial()
	dir := f.workspace("policies: [p.lua]\n")
	ls := []byte(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	f.write(filepath.Join(dir, "p.lua"), `
local loaded = env.get("CI")
if loaded == "two" then return end
on("PreToolUse", "Bash", function(ev) return deny(tostring(loaded) .. " " .. tostring(env.get("CI")) .. " " .. tostring(env.get("LANG"))) end)
`)
	for env, want := range map[string]string{"CI=one": "one one nil", "CI=two": "stdout \nstderr \n", "LANG=C": "nil nil C", "CI=": "  nil"} {
		p := f.place(dir, "state", env)
		r, err := client.Answer(wire.Call{Place: p, Left: time.Minute, Event: ls}, nothing)
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(r); got != alone(call.Flags{}, p, ls) || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", env, got, want)
		}
	}
}
