package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// later is an engine with one background hook on PostToolUse, and what runs it
// to its end.
func later(t *testing.T, spec func(*hook.Spec), do func(hook.Call) (hook.Result, error), opts ...engine.Option) (e *engine.Engine, run func()) {
	s := script("bg", hook.PostToolUse, hook.Project, do)
	s.Async = true
	if spec != nil {
		spec(&s)
	}
	e = open(t, []hook.Spec{s}, append(opts, engine.WithType("scripted", scripted(false)))...)
	return e, func() {
		e.Dispatch(background, engine.Event{Name: engine.PostToolUse, Session: "s", Tool: "Bash"})
		synctest.Wait()
	}
}

func promptOf(e *engine.Engine, session string) engine.Decision {
	return e.Dispatch(background, engine.Event{Name: engine.UserPromptSubmit, Session: session})
}

// A background hook that fails is told with the session's next answer, once,
// and decides nothing there whatever its onFailure says.
func TestBackgroundFailureIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, run := later(t, func(s *hook.Spec) { s.OnFailure = hook.FailBlock }, func(hook.Call) (hook.Result, error) {
			return hook.Result{Notices: []string{"code 3"}}, hook.Fail(hook.CauseExit, "exit code 3\nstack")
		})
		run()
		if dec := promptOf(e, "other"); len(dec.Notices) > 0 {
			t.Errorf("another session is told %q", dec.Notices)
		}
		dec := promptOf(e, "s")
		if len(dec.Notices) != 1 || !strings.Contains(dec.Notices[0], "background hook bg") ||
			!strings.HasSuffix(dec.Notices[0], "(type scripted) failed (exit): exit code 3") || !dec.Proceed() {
			t.Errorf("%v %q", dec.Verdict, dec.Notices)
		}
		if dec := promptOf(e, "s"); len(dec.Notices) > 0 {
			t.Errorf("told again: %q", dec.Notices)
		}
	})
}

// An agent can make any number of events: 16 texts wait, the rest are counted.
func TestBackgroundFailuresAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s := script("bg", hook.SessionEnd, hook.Project, func(hook.Call) (hook.Result, error) {
			n++
			return hook.Result{}, fmt.Errorf("failure %d", (n+1)/2) // each twice
		})
		s.Async = true
		e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)))
		for range 60 {
			e.Dispatch(background, engine.Event{Name: engine.SessionEnd, Session: "s"})
			synctest.Wait()
		}
		dec := promptOf(e, "s")
		if len(dec.Notices) != 17 || dec.Notices[16] != "pawl: 28 more results of background hooks were dropped: at most 16 wait" {
			t.Errorf("%d: %q", len(dec.Notices), dec.Notices)
		}
	})
}

// What waits is not lost on an event whose answer reaches nobody, or another
// agent.
func TestWakeWaitsForAnEventThatTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, run := later(t, func(s *hook.Spec) { s.Rewake = true }, func(hook.Call) (hook.Result, error) {
			return hook.Result{Wake: "tests fail"}, nil
		})
		run()
		for _, name := range []engine.EventName{engine.Notification, engine.PreCompact, engine.SubagentStart, engine.SubagentStop, engine.StopFailure, engine.PermissionRequest, engine.SessionEnd} {
			if dec := e.Dispatch(background, engine.Event{Name: name, Session: "s"}); len(dec.Context) > 0 {
				t.Errorf("%s takes %q", name, dec.Context)
			}
		}
		if dec := e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s"}); !slices.Equal(dec.Context, []string{"tests fail"}) {
			t.Errorf("Stop: %q", dec.Context)
		}
	})
}

// What a background hook adds for the agent and the user comes with a later
// answer (Claude Code). A Stop does not take it: the agent would go on.
func TestBackgroundHookAddsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, run := later(t, nil, func(hook.Call) (hook.Result, error) {
			return hook.Result{Context: []string{"3 files are\nnot formatted"}, Notices: []string{"the linter is old"}}, nil
		})
		run()
		dec := e.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s"})
		if len(dec.Context) > 0 || !slices.Equal(dec.Notices, []string{"the linter is old"}) {
			t.Errorf("Stop: %q, %q", dec.Context, dec.Notices)
		}
		if dec = promptOf(e, "s"); !slices.Equal(dec.Context, []string{"3 files are\nnot formatted"}) || len(dec.Notices) > 0 {
			t.Errorf("%q, %q", dec.Context, dec.Notices)
		}
		if dec = promptOf(e, "s"); len(dec.Context) > 0 {
			t.Errorf("once more: %q", dec.Context)
		}
	})
}

// mode: observe counts for nothing in the background, too.
func TestObservedBackgroundHookSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended hook.Step
		e, run := later(t, func(s *hook.Spec) { s.Rewake, s.Observe = true, true }, func(hook.Call) (hook.Result, error) {
			return hook.Result{Wake: "go on", Context: []string{"x"}, Notices: []string{"y"}}, nil
		}, engine.WithObserver(func(p hook.Progress) {
			if p.Ended {
				ended = p.Step
			}
		}))
		run()
		if dec := promptOf(e, "s"); len(dec.Context) > 0 || len(dec.Notices) > 0 {
			t.Errorf("%q %q", dec.Context, dec.Notices)
		}
		if ended.Status != hook.Observed {
			t.Errorf("ended as %v", ended.Status)
		}
	})
}

// Only a run that succeeded uses up a once hook.
func TestFailedBackgroundHookMayRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		once := func(s *hook.Spec) { s.Once = true }
		e, run := later(t, once, func(hook.Call) (hook.Result, error) {
			if runs++; runs < 3 {
				return hook.Result{}, errors.New("not yet")
			}
			return hook.Result{}, nil
		})
		for range 5 {
			run()
		}
		if runs != 3 {
			t.Errorf("%d runs, want two that fail and one", runs)
		}
		_ = e
		tries := 0
		e, run = later(t, once, nil, engine.WithDetach(func(string, engine.Event) error {
			if tries++; tries < 2 {
				return errors.New("no room")
			}
			return nil
		}))
		for range 4 {
			run()
		}
		if tries != 2 {
			t.Errorf("%d starts, want one that fails and one", tries)
		}
	})
}
