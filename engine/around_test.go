package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
)

// policyDir writes files into a new directory and returns it.
func policyDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func openDir(t *testing.T, dir string, trusted bool, opts ...engine.Option) *engine.Engine {
	t.Helper()
	opts = append(opts, engine.WithManaged("/nonexistent"), engine.WithHome("/nonexistent"), engine.WithTrust(func(string) bool { return trusted }))
	eng, err := engine.Open(t.Context(), dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eng.Close(context.Background()) })
	return eng
}

var errBroken = errors.New("broken")

// runOne runs one task that always fails, and returns what became of it.
func runOne(t *testing.T, eng *engine.Engine, x task.Task) task.Outcome {
	t.Helper()
	outcomes, err := eng.Tasks(task.Runner{Session: "s", Execute: func(context.Context, task.Job) (string, error) { return "", errBroken }}).Run(t.Context(), []task.Task{x})
	if len(outcomes) != 1 {
		t.Fatal(err)
	}
	return outcomes[0]
}

// details are what the OnFailure hooks of steps said, each with its name.
func details(steps []engine.Step) []string {
	var list []string
	for _, s := range steps {
		if name, ok := strings.CutSuffix(s.Hook, ".OnFailure"); ok {
			list = append(list, filepath.Base(name)+": "+s.Detail)
		}
	}
	return list
}

const aroundLua = `
local seen = 0
task.before(function(t) seen = seen + 1 end)
task.on_failure(function(t, failure)
  if t.subject == "flaky" and t.retry_count < 1 then return retry(0) end
  if t.subject == "hopeless" then return fail("seen " .. seen .. " times: " .. failure) end
  if t.subject == "crash" then error("boom") end
end)
subagent.on_failure(function(a, failure)
  if a.subagent_name == "scout" then return delegate("reviewer") end
end)
`

// TestAroundComposes: functions in Lua, sections in YAML and hooks of the host
// are all asked, in this order; the first decision counts.
func TestAroundComposes(t *testing.T) {
	var mu sync.Mutex
	var host []string
	note := func(text string) { mu.Lock(); defer mu.Unlock(); host = append(host, text) }
	dir := policyDir(t, map[string]string{"policies/a.lua": aroundLua, "pawl.yaml": `
policies: [policies/]
tasks:
  - {match: "flaky|crash", retry: {max: 2, delay: 0}, skip: true}
subagents: {match: tester, delegate: reviewer}
`})
	eng := openDir(t, dir, true, engine.WithTaskHooks(task.Hooks{
		BeforeExecute: func(_ context.Context, c task.Context) { note("before " + c.Task.Subject) },
		OnFailure: func(_ context.Context, c task.Context, _ error) task.Decision {
			note("failure")
			return task.Fail{Reason: "host"}
		},
	}), engine.WithSubagentHooks(subagent.Hooks{
		OnFailure: func(_ context.Context, c subagent.Context, _ error) subagent.Decision {
			note(c.SubagentName)
			return nil
		},
	}))
	for _, c := range []struct {
		subject  string
		status   task.Status
		attempts int
		err      string
		details  []string // of the last failure
	}{
		{"flaky", task.Skipped, 3, "broken", []string{"a.lua:4: no opinion", "tasks[0]: skip", "session.tasks[0]: fail: host"}},
		{"hopeless", task.Failed, 1, "broken (seen 2 times: broken)", []string{"a.lua:4: fail: seen 2 times: broken", "session.tasks[0]: fail: host"}},
		{"crash", task.Skipped, 3, "broken", []string{"", "tasks[0]: skip", "session.tasks[0]: fail: host"}},
		{"plain", task.Failed, 1, "broken (host)", []string{"a.lua:4: no opinion", "session.tasks[0]: fail: host"}},
	} {
		host = nil
		out := runOne(t, eng, task.Task{ID: "x", Subject: c.subject})
		if out.Status != c.status || out.Attempts != c.attempts || out.Err == nil || out.Err.Error() != c.err {
			t.Errorf("%s: %s after %d attempts, error %v", c.subject, out.Status, out.Attempts, out.Err)
		}
		got := details(out.Steps)
		got = got[len(got)-len(c.details):]
		for i, want := range c.details {
			if want == "" {
				if !strings.Contains(got[i], "a.lua:7: boom") {
					t.Errorf("%s: %q does not name the line that failed", c.subject, got[i])
				}
			} else if got[i] != want {
				t.Errorf("%s: step %q, want %q", c.subject, got[i], want)
			}
		}
		if len(host) != 1+c.attempts || host[0] != "before "+c.subject {
			t.Errorf("%s: the host was told %v in %d attempts", c.subject, host, c.attempts)
		}
	}

	d, err := eng.Subagents(subagent.Config{Session: "s", Run: func(_ context.Context, c subagent.Call) (string, error) {
		if c.SubagentName == "reviewer" {
			return "reviewed", nil
		}
		return "", errBroken
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	for _, agent := range []string{"scout", "tester", "writer"} {
		host = nil
		res, err := d.Dispatch(t.Context(), subagent.Request{Parent: "main", Agent: agent}).Wait(t.Context())
		if delegated := agent != "writer"; delegated != (err == nil) || delegated != (res.Text == "reviewed") || !slices.Equal(host, []string{agent}) {
			t.Errorf("%s: %q, error %v; the host was told of %v", agent, res.Text, err, host)
		}
	}
}

// TestAroundReload: what a reload changes counts for the next failure, also
// of a run that has begun.
func TestAroundReload(t *testing.T) {
	dir := policyDir(t, map[string]string{"pawl.yaml": "tasks: {retry: {max: 5, delay: 0}}\n"})
	var changes []string
	eng := openDir(t, dir, true, engine.WithChanges(func(c engine.Change) {
		for _, f := range c.Files {
			changes = append(changes, f.Summary())
		}
	}))
	r := eng.Tasks(task.Runner{Execute: func(ctx context.Context, job task.Job) (string, error) {
		if job.Attempt == 2 {
			if err := os.WriteFile(filepath.Join(dir, "pawl.yaml"), []byte("tasks: {skip: true}\n"), 0o600); err != nil {
				return "", err
			}
			if err := eng.Reload(ctx); err != nil {
				t.Error(err)
			}
		}
		return "", errBroken
	}})
	outcomes, err := r.Run(t.Context(), []task.Task{{ID: "x"}})
	if err != nil || outcomes[0].Status != task.Skipped || outcomes[0].Attempts != 2 {
		t.Errorf("%+v, error %v", outcomes, err)
	}
	if !slices.Equal(changes, []string{"changed: tasks"}) {
		t.Errorf("the change is told as %q", changes)
	}
}

// TestAroundDelays: delays and timeouts are those of the section.
func TestAroundDelays(t *testing.T) {
	dir := policyDir(t, map[string]string{"pawl.yaml": `
tasks:
  - {match: ^slow, timeout: 20m, retry: {max: 3, delay: 1s, backoff: 2, maxDelay: 3s}}
subagents: {timeout: 90s}
`})
	eng := openDir(t, dir, true)
	synctest.Test(t, func(t *testing.T) {
		hang := func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		start := time.Now()
		out, err := eng.Tasks(task.Runner{Execute: func(ctx context.Context, _ task.Job) (string, error) { return hang(ctx) }}).Run(t.Context(), []task.Task{
			{ID: "x", Subject: "slowly"}, {ID: "y", Subject: "slow, with a time of its own", Timeout: time.Second}, {ID: "z", Subject: "not"}})
		if want := 4*20*time.Minute + 6*time.Second; err == nil || time.Since(start) != want || out[0].Status != task.TimedOut {
			t.Errorf("took %v, want %v; error %v", time.Since(start), want, err)
		}
		if out[0].Attempts != 4 || out[1].Attempts != 4 || out[2].Attempts != 1 {
			t.Errorf("attempts %d, %d, %d", out[0].Attempts, out[1].Attempts, out[2].Attempts)
		}
		d, err := eng.Subagents(subagent.Config{Run: func(ctx context.Context, _ subagent.Call) (string, error) { return hang(ctx) }})
		if err != nil {
			t.Fatal(err)
		}
		start = time.Now()
		if _, err := d.Dispatch(t.Context(), subagent.Request{Agent: "scout"}).Wait(t.Context()); err == nil || time.Since(start) != 90*time.Second {
			t.Errorf("a subagent took %v; error %v", time.Since(start), err)
		}
	})
}

// TestAroundTrust: of a workspace that is not trusted, only what fails counts.
func TestAroundTrust(t *testing.T) {
	dir := policyDir(t, map[string]string{"p/a.lua": `task.on_failure(function(t)
  if t.subject == "bad" then return fail("no") end
  return skip()
end)`, "pawl.yaml": "policies: [p/]\ntasks: {skip: true, timeout: 1h}\nsubagents: {delegate: evil}\n"})
	eng := openDir(t, dir, false)
	var warned []string
	for _, d := range eng.Diagnostics() {
		warned = append(warned, d.Path+": "+d.Message)
	}
	for _, path := range []string{"tasks", "subagents"} {
		if !slices.Contains(warned, path+": counts for nothing: the workspace is not trusted") {
			t.Errorf("no warning of %s: %q", path, warned)
		}
	}
	if out := runOne(t, eng, task.Task{ID: "x", Subject: "good"}); out.Status != task.Failed || !slices.Equal(details(out.Steps), []string{
		"a.lua:1: no opinion: skip dropped: the workspace is not trusted", "tasks: no opinion: the workspace is not trusted"}) {
		t.Errorf("%s, %q", out.Status, details(out.Steps))
	}
	if out := runOne(t, eng, task.Task{ID: "x", Subject: "bad", MaxRetries: 3}); out.Status != task.Failed || out.Attempts != 1 {
		t.Errorf("%s after %d attempts", out.Status, out.Attempts)
	}
	if trusted := openDir(t, dir, true); runOne(t, trusted, task.Task{ID: "x", Subject: "good"}).Status != task.Skipped {
		t.Error("a trusted workspace cannot skip")
	}
}

// TestAroundBroken: an entry with a fault is an error of the load with its
// place, and what it is for fails and is not tried again as if nobody had
// asked for it. Its neighbours work.
func TestAroundBroken(t *testing.T) {
	for text, want := range map[string]string{
		"tasks: {retri: {max: 3}}":                                         `:1:9: tasks.retri: unknown key "retri" (did you mean "retry"?)`,
		"tasks: {retry: {max: many}}":                                      `:1:22: tasks.retry.max: expected a whole number from 0 to 1000, got the string "many"`,
		"tasks: {retry: {max: 3, delay: -1s}}":                             `:1:32: tasks.retry.delay: expected a delay of 0 or more, got the string "-1s"`,
		"tasks: {retry: {delay: 1s}}":                                      `:1:16: tasks.retry: missing max: how often it is tried again (add max: 3)`,
		"tasks: {retry: {max: 3, back_off: 2}}":                            `:1:25: tasks.retry.back_off: unknown key "back_off" (did you mean "backoff"?)`,
		"tasks: {retry: {max: 3, backoff: 0}}":                             `:1:34: tasks.retry.backoff: expected a number from 1 to 100, got the number 0`,
		"tasks: {retry: {max: 3, delay: 10s, maxDelay: 1s}}":               `:1:47: tasks.retry.maxDelay: a maxDelay of 1s cuts off the first delay of 10s (make it longer, or delay shorter)`,
		"tasks: {match: 'Bash(rm *)', skip: true}":                         `:1:16: tasks.match: "Bash(rm *)" is a tool pattern, but the matcher tests the subject of a task (write names, or a regular expression)`,
		"tasks: {delegate: reviewer}":                                      `:1:9: tasks.delegate: unknown key "delegate" (one of match, timeout, retry, skip, description)`,
		"tasks: 3":                                                         `:1:8: tasks: expected a mapping with retry, timeout or skip, got the number 3 (write {retry: {max: 3, delay: 1s}})`,
		"tasks: {match: 'x(', skip: true}":                                 `:1:16: tasks.match: `,
		"tasks:\n  - {match: other, skip: true}\n  - {skip: perhaps}\n":    `:3:12: tasks[1].skip: expected true or false`,
		"tasks: {retry: 3, skip: true}\nsubagents: {delegate: reviewer}\n": `:1:16: tasks.retry: expected a mapping with max, delay and backoff, got the number 3 (write {max: 3, delay: 1s, backoff: 2})`,
	} {
		dir := policyDir(t, map[string]string{"pawl.yaml": text})
		eng, err := engine.Open(t.Context(), filepath.Join(dir, "pawl.yaml"), engine.WithManaged("/nonexistent"))
		var load *engine.LoadError
		if !errors.As(err, &load) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
			continue
		}
		out := runOne(t, eng, task.Task{ID: "x", Subject: "x", MaxRetries: 2})
		if out.Status != task.Failed || out.Attempts != 1 || !slices.ContainsFunc(out.Steps, func(s engine.Step) bool {
			return s.Status == "failed" && s.Cause == "config" && strings.Contains(s.Detail, want)
		}) {
			t.Errorf("%s: %s after %d attempts, steps %+v", text, out.Status, out.Attempts, out.Steps)
		}
		if out := runOne(t, eng, task.Task{ID: "x", Subject: "other"}); strings.Contains(text, "other") && out.Status != task.Skipped {
			t.Errorf("%s: the sound entry does not count", text)
		}
	}
}

// TestAroundObserved: the observer sees start and end of the hooks of events,
// tasks and subagents in one stream.
func TestAroundObserved(t *testing.T) {
	var mu sync.Mutex
	var stream []string
	dir := policyDir(t, map[string]string{"p/a.lua": "task.before(function() end)\n", "pawl.yaml": "policies: [p/]\ntasks: {skip: true}\n"})
	eng := openDir(t, dir, true, engine.WithObserver(func(p engine.Progress) {
		mu.Lock()
		defer mu.Unlock()
		text := string(p.Event) + " " + filepath.Base(p.Hook)
		if p.Ended {
			text += " " + string(p.Step.Status) + " " + p.Step.Detail
		}
		stream = append(stream, p.Session+": "+text)
	}), engine.WithHook(engine.TaskCompleted, "", func(context.Context, engine.Call) (engine.Result, error) { return engine.Result{}, nil }),
		engine.WithSubagentHooks(subagent.Hooks{AfterDispatch: func(context.Context, subagent.Context, subagent.Result) {}}))
	out := runOne(t, eng, task.Task{ID: "x"})
	var places []string
	for _, s := range out.Steps {
		places = append(places, s.Type+" "+s.Source.String()+" "+filepath.Base(s.Pos.String()))
	}
	if want := []string{"task project pawl.yaml:2:8", "function session ."}; !slices.Equal(places, want) {
		t.Errorf("the trace says %q, want %q", places, want)
	}
	d, err := eng.Subagents(subagent.Config{Session: "s", Run: func(context.Context, subagent.Call) (string, error) { return "", nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	if _, err := d.Dispatch(t.Context(), subagent.Request{Agent: "scout"}).Wait(t.Context()); err != nil {
		t.Error(err)
	}
	want := []string{
		"s: BeforeExecute a.lua:1.BeforeExecute", "s: BeforeExecute a.lua:1.BeforeExecute ran ",
		"s: OnFailure tasks.OnFailure", "s: OnFailure tasks.OnFailure ran skip",
		"s: TaskCompleted session.TaskCompleted[0]", "s: TaskCompleted session.TaskCompleted[0] ran ",
		"s: AfterDispatch session.subagents[0].AfterDispatch", "s: AfterDispatch session.subagents[0].AfterDispatch ran ",
	}
	if !slices.Equal(stream, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(stream, "\n"), strings.Join(want, "\n"))
	}
}

// TestAroundGates: a switch silences functions and sections, and the trace
// says so; hooks of the host stay.
func TestAroundGates(t *testing.T) {
	dir := policyDir(t, map[string]string{"p/a.lua": "task.on_failure(function() return skip() end)\n", "pawl.yaml": "disableAllHooks: true\npolicies: [p/]\ntasks: {skip: true, timeout: 1ns}\n"})
	eng := openDir(t, dir, true, engine.WithTaskHooks(task.Hooks{Name: "host", OnFailure: func(context.Context, task.Context, error) task.Decision {
		return task.Fail{Reason: "host"}
	}}))
	out := runOne(t, eng, task.Task{ID: "x"})
	gate := ": no opinion: disableAllHooks in the project settings"
	if got := details(out.Steps); out.Status != task.Failed || !slices.Equal(got, []string{"a.lua:1" + gate, "tasks" + gate, "host: fail: host"}) {
		t.Errorf("%s, %q", out.Status, got)
	}
}

// TestAroundShared: in files that other agents read too the keys are theirs,
// and a misspelt one in a file of our own is told.
func TestAroundShared(t *testing.T) {
	dir := policyDir(t, map[string]string{"echo-agent.yaml": "tasks: {queue: 7}\nsubagents: [a, b]\n"})
	if eng := openDir(t, dir, true); len(eng.Diagnostics()) > 0 {
		t.Errorf("keys of another agent: %v", eng.Diagnostics())
	}
	dir = policyDir(t, map[string]string{"pawl.yaml": "taks: {skip: true}\n"})
	if got := openDir(t, dir, true).Diagnostics(); len(got) != 1 || !strings.Contains(got[0].Error(), `unknown key "taks" (did you mean "tasks"?)`) {
		t.Errorf("a misspelt key: %v", got)
	}
}

// TestAroundMaxRetries: a section that wants more than the default gets it, a
// delegate included; what the host says is the bound of all.
func TestAroundMaxRetries(t *testing.T) {
	dir := policyDir(t, map[string]string{"pawl.yaml": `
policies: [policies/]
tasks: {match: often, retry: {max: 20, delay: 0}}
subagents: {match: often, retry: {max: 5, delay: 0}, delegate: reviewer}
`, "policies/a.lua": "task.on_failure(function(t) if t.subject == 'ever' then return retry(0) end end)\n" +
		"subagent.on_failure(function(a) if a.subagent_name == 'ever' then return retry(0) end end)\n"})
	eng := openDir(t, dir, true)
	for _, c := range []struct {
		name                  string
		runner, config        int
		attempts, dispatches  int
		failure, dispatchFail string
	}{
		{"often", 0, 0, 21, 7, "broken", ""},
		{"ever", 0, 0, 11, 4, "broken (no retry is left of 10)", "broken (no retry is left of 3)"},
		{"often", 2, 2, 3, 3, "broken (no retry is left of 2)", "broken (no retry is left of 2)"},
		{"often", -1, -1, 1, 1, "broken (no retry is left of 0)", "broken (no retry is left of 0)"},
	} {
		r := eng.Tasks(task.Runner{MaxRetries: c.runner, Execute: func(context.Context, task.Job) (string, error) { return "", errBroken }})
		out, _ := r.Run(t.Context(), []task.Task{{ID: "x", Subject: c.name}})
		if out[0].Attempts != c.attempts || out[0].Err.Error() != c.failure {
			t.Errorf("task %s, at most %d: %d attempts, %v", c.name, c.runner, out[0].Attempts, out[0].Err)
		}
		d, err := eng.Subagents(subagent.Config{MaxRetries: c.config, Run: func(_ context.Context, c subagent.Call) (string, error) {
			if c.SubagentName == "reviewer" {
				return "reviewed", nil
			}
			return "", errBroken
		}})
		if err != nil {
			t.Fatal(err)
		}
		res, err := d.Dispatch(t.Context(), subagent.Request{Agent: c.name}).Wait(t.Context())
		if got := fmt.Sprint(err); res.Attempts != c.dispatches || got != c.dispatchFail && (err != nil || c.dispatchFail != "") {
			t.Errorf("subagent %s, at most %d: %d attempts, %v", c.name, c.config, res.Attempts, err)
		}
		d.Close(t.Context())
	}
}

// TestAroundShadowed: an entry that comes too late to decide is told of; one
// that says how long something may take is not too late.
func TestAroundShadowed(t *testing.T) {
	for text, want := range map[string]string{
		"tasks:\n  - {skip: true}\n  - {match: x, retry: {max: 1}}\n":               ":3:5: tasks[1]: decides nothing: tasks[0] comes before it and is for all (put it before that)",
		"subagents:\n  - {match: '*', delegate: a}\n  - {match: x, delegate: b}\n":  ":3:5: subagents[1]: decides nothing: subagents[0] comes before it and is for all (put it before that)",
		"tasks:\n  - {timeout: 1m}\n  - {match: x, skip: true}\n  - {skip: true}\n": "",
		"tasks:\n  - {skip: true}\n  - {match: x, timeout: 1m}\n":                   "",
		"tasks:\n  - {retry: {max: 3, delay: 25h, maxDelay: 48h}}\n":                ":2:29: tasks[0].retry.delay: delay of 25h0m0s is cut to 24h0m0s",
	} {
		dir := policyDir(t, map[string]string{"pawl.yaml": text})
		var got []string
		for _, d := range openDir(t, dir, true).Diagnostics() {
			got = append(got, d.Error())
		}
		if len(got) == 0 && want != "" || len(got) > 0 && (want == "" || !strings.HasSuffix(got[0], want)) {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	}
}

// TestAroundSelf: an entry that would delegate to the one agent that it is for
// is broken, and its dispatch fails.
func TestAroundSelf(t *testing.T) {
	dir := policyDir(t, map[string]string{"pawl.yaml": "subagents: {match: scout, delegate: scout}\n"})
	eng, err := engine.Open(t.Context(), filepath.Join(dir, "pawl.yaml"), engine.WithManaged("/nonexistent"))
	const want = `:1:37: subagents.delegate: "scout" would get what it has failed at (name another agent)`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	d, err := eng.Subagents(subagent.Config{Run: func(context.Context, subagent.Call) (string, error) { return "", errBroken }})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "scout"}).Wait(t.Context())
	if !errors.Is(err, errBroken) || res.Attempts != 1 || !slices.ContainsFunc(res.Steps, func(s engine.Step) bool { return s.Cause == "config" && s.Hook == "subagents.OnFailure" }) {
		t.Errorf("error %v, steps %+v", err, res.Steps)
	}
}
