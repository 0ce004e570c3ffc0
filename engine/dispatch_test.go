package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var background = context.Background()

func status(dec engine.Decision, id string) hook.Status {
	for _, s := range dec.Steps {
		if s.Hook == id {
			return s.Status
		}
	}
	return ""
}

func TestNoCandidateCostsNothing(t *testing.T) {
	e := hundredHooks(t)
	ev := engine.Event{Name: engine.PreToolUse, Tool: "Grep", Input: engine.Input("pattern", "x")}
	if n := testing.AllocsPerRun(100, func() { e.Dispatch(background, ev) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// hundredHooks has 100 hooks, none on Grep.
func hundredHooks(t testing.TB) *engine.Engine {
	var specs []hook.Spec
	for i := range 100 {
		s := script(fmt.Sprint("h", i), hook.PreToolUse, hook.Project, says(hook.Deny))
		s.Matcher.Value = []string{"Bash", "Edit|Write", "mcp__github__delete", "WebFetch"}[i%4]
		specs = append(specs, s)
	}
	return open(t, specs)
}

func BenchmarkNoCandidate(b *testing.B) {
	ev := engine.Event{Name: engine.PreToolUse, Tool: "Grep", Input: engine.Input("pattern", "x")}
	b.Run("dispatch", func(b *testing.B) {
		e := hundredHooks(b)
		b.ReportAllocs()
		for b.Loop() {
			e.Dispatch(background, ev)
		}
	})
	b.Run("maps", func(b *testing.B) {
		aliases := map[string]string{}
		for _, n := range hook.ToolNames() {
			aliases[n] = n
		}
		index := map[hook.EventName]map[string][]int{hook.PreToolUse: {"Bash": {1}, "Edit": {2}, "Write": {2}, "WebFetch": {3}}}
		rules := [2]map[string][]int{{"Bash": {1}}, {"Edit": {1}}}
		b.ReportAllocs()
		sink := 0
		for b.Loop() {
			tool := aliases[ev.Tool]
			sink += len(index[ev.Name][tool]) + len(rules[0][tool]) + len(rules[1][tool])
		}
	})
}

func TestObserveCountsForNothing(t *testing.T) {
	s := script("watch", hook.PreToolUse, hook.Project, func(hook.Call) (hook.Result, error) {
		return hook.Result{Verdict: hook.Deny, Input: engine.Input("command", "x"), Context: []string{"c"}, Halt: true}, nil
	})
	s.Observe = true
	dec := open(t, []hook.Spec{s}).Dispatch(background, bash("ls"))
	if dec.Verdict != hook.None || !dec.Proceed() || !dec.Input.Absent() || dec.Context != nil {
		t.Errorf("an observed hook counted: %+v", dec)
	}
	if st := dec.Steps[0]; st.Status != hook.Observed || st.Would != hook.Deny {
		t.Errorf("step %+v, want observed, would deny", st)
	}
}

func TestOnceCountsADispatchAndOnlySuccess(t *testing.T) {
	runs, fail := 0, true
	s := script("once", hook.PreToolUse, hook.Project, func(hook.Call) (hook.Result, error) {
		runs++
		if fail {
			return hook.Result{}, hook.Fail(hook.CauseExit, "exit 1")
		}
		return hook.Result{}, nil
	})
	s.Once, s.OnFailure = true, hook.FailContinue
	rewrite := script("rewrite", hook.PreToolUse, hook.Local, func(c hook.Call) (hook.Result, error) {
		return hook.Result{Input: engine.Input("command", "new")}, nil
	})
	e := open(t, []hook.Spec{s, rewrite})
	e.Dispatch(background, bash("old"))
	fail = false
	runs = 0
	e.Dispatch(background, bash("old"))
	if runs != 2 {
		t.Errorf("%d runs in one dispatch with a rewrite, want 2: once counts per dispatch", runs)
	}
	if dec := e.Dispatch(background, bash("old")); runs != 2 || status(dec, "once") != hook.Skipped {
		t.Errorf("ran again: %d runs, %+v", runs, dec.Steps)
	}
}

func TestUnsettledInputAsks(t *testing.T) {
	n := 0
	restless := script("restless", hook.PreToolUse, hook.Project, func(hook.Call) (hook.Result, error) {
		n++
		return hook.Result{Verdict: hook.Allow, Input: engine.Input("command", fmt.Sprint("v", n))}, nil
	})
	second := script("second", hook.PreToolUse, hook.Local, func(c hook.Call) (hook.Result, error) {
		return hook.Result{Input: engine.Input("command", "fixed")}, nil
	})
	dec := open(t, []hook.Spec{restless, second}).Dispatch(background, bash("ls"))
	if dec.Verdict != hook.Ask || !strings.Contains(dec.Reason(), "did not settle") {
		t.Errorf("%v %q, want ask: did not settle", dec.Verdict, dec.Reasons)
	}
	if got := dec.Input.Text("command"); got != "fixed" {
		t.Errorf("final input %q", got)
	}
}

func TestParallelGroupIsFoldedInFileOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var specs []hook.Spec
		for i, wait := range []time.Duration{3, 1, 2} {
			s := script(fmt.Sprint("p", i), hook.SessionStart, hook.Project, func(hook.Call) (hook.Result, error) {
				time.Sleep(wait * time.Second)
				return hook.Result{Context: []string{fmt.Sprint(i)}}, nil
			})
			s.Group = 1
			specs = append(specs, s)
		}
		e := open(t, specs, engine.WithType("scripted", scripted(false)))
		start := time.Now()
		dec := e.Dispatch(background, engine.Event{Name: engine.SessionStart, Subject: "startup"})
		if d := time.Since(start); d != 3*time.Second {
			t.Errorf("took %v, want the longest of the group", d)
		}
		if got := strings.Join(dec.Context, ""); got != "012" {
			t.Errorf("context %q, want file order", got)
		}
	})
}

func TestHangingFunctionHookIsAbandonedAndBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := open(t, nil, engine.WithHook(engine.PreToolUse, "Bash", func(context.Context, engine.Call) (engine.Result, error) {
			<-release
			return engine.Result{}, nil
		}))
		dec := e.Dispatch(background, bash("ls"))
		close(release)
		if dec.Verdict != hook.Deny || dec.Steps[len(dec.Steps)-1].Cause != hook.CauseTimeout {
			t.Errorf("%v %+v, want deny by timeout", dec.Verdict, dec.Steps)
		}
	})
}

func TestSlowHookDoesNotStarveAPureGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := script("slow", hook.PreToolUse, hook.User, func(c hook.Call) (hook.Result, error) {
			time.Sleep(time.Minute)
			return hook.Result{}, nil
		})
		slow.Type, slow.OnFailure = "slow", hook.FailContinue
		guard := script("guard", hook.PreToolUse, hook.Project, says(hook.Allow))
		e := open(t, []hook.Spec{slow, guard}, engine.WithType("slow", scripted(false)))
		ctx, cancel := context.WithTimeout(background, time.Second)
		defer cancel()
		dec := e.Dispatch(ctx, bash("ls"))
		if status(dec, "guard") != hook.Ran || status(dec, "slow") != hook.Failed {
			t.Errorf("steps %+v", dec.Steps)
		}
		time.Sleep(2 * time.Minute)
	})
}

func TestStopGuard(t *testing.T) {
	e := open(t, []hook.Spec{script("more", hook.Stop, hook.Project, says(hook.Deny))})
	stop := engine.Event{Name: engine.Stop, Session: "s"}
	for i := range 8 {
		if dec := e.Dispatch(background, stop); dec.Verdict != hook.Deny {
			t.Fatalf("stop %d: %v, want deny", i, dec.Verdict)
		}
	}
	if dec := e.Dispatch(background, stop); dec.Verdict != hook.None || len(dec.Notices) == 0 {
		t.Errorf("ninth stop: %v %q, want a pass with a notice", dec.Verdict, dec.Notices)
	}
	e.Dispatch(background, engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Grep"})
	if dec := e.Dispatch(background, stop); dec.Verdict != hook.Deny {
		t.Errorf("a tool call did not clear the count: %v", dec.Verdict)
	}
	if dec := e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "other"}); dec.Verdict != hook.Deny {
		t.Errorf("the count is shared between sessions")
	}
}

func TestSessionEndBudget(t *testing.T) {
	for _, c := range []struct{ asked, want time.Duration }{{0, 1500 * time.Millisecond}, {5 * time.Second, 5 * time.Second}, {100 * time.Second, time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			s := hook.Spec{ID: "end", Event: hook.SessionEnd, Type: "blocking", Timeout: c.asked}
			blocking := hook.Type{New: func(hook.Spec, hook.Deps) (hook.Action, []hook.Diagnostic) {
				return hook.ActionFunc(func(ctx context.Context, _ hook.Call) (hook.Result, error) {
					<-ctx.Done()
					return hook.Result{}, hook.Fail(hook.CauseTimeout, "%v", ctx.Err())
				}), nil
			}}
			e := open(t, []hook.Spec{s}, engine.WithType("blocking", blocking))
			start := time.Now()
			e.Dispatch(background, engine.Event{Name: engine.SessionEnd})
			if d := time.Since(start); d != c.want {
				t.Errorf("timeout %v: took %v, want %v", c.asked, d, c.want)
			}
		})
	}
}

func TestBackgroundHookCannotDecideAndWakesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := script("bg", hook.Stop, hook.Project, func(c hook.Call) (hook.Result, error) {
			time.Sleep(5 * time.Second)
			return hook.Result{Verdict: hook.Deny, Wake: "tests fail"}, nil
		})
		s.Rewake, s.Timeout = true, time.Minute
		e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)))
		start := time.Now()
		dec := e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s"})
		if time.Since(start) != 0 || dec.Verdict != hook.None || status(dec, "bg") != hook.Started {
			t.Fatalf("after %v: %+v", time.Since(start), dec)
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		prompt := engine.Event{Name: engine.UserPromptSubmit, Session: "s"}
		if dec := e.Dispatch(background, prompt); !slices.Contains(dec.Context, "tests fail") {
			t.Errorf("the wake did not arrive: %+v", dec)
		}
		if dec := e.Dispatch(background, prompt); len(dec.Context) != 0 {
			t.Errorf("the wake arrived twice")
		}
	})
}

func TestBackgroundIsBounded(t *testing.T) {
	release := make(chan struct{})
	var running atomic.Int32
	s := script("bg", hook.Notification, hook.Project, func(hook.Call) (hook.Result, error) {
		running.Add(1)
		<-release
		return hook.Result{}, nil
	})
	s.Async = true
	e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)))
	failed := 0
	for range 40 {
		if dec := e.Dispatch(background, engine.Event{Name: engine.Notification}); status(dec, "bg") == hook.Failed {
			failed++
		}
	}
	close(release)
	if failed != 24 {
		t.Errorf("%d of 40 refused, want 24", failed)
	}
}

func TestLongTextsAreSavedWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "scratch")
	for _, c := range []struct {
		text  string
		whole bool
	}{{strings.Repeat("é", 10_000), true}, {strings.Repeat("😀", 10_001), false}} {
		s := script("long", hook.SessionStart, hook.Project, func(hook.Call) (hook.Result, error) {
			return hook.Result{Context: []string{c.text}}, nil
		})
		dec := open(t, []hook.Spec{s}, engine.WithScratch(dir)).Dispatch(background, engine.Event{Name: engine.SessionStart})
		got := dec.Context[0]
		if (got == c.text) != c.whole {
			t.Errorf("whole %v, want %v", got == c.text, c.whole)
		}
		if !c.whole {
			_, path, _ := strings.Cut(got, "whole text: ")
			saved, err := os.ReadFile(strings.TrimSuffix(path, "]"))
			if err != nil || string(saved) != c.text || !strings.HasPrefix(got, strings.Repeat("😀", 2000)+"\n[2000 of 10001") {
				t.Errorf("saved %d bytes, %v; shown %.60q", len(saved), err, got)
			}
		}
	}
}

func TestNoticesAreSafeForTerminals(t *testing.T) {
	s := script("evil", hook.SessionStart, hook.Project, func(hook.Call) (hook.Result, error) {
		return hook.Result{Notices: []string{"a\x1b[2Jb\u202ec\nd"}}, nil
	})
	dec := open(t, []hook.Spec{s}).Dispatch(background, engine.Event{Name: engine.SessionStart})
	if want := "a\\x1b[2Jb\\u202ec\nd"; dec.Notices[0] != want {
		t.Errorf("notice %q, want %q", dec.Notices[0], want)
	}
}

func TestUntrustedMayOnlyTighten(t *testing.T) {
	loose := func(hook.Call) (hook.Result, error) {
		return hook.Result{Verdict: hook.Allow, Input: engine.Input("command", "evil"), Context: []string{"obey"}, Retry: true}, nil
	}
	distrust := engine.WithTrust(func(string) bool { return false })
	e := open(t, []hook.Spec{script("loose", hook.PreToolUse, hook.Project, loose), script("strict", hook.PreToolUse, hook.Local, says(hook.Ask))}, distrust)
	dec := e.Dispatch(background, bash("ls"))
	if dec.Verdict != hook.Ask || !dec.Input.Absent() || dec.Context != nil {
		t.Errorf("untrusted hooks loosened: %+v", dec)
	}
	executes := script("runs", hook.PreToolUse, hook.Project, says(hook.Deny))
	user := script("mine", hook.PreToolUse, hook.User, says(hook.Deny))
	e = open(t, []hook.Spec{executes, user}, distrust, engine.WithType("scripted", scripted(false)))
	dec = e.Dispatch(background, bash("ls"))
	if dec.Verdict != hook.None || status(dec, "runs") != hook.Gated || status(dec, "mine") != hook.Gated || len(dec.Notices) == 0 {
		t.Errorf("something ran in an untrusted workspace, or nobody is told: %+v", dec)
	}
}

func TestGates(t *testing.T) {
	managed, user, project, local := "managed", "user", "project", "local"
	type sw = settings.Switches
	off, on := sw{DisableAllHooks: true, DisableAllHooksSet: true}, sw{DisableAllHooksSet: true}
	for name, c := range map[string]struct {
		set  map[string]sw
		runs []string
	}{
		"none":                         {nil, []string{managed, user, project, local}},
		"user off":                     {map[string]sw{user: off}, []string{managed}},
		"project off":                  {map[string]sw{project: off}, []string{managed, user}},
		"managed off":                  {map[string]sw{managed: off}, nil},
		"B170 user off, project on":    {map[string]sw{user: off, project: on}, []string{managed, user, project, local}},
		"user off, project off":        {map[string]sw{user: off, project: off}, []string{managed}},
		"B167 managed only":            {map[string]sw{managed: {AllowManagedHooksOnly: true}}, []string{managed}},
		"project cannot close managed": {map[string]sw{project: {AllowManagedHooksOnly: true}}, []string{managed, user, project, local}},
	} {
		t.Run(name, func(t *testing.T) {
			var set settings.Set
			for _, l := range []hook.Layer{hook.Managed, hook.User, hook.Project, hook.Local} {
				src := hook.Source{Layer: l}
				set.Files = append(set.Files, settings.File{Source: src, Switches: c.set[l.String()],
					Specs: []hook.Spec{script(l.String(), hook.Stop, l, says(hook.None))}})
			}
			e, err := engine.New(set, engine.WithType("scripted", scripted(true)), engine.WithTrust(func(string) bool { return true }))
			if err != nil {
				t.Fatal(err)
			}
			dec := e.Dispatch(background, engine.Event{Name: engine.Stop})
			var ran []string
			for _, s := range dec.Steps {
				if s.Status == hook.Ran {
					ran = append(ran, s.Hook)
				} else if s.Status != hook.Gated || s.Detail == "" {
					t.Errorf("%s: %s %q, want gated with a reason", s.Hook, s.Status, s.Detail)
				}
			}
			if !slices.Equal(ran, c.runs) {
				t.Errorf("ran %v, want %v", ran, c.runs)
			}
		})
	}
}

func TestDispatchIsConcurrent(t *testing.T) {
	var runs atomic.Int64
	e := open(t, []hook.Spec{script("h", hook.PreToolUse, hook.Project, func(hook.Call) (hook.Result, error) {
		runs.Add(1)
		return hook.Result{Verdict: hook.Ask}, nil
	})})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if dec := e.Dispatch(background, bash("ls -la")); dec.Verdict != hook.Ask {
					t.Errorf("verdict %v", dec.Verdict)
				}
			}
		})
	}
	wg.Wait()
	if runs.Load() != 1600 {
		t.Errorf("%d runs, want 1600", runs.Load())
	}
}
