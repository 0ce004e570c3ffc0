package engine_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// B098: what a background hook decides is too late, and that is told: at load
// where it might be meant as a guard, and when it has run. asyncRewake is no
// type.
func TestTooLate(t *testing.T) {
	ended := make(chan hook.Progress, 1)
	s := script("bg", hook.PreToolUse, hook.Project, func(hook.Call) (hook.Result, error) {
		return hook.Result{Verdict: hook.Deny, Reason: "no", Diagnostics: []hook.Diagnostic{{Message: "model m: 1 turn"}}}, nil
	})
	s.Async = true
	e := open(t, []hook.Spec{s}, engine.WithType("scripted", scripted(false)), engine.WithObserver(func(p hook.Progress) {
		if p.Ended {
			ended <- p
		}
	}))
	if dec := e.Dispatch(background, engine.Event{Name: engine.PreToolUse, Tool: "Read"}); dec.Verdict != hook.None {
		t.Errorf("decided %v", dec.Verdict)
	}
	if step := (<-ended).Step; step.Would != hook.Deny || step.Verdict != hook.None || !strings.Contains(step.Detail, "too late to decide; model m: 1 turn") {
		t.Errorf("step %+v", step)
	}
	notes := e.Diagnostics()
	if len(notes) != 1 || notes[0].Severity != hook.Note || !strings.Contains(notes[0].Error(), "on PreToolUse it can stop nothing (leave out async if it is a guard)") {
		t.Errorf("diagnostics %v", notes)
	}
	if quiet := openText(t, "hooks: {PostToolUse: [{hooks: [{type: command, command: x, async: true}]}]}").Diagnostics(); len(quiet) > 0 {
		t.Errorf("where nothing can be stopped: %v", quiet)
	}
	diags := openText(t, "hooks: {PreToolUse: [{hooks: [{type: asyncRewake, command: x}]}]}").Diagnostics()
	if len(diags) != 1 || diags[0].Severity != hook.Error || !strings.Contains(diags[0].Error(), "has command, expr, lua, permission, prompt (write {type: command, asyncRewake: true, …})") {
		t.Errorf("a type asyncRewake: %v", diags)
	}
}

// B096: SessionEnd reaches its hooks for each reason, once each; closing an
// engine twice is closing it once.
func TestEverySessionEnd(t *testing.T) {
	ran := map[string]int{}
	s := script("end", hook.SessionEnd, hook.Project, func(c hook.Call) (hook.Result, error) {
		ran[c.Facts.Event.Subject]++
		return hook.Result{}, nil
	})
	e := open(t, []hook.Spec{s})
	reasons := []string{"clear", "logout", "prompt_input_exit", "other"}
	for _, reason := range reasons {
		e.Dispatch(background, engine.Event{Name: engine.SessionEnd, Session: reason, Subject: reason})
	}
	for range 2 {
		if err := e.Close(background); err != nil {
			t.Error(err)
		}
	}
	for _, reason := range reasons {
		if ran[reason] != 1 {
			t.Errorf("%s: %d runs", reason, ran[reason])
		}
	}
}
