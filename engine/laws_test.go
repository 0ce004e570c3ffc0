package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"pgregory.net/rapid"
)

// scripted is a hook type whose action is a Go func in the field "do".
func scripted(pure bool) hook.Type {
	return hook.Type{Pure: pure, New: func(s hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
		for _, f := range s.Fields {
			if do, ok := f.Value.(func(hook.Call) (hook.Result, error)); ok {
				return hook.ActionFunc(func(_ context.Context, c hook.Call) (hook.Result, error) { return do(c) }), nil
			}
		}
		panic("a scripted hook without do")
	}}
}

// script is a spec of a scripted hook.
func script(id string, event hook.EventName, layer hook.Layer, do func(hook.Call) (hook.Result, error)) hook.Spec {
	return hook.Spec{ID: id, Event: event, Type: "scripted", Source: hook.Source{Layer: layer, File: layer.String()},
		Fields: []hook.Field{{Name: "id", Value: id}, {Name: "do", Value: do}}}
}

func says(v hook.Verdict) func(hook.Call) (hook.Result, error) {
	return func(hook.Call) (hook.Result, error) {
		return hook.Result{Verdict: v, Reason: "says " + v.String()}, nil
	}
}

// open makes an engine of specs, each in the file of its layer.
func open(t testing.TB, specs []hook.Spec, opts ...engine.Option) *engine.Engine {
	t.Helper()
	set := settings.Set{Root: "/project"}
	for _, s := range specs {
		i := slices.IndexFunc(set.Files, func(f settings.File) bool { return f.Source == s.Source })
		if i < 0 {
			i = len(set.Files)
			set.Files = append(set.Files, settings.File{Source: s.Source})
		}
		set.Files[i].Specs = append(set.Files[i].Specs, s)
	}
	opts = append([]engine.Option{engine.WithType("scripted", scripted(true)), engine.WithTrust(func(string) bool { return true }),
		engine.WithHome("/home/u"), engine.WithManaged("/nonexistent")}, opts...)
	e, err := engine.New(set, opts...)
	if err != nil {
		t.Fatalf("new engine: %v", err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

var (
	anyVerdict = rapid.SampledFrom([]hook.Verdict{hook.None, hook.Allow, hook.Ask, hook.Defer, hook.Deny})
	anyLayer   = rapid.SampledFrom([]hook.Layer{hook.Managed, hook.User, hook.Project, hook.Local, hook.Plugin, hook.Skill})
)

func anyEvent() *rapid.Generator[hook.EventName] {
	return rapid.Custom(func(t *rapid.T) hook.EventName {
		return hook.EventName(rapid.SampledFrom(hook.EventNames()).Draw(t, "event"))
	})
}

func bash(command string) engine.Event {
	return engine.Event{Name: engine.PreToolUse, Session: "s", Dir: "/project", Tool: "Bash", Input: engine.Input("command", command)}
}

// Law 1: the decision is the maximum, and adding a hook never lowers it.
func TestLawLattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "hooks")
		var specs []hook.Spec
		want := hook.None
		before := hook.None
		for i := range n {
			v := anyVerdict.Draw(t, "verdict")
			specs = append(specs, script(fmt.Sprintf("h%d", i), hook.PreToolUse, anyLayer.Draw(t, "layer"), says(v)))
			want = max(want, v)
			dec := newEngine(specs).Dispatch(context.Background(), bash("ls"))
			if dec.Verdict < before {
				t.Fatalf("hook %d lowered %v to %v", i, before, dec.Verdict)
			}
			before = dec.Verdict
		}
		if before != want {
			t.Fatalf("decision %v, want the maximum %v", before, want)
		}
	})
}

// newEngine is open for rapid, whose T has no Cleanup of ours.
func newEngine(specs []hook.Spec, opts ...engine.Option) *engine.Engine {
	set := settings.Set{Root: "/project"}
	for _, s := range specs {
		set.Files = append(set.Files, settings.File{Source: s.Source, Specs: []hook.Spec{s}})
	}
	opts = append([]engine.Option{engine.WithType("scripted", scripted(true)), engine.WithTrust(func(string) bool { return true }),
		engine.WithHome("/home/u")}, opts...)
	e, err := engine.New(set, opts...)
	if e == nil {
		panic(err)
	}
	return e // with stubs for what is contradictory among random specs
}

// Law 1: a halt is cleared by nothing; where a block stops something it is a
// Deny too, where a block means "go on" it outranks it.
func TestLawHalt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		event := anyEvent().Draw(t, "event")
		halts := func(hook.Call) (hook.Result, error) { return hook.Result{Halt: true, StopReason: "enough"}, nil }
		specs := []hook.Spec{script("halt", event, hook.Managed, halts)}
		for i := range rapid.IntRange(0, 4).Draw(t, "others") {
			specs = append(specs, script(fmt.Sprint("h", i), event, anyLayer.Draw(t, "layer"), says(anyVerdict.Draw(t, "verdict"))))
		}
		dec := newEngine(specs).Dispatch(context.Background(), engine.Event{Name: event})
		info, _ := hook.Lookup(event)
		if !dec.Halted || dec.Proceed() || dec.StopReason != "enough" {
			t.Fatalf("%s: halt lost: %+v", event, dec)
		}
		switch {
		case info.Has(hook.CanGoOn) && dec.Verdict != hook.None:
			t.Fatalf("%s: %v, but a halt outranks going on", event, dec.Verdict)
		case info.Has(hook.CanBlock) && dec.Verdict != hook.Deny:
			t.Fatalf("%s: %v, but a halt is a Deny here", event, dec.Verdict)
		}
	})
}

// Law 2: hooks run by rank, then in file order; the first Deny stops the
// chain and those not reached are named as skipped.
func TestLawOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ran []string
		var specs []hook.Spec
		for i := range rapid.IntRange(1, 8).Draw(t, "hooks") {
			id, v := fmt.Sprintf("h%d", i), anyVerdict.Draw(t, "verdict")
			specs = append(specs, script(id, hook.PreToolUse, anyLayer.Draw(t, "layer"), func(hook.Call) (hook.Result, error) {
				ran = append(ran, id)
				return hook.Result{Verdict: v}, nil
			}))
		}
		dec := newEngine(specs).Dispatch(context.Background(), bash("ls"))
		want := slices.Clone(specs)
		slices.SortStableFunc(want, func(a, b hook.Spec) int { return a.Source.Layer.Rank() - b.Source.Layer.Rank() })
		denied := false
		for i, s := range want {
			step := dec.Steps[i]
			if step.Hook != s.ID {
				t.Fatalf("step %d is %s, want %s", i, step.Hook, s.ID)
			}
			if wantStatus := map[bool]hook.Status{true: hook.Skipped, false: hook.Ran}[denied]; step.Status != wantStatus {
				t.Fatalf("%s: %s, want %s", s.ID, step.Status, wantStatus)
			}
			if reached := slices.Contains(ran, s.ID); reached == denied {
				t.Fatalf("%s: reached %v after a Deny %v", s.ID, reached, denied)
			}
			denied = denied || step.Verdict == hook.Deny
		}
	})
}

// model is a hook that answers by the number in the input's member "n".
type model struct {
	verdict [4]hook.Verdict
	rewrite [4]int // the new n, or -1
}

func (m model) do(seen *[]int) func(hook.Call) (hook.Result, error) {
	return func(c hook.Call) (hook.Result, error) {
		n, _ := c.Facts.Event.Input.Get("n")
		at := n.(int)
		*seen = append(*seen, at)
		res := hook.Result{Verdict: m.verdict[at]}
		if m.rewrite[at] >= 0 {
			res.Input = engine.Input("n", m.rewrite[at])
		}
		return res, nil
	}
}

// Law 3: every deciding hook has judged the final input, or the decision is
// Ask or Deny; no allow for another input survives.
func TestLawFinalInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "hooks")
		models, seen := make([]model, n), make([][]int, n)
		var specs []hook.Spec
		for i := range models {
			for at := range 4 {
				models[i].verdict[at] = anyVerdict.Draw(t, "verdict")
				models[i].rewrite[at] = rapid.SampledFrom([]int{-1, -1, -1, 0, 1, 2, 3}).Draw(t, "rewrite")
			}
			specs = append(specs, script(fmt.Sprint("h", i), hook.PreToolUse, hook.Project, models[i].do(&seen[i])))
		}
		ev := engine.Event{Name: engine.PreToolUse, Tool: "Other", Input: engine.Input("n", 0)}
		dec := newEngine(specs).Dispatch(context.Background(), ev)
		final, max3 := ev.Input, hook.None
		if !dec.Input.Absent() {
			final = dec.Input
		}
		v, _ := final.Get("n")
		for i, m := range models {
			if dec.Verdict < hook.Ask && !slices.Contains(seen[i], v.(int)) && !rewroteTo(m, seen[i], v.(int)) {
				t.Fatalf("hook %d never judged the final input %v (saw %v), yet the decision is %v", i, v, seen[i], dec.Verdict)
			}
			if slices.Contains(seen[i], v.(int)) {
				max3 = max(max3, m.verdict[v.(int)])
			}
		}
		if dec.Verdict == hook.Allow && max3 < hook.Allow && !anyRewriteAllows(models, seen, v.(int)) {
			t.Fatalf("an allow that nobody gave for the final input %v", v)
		}
		if len(dec.Input.Members()) > 0 && len(dec.Notices) == 0 {
			t.Fatal("a rewrite that the user is not told of")
		}
	})
}

func rewroteTo(m model, seen []int, final int) bool {
	return slices.ContainsFunc(seen, func(at int) bool { return m.rewrite[at] == final })
}

func anyRewriteAllows(models []model, seen [][]int, final int) bool {
	for i, m := range models {
		for _, at := range seen[i] {
			if m.rewrite[at] == final && m.verdict[at] == hook.Allow {
				return true
			}
		}
	}
	return false
}

// Law 4: a failure is not an answer. It blocks by onFailure where a block
// stops something, lets go elsewhere, and always leaves a trace.
func TestLawFailure(t *testing.T) {
	causes := []hook.Cause{hook.CauseSpawn, hook.CauseExit, hook.CauseSignal, hook.CauseTimeout, hook.CausePanic, hook.CauseAnswer, hook.CauseHTTP, hook.CauseConfig, hook.CauseError}
	rapid.Check(t, func(t *rapid.T) {
		event := anyEvent().Draw(t, "event")
		cause := rapid.SampledFrom(causes).Draw(t, "cause")
		policy := rapid.SampledFrom([]hook.OnFailure{hook.FailContinue, hook.FailBlock}).Draw(t, "onFailure")
		spec := script("bad", event, hook.Project, func(hook.Call) (hook.Result, error) {
			switch cause {
			case hook.CausePanic:
				panic("boom")
			case hook.CauseError:
				return hook.Result{Verdict: hook.Allow}, errors.New("plain")
			}
			return hook.Result{Verdict: hook.Allow}, hook.Fail(cause, "it broke")
		})
		spec.OnFailure = policy
		dec := newEngine([]hook.Spec{spec}).Dispatch(context.Background(), engine.Event{Name: event})
		info, _ := hook.Lookup(event)
		want := hook.None
		if info.Has(hook.CanBlock) && (policy == hook.FailBlock || cause == hook.CauseConfig) {
			want = hook.Deny
		}
		if dec.Verdict != want {
			t.Fatalf("%s %v %v: %v, want %v", event, cause, policy, dec.Verdict, want)
		}
		if s := dec.Steps[0]; s.Status != hook.Failed || s.Cause != cause {
			t.Fatalf("step %+v, want failed by %s", s, cause)
		}
		if want == hook.None && !slices.ContainsFunc(dec.Notices, func(n string) bool { return strings.Contains(n, "bad") }) {
			t.Fatalf("nobody is told: %q", dec.Notices)
		}
	})
}
