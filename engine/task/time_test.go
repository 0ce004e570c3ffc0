package task_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/task"
)

var errStop = errors.New("the user has stopped it")

// TestDelays: how long the retries of a task take, on the clock.
func TestDelays(t *testing.T) {
	answer := func(delays ...time.Duration) []task.Hooks {
		return []task.Hooks{{OnFailure: func(_ context.Context, c task.Context, _ error) task.Decision {
			return task.Retry{Delay: delays[c.Task.RetryCount]}
		}}}
	}
	for _, c := range []struct {
		name   string
		runner task.Runner
		least  time.Duration
		most   time.Duration
	}{
		{"as a hook says; a negative delay is none", task.Runner{Hooks: answer(time.Second, -time.Hour, 2*time.Minute)}, 121 * time.Second, 121 * time.Second},
		{"by a steady backoff", task.Runner{Backoff: task.Backoff{First: time.Second, Factor: 10, Most: 30 * time.Second, Steady: true}}, 41 * time.Second, 41 * time.Second},
		{"by the default backoff", task.Runner{}, 1, 7 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				c.runner.Execute = func(_ context.Context, job task.Job) (string, error) {
					if job.Attempt == 4 {
						return "at last", nil
					}
					return "", errBoom
				}
				outcomes, err := c.runner.Run(t.Context(), []task.Task{{ID: "a", MaxRetries: 3}})
				if took := time.Since(start); err != nil || took < c.least || took > c.most {
					t.Errorf("took %v, want %v to %v; error %v, steps %+v", took, c.least, c.most, err, outcomes[0].Steps)
				}
			})
		})
	}
}

// TestBackoff: the wait grows up to its most, whatever the numbers are.
func TestBackoff(t *testing.T) {
	steady := task.Backoff{Steady: true}
	for n, want := range []time.Duration{1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 7: time.Minute, 5000: time.Minute} {
		if want > 0 && steady.Delay(n) != want {
			t.Errorf("retry %d waits %v, want %v", n, steady.Delay(n), want)
		}
	}
	for _, factor := range []float64{1, 2, 1e300, math.Inf(1), math.NaN()} {
		b := task.Backoff{First: math.MaxInt64, Most: math.MaxInt64, Factor: factor, Steady: true}
		for _, n := range []int{1, 2, 100, math.MaxInt} {
			if d := b.Delay(n); d != math.MaxInt64 {
				t.Errorf("retry %d, factor %v: %v", n, factor, d)
			}
		}
	}
	if d := (task.Backoff{Factor: -1, First: -5, Most: -1, Steady: true}).Delay(2); d != 2*time.Second {
		t.Errorf("fields that are not positive: %v, want the defaults", d)
	}
}

// hang waits for the end of ctx, or for an hour that nobody has.
func hang(ctx context.Context, polite bool) error {
	if polite {
		<-ctx.Done()
		return ctx.Err()
	}
	<-time.After(time.Hour)
	return nil
}

// TestTimeout: an execution that takes too long is a failure that hooks
// decide on; one that does not even end then is not tried again.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		name     string
		polite   bool
		status   task.Status
		attempts int
		took     time.Duration
	}{
		{"it ends with its context", true, task.TimedOut, 3, 3 * time.Second},
		{"it goes on", false, task.TimedOut, 1, 6 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var asked task.Status
				r := task.Runner{
					Timeout: time.Minute,
					Execute: func(ctx context.Context, _ task.Job) (string, error) { return "late", hang(ctx, c.polite) },
					Hooks: []task.Hooks{{OnFailure: func(_ context.Context, tc task.Context, err error) task.Decision {
						asked = tc.Task.Status
						return task.Retry{}
					}}},
				}
				outcomes, err := r.Run(t.Context(), []task.Task{{ID: "a", MaxRetries: 2, Timeout: time.Second}})
				o := outcomes[0]
				if o.Status != c.status || asked != task.TimedOut || o.Attempts != c.attempts || time.Since(start) != c.took {
					t.Errorf("%s after %v and %d executions, the hook saw %s", o.Status, time.Since(start), o.Attempts, asked)
				}
				time.Sleep(time.Hour) // until what was abandoned is over
				if !strings.Contains(err.Error(), "no answer within 1s") || errors.Is(err, hook.ErrAbandoned) == c.polite {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

// TestBadHooks: hooks that panic or hang cost time and leave a step, but give
// no answer.
func TestBadHooks(t *testing.T) {
	type fault struct {
		name  string
		cause hook.Cause
		words string
		took  time.Duration
		do    func(context.Context)
	}
	for _, f := range []fault{
		{"panics", hook.CausePanic, "panic: oops", 0, func(context.Context) { panic("oops") }},
		{"panics with nil", hook.CausePanic, "panic: ", 0, func(context.Context) { panic(nil) }},
		{"ends its goroutine", hook.CausePanic, "runtime.Goexit", 0, func(context.Context) { runtime.Goexit() }},
		{"hangs", hook.CauseTimeout, "no answer within 10s", 10 * time.Second, func(ctx context.Context) { _ = hang(ctx, true) }},
		{"hangs for good", hook.CauseTimeout, "still runs", 15 * time.Second, func(ctx context.Context) { _ = hang(ctx, false) }},
	} {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var d diary
				bad := task.Hooks{
					Name:          "bad",
					BeforeExecute: func(ctx context.Context, _ task.Context) { f.do(ctx) },
					AfterExecute:  func(ctx context.Context, _ task.Context, _ string) { f.do(ctx) },
					OnFailure:     func(ctx context.Context, _ task.Context, _ error) task.Decision { f.do(ctx); return nil },
				}
				r := task.Runner{Hooks: []task.Hooks{bad, d.observer("good", always(task.Retry{}))}, Execute: d.script(map[string][]error{"a": {errBoom}})}
				outcomes, err := r.Run(t.Context(), named("a"))
				want := "good before a 1\nexecute a 1\ngood failure a 1, 0 retries, failed: boom\nexecute a 2\ngood after a 2: result of a"
				if d.text() != want || err != nil || time.Since(start) != 3*f.took {
					t.Errorf("called:\n%s\nerror %v after %v", d.text(), err, time.Since(start))
				}
				time.Sleep(time.Hour) // until what was abandoned is over
				steps := outcomes[0].Steps
				if len(steps) != 4 || steps[2].Hook != "good.OnFailure" || steps[2].Detail != "retry after 0s" {
					t.Fatalf("steps %+v", steps)
				}
				for i, phase := range map[int]string{0: "BeforeExecute", 1: "OnFailure", 3: "AfterExecute"} {
					if s := steps[i]; s.Hook != "bad."+phase || s.Status != hook.Failed || s.Cause != f.cause || !strings.Contains(s.Detail, f.words) {
						t.Errorf("step %d: %+v", i, s)
					}
				}
			})
		})
	}
}

// TestBrokenDecider: where the only hook that decides is broken, the task is
// not tried again although it has retries: the hook may have wanted that.
func TestBrokenDecider(t *testing.T) {
	type odd struct{ task.Retry }
	for name, answer := range map[string]func() task.Decision{
		"a panic":                    func() task.Decision { panic("oops") },
		"a decision of another kind": func() task.Decision { return odd{} },
		"a pointer to nothing":       func() task.Decision { return (*task.Retry)(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			r := task.Runner{
				Execute: func(context.Context, task.Job) (string, error) { return "", errBoom },
				Hooks:   []task.Hooks{{OnFailure: func(context.Context, task.Context, error) task.Decision { return answer() }}},
			}
			outcomes, err := r.Run(t.Context(), []task.Task{{ID: "a", MaxRetries: 5}})
			if !errors.Is(err, errBoom) {
				t.Errorf("error %v", err)
			}
			if o := outcomes[0]; o.Status != task.Failed || o.Attempts != 1 || o.Steps[0].Status != hook.Failed || o.Steps[0].Hook != "hooks[0].OnFailure" {
				t.Errorf("%s after %d executions, steps %+v", o.Status, o.Attempts, o.Steps)
			}
			r.Hooks = append(r.Hooks, task.Hooks{OnFailure: func(context.Context, task.Context, error) task.Decision { return task.Skip{} }})
			if _, err := r.Run(t.Context(), named("a")); err != nil {
				t.Errorf("with another hook, which decides: %v", err)
			}
		})
	}
}

// TestBrokenDispatch: a panic of the engine blocks a creation, as its own
// failures do, and lets a completion go.
func TestBrokenDispatch(t *testing.T) {
	for _, on := range []hook.EventName{hook.TaskCreated, hook.TaskCompleted} {
		r := task.Runner{
			Execute: func(context.Context, task.Job) (string, error) { return "ok", nil },
			Dispatch: func(_ context.Context, ev hook.Event) hook.Decision {
				if ev.Name == on {
					panic("oops")
				}
				return hook.Decision{}
			},
		}
		outcomes, _ := r.Run(t.Context(), named("a"))
		want := map[hook.EventName]task.Status{hook.TaskCreated: task.Rejected, hook.TaskCompleted: task.Completed}[on]
		if o := outcomes[0]; o.Status != want || len(o.Notices) != 1 || !strings.Contains(o.Notices[0], "panic: oops") || o.Steps[0].Cause != hook.CausePanic {
			t.Errorf("%s panics: the task is %s, notices %q, steps %+v", on, o.Status, o.Notices, o.Steps)
		}
	}
}

// TestLost: what ends the goroutine of a worker costs the task at hand, and
// what waits for it, and nothing else.
func TestLost(t *testing.T) {
	for name, lose := range map[string]func(*task.Runner, func()){
		"Dispatch": func(r *task.Runner, f func()) {
			r.Dispatch = func(context.Context, hook.Event) hook.Decision { f(); return hook.Decision{} }
		},
		"Observe": func(r *task.Runner, f func()) { r.Observe = func(hook.Progress) { f() } },
		"Policy": func(r *task.Runner, f func()) {
			r.Policy = func(string, task.Task) func() []task.Hooks {
				f()
				return func() []task.Hooks { return nil }
			}
		},
	} {
		for _, parallel := range []int{1, 3} {
			for _, how := range []func(){runtime.Goexit, func() { panic("oops") }} {
				var once sync.Once
				r := task.Runner{Parallel: parallel, Hooks: []task.Hooks{{BeforeExecute: func(context.Context, task.Context) {}}},
					Execute: func(context.Context, task.Job) (string, error) { return "", nil }}
				lose(&r, func() { once.Do(how) })
				outcomes, err := r.Run(t.Context(), named("a", "b<a", "c<a", "d<b c"))
				if s := statuses(outcomes); s != "a failed, b blocked, c blocked, d blocked" && s != "a rejected, b blocked, c blocked, d blocked" || err == nil || strings.Contains(err.Error(), "nil") {
					t.Errorf("%s, parallel %d: %s, error %v", name, parallel, s, err)
				}
				outcomes, err = r.Run(t.Context(), named("a", "b<a", "c", "d<c"))
				if err != nil {
					t.Errorf("%s, parallel %d, again: %s, error %v", name, parallel, statuses(outcomes), err)
				}
			}
		}
	}
}

// TestCancel: the end of the context ends a run at every point, in no time if
// all heed it, and each started task once.
func TestCancel(t *testing.T) {
	for _, c := range []struct {
		name     string
		runner   func(d *diary, stop func()) task.Runner
		want     string
		statuses string
	}{
		{"before it begins", func(d *diary, stop func()) task.Runner {
			stop()
			return task.Runner{}
		}, "", "a pending, b pending"},
		{"in TaskCreated", func(d *diary, stop func()) task.Runner {
			return task.Runner{Hooks: []task.Hooks{d.observer("log", nil)}, Dispatch: d.dispatch(func(hook.Event) hook.Decision {
				stop()
				return hook.Decision{Verdict: hook.Deny} // as a guard that was cut off does
			})}
		}, "TaskCreated a\nTaskCompleted a cancelled", "a cancelled, b pending"},
		{"in BeforeExecute", func(d *diary, stop func()) task.Runner {
			return task.Runner{Dispatch: d.dispatch(nil), Hooks: []task.Hooks{{BeforeExecute: func(context.Context, task.Context) { stop() }}}}
		}, "TaskCreated a\nTaskCompleted a cancelled", "a cancelled, b pending"},
		{"in a retry's delay", func(d *diary, stop func()) task.Runner {
			return task.Runner{Dispatch: d.dispatch(nil), Execute: d.script(map[string][]error{"a": {errBoom}}),
				Hooks: []task.Hooks{{OnFailure: func(context.Context, task.Context, error) task.Decision {
					time.AfterFunc(time.Second, stop)
					return task.Retry{Delay: time.Hour}
				}}}}
		}, "TaskCreated a\nexecute a 1\nTaskCompleted a cancelled", "a cancelled, b pending"},
		{"in OnFailure", func(d *diary, stop func()) task.Runner {
			return task.Runner{Execute: d.script(map[string][]error{"a": {errBoom}}),
				Hooks: []task.Hooks{d.observer("log", func(task.Context, error) task.Decision { stop(); return task.Skip{} })}}
		}, "log before a 1\nexecute a 1\nlog failure a 1, 0 retries, failed: boom", "a cancelled, b pending"},
		{"in Execute", func(d *diary, stop func()) task.Runner {
			time.AfterFunc(time.Second, stop)
			return task.Runner{Dispatch: d.dispatch(nil), Hooks: []task.Hooks{d.observer("log", nil)},
				Execute: func(ctx context.Context, _ task.Job) (string, error) { return "", hang(ctx, true) }}
		}, "TaskCreated a\nlog before a 1\nTaskCompleted a cancelled", "a cancelled, b pending"},
		{"in TaskCompleted, whose answer is then none", func(d *diary, stop func()) task.Runner {
			return task.Runner{Execute: d.script(nil), Hooks: []task.Hooks{d.observer("log", nil)}, Dispatch: d.dispatch(func(ev hook.Event) hook.Decision {
				if ev.Name == hook.TaskCompleted {
					stop()
				}
				return hook.Decision{}
			})}
		}, "TaskCreated a\nlog before a 1\nexecute a 1\nTaskCompleted a completed\nTaskCompleted a cancelled", "a cancelled, b pending"},
		{"in AfterExecute: it is completed", func(d *diary, stop func()) task.Runner {
			return task.Runner{Execute: d.script(nil), Hooks: []task.Hooks{
				{AfterExecute: func(context.Context, task.Context, string) { stop() }}, d.observer("log", nil)}}
		}, "log before a 1\nexecute a 1\nlog after a 1: result of a", "a completed, b pending"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				ctx, stop := context.WithCancelCause(t.Context())
				defer stop(nil)
				var d diary
				r := c.runner(&d, func() { stop(errStop) })
				if r.Execute == nil {
					r.Execute = d.script(nil)
				}
				outcomes, err := r.Run(ctx, named("a", "b<a"))
				if d.text() != c.want || statuses(outcomes) != c.statuses {
					t.Errorf("called:\n%s\nwant:\n%s\nstatuses %s, want %s", d.text(), c.want, statuses(outcomes), c.statuses)
				}
				if !errors.Is(err, errStop) || time.Since(start) > time.Second {
					t.Errorf("error %v after %v", err, time.Since(start))
				}
			})
		})
	}
}

// TestHalt: a halted decision ends the run and what is at work in it.
func TestHalt(t *testing.T) {
	for on, want := range map[hook.EventName]string{
		hook.TaskCreated:   "a rejected, slow cancelled, b blocked, c pending",
		hook.TaskCompleted: "a completed, slow cancelled, b pending, c pending",
	} {
		t.Run(string(on), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := task.Runner{
					Parallel: 2,
					Execute: func(ctx context.Context, job task.Job) (string, error) {
						if job.Task.ID == "slow" {
							return "", hang(ctx, true)
						}
						return "ok", nil
					},
					Dispatch: func(_ context.Context, ev hook.Event) hook.Decision {
						if ev.Name != on || ev.More.Text("task_id") != "a" {
							return hook.Decision{}
						}
						synctest.Wait() // slow is at work
						return hook.Decision{Event: on, Halted: true, StopReason: "out of money"}
					},
				}
				outcomes, err := r.Run(t.Context(), named("a", "slow", "b<a", "c"))
				halt, ok := errors.AsType[*hook.Halt](err)
				if !ok || halt.Event != on || halt.Reason != "out of money" || time.Since(start) != 0 {
					t.Errorf("error %v after %v", err, time.Since(start))
				}
				if s := statuses(outcomes); s != want {
					t.Errorf("statuses %s, want %s", s, want)
				}
			})
		})
	}
}

// TestParallel: as many tasks as allowed are at work at once, and no more,
// also where one of them sets many free.
func TestParallel(t *testing.T) {
	tasks := named("root", "last<root")
	for i := range 20 {
		tasks = append(tasks, task.Task{ID: fmt.Sprint(i), DependsOn: []string{"root"}})
	}
	for parallel, want := range map[int]int{0: 5, 1: 1, 3: 3, 50: 21} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var mu sync.Mutex
			now, most := 0, 0
			count := func(n int) {
				mu.Lock()
				defer mu.Unlock()
				now += n
				most = max(most, now)
			}
			r := task.Runner{Parallel: parallel, Execute: func(context.Context, task.Job) (string, error) {
				count(1)
				defer count(-1)
				time.Sleep(time.Second)
				return "", nil
			}}
			if _, err := r.Run(t.Context(), tasks); err != nil || most != want {
				t.Errorf("Parallel %d: %d tasks at once, want %d; error %v", parallel, most, want, err)
			}
			rounds := 1 + (21+want-1)/want
			if took := time.Since(start); took != time.Duration(rounds)*time.Second {
				t.Errorf("Parallel %d: took %v, want %d s", parallel, took, rounds)
			}
		})
	}
}

// TestFan: tasks that one sets free are taken by all who wait, while others
// are still at work.
func TestFan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var last atomic.Int64
		r := task.Runner{Parallel: 3, Execute: func(_ context.Context, job task.Job) (string, error) {
			if job.Task.ID == "slow" {
				time.Sleep(time.Minute)
				return "", nil
			}
			time.Sleep(time.Second)
			last.Store(int64(time.Since(start)))
			return "", nil
		}}
		if _, err := r.Run(t.Context(), named("slow", "root", "a<root", "b<root", "c<root", "d<root")); err != nil {
			t.Fatal(err)
		}
		if took := time.Duration(last.Load()); took != 3*time.Second {
			t.Errorf("the last of four ended after %v, want 3s: two at once after the root", took)
		}
	})
}
