package subagent_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
)

var errStop = errors.New("the user has stopped it")

// hang waits for the end of ctx, or for an hour that nobody has.
func hang(ctx context.Context, polite bool) error {
	if polite {
		<-ctx.Done()
		return ctx.Err()
	}
	<-time.After(time.Hour)
	return nil
}

// TestDelays: retries take as long as a hook says, and delegates no time.
func TestDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		answers := []subagent.Decision{subagent.Retry{Delay: 2 * time.Second}, subagent.Retry{Delay: -time.Hour}, subagent.Delegate{Agent: "b"}}
		d := newDispatcher(t, subagent.Config{
			Run: func(_ context.Context, c subagent.Call) (string, error) {
				if c.SubagentName == "b" {
					return "at last", nil
				}
				return "", errBoom
			},
			Hooks: []subagent.Hooks{{OnFailure: func(_ context.Context, c subagent.Context, _ error) subagent.Decision { return answers[c.Attempt-1] }}},
		})
		res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "a"}).Wait(t.Context())
		if err != nil || res.Text != "at last" || res.Agent != "b" || res.Attempts != 4 || time.Since(start) != 2*time.Second {
			t.Errorf("result %+v, error %v after %v", res, err, time.Since(start))
		}
		var said []string
		for _, s := range res.Steps {
			said = append(said, s.Hook+": "+s.Detail)
		}
		if got, want := strings.Join(said, ", "), `hooks[0].OnFailure: retry after 2s, hooks[0].OnFailure: retry after 0s, hooks[0].OnFailure: delegate to "b"`; got != want {
			t.Errorf("steps %s", got)
		}
	})
}

// TestTimeout: a run that takes too long is a failure that hooks decide on;
// one that does not even end then is neither tried again nor delegated.
func TestTimeout(t *testing.T) {
	for _, answer := range []subagent.Decision{subagent.Retry{}, subagent.Delegate{Agent: "b"}} {
		for polite, want := range map[bool]struct {
			attempts int
			took     time.Duration
		}{true: {2, 2 * time.Second}, false: {1, 6 * time.Second}} {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var diary diary
				d := newDispatcher(t, subagent.Config{
					Timeout: time.Second, MaxRetries: 1, Dispatch: diary.dispatch(nil),
					Run:   func(ctx context.Context, _ subagent.Call) (string, error) { return "late", hang(ctx, polite) },
					Hooks: []subagent.Hooks{{OnFailure: func(context.Context, subagent.Context, error) subagent.Decision { return answer }}},
				})
				res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "a"}).Wait(t.Context())
				if res.Attempts != want.attempts || time.Since(start) != want.took {
					t.Errorf("%T, polite %v: %d attempts after %v, error %v", answer, polite, res.Attempts, time.Since(start), err)
				}
				if err == nil || !strings.Contains(err.Error(), "no answer within 1s") || errors.Is(err, hook.ErrAbandoned) == polite {
					t.Errorf("%T, polite %v: error %v", answer, polite, err)
				}
				if strings.Count(diary.text(), "timed_out") != want.attempts {
					t.Errorf("events:\n%s", diary.text())
				}
				time.Sleep(time.Hour) // until what was abandoned is over
			})
		}
	}
}

// TestBadHooks: hooks that panic or hang cost time and leave a step, but give
// no answer.
func TestBadHooks(t *testing.T) {
	for _, f := range []struct {
		name  string
		cause hook.Cause
		words string
		took  time.Duration
		do    func(context.Context)
	}{
		{"panics", hook.CausePanic, "panic: oops", 0, func(context.Context) { panic("oops") }},
		{"ends its goroutine", hook.CausePanic, "runtime.Goexit", 0, func(context.Context) { runtime.Goexit() }},
		{"hangs", hook.CauseTimeout, "no answer within 10s", 10 * time.Second, func(ctx context.Context) { _ = hang(ctx, true) }},
		{"hangs for good", hook.CauseTimeout, "still runs", 15 * time.Second, func(ctx context.Context) { _ = hang(ctx, false) }},
	} {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var diary diary
				bad := subagent.Hooks{
					Name:           "bad",
					BeforeDispatch: func(ctx context.Context, _ subagent.Context) { f.do(ctx) },
					AfterDispatch:  func(ctx context.Context, _ subagent.Context, _ subagent.Result) { f.do(ctx) },
					OnFailure: func(ctx context.Context, _ subagent.Context, _ error) subagent.Decision {
						f.do(ctx)
						return nil
					},
				}
				d := newDispatcher(t, subagent.Config{Run: diary.script(errBoom), Hooks: []subagent.Hooks{bad, diary.observer("good", always(subagent.Retry{}))}})
				res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "a"}).Wait(t.Context())
				want := "good before a 1\nrun a 1\ngood failure a 1: boom\ngood before a 2\nrun a 2\ngood after a 2: a says so"
				if diary.text() != want || err != nil || time.Since(start) != 4*f.took {
					t.Errorf("called:\n%s\nerror %v after %v", diary.text(), err, time.Since(start))
				}
				for i, phase := range []string{"BeforeDispatch", "OnFailure", "", "BeforeDispatch", "AfterDispatch"} {
					if s := res.Steps[i]; phase != "" && (s.Hook != "bad."+phase || s.Status != hook.Failed || s.Cause != f.cause || !strings.Contains(s.Detail, f.words)) {
						t.Errorf("step %d: %+v", i, s)
					}
				}
				time.Sleep(time.Hour) // until what was abandoned is over
			})
		})
	}
}

// TestLost: a dispatch whose goroutine has ended is an error, in every mode.
func TestLost(t *testing.T) {
	for name, lose := range map[string]func(*subagent.Config, func()){
		"Dispatch": func(c *subagent.Config, f func()) {
			c.Dispatch = func(context.Context, hook.Event) hook.Decision { f(); return hook.Decision{} }
		},
		"Observe": func(c *subagent.Config, f func()) { c.Observe = func(hook.Progress) { f() } },
		"Policy": func(c *subagent.Config, f func()) {
			c.Policy = func(string, subagent.Context) func() []subagent.Hooks {
				f()
				return func() []subagent.Hooks { return nil }
			}
		},
	} {
		for _, mode := range []subagent.Mode{subagent.Sync, subagent.Fork, subagent.Teammate} {
			c := subagent.Config{Hooks: []subagent.Hooks{{BeforeDispatch: func(context.Context, subagent.Context) {}}},
				Run: func(context.Context, subagent.Call) (string, error) { return "done", nil }}
			how := runtime.Goexit
			if mode == subagent.Sync && name != "Dispatch" {
				how = func() { panic("oops") }
			} else if mode == subagent.Sync {
				continue // the goroutine of the caller ends
			}
			lose(&c, how)
			d := newDispatcher(t, c)
			if _, err := d.Dispatch(t.Context(), subagent.Request{Agent: "a", Mode: mode}).Wait(t.Context()); err == nil {
				t.Errorf("%s, %s: no error", name, mode)
			}
			if err := d.Close(t.Context()); err != nil {
				t.Errorf("%s, %s: %v", name, mode, err)
			}
		}
	}
}

// TestOddDecision: a decision of another kind is a failure of its hook, and
// leaves the answer to the next one.
func TestOddDecision(t *testing.T) {
	type odd struct{ subagent.Retry }
	var diary diary
	d := newDispatcher(t, subagent.Config{Run: diary.script(errBoom), Hooks: []subagent.Hooks{
		diary.observer("odd", always(odd{})), diary.observer("next", always(subagent.Delegate{Agent: "b"}))}})
	res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "a"}).Wait(t.Context())
	if err != nil || res.Agent != "b" || res.Steps[0].Cause != hook.CauseAnswer {
		t.Errorf("error %v, result %+v", err, res)
	}
}

// TestModes: what ends with the parent's context, and what waits for whom.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		mode      subagent.Mode
		waits     bool // Dispatch returns when the subagent has ended
		cancelled bool // with the parent
	}{{subagent.Sync, true, true}, {"", true, true}, {subagent.Fork, false, true}, {subagent.Teammate, false, false}} {
		t.Run(string(c.mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				parent, stop := context.WithCancelCause(t.Context())
				defer stop(nil)
				time.AfterFunc(time.Second, func() { stop(errStop) })
				d := newDispatcher(t, subagent.Config{Run: func(ctx context.Context, c subagent.Call) (string, error) {
					select {
					case <-ctx.Done():
						return "", ctx.Err()
					case <-time.After(time.Minute):
						return string(c.Mode), nil
					}
				}})
				running := d.Dispatch(parent, subagent.Request{Agent: "a", Mode: c.mode})
				if waited := time.Since(start) > 0; waited != c.waits {
					t.Errorf("Dispatch took %v", time.Since(start))
				}
				res, err := running.Wait(context.Background())
				took := time.Since(start)
				if c.cancelled && (!errors.Is(err, errStop) || took != time.Second) || !c.cancelled && (err != nil || took != time.Minute || res.Text != string(c.mode)) {
					t.Errorf("result %+v, error %v after %v", res, err, took)
				}
			})
		})
	}
}

// TestForks: at most MaxForks run at once; the others wait, and one that is
// cancelled while it waits has called nobody.
func TestForks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var diary diary
		d := newDispatcher(t, subagent.Config{MaxForks: 2, Dispatch: diary.dispatch(nil), Run: func(context.Context, subagent.Call) (string, error) {
			time.Sleep(time.Second)
			return "", nil
		}})
		var all []*subagent.Running
		for range 5 {
			all = append(all, d.Dispatch(t.Context(), subagent.Request{Agent: "a", Mode: subagent.Fork}))
			synctest.Wait() // it is at work, or waits
		}
		all[4].Cancel()
		if _, err := all[4].Wait(t.Context()); !errors.Is(err, context.Canceled) || time.Since(start) != 0 {
			t.Errorf("cancelled while waiting: %v after %v", err, time.Since(start))
		}
		for _, r := range all[:4] {
			if _, err := r.Wait(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if n := strings.Count(diary.text(), "SubagentStart"); time.Since(start) != 2*time.Second || n != 4 {
			t.Errorf("four forks, two at once, took %v and started %d times", time.Since(start), n)
		}
	})
}

// TestClose: all dispatches end, and there are no more.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := subagent.New(subagent.Config{Run: func(ctx context.Context, c subagent.Call) (string, error) {
			return "", hang(ctx, c.SubagentName == "polite")
		}})
		if err != nil {
			t.Fatal(err)
		}
		mate := d.Dispatch(t.Context(), subagent.Request{Agent: "polite", Mode: subagent.Teammate})
		stuck := d.Dispatch(t.Context(), subagent.Request{Agent: "stuck", Mode: subagent.Fork})
		synctest.Wait() // both are at work
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := d.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("close with a stuck subagent: %v", err)
		}
		if _, err := mate.Wait(t.Context()); !errors.Is(err, subagent.ErrClosed) {
			t.Errorf("the teammate: %v", err)
		}
		if err := d.Close(t.Context()); err != nil {
			t.Errorf("closed again: %v", err)
		}
		if _, err := stuck.Wait(t.Context()); !errors.Is(err, subagent.ErrClosed) || !errors.Is(err, hook.ErrAbandoned) {
			t.Errorf("the stuck one: %v", err)
		}
		if _, err := d.Dispatch(t.Context(), subagent.Request{Agent: "late"}).Wait(t.Context()); !errors.Is(err, subagent.ErrClosed) {
			t.Errorf("after close: %v", err)
		}
		time.Sleep(time.Hour) // until what was abandoned is over
	})
}

// TestWait: who stops waiting does not stop the subagent.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(t, subagent.Config{Run: func(context.Context, subagent.Call) (string, error) {
			time.Sleep(time.Minute)
			return "done", nil
		}})
		r := d.Dispatch(t.Context(), subagent.Request{Agent: "a", Mode: subagent.Fork})
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := r.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a short wait: %v", err)
		}
		<-r.Done()
		if res, err := r.Wait(short); res.Text != "done" || err != nil {
			t.Errorf("result %+v, error %v", res, err)
		}
	})
}

// TestCancel: the end of the context ends a dispatch at every point at once.
func TestCancel(t *testing.T) {
	for _, c := range []struct {
		name   string
		config func(d *diary, stop func()) subagent.Config
		want   string
		text   string
	}{
		{"before it begins", func(d *diary, stop func()) subagent.Config {
			stop()
			return subagent.Config{Dispatch: d.dispatch(nil), Hooks: []subagent.Hooks{d.observer("log", nil)}}
		}, "", ""},
		{"in BeforeDispatch", func(d *diary, stop func()) subagent.Config {
			return subagent.Config{Dispatch: d.dispatch(nil), Hooks: []subagent.Hooks{{BeforeDispatch: func(context.Context, subagent.Context) { stop() }}}}
		}, "", ""},
		{"in SubagentStart", func(d *diary, stop func()) subagent.Config {
			return subagent.Config{Dispatch: d.dispatch(func(ev hook.Event) hook.Decision { stop(); return hook.Decision{} })}
		}, "SubagentStart a\nSubagentStop a cancelled", ""},
		{"in Run", func(d *diary, stop func()) subagent.Config {
			time.AfterFunc(time.Second, stop)
			return subagent.Config{Dispatch: d.dispatch(nil), Hooks: []subagent.Hooks{d.observer("log", always(subagent.Retry{}))},
				Run: func(ctx context.Context, _ subagent.Call) (string, error) { return "", hang(ctx, true) }}
		}, "log before a 1\nSubagentStart a\nSubagentStop a cancelled", ""},
		{"in SubagentStop, whose answer is then none", func(d *diary, stop func()) subagent.Config {
			return subagent.Config{Hooks: []subagent.Hooks{d.observer("log", nil)}, Dispatch: d.dispatch(func(ev hook.Event) hook.Decision {
				if ev.Name == hook.SubagentStop {
					stop()
				}
				return hook.Decision{} // of guards that were cut off
			})}
		}, "log before a 1\nSubagentStart a\nrun a 1\nSubagentStop a completed\nSubagentStop a cancelled", ""},
		{"in OnFailure", func(d *diary, stop func()) subagent.Config {
			return subagent.Config{Run: d.script(errBoom), Hooks: []subagent.Hooks{d.observer("log", func(subagent.Context, error) subagent.Decision {
				stop()
				return subagent.Retry{}
			})}}
		}, "log before a 1\nrun a 1\nlog failure a 1: boom", ""},
		{"in a delay", func(d *diary, stop func()) subagent.Config {
			time.AfterFunc(time.Second, stop)
			return subagent.Config{Run: d.script(errBoom), Hooks: []subagent.Hooks{d.observer("log", always(subagent.Retry{Delay: time.Hour}))}}
		}, "log before a 1\nrun a 1\nlog failure a 1: boom", ""},
		{"in AfterDispatch: it has ended well", func(d *diary, stop func()) subagent.Config {
			return subagent.Config{Hooks: []subagent.Hooks{
				{AfterDispatch: func(context.Context, subagent.Context, subagent.Result) { stop() }}, d.observer("log", nil)}}
		}, "log before a 1\nrun a 1\nlog after a 1: a says so", "a says so"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				ctx, stop := context.WithCancelCause(t.Context())
				defer stop(nil)
				var diary diary
				config := c.config(&diary, func() { stop(errStop) })
				if config.Run == nil {
					config.Run = diary.script()
				}
				res, err := newDispatcher(t, config).Dispatch(ctx, subagent.Request{Agent: "a"}).Wait(t.Context())
				if diary.text() != c.want || res.Text != c.text {
					t.Errorf("called:\n%s\nwant:\n%s\nresult %q", diary.text(), c.want, res.Text)
				}
				if errors.Is(err, errStop) != (c.text == "") || time.Since(start) > time.Second {
					t.Errorf("error %v after %v", err, time.Since(start))
				}
			})
		})
	}
}

// TestManyAtOnce: of a thousand dispatches in all modes, with retries and
// delegates, no callback is lost and none comes twice.
func TestManyAtOnce(t *testing.T) {
	const n = 1000
	type counts struct{ before, start, run, stop, after, failure atomic.Int32 }
	seen := make([]counts, n)
	number := func(task string) int {
		var i int
		if _, err := fmt.Sscan(task, &i); err != nil {
			t.Error(err)
		}
		return i
	}
	d := newDispatcher(t, subagent.Config{
		Run: func(_ context.Context, c subagent.Call) (string, error) {
			i := number(c.Task)
			seen[i].run.Add(1)
			if c.Attempt <= i%4 { // 0 to 3 failures
				return "", errBoom
			}
			return c.Task, nil
		},
		Hooks: []subagent.Hooks{{
			BeforeDispatch: func(_ context.Context, c subagent.Context) { seen[number(c.Task)].before.Add(1) },
			AfterDispatch: func(_ context.Context, c subagent.Context, r subagent.Result) {
				if seen[number(c.Task)].after.Add(1); r.Text != c.Task {
					t.Errorf("task %s has the result %q", c.Task, r.Text)
				}
			},
			OnFailure: func(_ context.Context, c subagent.Context, _ error) subagent.Decision {
				if seen[number(c.Task)].failure.Add(1); c.Attempt == 2 {
					return subagent.Delegate{Agent: "b"}
				}
				return subagent.Retry{}
			},
		}},
		Dispatch: func(_ context.Context, ev hook.Event) hook.Decision {
			s := &seen[number(ev.More.Text("subagent_task"))]
			if ev.Name == hook.SubagentStart {
				s.start.Add(1)
			} else {
				s.stop.Add(1)
			}
			return hook.Decision{}
		},
	})
	modes := []subagent.Mode{subagent.Sync, subagent.Fork, subagent.Teammate}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			res, err := d.Dispatch(t.Context(), subagent.Request{Agent: "a", Mode: modes[i%3], Task: fmt.Sprint(i)}).Wait(t.Context())
			if err != nil || res.Text != fmt.Sprint(i) || res.Attempts != 1+i%4 {
				t.Errorf("dispatch %d: %+v, error %v", i, res, err)
			}
		})
	}
	wg.Wait()
	for i := range seen {
		s, failures := &seen[i], int32(i%4)
		for _, c := range []int32{s.before.Load(), s.start.Load(), s.run.Load(), s.stop.Load()} {
			if c != failures+1 {
				t.Fatalf("dispatch %d: a callback of its %d attempts came %d times", i, failures+1, c)
			}
		}
		if s.after.Load() != 1 || s.failure.Load() != failures {
			t.Fatalf("dispatch %d: AfterDispatch %d times, OnFailure %d times, want 1 and %d", i, s.after.Load(), s.failure.Load(), failures)
		}
	}
}
