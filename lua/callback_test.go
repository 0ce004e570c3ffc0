package lua

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

const recovers = `
local tries = 0
task.before(function(t) log.info("before", t.id) end)
task.after(function(t, result) state.set("last", t.subject .. ": " .. result) end)
task.on_failure(function(t, failure)
  if failure:find("network", 1, true) and t.retry_count < t.max_retries then return retry(1.5) end
  if t.executor == "optional" then return skip() end
  if t.attempt > 2 then return fail("three times: " .. failure) end
end)
on("TaskCompleted", function(ev) return context(state.get("last") or "nothing yet") end)
subagent.before(function(a) tries = tries + 1 end)
subagent.after(function(a, result) log.info(a.subagent_name, a.mode, a.task, tries, result) end)
subagent.on_failure(function(a, failure)
  if a.attempt == 1 then return retry() end
  if a.parent_agent ~= "reviewer" then return delegate("reviewer") end
  return fail()
end)
`

func TestCallbacks(t *testing.T) {
	p := newProject(t, "a.lua", recovers)
	specs, diags := p.load("a.lua")
	if len(specs) != 1 || len(diags) > 0 {
		t.Fatalf("hooks %v, %v", specs, diags)
	}
	var at []string
	for _, h := range p.r.Tasks() {
		at = append(at, fmt.Sprint("task ", h.When, " ", h.ID, " ", h.Pos.Line, " ", h.Source.Layer == hook.Project))
	}
	for _, h := range p.r.Subagents() {
		at = append(at, fmt.Sprint("subagent ", h.When, " ", h.ID))
	}
	want := "task before a.lua:3 3 true\ntask after a.lua:4 4 true\ntask on_failure a.lua:5 5 true\n" +
		"subagent before a.lua:11\nsubagent after a.lua:12\nsubagent on_failure a.lua:13"
	if got := strings.Join(at, "\n"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTaskCallbacks: each callback sees the task, answers, and shares the
// state of its file with the handlers.
func TestTaskCallbacks(t *testing.T) {
	p := newProject(t, "a.lua", recovers)
	completed := p.actions("a.lua")[0]
	before, after, failure := p.r.Tasks()[0], p.r.Tasks()[1], p.r.Tasks()[2]
	a, err := before.Call(t.Context(), "s", Task{ID: "t1"}, "")
	if err != nil || a.Log != "info: a.lua:3: before t1\n" || a.Recovery != (Recovery{}) {
		t.Errorf("before: %+v, %v", a, err)
	}
	if a, err := after.Call(t.Context(), "s", Task{Subject: "build"}, "done"); err != nil || a.Recovery != (Recovery{}) {
		t.Errorf("after: %+v, %v", a, err)
	}
	res, err := completed.Run(t.Context(), call(hook.Event{Name: hook.TaskCompleted, Session: "s"}))
	if err != nil || len(res.Context) != 1 || res.Context[0] != "build: done" {
		t.Errorf("the handler does not see what the callback kept: %+v, %v", res, err)
	}
	for _, tt := range []struct {
		task    Task
		failure string
		want    Recovery
	}{
		{Task{MaxRetries: 1}, "no network", Recovery{Kind: Retry, Delay: 1500 * time.Millisecond}},
		{Task{RetryCount: 1, MaxRetries: 1}, "no network", Recovery{}},
		{Task{Executor: "optional", Attempt: 3}, "broken", Recovery{Kind: Skip}},
		{Task{Attempt: 3}, "broken", Recovery{Kind: Fail, Reason: "three times: broken"}},
	} {
		if a, err := failure.Call(t.Context(), "s", tt.task, tt.failure); err != nil || a.Recovery != tt.want {
			t.Errorf("%+v: got %+v, %v, want %+v", tt.task, a.Recovery, err, tt.want)
		}
	}
}

func TestSubagentCallbacks(t *testing.T) {
	p := newProject(t, "a.lua", recovers)
	p.actions("a.lua")
	before, after, failure := p.r.Subagents()[0], p.r.Subagents()[1], p.r.Subagents()[2]
	sent := Subagent{ParentAgent: "main", SubagentName: "coder", Mode: "fork", Task: "fix it", Attempt: 1}
	for _, session := range []string{"1", "1", "2"} {
		if _, err := before.Call(t.Context(), session, sent, ""); err != nil {
			t.Fatal(err)
		}
	}
	if a, err := after.Call(t.Context(), "1", sent, "ok"); err != nil || a.Log != "info: a.lua:12: coder fork fix it 2 ok\n" {
		t.Errorf("after: %+v, %v", a, err)
	}
	again, last := sent, sent
	again.Attempt, last.Attempt, last.ParentAgent = 2, 2, "reviewer"
	for _, tt := range []struct {
		sent Subagent
		want Recovery
	}{{sent, Recovery{Kind: Retry}}, {again, Recovery{Kind: Delegate, Agent: "reviewer"}}, {last, Recovery{Kind: Fail}}} {
		if a, err := failure.Call(t.Context(), "1", tt.sent, "x"); err != nil || a.Recovery != tt.want {
			t.Errorf("%+v: got %+v, %v", tt.sent, a.Recovery, err)
		}
	}
}

// TestCallbackFields: a callback gets what the stubs describe, in a table of
// its own.
func TestCallbackFields(t *testing.T) {
	list := "local names = {} for k, v in pairs(t) do names[#names + 1] = k .. ' ' .. type(v) end table.sort(names) log.info(table.concat(names, ', ')) t.id = 1"
	p := newProject(t, "a.lua", "task.before(function(t) "+list+" log.info(table.concat(t.depends_on, '+'), t.timeout) end)\nsubagent.before(function(t) "+list+" end)")
	p.load("a.lua")
	a, err := p.r.Tasks()[0].Call(t.Context(), "", Task{DependsOn: []string{"x", "y"}, Timeout: 1500 * time.Millisecond}, "")
	if err != nil || !strings.Contains(a.Log, "x+y 1.5\n") {
		t.Errorf("got %q, %v", a.Log, err)
	}
	b, err := p.r.Subagents()[0].Call(t.Context(), "", Subagent{}, "")
	if err != nil {
		t.Error(err)
	}
	for log, described := range map[string][]function{a.Log: taskFields(), b.Log: subagentFields()} {
		for _, f := range described {
			if !strings.Contains(log, f.name+" ") {
				t.Errorf("%s is not in %q", f.name, log)
			}
		}
		if first, _, _ := strings.Cut(log, "\n"); strings.Count(first, ",") != len(described)-1 {
			t.Errorf("%d fields are described, of %q", len(described), first)
		}
	}
}

func TestCallbackDiagnostics(t *testing.T) {
	fn := "(function() end)"
	tests := []struct{ name, text, want string }{
		{"no function", "task.before()", "a.lua:1: task.before: expected one function, got 0 arguments"},
		{"a table", "\ntask.on_failure({})", "a.lua:2: task.on_failure: expected a function of the policy, got a table"},
		{"a verdict function", "subagent.after(deny)", "subagent.after: expected a function of the policy, got a function"},
		{"two", "subagent.before('coder', function() end)", "subagent.before: expected one function, got 2 arguments"},
		{"a verdict too early", "retry(1)", "a.lua:1: retry: only while an event is handled"},
		{"skip too early", "skip()", "skip: only in task.on_failure"},
		{"fail too early", "fail()", "fail: only in task.on_failure and subagent.on_failure"},
		{"delegate too early", "delegate('x')", "delegate: only in subagent.on_failure"},
		{"too many", "for i = 1, 1001 do task.before" + fn + " end", "more than 1000 handlers"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t, "a.lua", tt.text)
			_, diags := p.load("a.lua")
			if len(diags) != 1 || !strings.Contains(diags[0].Error(), tt.want) {
				t.Errorf("got %v, want %s", diags, tt.want)
			}
			if len(p.r.Tasks())+len(p.r.Subagents()) > 0 {
				t.Error("a file that is not loaded has callbacks")
			}
		})
	}
	p := newProject(t, "b.lua", "return function() task.before"+fn+" end")
	s := entry("script", p.dir+"/b.lua")
	a, diags := p.r.Type().New(s, hook.Deps{})
	if a == nil {
		t.Fatal(diags)
	}
	if _, err := a.Run(t.Context(), call(bash(t, "ls"))); err == nil || !strings.Contains(err.Error(), "task.before: only while a policy file is loaded") {
		t.Error(err)
	}
}

func TestCallbackAnswers(t *testing.T) {
	tests := []struct{ text, want string }{
		{"task.on_failure(function(t) return deny('x') end)", "a.lua:1: deny: not in task.on_failure, which returns retry(…), skip(…), fail(…) or nothing"},
		{"task.on_failure(function(t) return delegate('x') end)", "delegate: not in task.on_failure"},
		{"task.before(function(t) return retry(1) end)", "retry: not in task.before, which returns nothing"},
		{"task.on_failure(function(t) return retry('soon') end)", `retry: expected a delay in seconds, 0 to 86400, got "soon"`},
		{"task.on_failure(function(t) return retry(-1) end)", "got -1"},
		{"task.on_failure(function(t) return retry(0/0) end)", "got NaN"},
		{"task.on_failure(function(t) return retry(1e9) end)", "got 1000000000"},
		{"task.on_failure(function(t) return skip('x') end)", `skip: takes nothing, got "x"`},
		{"task.on_failure(function(t) return fail({}) end)", "fail: expected a text, got a table"},
		{"task.on_failure(function(t) return 5 end)", "no verdict (answer): a.lua:1: task.on_failure returned a number: return retry(…)"},
		{"task.on_failure(function(t) return {retry(1)} end)", "task.on_failure returned a table"},
		{"task.on_failure(function(t) return retry(1), skip() end)", "task.on_failure returned retry(…) and skip(…): return one of them"},
		{"task.after(function(t) return true end)", "task.after returned a boolean: return nothing"},
		{"\ntask.after(function(t) local x = nil + 1 end)", "a.lua:2: cannot perform"},
		{"task.on_failure(function(t) while true do end end)", "no verdict (timeout): a.lua:1: stopped after 250 ms"},
	}
	for _, tt := range tests {
		p := newProject(t, "a.lua", tt.text)
		p.actions("a.lua")
		_, err := p.r.Tasks()[0].Call(t.Context(), "s", Task{}, "x")
		if _, ok := errors.AsType[*hook.NoVerdict](err); !ok || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.text, err, tt.want)
		}
	}
	for text, want := range map[string]string{
		"subagent.on_failure(function(a) return skip() end)":        "skip: not in subagent.on_failure, which returns retry(…), fail(…), delegate(…) or nothing",
		"subagent.on_failure(function(a) return delegate('') end)":  `delegate: expected the name of an agent, got ""`,
		"subagent.on_failure(function(a) return delegate(a) end)":   "delegate: expected the name of an agent, got a table",
		"subagent.on_failure(function(a) return delegate() end)":    "delegate: expected the name of an agent, got a nil",
		"subagent.on_failure(function(a) return context('x') end)":  "context: not in subagent.on_failure",
		"subagent.before(function(a) return specific('a', 1) end)":  "specific: not in subagent.before, which returns nothing",
		"subagent.before(function(a) on('Stop', type) end)":         "on: only while a policy file is loaded",
		"subagent.before(function(a) subagent.before(type) end)":    "subagent.before: only while a policy file is loaded",
		"subagent.on_failure(function(a, why) return retry, 1 end)": "subagent.on_failure returned a function",
	} {
		p := newProject(t, "a.lua", text)
		p.actions("a.lua")
		if _, err := p.r.Subagents()[0].Call(t.Context(), "s", Subagent{}, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"return skip()":        "skip: only in task.on_failure",
		"return delegate('x')": "delegate: only in subagent.on_failure",
		"return retry(1)":      "retry: takes nothing on an event; a delay is for task.on_failure and subagent.on_failure",
	} {
		if _, err := says(t, text, bash(t, "ls")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// TestCallbackDropped: a verdict that is not returned is told of.
func TestCallbackDropped(t *testing.T) {
	p := newProject(t, "a.lua", "task.on_failure(function(t)\n  retry(1)\nend)")
	p.actions("a.lua")
	a, err := p.r.Tasks()[0].Call(t.Context(), "s", Task{}, "x")
	if err != nil || a.Recovery.Kind != NoOpinion || len(a.Diagnostics) != 1 || !strings.Contains(a.Diagnostics[0].Error(), "a.lua:2: retry(…) has no effect") {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestCallbacksUnstable: every session must register the same callbacks.
func TestCallbacksUnstable(t *testing.T) {
	p := newProject(t, "a.lua", `
if time.now() < 10 then task.before(function() end) else task.after(function() end) end
if time.now() > 20 then subagent.before(function() end) end`)
	now := time.Unix(5, 0)
	p.r.opts.Now = func() time.Time { return now }
	p.actions("a.lua")
	before := p.r.Tasks()[0]
	for sec, want := range map[int64]string{5: "", 15: "a.lua:2: registers another handler in this session", 25: "registered 2 handlers in this session and 1"} {
		now = time.Unix(sec, 0)
		if _, err := before.Call(t.Context(), fmt.Sprint(sec), Task{}, ""); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("at %d: got %v, want %s", sec, err, want)
		}
	}
}

// TestCallbacksParallel: any number of goroutines may call back.
func TestCallbacksParallel(t *testing.T) {
	p := newProject(t, "a.lua", recovers)
	p.actions("a.lua")
	hooks := p.r.Tasks()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				a, err := hooks[2].Call(ctx, fmt.Sprint(i%3), Task{MaxRetries: 1}, "network")
				if err != nil || a.Recovery.Kind != Retry {
					t.Errorf("got %+v, %v", a, err)
				}
			}
		})
	}
	wg.Wait()
}
