package lua

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestVerdicts(t *testing.T) {
	tests := []struct {
		text string
		want hook.Result
	}{
		{`return nil`, hook.Result{}},
		{`if false then return deny() end`, hook.Result{}},
		{`return false`, hook.Result{}},
		{`ev.tool == "Edit" and deny("no")`, hook.Result{}},
		{`ev.tool == "Bash" and deny("no")`, hook.Result{Verdict: hook.Deny, Reason: "no"}},
		{`return allow()`, hook.Result{Verdict: hook.Allow}},
		{`return ask("sure?")`, hook.Result{Verdict: hook.Ask, Reason: "sure?"}},
		{`return defer("later")`, hook.Result{Verdict: hook.Defer, Reason: "later"}},
		{`return deny("no")`, hook.Result{Verdict: hook.Deny, Reason: "no"}},
		{`return stop("bye")`, hook.Result{Halt: true, StopReason: "bye"}},
		{`return {context("a"), notice("b"), context("c")}`, hook.Result{Context: []string{"a", "c"}, Notices: []string{"b"}}},
		{`return {allow("fine"), deny("no"), ask("hm")}`, hook.Result{Verdict: hook.Deny, Reason: "no"}},
		{`return deny("a"), deny("b"), nil, false`, hook.Result{Verdict: hook.Deny, Reason: "a\nb"}},
		{`return {nil, deny("hole")}`, hook.Result{Verdict: hook.Deny, Reason: "hole"}},
		{`return {}`, hook.Result{}},
		{`return go_on("tests fail")`, hook.Result{ContinueReason: "tests fail"}},
		{`return retry()`, hook.Result{Retry: true}},
		{`return quiet()`, hook.Result{Quiet: true}},
		{`return output({a = {1, 2.5, "x"}, b = json.null})`, hook.Result{Output: []byte(`{"a":[1,2.5,"x"],"b":null}`)}},
		{`return output("text")`, hook.Result{Output: []byte(`"text"`)}},
	}
	for _, tt := range tests {
		res, err := says(t, tt.text, bash(t, "ls"))
		if err != nil || !reflect.DeepEqual(res, tt.want) {
			t.Errorf("%s: got %+v, %v, want %+v", tt.text, res, err, tt.want)
		}
	}
}

func TestNoVerdict(t *testing.T) {
	tests := []struct{ text, want string }{
		{`return true`, `no verdict (answer): hooks.PreToolUse[0]: a handler returned a boolean`},
		{`return "deny"`, `a handler returned a string: return deny("…") or another verdict`},
		{`return 1`, `returned a number`},
		{`return deny`, `returned a function`},
		{`return {deny("x"), "y"}`, `returned a string`},
		{`return {decision = "deny"}`, `a table with the key 'decision'`},
		{`return unpack({nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, deny("x")})`, `returned 17 values, the limit is 16`},
		{`return {{deny("x")}}`, `returned a table`},
		{`return ev`, `returned a event`},
		{`return deny({})`, `deny: expected a text, got a table`},
		{`return deny(nil)`, `deny: expected a text, got nil`},
		{`return context()`, `context: expected a text, got nil`},
		{`return rewrite("x")`, `table expected, got string`},
		{`return rewrite({1})`, `rewrite: expected a table with names, got a list`},
		{`return rewrite({x = deny})`, `rewrite: a function is no JSON`},
		{`return output(0/0)`, `output: the number NaN is no JSON`},
		{`return specific("sessionTitle", "x")`, `specific: PreToolUse has no field "sessionTitle"`},
		{`return ev.comand`, `ev has no field "comand" (did you mean "command"?)`},
		{`return ev.commands[1].args`, `a command has no field "args" (did you mean "argv"?)`},
		{`return ev:matches("bad")`, `ev:matches("bad"): no such pattern`},
		{`return ev.matches("yes")`, `write ev:matches(…), with a colon`},
		{`ev.tool = "Edit"`, `attempt to set field 'tool' of a event`},
		{`local x = nil .. "a"`, `attempt to join a nil to a text`},
		{`local t = nil; t.x = 1`, `attempt to set field 'x' of a nil`},
		{`error("plain", 0)`, `no verdict (error): hooks.PreToolUse[0]: plain`},
		{`error("boom")`, `no verdict (error): hooks.PreToolUse[0]:1: boom` + "\nstack traceback:"},
	}
	for _, tt := range tests {
		res, err := says(t, tt.text, bash(t, "ls"))
		if _, ok := errors.AsType[*hook.NoVerdict](err); !ok || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %+v, %v, want %s", tt.text, res, err, tt.want)
		}
	}
}

// TestWake: only in the background there is an agent to wake.
func TestWake(t *testing.T) {
	for text, want := range map[string]string{`return go_on("tests fail")`: "tests fail", `return deny("no")`: "no", `return ask("x")`: "", `return {deny("no"), go_on("on")}`: "on"} {
		for _, rewake := range []bool{true, false} {
			c := call(bash(t, "ls"))
			c.Hook.Rewake = rewake
			res, err := inline(t, New(options("/p")), text).Run(t.Context(), c)
			if err != nil || rewake && res.Wake != want || !rewake && res.Wake != "" {
				t.Errorf("%s, in the background %v: got %q, %v, want %q", text, rewake, res.Wake, err, want)
			}
		}
	}
}

func TestUnreturned(t *testing.T) {
	res, err := says(t, "local x = 1\ndeny('lost')", bash(t, "ls"))
	if err != nil || len(res.Diagnostics) != 1 || !strings.Contains(res.Diagnostics[0].Error(), ":2: deny(…) has no effect: it was not returned (write: return deny(…))") {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestRewrite(t *testing.T) {
	ev := bash(t, "ls")
	ev.Input = object(t, `{"command":"ls","id":9007199254740993,"list":[],"map":{},"n":1,"x":null,"deep":[{"a":[1,null,3]}]}`)
	res, err := says(t, `local i = ev.input; i.command = "ls -l \"<&>\n"; i.n = 1.5; return rewrite(i)`, ev)
	want := `{"command":"ls -l \"<&>\n","deep":[{"a":[1,null,3]}],"id":9007199254740993,"list":[],"map":{},"n":1.5,"x":null}`
	same := object(t, want)
	if err != nil || !reflect.DeepEqual(res.Input.View(), same.View()) {
		t.Fatalf("got %s, %v", res.Input.Raw(), err)
	}
	if len(res.Input.Members()) != 7 || string(res.Input.RawOf("id")) != "9007199254740993" {
		t.Errorf("members %s", res.Input.Raw())
	}
}

// TestBlame: an error about nil names what its line has looked up in vain, and
// nothing else.
func TestBlame(t *testing.T) {
	for text, want := range map[string]string{
		"return dney('x')":                                          `attempt to call a non-function object; undefined global "dney" (did you mean "deny"?)` + "\nstack",
		"return re.mtach('x')":                                      `attempt to call a non-function object; re has no "mtach" (did you mean "match"?)` + "\nstack",
		"return ev.command:trim()":                                  `attempt to call a non-function object; string has no "trim" (write text:match("^%s*(.-)%s*$"))`,
		"local x = helprs.f":                                        `attempt to index a non-table object(nil) with key 'f'; undefined global "helprs"` + "\nstack",
		"local x = strict\nlocal y\ny.z()":                          "attempt to index a non-table object(nil) with key 'z'\nstack",
		"local x = strict\nlocal y\ny()":                            "attempt to call a non-function object\nstack",
		"local ok, e = pcall(function() os.exit() end) error(e, 0)": "attempt to index a non-table object(nil) with key 'exit'",
	} {
		if _, err := says(t, text, bash(t, "ls")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
