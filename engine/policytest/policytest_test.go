package policytest

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files writes files into a new directory and returns it.
func files(t *testing.T, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir string) Report {
	t.Helper()
	found, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), found, Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

const testedPolicy = `
policies: [count.lua]
rules:
  - {name: no-rm, on: PreToolUse, match: Bash(rm *), decision: deny, reason: "for good"}
hooks:
  PreToolUse:
    - matcher: Bash(touch *)
      hooks:
        - {type: lua, lua: 'return {rewrite({command = "true", n = 1}), notice("changed"), context("one")}'}
    - matcher: Bash(stop *)
      hooks:
        - {type: lua, lua: 'return stop("enough")'}
    - matcher: Bash(once *)
      hooks:
        - {type: lua, once: true, lua: 'return ask("only once")'}
`

const countPolicy = `
local calls = 0
on("PreToolUse", "Bash(make *)", function(ev)
  calls = calls + 1
  state.set("makes", {n = state.incr("n"), calls = calls})
end)
`

// TestWants: each thing that can be wanted, met and missed.
func TestWants(t *testing.T) {
	for _, c := range []struct{ test, problem string }{
		{`{bash: rm x, want: deny, reason: good}`, ""},
		{`{bash: rm x, want: ask}`, "wanted ask, got deny: for good"},
		{`{bash: ls, want: deny}`, "wanted deny, got none"},
		{`{bash: rm x, reason: /^for (good|bad)$/}`, ""},
		{`{bash: rm x, reason: /^good/}`, `reason: wanted /^good/, got "for good"`},
		{`{bash: rm x, reason: [for, bad]}`, `reason: wanted "bad", got "for good"`},
		{`{bash: rm x, reason: false}`, `reason: wanted nothing, got "for good"`},
		{`{bash: touch x, context: one, notice: /chang/, rewrite: {n: 1, command: "true"}}`, ""},
		{`{bash: touch x, context: two}`, `context: wanted "two", got "one"`},
		{`{bash: ls, notice: x}`, `notice: wanted "x", got ""`},
		{`{bash: touch x, rewrite: {command: "true"}}`, `rewrite: wanted {"command":"true"}, got {"command":"true","n":1}`},
		{`{bash: ls, rewrite: {command: "true"}}`, `rewrite: wanted {"command":"true"}, got none`},
		{`{bash: touch x, rewrite: false}`, `rewrite: wanted none, got {"command":"true","n":1}`},
		{`{bash: stop x, halted: true, want: deny}`, ""},
		{`{bash: stop x, halted: false}`, "halted: wanted false, got true"},
		{`{bash: make x, state: {n: 1, makes: {calls: 1, n: 1}, other: null}}`, ""},
		{`{bash: make x, state: {n: 2}}`, "state n: wanted 2, got 1"},
		{`{bash: ls, state: {n: 1}}`, "state n: wanted 1, got none"},
		{`{events: [{bash: make x}, {tool_name: Bash, tool_input: {command: make y}}], state: {makes: {calls: 2, n: 2}}}`, ""},
		{`{events: [{bash: once a, want: ask}, {bash: once b, want: ask}]}`, "event 2: wanted ask, got none"},
		{`{events: [{bash: once a, want: ask}, {bash: once b, want: none}], want: ask}`, "event 2: wanted ask, got none"},
		{`{events: [{bash: make x, event: {session_id: a}}, {bash: make y, event: {session_id: b}}], state: {n: 1}}`, ""},
	} {
		r := run(t, files(t, "pawl.yaml", testedPolicy, "count.lua", countPolicy, "a_test.yaml", "- "+c.test))
		if len(r.Results) != 1 {
			t.Fatalf("%s: %+v", c.test, r)
		}
		got := strings.Join(r.Results[0].Problems, "\n")
		if got != c.problem || (got == "") != (r.Passed == 1) || r.Errored > 0 {
			t.Errorf("%s: %q, want %q (%s)", c.test, got, c.problem, r.Results[0].Status)
		}
	}
}

// TestWorlds: what one case leaves does not reach the next.
func TestWorlds(t *testing.T) {
	r := run(t, files(t, "pawl.yaml", testedPolicy, "count.lua", countPolicy,
		"a_test.yaml", strings.Repeat("- {bash: make x, event: {session_id: s}, state: {makes: {calls: 1, n: 1}}}\n- {bash: once x, event: {session_id: s}, want: ask}\n", 3)))
	if r.Passed != 6 {
		t.Errorf("%+v", r.Results)
	}
}

// TestBroken: what keeps a test from being asked is an error with its line.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		test string
		line int
		part string
	}{
		{"", 1, "no cases"},
		{"[]", 1, "expected a list of cases"},
		{"x: 1", 1, `unknown key "x"`},
		{"policy: pawl.yaml", 1, `missing "cases"`},
		{"\n- bash: [", 2, "cannot be read as YAML"},
		{"- {bash: ls, want: none}\n---\n- x", 2, "a second document"},
		{"- ls", 1, "expected a mapping with"},
		{"- {bash: ls, want: none}\n- {bash: ls, wants: none}", 2, `did you mean "want"?`},
		{"- {bash: ls, bash: rm, want: none}", 1, "twice"},
		{"- {want: none}", 1, "what happens?"},
		{"- {bash: ls}", 1, "wants nothing"},
		{"- {bash: '', want: none}", 1, "bash: expected a text"},
		{"- {bash: ls, want: deny!}", 1, "expected none, allow, ask, defer or deny"},
		{"- {bash: ls, reason: ''}", 1, "reason: expected a text"},
		{"- {bash: ls, reason: /(/}", 1, "missing closing )"},
		{"- {bash: ls, rewrite: [1]}", 1, "rewrite: expected the new input"},
		{"- {bash: ls, halted: maybe}", 1, "halted: expected true or false"},
		{"- {bash: ls, state: 1}", 1, "state: expected names"},
		{"- {event: PreToolUse, want: none}", 1, "expected the members of an event"},
		{"- {bash: ls, events: [{bash: ls}], want: none}", 1, "stands for itself"},
		{"- {events: [], want: none}", 1, "expected a list"},
		{"- {event: {tool_name: Read}, want: none}", 1, "tool_input: missing"},
		{"- {event: {tool_name: Read, tool_input: {}, session_id: 1}, want: none}", 1, "session_id: expected a string"},
		{"- {event: {hook_event_name: PreTolUse, tool_name: Read, tool_input: {}}, want: none}", 1, `did you mean "PreToolUse"?`},
		{"policy: other.yaml\ncases: [{bash: ls, want: none}]", 0, "policy: there is no"},
		{"- &a {event: &b {tool_input: {x: *b}}, want: none}", 1, "too large, or nested too deep"},
	} {
		r := run(t, files(t, "pawl.yaml", "permissions: {ask: [Read]}", "a_test.yaml", c.test))
		if r.Errored != 1 || r.Passed+r.Failed > 1 {
			t.Errorf("%q: %+v", c.test, r)
			continue
		}
		res := r.Results[len(r.Results)-1]
		if got := strings.Join(res.Problems, "\n"); res.Line != c.line || !strings.Contains(got, c.part) {
			t.Errorf("%q: line %d: %s, want line %d: %s", c.test, res.Line, got, c.line, c.part)
		}
	}
	r := run(t, files(t, "pawl.yaml", "rules: [{name: x}]", "a_test.yaml", "- {bash: ls, want: none}\n- {bash: ls, want: none}"))
	if r.Errored != 1 || !strings.Contains(r.Results[0].Problems[0], "the policy is broken:\n") {
		t.Errorf("%+v", r)
	}
}

func TestFind(t *testing.T) {
	dir := files(t, "b_test.yaml", "", "a_test.lua", "", "x/c_test.yml", "", "x.yaml", "", "test.yaml", "",
		".git/d_test.yaml", "", "x/node_modules/e_test.lua", "")
	got, err := Find(dir, filepath.Join(dir, "x"), filepath.Join(dir, "b_test.yaml"))
	for i := range got {
		got[i], _ = filepath.Rel(dir, got[i])
	}
	if want := []string{"a_test.lua", "b_test.yaml", filepath.Join("x", "c_test.yml")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %v, want %v", got, err, want)
	}
	for _, path := range []string{filepath.Join(dir, "x.yaml"), filepath.Join(dir, "nowhere")} {
		if got, err := Find(path); err == nil {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestCanceled: what a canceled run killed is no result.
func TestCanceled(t *testing.T) {
	dir := files(t, "pawl.yaml", "permissions: {ask: [Read]}", "a_test.yaml", strings.Repeat("- {bash: ls, want: none}\n", 9))
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	r, err := Run(ctx, []string{filepath.Join(dir, "a_test.yaml")}, Options{Home: t.TempDir(), Tell: func(Result) { cancel(why) }})
	if !errors.Is(err, why) || len(r.Results) != 1 {
		t.Errorf("%v %+v", err, r.Results)
	}
}

// TestJUnit: the report is XML whatever the names hold.
func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	nasty := "<&>\"'\x00\x1b\n\xff]]>"
	r := Report{Passed: 1, Failed: 1, Errored: 1, Results: []Result{
		{File: nasty, Line: 1, Name: nasty, Status: Passed},
		{File: nasty, Name: nasty, Status: Failed, Problems: []string{nasty}},
		{File: "b", Status: Errored, Problems: []string{"x"}},
	}}
	if err := WriteJUnit(&b, r, func(Result) string { return nasty }); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests  int `xml:"tests,attr"`
		Suites []struct {
			Cases []struct {
				Name    string  `xml:"name,attr"`
				Failure *string `xml:"failure"`
				Error   *string `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if got.Tests != 3 || len(got.Suites) != 2 || got.Suites[0].Cases[1].Failure == nil || got.Suites[1].Cases[0].Error == nil {
		t.Errorf("%+v\n%s", got, b.Bytes())
	}
}

func FuzzReadCases(f *testing.F) {
	f.Add([]byte("- {bash: ls, want: none}"))
	f.Add([]byte("policy: x\ncases:\n  - events: [&a {bash: ls, want: ask}, *a]\n    state: {a: 1.5}\n"))
	f.Add([]byte("- &a {event: &b {tool_input: {x: *b}}, want: none}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, cases, err := readCases(data)
		if err == nil && len(cases) == 0 {
			t.Error("neither cases nor an error")
		}
	})
}
