package task_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// diary records who was called, in order.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// alive notes a call that has no time left from its start.
func (d *diary) alive(ctx context.Context) {
	if ctx.Err() != nil {
		d.add("the context has ended")
	}
}

func (d *diary) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.lines, "\n")
}

// observer notes each call of its hooks; answer is its OnFailure.
func (d *diary) observer(name string, answer func(task.Context, error) task.Decision) task.Hooks {
	return task.Hooks{
		Name:          name,
		BeforeExecute: func(_ context.Context, c task.Context) { d.add("%s before %s %d", name, c.Task.ID, c.Attempt) },
		AfterExecute: func(ctx context.Context, c task.Context, result string) {
			d.add("%s after %s %d: %s", name, c.Task.ID, c.Attempt, result)
			d.alive(ctx)
		},
		OnFailure: func(_ context.Context, c task.Context, err error) task.Decision {
			d.add("%s failure %s %d, %d retries, %s: %v", name, c.Task.ID, c.Attempt, c.Task.RetryCount, c.Task.Status, err)
			if answer == nil {
				return nil
			}
			return answer(c, err)
		},
	}
}

// dispatch notes each event and lets answer decide it.
func (d *diary) dispatch(answer func(hook.Event) hook.Decision) func(context.Context, hook.Event) hook.Decision {
	return func(ctx context.Context, ev hook.Event) hook.Decision {
		d.alive(ctx)
		d.add("%s", strings.TrimSpace(fmt.Sprintf("%s %s %s", ev.Name, ev.More.Text("task_id"), ev.More.Text("task_terminal_status"))))
		if answer == nil {
			return hook.Decision{}
		}
		return answer(ev)
	}
}

// script executes each task by its list of errors, then with success.
func (d *diary) script(failures map[string][]error) func(context.Context, task.Job) (string, error) {
	var mu sync.Mutex
	return func(_ context.Context, job task.Job) (string, error) {
		d.add("execute %s %d", job.Task.ID, job.Attempt)
		mu.Lock()
		defer mu.Unlock()
		id := job.Task.ID
		if len(failures[id]) == 0 {
			return "result of " + id, nil
		}
		err := failures[id][0]
		failures[id] = failures[id][1:]
		return "", err
	}
}

func named(ids ...string) []task.Task {
	tasks := make([]task.Task, len(ids))
	for i, id := range ids {
		id, on, _ := strings.Cut(id, "<")
		tasks[i] = task.Task{ID: id, Subject: "do " + id, DependsOn: strings.Fields(on)}
	}
	return tasks
}

func statuses(outcomes []task.Outcome) string {
	var words []string
	for _, o := range outcomes {
		words = append(words, o.ID+" "+string(o.Status))
	}
	return strings.Join(words, ", ")
}

func deny(on hook.EventName, id, reason string) func(hook.Event) hook.Decision {
	return func(ev hook.Event) hook.Decision {
		if ev.Name == on && ev.More.Text("task_id") == id {
			return hook.Decision{Event: on, Verdict: hook.Deny, Reasons: []string{reason}}
		}
		return hook.Decision{}
	}
}

// once gives one answer to one event and lets others pass.
func once(on hook.EventName, answer hook.Decision) func(hook.Event) hook.Decision {
	done := false
	return func(ev hook.Event) hook.Decision {
		if ev.Name != on || done {
			return hook.Decision{}
		}
		done = true
		return answer
	}
}

var (
	errBoom = errors.New("boom")
	always  = func(d task.Decision) func(task.Context, error) task.Decision {
		return func(task.Context, error) task.Decision { return d }
	}
)

// TestOrder: who is called when, of two hook sets, and what becomes of the
// tasks. In each case b waits for a.
func TestOrder(t *testing.T) {
	const created = "TaskCreated a\none before a 1\ntwo before a 1\nexecute a 1\n"
	const asked = "one failure a 1, 0 retries, failed: boom\ntwo failure a 1, 0 retries, failed: boom\n"
	for _, c := range []struct {
		name     string
		failures []error
		one, two func(task.Context, error) task.Decision
		answer   func(hook.Event) hook.Decision
		want     string // the diary up to the first line of b
		statuses string
		err      string
	}{
		{name: "all goes well", statuses: "a completed, b completed",
			want: created + "TaskCompleted a completed\none after a 1: result of a\ntwo after a 1: result of a\n"},
		{name: "no opinion, no retries: it fails", failures: []error{errBoom}, statuses: "a failed, b blocked",
			err:  `2 of 2 tasks are not done: task "a" is failed: boom`,
			want: created + asked + "TaskCompleted a failed\n"},
		{name: "the first decision counts, the others are told", failures: []error{errBoom}, one: always(task.Retry{}), two: always(task.Fail{}),
			statuses: "a completed, b completed",
			want: created + asked + "execute a 2\nTaskCompleted a completed\n" +
				"one after a 2: result of a\ntwo after a 2: result of a\n"},
		{name: "a first set without an opinion leaves it to the second", failures: []error{errBoom}, two: always(task.Skip{}),
			statuses: "a skipped, b completed", want: created + asked + "TaskCompleted a skipped\n"},
		{name: "fail is a decision", failures: []error{errBoom}, one: always(task.Fail{}), two: always(task.Skip{}),
			statuses: "a failed, b blocked", err: "boom", want: created + asked + "TaskCompleted a failed\n"},
		{name: "a blocked creation rolls back", answer: deny(hook.TaskCreated, "a", "not on Fridays"), statuses: "a rejected, b blocked",
			err:  `task "a" is rejected: a hook on TaskCreated blocks it: not on Fridays`,
			want: "TaskCreated a\n"},
		{name: "nobody is there to be asked: it is blocked", answer: once(hook.TaskCreated, hook.Decision{Verdict: hook.Ask, Reasons: []string{"ask Dana"}}),
			statuses: "a rejected, b blocked", err: "blocks it: ask Dana", want: "TaskCreated a\n"},
		{name: "a completion that asks stays open", answer: once(hook.TaskCompleted, hook.Decision{Verdict: hook.Ask}), statuses: "a completed, b completed",
			want: created + "TaskCompleted a completed\nexecute a 2\nTaskCompleted a completed\none after a 2: result of a\ntwo after a 2: result of a\n"},
		{name: "a skip that may not be stays open", failures: []error{errBoom}, one: always(task.Skip{}), answer: deny(hook.TaskCompleted, "a", "tests first"),
			statuses: "a open, b blocked", err: "tests first: boom", want: created + asked + "TaskCompleted a skipped\n"},
		{name: "a block does not make a failed task go on", failures: []error{errBoom}, answer: deny(hook.TaskCompleted, "a", "no"),
			statuses: "a failed, b blocked", err: "boom", want: created + asked + "TaskCompleted a failed\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d diary
			r := task.Runner{
				Execute:  d.script(map[string][]error{"a": c.failures}),
				Hooks:    []task.Hooks{d.observer("one", c.one), d.observer("two", c.two)},
				Dispatch: d.dispatch(c.answer),
			}
			outcomes, err := r.Run(t.Context(), named("b<a", "a"))
			slices.Reverse(outcomes)
			got, rest, _ := strings.Cut(d.text()+"\n", "TaskCreated b")
			if got != c.want {
				t.Errorf("called:\n%swant:\n%s", got, c.want)
			}
			if s := statuses(outcomes); s != c.statuses {
				t.Errorf("statuses: %s, want %s", s, c.statuses)
			}
			if ran := outcomes[1].Status == task.Completed; ran != strings.Contains(rest, "execute b 1") {
				t.Errorf("b is %s, and the diary goes on %q", outcomes[1].Status, rest)
			}
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
}

// TestSeed: the LoggingHooks of the seed retry while the task has retries left.
func TestSeed(t *testing.T) {
	var d diary
	logging := d.observer("log", func(c task.Context, _ error) task.Decision {
		if c.Task.RetryCount < c.Task.MaxRetries {
			return task.Retry{}
		}
		return task.Fail{}
	})
	r := task.Runner{Execute: d.script(map[string][]error{"a": {errBoom, errBoom, errBoom}}), Hooks: []task.Hooks{logging}, Executor: "builder"}
	outcomes, err := r.Run(t.Context(), []task.Task{{ID: "a", MaxRetries: 2}})
	want := "log before a 1\n" +
		"execute a 1\nlog failure a 1, 0 retries, failed: boom\n" +
		"execute a 2\nlog failure a 2, 1 retries, failed: boom\n" +
		"execute a 3\nlog failure a 3, 2 retries, failed: boom"
	if d.text() != want {
		t.Errorf("called:\n%s\nwant:\n%s", d.text(), want)
	}
	if o := outcomes[0]; o.Status != task.Failed || o.Attempts != 3 || o.RetryCount != 2 || !errors.Is(o.Err, errBoom) || !errors.Is(err, errBoom) {
		t.Errorf("outcome %+v, error %v", o, err)
	}
}

// TestBounds: nothing that hooks say goes on for ever.
func TestBounds(t *testing.T) {
	fails := func(context.Context, task.Job) (string, error) { return "", errBoom }
	retry := []task.Hooks{{OnFailure: func(context.Context, task.Context, error) task.Decision { return task.Retry{Delay: -1} }}}
	for _, c := range []struct {
		name     string
		runner   task.Runner
		task     task.Task
		attempts int
	}{
		{"ten retries by default", task.Runner{Hooks: retry}, task.Task{}, 11},
		{"the bound of the runner", task.Runner{Hooks: retry, MaxRetries: 1}, task.Task{}, 2},
		{"no retries in the runner", task.Runner{Hooks: retry, MaxRetries: -1}, task.Task{}, 1},
		{"the bound of the task", task.Runner{Hooks: retry, MaxRetries: 1}, task.Task{MaxRetries: 6}, 7},
		{"a task that is never tried again", task.Runner{Hooks: retry}, task.Task{MaxRetries: -1}, 1},
		{"retries of an earlier run count", task.Runner{Hooks: retry}, task.Task{MaxRetries: 6, RetryCount: 5}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.runner.Execute, c.task.ID = fails, "a"
			outcomes, err := c.runner.Run(t.Context(), []task.Task{c.task})
			if o := outcomes[0]; o.Attempts != c.attempts || o.Status != task.Failed || !errors.Is(err, errBoom) {
				t.Errorf("%d executions, %s, error %v; want %d", o.Attempts, o.Status, err, c.attempts)
			}
		})
	}
}

// TestReopen: a completion that hooks block is worked on with their reason,
// and what they say at last is the result.
func TestReopen(t *testing.T) {
	var d diary
	var feedback, notes []string
	blocks := 2
	r := task.Runner{
		Hooks: []task.Hooks{d.observer("log", nil)},
		Dispatch: d.dispatch(func(ev hook.Event) hook.Decision {
			switch {
			case ev.Name == hook.TaskCreated:
				return hook.Decision{Context: []string{"use bun"}}
			case blocks > 0:
				blocks--
				return hook.Decision{Verdict: hook.Deny, Reasons: []string{"tests fail"}, Context: []string{"see log"}}
			}
			return hook.Decision{Output: []byte(`"checked: <ok>"`), Context: []string{"all green"}, Notices: []string{"took long"}}
		}),
		Execute: func(_ context.Context, job task.Job) (string, error) {
			d.add("execute %d", job.Attempt)
			feedback = append(feedback, job.Feedback)
			notes = job.Notes
			return "done", nil
		},
	}
	outcomes, err := r.Run(t.Context(), named("a"))
	want := "TaskCreated a\nlog before a 1\nexecute 1\nTaskCompleted a completed\nexecute 2\nTaskCompleted a completed\n" +
		"execute 3\nTaskCompleted a completed\nlog after a 3: checked: <ok>"
	if d.text() != want || err != nil {
		t.Errorf("called:\n%s\nwant:\n%s\nerror %v", d.text(), want, err)
	}
	if !slices.Equal(feedback, []string{"", "tests fail", "tests fail"}) || !slices.Equal(notes, []string{"use bun", "see log", "see log"}) {
		t.Errorf("feedback %q, notes %q", feedback, notes)
	}
	o := outcomes[0]
	if o.Result != "checked: <ok>" || o.Attempts != 3 || o.RetryCount != 0 || !slices.Equal(o.Notices, []string{"took long"}) || !slices.Equal(o.Context, []string{"all green"}) {
		t.Errorf("outcome %+v", o)
	}
}

// TestNeverComplete: a completion that is always blocked leaves the task open
// in the end, which is not done.
func TestNeverComplete(t *testing.T) {
	var d diary
	r := task.Runner{Execute: d.script(nil), Hooks: []task.Hooks{d.observer("log", nil)}, Dispatch: d.dispatch(deny(hook.TaskCompleted, "a", "never"))}
	outcomes, err := r.Run(t.Context(), named("a", "b<a"))
	if s := statuses(outcomes); s != "a open, b blocked" || outcomes[0].Attempts != 9 || err == nil || !strings.Contains(err.Error(), "after 9 executions: never") {
		t.Errorf("%s after %d executions, error %v", s, outcomes[0].Attempts, err)
	}
	if strings.Contains(d.text(), "log after") {
		t.Error("AfterExecute was told of a task that is not complete")
	}
}

// TestResults: a task sees what the tasks it depends on came to, in the order
// in which it names them.
func TestResults(t *testing.T) {
	var got []string
	r := task.Runner{
		Hooks: []task.Hooks{{OnFailure: func(context.Context, task.Context, error) task.Decision { return task.Skip{} }}},
		Execute: func(_ context.Context, job task.Job) (string, error) {
			switch job.Task.ID {
			case "skipped":
				return "half", errBoom
			case "last":
				got = job.Results
			}
			return job.Task.ID + "!", nil
		},
	}
	outcomes, err := r.Run(t.Context(), named("a", "skipped", "b", "last<b skipped a"))
	if err != nil || !slices.Equal(got, []string{"b!", "", "a!"}) {
		t.Errorf("results %q, error %v", got, err)
	}
	if o := outcomes[1]; o.Status != task.Skipped || o.Result != "" || !errors.Is(o.Err, errBoom) {
		t.Errorf("a skipped task has %+v", o)
	}
}

// TestFirstGivenFirst: of the tasks that can start, the one that was given
// first does.
func TestFirstGivenFirst(t *testing.T) {
	var d diary
	r := task.Runner{Execute: d.script(nil), Parallel: 1}
	if _, err := r.Run(t.Context(), named("d<c", "a", "b<d", "c", "e<a", "f")); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.ReplaceAll(d.text(), "\n", ", "), "execute a 1, execute c 1, execute d 1, execute b 1, execute e 1, execute f 1"; got != want {
		t.Errorf("order %s\nwant  %s", got, want)
	}
}

// TestResume: what is done is not run again, and its results are still there.
func TestResume(t *testing.T) {
	broken := map[string][]error{"b": {errBoom}}
	var d diary
	r := task.Runner{Execute: d.script(broken), Parallel: 1, Dispatch: d.dispatch(nil)}
	tasks := named("a", "b<a", "c<b a", "x")
	outcomes, err := r.Run(t.Context(), tasks)
	if s := statuses(outcomes); s != "a completed, b failed, c blocked, x completed" || !errors.Is(err, errBoom) {
		t.Fatalf("first run: %s, error %v", s, err)
	}
	for i, o := range outcomes {
		tasks[i] = o.Task
	}
	d.lines = nil
	outcomes, err = r.Run(t.Context(), tasks)
	if s := statuses(outcomes); s != "a completed, b completed, c completed, x completed" || err != nil {
		t.Errorf("resumed: %s, error %v", s, err)
	}
	if strings.Contains(d.text(), " a") || strings.Contains(d.text(), " x") || outcomes[0].Result != "result of a" {
		t.Errorf("done tasks were touched: %s", d.text())
	}
}

// TestResumeFromAny: whatever a task was, it is done or runs (again), and what
// waits for it sees its result.
func TestResumeFromAny(t *testing.T) {
	for _, status := range []task.Status{"", task.Pending, task.Running, task.Completed, task.Skipped, task.Failed, task.TimedOut, task.Cancelled, task.Blocked, task.Rejected, task.Open} {
		var d diary
		var got []string
		script := d.script(nil)
		r := task.Runner{Parallel: 1, Dispatch: d.dispatch(nil), Execute: func(ctx context.Context, job task.Job) (string, error) {
			if job.Task.ID == "b" {
				got = job.Results
			}
			return script(ctx, job)
		}}
		first := task.Task{ID: "a", Status: status, RetryCount: 2, MaxRetries: 2}
		want, runs := "result of a", 1
		switch status {
		case task.Completed:
			first.Result, want, runs = "kept", "kept", 0
		case task.Skipped:
			want, runs = "", 0
		}
		outcomes, err := r.Run(t.Context(), []task.Task{first, {ID: "b", DependsOn: []string{"a"}}})
		if err != nil || outcomes[0].Attempts != runs || !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %d executions, b was given %q, error %v", status, outcomes[0].Attempts, got, err)
		}
		if n := strings.Count(d.text(), "execute a 3"); n != runs {
			t.Errorf("%q: attempts go on counting: %s", status, d.text())
		}
	}
}

// TestNested: a task may run a DAG of its own with the same Runner.
func TestNested(t *testing.T) {
	r := &task.Runner{Parallel: 1}
	r.Execute = func(ctx context.Context, job task.Job) (string, error) {
		if len(job.Task.ID) > 6 {
			return "leaf", nil
		}
		outcomes, err := r.Run(ctx, named(job.Task.ID+"x", job.Task.ID+"y<"+job.Task.ID+"x"))
		return outcomes[1].Result, err
	}
	outcomes, err := r.Run(t.Context(), named("a"))
	if err != nil || outcomes[0].Result != "leaf" {
		t.Errorf("%+v, error %v", outcomes, err)
	}
}

// TestRunsAtOnce: one Runner runs several DAGs at once.
func TestRunsAtOnce(t *testing.T) {
	var d diary
	r := task.Runner{Execute: d.script(nil), Hooks: []task.Hooks{d.observer("log", nil)}, Dispatch: d.dispatch(nil)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := r.Run(t.Context(), layers(50)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, word := range []string{"TaskCreated", "log before", "execute", "TaskCompleted", "log after"} {
		if n := strings.Count(d.text(), word); n != 8*50 {
			t.Errorf("%s came %d times, want 400", word, n)
		}
	}
}
