package policytest

import (
	"strings"
	"testing"
)

const aroundPolicy = `
policies: [around.lua]
tasks:
  - {match: ^fetch, retry: {max: 2, delay: 1s, backoff: 2}, skip: true}
  - {match: ^slow, timeout: 20m}
subagents: {match: scout, retry: {max: 1, delay: 250ms}, delegate: reviewer}
`

const aroundScript = `
task.before(function(t) state.set("last", t.subject) end)
task.after(function(t, result) state.set("last", result) end)
task.on_failure(function(t, failure)
  if failure:find("no such host", 1, true) then return fail("it will not be found either") end
  if t.subject == "crash" then error("boom") end
  if t.status == "timed_out" then return retry(t.timeout) end
end)
subagent.on_failure(function(a, failure)
  if a.mode == "fork" then return retry(a.attempt) end
end)
`

// TestMoments: what a policy says to tasks and subagents, met and missed.
func TestMoments(t *testing.T) {
	for _, c := range []struct{ test, problem string }{
		{`{task: {subject: fetch, error: reset}, want: retry, delay: 1s}`, ""},
		{`{task: {subject: fetch, error: reset, attempt: 2}, want: retry, delay: 2}`, ""},
		{`{task: {subject: fetch, error: reset, retry_count: 2}, want: skip}`, ""},
		{`{task: {subject: fetch, error: "no such host"}, want: fail, reason: not be found}`, ""},
		{`{task: {subject: other, error: reset}, want: none, reason: false}`, ""},
		{`{task: {subject: other, status: timed_out, timeout: 1.5, error: x}, want: retry, delay: 1500ms}`, ""},
		{`{task: {subject: crash, error: x}, want: fail, reason: "/around.lua:6: boom/"}`, ""},
		{`{task: {subject: plan}, state: {last: plan}}`, ""},
		{`{task: {subject: plan, result: done}, state: {last: done}}`, ""},
		{`{task: {subject: fetch, error: reset}, want: skip}`, "wanted skip, got retry"},
		{`{task: {subject: fetch, error: reset}, delay: 2s}`, "delay: wanted 2s, got 1s"},
		{`{task: {subject: other, error: reset}, delay: 0s}`, "delay: wanted 0s, got no retry"},
		{`{task: {subject: fetch, error: "no such host"}, want: none}`, "wanted none, got fail: it will not be found either"},
		{`{subagent: {subagent_name: scout, error: x}, want: retry, delay: 250ms}`, ""},
		{`{subagent: {subagent_name: scout, attempt: 2, error: x}, want: delegate, agent: reviewer}`, ""},
		{`{subagent: {subagent_name: scout, mode: fork, attempt: 3, error: x}, want: retry, delay: 3s}`, ""},
		{`{subagent: {subagent_name: other, error: x}, want: none, agent: false}`, ""},
		{`{subagent: {subagent_name: scout, attempt: 2, error: x}, agent: tester}`, `agent: wanted "tester", got "reviewer"`},
		{`{events: [{task: {subject: a}}, {bash: ls, want: none}, {subagent: {subagent_name: scout, error: x}, want: fail}]}`, "event 3: wanted fail, got retry"},
		{`{events: [{bash: ls}, {task: {subject: fetch, error: x}}], want: retry}`, ""},
	} {
		r := run(t, files(t, "pawl.yaml", aroundPolicy, "around.lua", aroundScript, "a_test.yaml", "- "+c.test))
		if len(r.Results) != 1 {
			t.Fatalf("%s: %+v", c.test, r)
		}
		got := strings.Join(r.Results[0].Problems, "\n")
		if got != c.problem || (got == "") != (r.Passed == 1) || r.Errored > 0 {
			t.Errorf("%s: %q, want %q (%s)", c.test, got, c.problem, r.Results[0].Status)
		}
	}
}

// TestBrokenMoments: what cannot be asked is an error that says what to write.
func TestBrokenMoments(t *testing.T) {
	for test, problem := range map[string]string{
		`{task: {subject: a, error: x}, want: deny}`:             `want: expected none, retry, skip or fail, got "deny"`,
		`{subagent: {subagent_name: a, error: x}, want: skip}`:   `want: expected none, retry, fail or delegate, got "skip"`,
		`{task: {subject: a}, want: retry}`:                      `want: expected none, got "retry"`,
		`{bash: ls, want: retry}`:                                `want: expected none, allow, ask, defer or deny, got "retry"`,
		`{bash: ls, delay: 1s}`:                                  "delay: only the failure of a task or subagent has it",
		`{task: {subject: a, result: x}, delay: 1s}`:             "delay: only the failure of a task or subagent has it",
		`{task: {subject: a, error: x}, agent: b}`:               "agent: a task is not delegated",
		`{task: {subject: a, error: x}, context: b}`:             "context: only events have it, not task.on_failure",
		`{task: {subject: a, error: x}, delay: soon}`:            `delay: expected a time such as 1s or 250ms, got "soon"`,
		`{task: {subject: a, error: x}, delay: -1s}`:             `delay: expected a time such as 1s or 250ms, got "-1s"`,
		`{task: {subject: a, error: x}}`:                         "the case wants nothing: write want: none, retry, skip or fail",
		`{task: {subject: a, error: x, result: y}, want: none}`:  "task: both error and result: it fails, or it ends",
		`{task: {subjet: a, error: x}, want: none}`:              `task: unknown member "subjet" (did you mean "subject"?)`,
		`{task: {error: x, attempt: 0}, want: none}`:             "task: attempt: 0 is not what a task has there",
		`{task: {error: x, depends_on: [1]}, want: none}`:        "task: depends_on: [1] is not what a task has there",
		`{task: {error: x, status: done}, want: none}`:           `task: status: expected failed or timed_out, beside error, got "done"`,
		`{task: build, want: none}`:                              `task: expected its members, such as {subject: build, error: "no network"}`,
		`{subagent: {error: x}, want: none}`:                     "subagent: missing subagent_name",
		`{subagent: {subagent_name: a}, bash: ls, want: none}`:   `"subagent" stands for itself, without "bash"`,
		`{events: [{bash: ls}], task: {subject: a}, want: none}`: `"events" stands for itself, without "task"`,
		`{want: none}`: `what happens? write bash: "a command", or event:, events:, task: or subagent:`,
	} {
		r := run(t, files(t, "pawl.yaml", aroundPolicy, "around.lua", aroundScript, "a_test.yaml", "- "+test))
		if r.Errored != 1 || len(r.Results[0].Problems) != 1 || r.Results[0].Problems[0] != problem || r.Results[0].Line != 1 {
			t.Errorf("%s\n got %+v\nwant %s", test, r.Results, problem)
		}
	}
}

// TestMomentsInLua: a test in Lua sends moments as it sends events.
func TestMomentsInLua(t *testing.T) {
	r := run(t, files(t, "pawl.yaml", aroundPolicy, "around.lua", aroundScript, "a_test.lua", `
test("a task", function()
  local d = dispatch{task = {subject = "fetch", attempt = 2, error = "reset"}}
  expect(d.decision == "retry" and d.delay == 2)
  expect(dispatch{task = {subject = "fetch", error = "no such host"}}.reason == "it will not be found either")
  expect(dispatch{task = {subject = "plan", result = "done"}}.decision == "none")
  expect(kept("last") == "done")
end)
test("a subagent", function()
  local d = dispatch{subagent = {subagent_name = "scout", attempt = 2, error = "x"}}
  expect(d.decision == "delegate" and d.agent == "reviewer")
end)
test("misspelt", function()
  local ok, err = pcall(dispatch, {task = {subjet = "x"}})
  expect(not ok and err:find('unknown member "subjet"', 1, true), err)
end)
`))
	if r.Passed != 3 {
		t.Errorf("%+v", r.Results)
	}
}

// TestMomentsCovered: sections and callbacks are counted, and reached by the
// moment that they are for.
func TestMomentsCovered(t *testing.T) {
	unreached := func(cases string) (ids []string) {
		r := run(t, files(t, "pawl.yaml", aroundPolicy, "around.lua", aroundScript, "a_test.yaml", cases))
		if r.Coverage.Total != 7 || r.Failed+r.Errored > 0 {
			t.Errorf("%s: %d in all, %+v", cases, r.Coverage.Total, r.Results)
		}
		for _, u := range r.Coverage.Unreached {
			id := u.ID[strings.LastIndexByte(u.ID, '/')+1:]
			if u.Matched {
				id += " failed"
			}
			ids = append(ids, id)
		}
		return ids
	}
	for _, c := range []struct{ cases, want string }{
		{"- {bash: ls, want: none}\n", "around.lua:2 around.lua:3 around.lua:4 around.lua:9 tasks[0] tasks[1] subagents"},
		{"- {task: {subject: fetch, error: x}, want: retry}\n", "around.lua:2 around.lua:3 around.lua:9 tasks[1] subagents"},
		{"- {task: {subject: crash, error: x}, want: fail}\n", "around.lua:2 around.lua:3 around.lua:4 failed around.lua:9 tasks[0] tasks[1] subagents"},
		{"- {task: {subject: slow}, want: none}\n- {task: {result: x}, want: none}\n- {subagent: {subagent_name: scout, error: x}, want: retry}\n", "around.lua:4 tasks[0]"},
	} {
		if got := strings.Join(unreached(c.cases), " "); got != c.want {
			t.Errorf("%s: unreached %q, want %q", c.cases, got, c.want)
		}
	}
}
