package engine

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// problem is a load diagnostic that decisions name.
type problem struct {
	event    hook.EventName // "" touches all
	severity hook.Severity
	step     hook.Step
}

// newProblems turns warnings and errors into steps; notes are for `check`.
func newProblems(diags []hook.Diagnostic, sources map[string]hook.Source) []problem {
	var ps []problem
	for _, d := range diags {
		if d.Severity == hook.Note {
			continue
		}
		ps = append(ps, problem{
			event:    eventOf(d.Path),
			severity: d.Severity,
			step: hook.Step{Hook: d.Path, Type: "settings", Source: sources[d.Pos.File], Pos: d.Pos, Status: hook.Problem,
				Cause: hook.CauseConfig, Detail: d.Severity.String() + ": " + d.Error()},
		})
	}
	return ps
}

// eventOf reads the event from a path such as hooks.PreToolUse[0].matcher.
func eventOf(path string) hook.EventName {
	rest, ok := strings.CutPrefix(path, "hooks.")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "[")
	if _, known := hook.Lookup(hook.EventName(name)); !known {
		return ""
	}
	return hook.EventName(name)
}

// tell reports whether the user is told now. Steps name a problem on every
// event it touches; saying it each time would teach people not to read.
func (p problem) tell(event hook.EventName) bool {
	switch event {
	case hook.SessionStart:
		return true
	case hook.UserPromptSubmit, hook.ConfigChange:
		return p.severity == hook.Error
	}
	return false
}

// touched reports whether a problem of the settings touches event.
func (s *snapshot) touched(event hook.EventName) bool {
	for i := range s.problems {
		if e := s.problems[i].event; e == "" || e == event {
			return true
		}
	}
	return false
}

// fixedFailure is the action of a stub.
type fixedFailure struct{ failure *hook.NoVerdict }

// Run fails in the way the entry is broken.
func (f fixedFailure) Run(context.Context, hook.Call) (hook.Result, error) {
	return hook.Result{}, f.failure
}
