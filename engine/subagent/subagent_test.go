package subagent_test

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
	"github.com/pawl-dev/pawl/engine/subagent"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errBoom = errors.New("boom")

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

func (d *diary) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.lines, "\n")
}

// alive notes a call that has no time left from its start.
func (d *diary) alive(ctx context.Context) {
	if ctx.Err() != nil {
		d.add("the context has ended")
	}
}

// observer notes each call of its hooks; answer is its OnFailure.
func (d *diary) observer(name string, answer func(subagent.Context, error) subagent.Decision) subagent.Hooks {
	return subagent.Hooks{
		Name: name,
		BeforeDispatch: func(_ context.Context, c subagent.Context) {
			d.add("%s before %s %d", name, c.SubagentName, c.Attempt)
		},
		AfterDispatch: func(ctx context.Context, c subagent.Context, r subagent.Result) {
			d.add("%s after %s %d: %s", name, c.SubagentName, c.Attempt, r.Text)
			d.alive(ctx)
		},
		OnFailure: func(_ context.Context, c subagent.Context, err error) subagent.Decision {
			d.add("%s failure %s %d: %v", name, c.SubagentName, c.Attempt, err)
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
		d.add("%s", strings.TrimSpace(fmt.Sprintf("%s %s %s", ev.Name, ev.Agent, ev.More.Text("subagent_stop_status"))))
		if answer == nil {
			return hook.Decision{}
		}
		return answer(ev)
	}
}

// script fails as often as it has errors, then speaks.
func (d *diary) script(failures ...error) func(context.Context, subagent.Call) (string, error) {
	var mu sync.Mutex
	return func(_ context.Context, c subagent.Call) (string, error) {
		d.add("run %s %d", c.SubagentName, c.Attempt)
		mu.Lock()
		defer mu.Unlock()
		if len(failures) == 0 {
			return c.SubagentName + " says so", nil
		}
		err := failures[0]
		failures = failures[1:]
		return "", err
	}
}

func newDispatcher(t *testing.T, c subagent.Config) *subagent.Dispatcher {
	t.Helper()
	d, err := subagent.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return d
}

func always(d subagent.Decision) func(subagent.Context, error) subagent.Decision {
	return func(subagent.Context, error) subagent.Decision { return d }
}

// to delegates from the first of each pair of agents to the second.
func to(pairs ...string) func(subagent.Context, error) subagent.Decision {
	return func(c subagent.Context, _ error) subagent.Decision {
		for pair := range slices.Chunk(pairs, 2) {
			if pair[0] == c.SubagentName {
				return subagent.Delegate{Agent: pair[1]}
			}
		}
		return nil
	}
}

// once blocks one event in the way that answer says, and lets others pass.
func once(on hook.EventName, answer hook.Decision) func(hook.Event) hook.Decision {
	done := false
	return func(ev hook.Event) hook.Decision {
		if ev.Name != on || done {
			return hook.Decision{}
		}
		done = true
		answer.Event = on
		return answer
	}
}

// TestOrder: who is called when, of two hook sets, and what comes of it.
func TestOrder(t *testing.T) {
	const start = "one before scout 1\ntwo before scout 1\nSubagentStart scout\nrun scout 1\n"
	const broke = "SubagentStop scout failed\none failure scout 1: boom\ntwo failure scout 1: boom\n"
	const end = "one after scout 1: scout says so\ntwo after scout 1: scout says so"
	const again = "one before scout 2\ntwo before scout 2\nSubagentStart scout\nrun scout 2\n" +
		"SubagentStop scout completed\none after scout 2: scout says so\ntwo after scout 2: scout says so"
	for _, c := range []struct {
		name     string
		failures []error
		one, two func(subagent.Context, error) subagent.Decision
		answer   func(hook.Event) hook.Decision
		want     string
		text     string
		err      string
	}{
		{name: "all goes well", want: start + "SubagentStop scout completed\n" + end, text: "scout says so"},
		{name: "no opinion: it fails", failures: []error{errBoom}, want: start + broke[:len(broke)-1], err: "boom"},
		{name: "the first decision counts, the others are told", failures: []error{errBoom}, one: always(subagent.Retry{}), two: always(subagent.Fail{}),
			want: start + broke + again, text: "scout says so"},
		{name: "fail is a decision", failures: []error{errBoom}, one: always(subagent.Fail{}), two: always(subagent.Retry{}),
			want: start + broke[:len(broke)-1], err: "boom"},
		{name: "a panic of Run is a failure", failures: []error{errPanic}, one: always(subagent.Retry{Delay: -1}),
			want: start + strings.ReplaceAll(broke, "boom", "panic: boom") + again, text: "scout says so"},
		{name: "delegate", failures: []error{errBoom}, two: to("scout", "expert"), text: "expert says so",
			want: start + broke + strings.NewReplacer("scout", "expert").Replace(again)},
		{name: "a block goes on", answer: once(hook.SubagentStop, hook.Decision{Verdict: hook.Deny, Reasons: []string{"name the files"}}),
			want: start + "SubagentStop scout completed\nrun scout 1\nSubagentStop scout completed\n" + end, text: "scout says so"},
		{name: "so does a continue reason", answer: once(hook.SubagentStop, hook.Decision{ContinueReason: "name the files"}),
			want: start + "SubagentStop scout completed\nrun scout 1\nSubagentStop scout completed\n" + end, text: "scout says so"},
		{name: "the result is replaced, and AfterDispatch sees that", answer: once(hook.SubagentStop, hook.Decision{Output: []byte(`"[cut]"`)}),
			want: start + "SubagentStop scout completed\n" + strings.ReplaceAll(end, "scout says so", "[cut]"), text: "[cut]"},
		{name: "halted at the start", answer: once(hook.SubagentStart, hook.Decision{Halted: true, StopReason: "no money"}),
			want: "one before scout 1\ntwo before scout 1\nSubagentStart scout\nSubagentStop scout cancelled", err: "a hook on SubagentStart ended the run: no money"},
		{name: "halted at the end: the result stands", answer: once(hook.SubagentStop, hook.Decision{Halted: true, StopReason: "no money"}),
			want: start + "SubagentStop scout completed\n" + end, text: "scout says so", err: "a hook on SubagentStop ended the run: no money"},
		{name: "halted after a failure: nobody decides", failures: []error{errBoom}, one: always(subagent.Retry{}),
			answer: once(hook.SubagentStop, hook.Decision{Halted: true, StopReason: "no money"}),
			want:   start + "SubagentStop scout failed", err: "a hook on SubagentStop ended the run: no money; before that: boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d diary
			run := d.script(c.failures...)
			dispatcher := newDispatcher(t, subagent.Config{
				Run: func(ctx context.Context, c subagent.Call) (string, error) {
					text, err := run(ctx, c)
					if err == errPanic {
						panic("boom")
					}
					return text, err
				},
				Hooks:    []subagent.Hooks{d.observer("one", c.one), d.observer("two", c.two)},
				Dispatch: d.dispatch(c.answer),
			})
			res, err := dispatcher.Dispatch(t.Context(), subagent.Request{Parent: "main", Agent: "scout", Task: "look"}).Wait(t.Context())
			if d.text() != c.want {
				t.Errorf("called:\n%s\nwant:\n%s", d.text(), c.want)
			}
			if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) || res.Text != c.text {
				t.Errorf("result %q, error %v; want %q, %q", res.Text, err, c.text, c.err)
			}
		})
	}
}

var errPanic = errors.New("panic, please")

// TestDelegate: a chain of delegates ends, and one that cannot be is an error
// that says why, beside what went wrong before.
func TestDelegate(t *testing.T) {
	agents := []string{"a", "b", "c", "d", "expert"}
	for _, c := range []struct {
		name   string
		hook   func(subagent.Context, error) subagent.Decision
		config subagent.Config
		ran    string
		err    string
	}{
		{"to itself", to("a", "a"), subagent.Config{}, "a", `boom; it cannot be delegated: subagent "a" has failed at this task: a -> a`},
		{"to nobody", to("a", ""), subagent.Config{}, "a", `boom; it cannot be delegated: subagent: no agent is named`},
		{"to a stranger", to("a", "exprt"), subagent.Config{}, "a", `boom; it cannot be delegated: subagent "exprt" is not known (did you mean "expert"?)`},
		{"in a circle", to("a", "b", "b", "c", "c", "a"), subagent.Config{}, "a b c", `boom; it cannot be delegated: subagent "a" has failed at this task: a -> b -> c -> a`},
		{"too deep", to("a", "b", "b", "c", "c", "d"), subagent.Config{}, "a b c", `boom; it cannot be delegated: subagent "d": depth 4, at most 3 is allowed: a -> b -> c -> d`},
		{"deeper by config", to("a", "b", "b", "c", "c", "d"), subagent.Config{MaxDepth: 4}, "a b c d", `boom`},
		{"too often", to("a", "b", "b", "c"), subagent.Config{MaxRetries: 1}, "a b", `boom (no retry is left of 1)`},
		{"not at all", to("a", "b"), subagent.Config{MaxRetries: -1}, "a", `boom (no retry is left of 0)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ran []string
			var d diary
			c.config.Run = func(_ context.Context, c subagent.Call) (string, error) {
				ran = append(ran, c.SubagentName)
				if c.Attempt != len(ran) || c.Task != "look" || c.Data != "mine" {
					t.Errorf("run %d has %+v", len(ran), c)
				}
				return "", errBoom
			}
			c.config.Hooks, c.config.Agents = []subagent.Hooks{d.observer("log", c.hook)}, agents
			res, err := newDispatcher(t, c.config).Dispatch(t.Context(), subagent.Request{Agent: "a", Task: "look", Data: "mine"}).Wait(t.Context())
			if err == nil || err.Error() != c.err || !errors.Is(err, errBoom) {
				t.Errorf("error %v\nwant  %s", err, c.err)
			}
			if got := strings.Join(ran, " "); got != c.ran || res.Attempts != len(ran) || res.Agent != ran[len(ran)-1] {
				t.Errorf("ran %s, want %s; result %+v", got, c.ran, res)
			}
		})
	}
}

// TestRefused: what cannot be dispatched calls no hook and dispatches no event.
func TestRefused(t *testing.T) {
	var d diary
	dispatcher := newDispatcher(t, subagent.Config{Run: d.script(), Hooks: []subagent.Hooks{d.observer("log", always(subagent.Retry{}))}, Dispatch: d.dispatch(nil), Agents: []string{"scout"}})
	for want, req := range map[string]subagent.Request{
		`subagent "scuot" is not known (did you mean "scout"?)`:                        {Agent: "scuot"},
		`subagent: no agent is named`:                                                  {},
		`subagent "scout": unknown mode "async", expected one of [sync fork teammate]`: {Agent: "scout", Mode: "async"},
	} {
		if _, err := dispatcher.Dispatch(t.Context(), req).Wait(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", req, err, want)
		}
	}
	if d.text() != "" {
		t.Errorf("called:\n%s", d.text())
	}
}

// TestDepth: subagents may have subagents, down to a bound, in every mode.
func TestDepth(t *testing.T) {
	for _, mode := range []subagent.Mode{subagent.Sync, subagent.Fork, subagent.Teammate} {
		t.Run(string(mode), func(t *testing.T) {
			var dispatcher *subagent.Dispatcher
			dispatcher = newDispatcher(t, subagent.Config{MaxForks: 1, Run: func(ctx context.Context, c subagent.Call) (string, error) {
				res, err := dispatcher.Dispatch(ctx, subagent.Request{Agent: c.SubagentName + "'", Mode: mode}).Wait(ctx)
				if err != nil {
					return fmt.Sprintf("%s: %v", c.SubagentName, err), nil
				}
				return res.Text, nil
			}})
			res, err := dispatcher.Dispatch(t.Context(), subagent.Request{Agent: "a", Mode: mode}).Wait(t.Context())
			if want := `a'': subagent "a'''": depth 4, at most 3 is allowed`; res.Text != want || err != nil {
				t.Errorf("result %q, error %v, want %q", res.Text, err, want)
			}
		})
	}
}

// TestGoOn: a subagent that may not stop is told why, and is let go at last.
func TestGoOn(t *testing.T) {
	var feedback, notes, ids []string
	stops := 0
	dispatcher := newDispatcher(t, subagent.Config{
		MaxGoOns: 3,
		Run: func(_ context.Context, c subagent.Call) (string, error) {
			feedback, notes, ids = append(feedback, c.Feedback), c.Notes, append(ids, c.ID)
			return "done", nil
		},
		Dispatch: func(_ context.Context, ev hook.Event) hook.Decision {
			if ev.Name == hook.SubagentStart {
				return hook.Decision{Context: []string{"branch main"}}
			}
			if ev.StopActive != (stops > 0) || ev.Message != "done" {
				t.Errorf("stop %d: active %v, message %q", stops, ev.StopActive, ev.Message)
			}
			stops++
			return hook.Decision{Verdict: hook.Deny, Reasons: []string{fmt.Sprint("no ", stops)}, Context: []string{fmt.Sprint("try ", stops)}}
		},
	})
	res, err := dispatcher.Dispatch(t.Context(), subagent.Request{Agent: "scout"}).Wait(t.Context())
	if err != nil || res.Text != "done" || res.Attempts != 1 || len(res.Notices) != 1 || res.Notices[0] != `pawl: subagent "scout" was kept from stopping 3 times; it stops now` {
		t.Errorf("result %+v, error %v", res, err)
	}
	if !slices.Equal(feedback, []string{"", "no 1", "no 2", "no 3"}) || !slices.Equal(notes, []string{"branch main", "try 1", "try 2", "try 3"}) {
		t.Errorf("feedback %q, notes %q", feedback, notes)
	}
	if ids = slices.Compact(ids); len(ids) != 1 || ids[0] == "" {
		t.Errorf("one attempt has the ids %q", ids)
	}
}

// TestEvents: the messages that hooks get have the names of Claude Code and
// of echo-agent.
func TestEvents(t *testing.T) {
	var got []string
	fail := true
	dispatcher := newDispatcher(t, subagent.Config{
		Session: "s1", Dir: "/src",
		Run: func(_ context.Context, c subagent.Call) (string, error) {
			if fail {
				fail = false
				return "", errBoom
			}
			return "four callers", nil
		},
		Hooks: []subagent.Hooks{{OnFailure: func(context.Context, subagent.Context, error) subagent.Decision { return subagent.Retry{} }}},
		Dispatch: func(_ context.Context, ev hook.Event) hook.Decision {
			id := ev.More.Text("agent_id")
			if len(id) < 20 || ev.MatchSubject() != "scout" {
				t.Errorf("agent id %q, subject %q", id, ev.MatchSubject())
			}
			got = append(got, strings.Replace(string(ev.JSON()), id, "ID", 1))
			return hook.Decision{}
		},
	})
	if _, err := dispatcher.Dispatch(t.Context(), subagent.Request{Parent: "main", Agent: "scout", Mode: subagent.Sync, Task: "look"}).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	line := func(event, typed, attempt, rest string) string {
		return `{"event":"` + event + `","hook_event_name":"` + event + `","session_id":"s1","cwd":"/src","agent_type":"scout",` + typed +
			`"agent_id":"ID","agent_name":"main","subagent_name":"scout","subagent_mode":"sync","subagent_task":"look","attempt":` + attempt + rest + `}`
	}
	want := []string{
		line("SubagentStart", "", "1", ""),
		line("SubagentStop", `"stop_hook_active":false,`, "1", `,"subagent_stop_status":"failed","subagent_error":"boom"`),
		line("SubagentStart", "", "2", ""),
		line("SubagentStop", `"last_assistant_message":"four callers","stop_hook_active":false,`, "2", `,"subagent_stop_status":"completed","subagent_result":"four callers"`),
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("events\n%s\nwant\n%s", g, w)
	}
}

// TestBadConfig: New says all that is wrong.
func TestBadConfig(t *testing.T) {
	_, err := subagent.New(subagent.Config{MaxForks: -1, Timeout: -1})
	for _, want := range []string{"Run is missing", "MaxForks is -1, expected 1 or more", "Timeout is -1ns"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
