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
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

func rewriteTo(v hook.Verdict, command string) func(hook.Call) (hook.Result, error) {
	return func(hook.Call) (hook.Result, error) {
		return hook.Result{Verdict: v, Input: engine.Input("command", command)}, nil
	}
}

// Law 3: an allow for another input than the final one counts for nothing,
// nor does the context of a run that a later one replaces.
func TestStaleAnswersDoNotCount(t *testing.T) {
	once := 0
	stale := script("stale", hook.PreToolUse, hook.User, func(c hook.Call) (hook.Result, error) {
		once++
		if c.Facts.Event.Input.Text("command") == "old" {
			return hook.Result{Verdict: hook.Allow, Context: []string{"about old"}}, nil
		}
		return hook.Result{Context: []string{"about new"}}, nil
	})
	rewrite := script("rewrite", hook.PreToolUse, hook.Project, rewriteTo(hook.None, "new"))
	dec := open(t, []hook.Spec{stale, rewrite}).Dispatch(background, bash("old"))
	if dec.Verdict != hook.None || !slices.Equal(dec.Context, []string{"about new"}) || once != 2 {
		t.Errorf("%v, context %q, %d runs", dec.Verdict, dec.Context, once)
	}
	dec = open(t, []hook.Spec{script("r", hook.PreToolUse, hook.Project, rewriteTo(hook.Allow, "new"))}).Dispatch(background, bash("old"))
	if dec.Verdict != hook.Allow {
		t.Errorf("an allow given with the rewrite is about the final input: %v", dec.Verdict)
	}
}

// Law 1: a halt stops the chain where it denies, and outranks an ask.
func TestHaltStopsTheChain(t *testing.T) {
	halt := script("halt", hook.PreToolUse, hook.User, func(hook.Call) (hook.Result, error) { return hook.Result{Halt: true, StopReason: "stop"}, nil })
	dec := open(t, []hook.Spec{script("ask", hook.PreToolUse, hook.Managed, says(hook.Ask)), halt, script("late", hook.PreToolUse, hook.Project, says(hook.None))}).Dispatch(background, bash("x"))
	if dec.Verdict != hook.Deny || status(dec, "late") != hook.Skipped || dec.Reason() != "stop" {
		t.Errorf("%v %q, late is %s", dec.Verdict, dec.Reason(), status(dec, "late"))
	}
}

func TestGateEdges(t *testing.T) {
	distrust := engine.WithTrust(func(string) bool { return false })
	off := settings.Switches{DisableAllHooks: true, DisableAllHooksSet: true}
	on := settings.Switches{DisableAllHooksSet: true}
	set := func(user, project settings.Switches) settings.Set {
		return settings.Set{Root: "/p", Files: []settings.File{
			{Source: hook.Source{Layer: hook.User}, Switches: user, Specs: []hook.Spec{script("mine", hook.Stop, hook.User, says(hook.Deny))}},
			{Source: hook.Source{Layer: hook.Project}, Switches: project},
		}}
	}
	e, err := engine.New(set(off, on), distrust, engine.WithType("scripted", scripted(true)))
	if err != nil {
		t.Fatal(err)
	}
	if dec := e.Dispatch(background, engine.Event{Name: engine.Stop}); status(dec, "mine") != hook.Gated {
		t.Errorf("an untrusted workspace switched hooks on again: %+v", dec.Steps)
	}
	managed := settings.Set{Files: []settings.File{{Source: hook.Source{Layer: hook.Managed}, Switches: settings.Switches{AllowManagedHooksOnly: true}}}}
	own := engine.WithHook(engine.PreToolUse, "", func(context.Context, engine.Call) (engine.Result, error) {
		return engine.Result{Verdict: engine.Ask}, nil
	})
	if e, err = engine.New(managed, own); err != nil {
		t.Fatal(err)
	}
	if dec := e.Dispatch(background, bash("x")); dec.Verdict != hook.Ask {
		t.Errorf("managed-only silenced the host's own hook: %+v", dec.Steps)
	}
	ev := engine.Event{Name: engine.PreToolUse, Tool: "Write", Dir: "/p", Input: engine.Input("file_path", "/p/pawl.yaml")}
	if dec := e.Dispatch(background, ev); dec.Verdict != hook.Ask {
		t.Errorf("managed-only silenced the builtin guard: %+v", dec.Steps)
	}
}

func TestUntrustedEdges(t *testing.T) {
	distrust := engine.WithTrust(func(string) bool { return false })
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pawl.yaml": `permissions: {allow: [Bash]}
wrappers: [{name: ls, text: true}]
rules: [{name: r, on: PreToolUse, match: "Bash(rm *)", decision: ask}]
hooks: {Stop: [{hooks: [{type: permission, decision: deny, reason: obey me}]}]}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(background, dir, distrust, engine.WithHome(t.TempDir()), engine.WithManaged("/nonexistent"))
	if err != nil {
		t.Fatal(err)
	}
	if dec := e.Dispatch(background, bash("curl x")); dec.Verdict != hook.None || !slices.ContainsFunc(dec.Steps, func(s hook.Step) bool { return strings.Contains(s.Detail, "allows nothing") }) {
		t.Errorf("an untrusted allow granted, or nobody is told: %v %+v", dec.Verdict, dec.Steps)
	}
	if dec := e.Dispatch(background, bash("ls rm x")); dec.Verdict != hook.None {
		t.Errorf("an untrusted wrapper was taken: %v", dec.Verdict)
	}
	if dec := e.Dispatch(background, bash("rm x")); dec.Verdict != hook.Ask {
		t.Errorf("an untrusted rule may ask: %v", dec.Verdict)
	}
	if dec := e.Dispatch(background, engine.Event{Name: engine.Stop}); dec.Verdict != hook.None {
		t.Errorf("an untrusted hook keeps the agent working: %v %q", dec.Verdict, dec.Reason())
	}
	if dec := e.Dispatch(background, engine.Event{Name: engine.SessionStart}); !slices.ContainsFunc(dec.Notices, func(n string) bool { return strings.Contains(n, "not trusted") }) {
		t.Errorf("the user is not told: %q", dec.Notices)
	}
}

// A pure guard judges even where the dispatch has no time left.
func TestPureHookHasItsOwnTime(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	judged := hook.Type{Pure: true, New: func(hook.Spec, hook.Deps) (hook.Action, []hook.Diagnostic) {
		return hook.ActionFunc(func(ctx context.Context, _ hook.Call) (hook.Result, error) {
			return hook.Result{Verdict: hook.Ask}, ctx.Err()
		}), nil
	}}
	s := hook.Spec{ID: "pure", Event: hook.PreToolUse, Type: "judged", Source: hook.Source{Layer: hook.Project}}
	w := s
	w.ID, w.When.Value = "when", `command == "ls"`
	dec := open(t, []hook.Spec{s, w}, engine.WithType("judged", judged)).Dispatch(ctx, bash("ls"))
	if dec.Verdict != hook.Ask || status(dec, "pure") != hook.Ran || status(dec, "when") != hook.Ran {
		t.Errorf("%v %+v", dec.Verdict, dec.Steps)
	}
}

func TestFailureThatBlocksWhateverItsPolicy(t *testing.T) {
	s := script("x", hook.PreToolUse, hook.Project, func(hook.Call) (hook.Result, error) {
		return hook.Result{}, &hook.NoVerdict{Cause: hook.CauseAnswer, Err: errors.New("silent"), Blocks: true}
	})
	s.OnFailure = hook.FailContinue
	if dec := open(t, []hook.Spec{s}).Dispatch(background, bash("x")); dec.Verdict != hook.Deny {
		t.Errorf("%v, want deny", dec.Verdict)
	}
}

func TestFailClosedIsForEveryType(t *testing.T) {
	for text, want := range map[string]hook.Verdict{"": hook.None, "failClosed: true\n": hook.Deny} {
		e := mustPolicy(t, text+"hooks: {PreToolUse: [{hooks: [{type: command, command: exit 1}]}]}")
		if dec := e.Dispatch(background, bash("x")); dec.Verdict != want {
			t.Errorf("%q: %v, want %v", text, dec.Verdict, want)
		}
	}
}

// A stop that passes ends the row of blocks.
func TestStopGuardCountsARow(t *testing.T) {
	block := true
	e := open(t, []hook.Spec{script("h", hook.Stop, hook.Project, func(hook.Call) (hook.Result, error) {
		if block {
			return hook.Result{Verdict: hook.Deny}, nil
		}
		return hook.Result{}, nil
	})}, engine.WithStopGuard(2))
	stop := func() hook.Verdict {
		return e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s"}).Verdict
	}
	stop()
	stop()
	block = false
	stop()
	block = true
	if v := stop(); v != hook.Deny {
		t.Errorf("%v after a stop that passed, want deny", v)
	}
}

type brokenState struct{}

func (brokenState) Update(context.Context, hook.StateKey, time.Duration, func([]byte) []byte) error {
	return errors.New("disk full")
}

// A store that fails neither silences a hook nor keeps an agent going for ever.
func TestBrokenState(t *testing.T) {
	s := script("once", hook.PreToolUse, hook.Project, says(hook.Deny))
	s.Once = true
	e := open(t, []hook.Spec{s, script("more", hook.Stop, hook.Project, says(hook.Deny))}, engine.WithState(brokenState{}))
	told := func(dec engine.Decision) bool {
		return slices.ContainsFunc(dec.Notices, func(n string) bool { return strings.Contains(n, "disk full") })
	}
	if dec := e.Dispatch(background, bash("x")); dec.Verdict != hook.Deny || !told(dec) {
		t.Errorf("%v %q", dec.Verdict, dec.Notices)
	}
	if dec := e.Dispatch(background, engine.Event{Name: engine.Stop}); dec.Verdict != hook.None || !told(dec) {
		t.Errorf("%v %q, want a pass that is told", dec.Verdict, dec.Notices)
	}
}

func TestPermissionRequestIsJudged(t *testing.T) {
	ev := bash("rm x")
	ev.Name = engine.PermissionRequest
	if dec := mustPolicy(t, "permissions: {deny: ['Bash(rm *)']}").Dispatch(background, ev); dec.Verdict != hook.Deny {
		t.Errorf("%v", dec.Verdict)
	}
}

// Ruling on copies: settings layers fold, a silenced copy stands in for none,
// plugins and skills keep theirs.
func TestCopiesFold(t *testing.T) {
	set := settings.Set{Root: "/p"}
	for i, l := range []hook.Layer{hook.User, hook.Project, hook.Local, hook.Plugin} {
		spec := hook.Spec{ID: "h", Event: hook.Stop, Type: "permission", Source: hook.Source{Layer: l, Dir: fmt.Sprint("/", i)},
			Fields: []hook.Field{{Name: "decision", Value: "ask"}}}
		set.Files = append(set.Files, settings.File{Source: spec.Source, Specs: []hook.Spec{spec}})
	}
	trust := engine.WithTrust(func(string) bool { return true })
	e, err := engine.New(set, trust)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(e.Hooks()); n != 2 {
		t.Errorf("%d hooks, want the user's and the plugin's", n)
	}
	set.Files[0].Switches = settings.Switches{}
	set.Files[1].Switches = settings.Switches{DisableAllHooks: true, DisableAllHooksSet: true}
	set.Files = set.Files[1:3]
	set.Files[1].Switches = settings.Switches{}
	if e, err = engine.New(set, trust); err != nil {
		t.Fatal(err)
	}
	if n := len(e.Hooks()); n != 2 {
		t.Errorf("%d hooks, want both: a silenced copy must not stand in for one that runs", n)
	}
}

func TestGroupsDoNotCrossFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var specs []hook.Spec
		for i, l := range []hook.Layer{hook.User, hook.Project} {
			s := script(fmt.Sprint("g", i), hook.SessionStart, l, func(hook.Call) (hook.Result, error) {
				time.Sleep(time.Second)
				return hook.Result{}, nil
			})
			s.Group = 1
			specs = append(specs, s)
		}
		start := time.Now()
		open(t, specs, engine.WithType("scripted", scripted(false))).Dispatch(background, engine.Event{Name: engine.SessionStart})
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("took %v: groups of two files ran together", d)
		}
	})
}

func TestWakesWaitTogetherAndCountAsBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s := script("bg", hook.Stop, hook.Project, func(hook.Call) (hook.Result, error) {
			n++
			return hook.Result{Wake: fmt.Sprint("wake ", n)}, nil
		})
		s.Rewake = true
		e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)), engine.WithStopGuard(3))
		var got []string
		for range 5 {
			got = append(got, e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s"}).Context...)
			synctest.Wait()
		}
		if n != 5 || !slices.Equal(got, []string{"wake 1", "wake 2", "wake 3"}) {
			t.Errorf("%d runs, waiting %q; want three wakes and no more", n, got)
		}
		e.Dispatch(background, engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Grep"})
		for range 2 {
			e.Dispatch(background, engine.Event{Name: engine.SessionEnd, Session: "s"})
		}
		dec := e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s"})
		synctest.Wait()
		e2 := e.Dispatch(background, engine.Event{Name: engine.UserPromptSubmit, Session: "s"})
		if len(dec.Context) != 0 || !slices.Equal(e2.Context, []string{"wake 6"}) {
			t.Errorf("after a tool call: %q %q", dec.Context, e2.Context)
		}
	})
}

func TestGatedBackgroundHookDoesNotRun(t *testing.T) {
	ran := make(chan bool, 1)
	s := script("bg", hook.Stop, hook.Project, func(hook.Call) (hook.Result, error) { ran <- true; return hook.Result{}, nil })
	s.Async = true
	e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)), engine.WithTrust(func(string) bool { return false }))
	dec := e.Dispatch(background, engine.Event{Name: engine.Stop})
	if err := e.Close(background); err != nil || len(ran) != 0 || status(dec, "bg") != hook.Gated {
		t.Errorf("ran %d, %s", len(ran), status(dec, "bg"))
	}
}

// Close may run beside Dispatch, and does not wait for an action that ignores
// its context.
func TestCloseBesideDispatch(t *testing.T) {
	release := make(chan struct{})
	s := script("bg", hook.Notification, hook.Project, func(hook.Call) (hook.Result, error) { <-release; return hook.Result{}, nil })
	s.Async = true
	e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				e.Dispatch(background, engine.Event{Name: engine.Notification})
			}
		})
	}
	ctx, cancel := context.WithTimeout(background, 10*time.Millisecond)
	defer cancel()
	if err := e.Close(ctx); !errors.Is(err, context.DeadlineExceeded) && err != nil {
		t.Errorf("close: %v", err)
	}
	wg.Wait()
	if dec := e.Dispatch(background, engine.Event{Name: engine.Notification}); status(dec, "bg") != hook.Failed {
		t.Errorf("a closed engine started a background hook: %+v", dec.Steps)
	}
	close(release)
}

// A scratch directory that others can write to is not used.
func TestScratchMustBeOurs(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s := script("long", hook.SessionStart, hook.Project, func(hook.Call) (hook.Result, error) {
		return hook.Result{Context: []string{strings.Repeat("x", 20_000)}}, nil
	})
	dec := open(t, []hook.Spec{s}, engine.WithScratch(dir)).Dispatch(background, engine.Event{Name: engine.SessionStart})
	if left, _ := os.ReadDir(dir); len(left) != 0 || !strings.Contains(dec.Context[0], "could not be saved") {
		t.Errorf("%d files in a directory of others; %.80q", len(left), dec.Context[0][2000:])
	}
}

func TestProblemsTouchTheirEvents(t *testing.T) {
	e, err := policy(t, "hooks:\n  PreToolUze: []\n  Stop: [{matcher: x, hooks: [{type: permission, decision: ask}]}]\n")
	if err != nil {
		t.Fatal(err)
	}
	count := func(name engine.EventName) (n int) {
		for _, s := range e.Dispatch(background, engine.Event{Name: name, Tool: "Grep"}).Steps {
			if s.Status == hook.Problem {
				n++
				if s.Source.Layer != hook.Project {
					t.Errorf("a problem of a project file is said to be %s", s.Source)
				}
			}
		}
		return n
	}
	if stop, other := count(engine.Stop), count(engine.PreToolUse); stop < 2 || other != 1 {
		t.Errorf("%d problems on Stop, %d on PreToolUse; want more than the one that touches all", stop, other)
	}
}
