package dialect

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// The events on which Claude Code lets nothing be blocked, and those on which
// its schema has no hookSpecificOutput; written out, so that the table of the
// dialect is tested too.
var (
	deaf = []hook.EventName{
		hook.SessionStart, hook.Setup, hook.InstructionsLoaded, hook.MessageDisplay, hook.PermissionDenied,
		hook.Notification, hook.SubagentStart, hook.StopFailure, hook.CwdChanged, hook.DirectoryAdded,
		hook.FileChanged, hook.PostCompact, hook.PostModelSwitch, hook.SessionEnd,
	}
	bare = []hook.EventName{
		hook.PreCompact, hook.PostCompact, hook.ConfigChange, hook.DirectoryAdded, hook.InstructionsLoaded,
		hook.SessionEnd, hook.StopFailure, hook.TaskCreated, hook.TaskCompleted, hook.TeammateIdle,
		hook.WorktreeCreate, hook.WorktreeRemove,
	}
)

// hears is Claude Code as it documents itself, and no more lenient: what it
// makes of a reply on an event. It reads each decision in its one place only.
func hears(t *rapid.T, name hook.EventName, r Reply) (v hook.Verdict, halt bool) {
	if r.Code == 2 {
		switch name {
		case hook.PermissionRequest, hook.PostToolUse, hook.PostToolUseFailure:
			return hook.None, false // no decision by exit code
		}
		return hook.Deny, false
	}
	if len(r.Stdout) == 0 || name == hook.WorktreeCreate || name == hook.WorktreeRemove {
		return hook.None, false
	}
	o, err := answer.Parse(r.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	specific, _ := answer.Child(o, "hookSpecificOutput")
	word := ""
	switch name {
	case hook.PreToolUse, hook.PreModelSwitch:
		word = specific.Text("permissionDecision")
	case hook.PermissionRequest:
		decision, _ := answer.Child(specific, "decision")
		word = decision.Text("behavior")
	case hook.Elicitation, hook.ElicitationResult:
		word = map[string]string{"decline": "deny", "accept": "allow"}[specific.Text("action")]
	case hook.UserPromptSubmit, hook.UserPromptExpansion, hook.PostToolUse, hook.PostToolUseFailure,
		hook.PostToolBatch, hook.Stop, hook.SubagentStop, hook.ConfigChange, hook.PreCompact, hook.TaskCreated:
		word = map[string]string{"block": "deny"}[o.Text("decision")]
	}
	v, _ = hook.ParseVerdict(word)
	goOn, said := o.Get("continue")
	return v, said && goOn == false
}

// shouldHear is what Claude Code can be told of a verdict.
func shouldHear(name hook.EventName, v hook.Verdict, dec hook.Decision) hook.Verdict {
	rewrites := !dec.Input.Absent()
	forms := name == hook.Elicitation || name == hook.ElicitationResult
	asks := name == hook.PreToolUse || name == hook.PreModelSwitch
	accepts := slices.ContainsFunc(dec.Specific, func(m hook.Member) bool { return m.Name == "action" })
	switch {
	case v == hook.Deny:
		return hook.Deny
	case name == hook.PermissionRequest && rewrites && v != hook.Allow:
		return hook.Deny
	case v >= hook.Ask && (name == hook.PermissionRequest || name == hook.Elicitation):
		return hook.None // which is a question to the user
	case v == hook.Defer && name == hook.PreToolUse && !rewrites:
		return hook.Defer
	case v >= hook.Ask && asks:
		return hook.Ask
	case v >= hook.Ask:
		return hook.Deny
	case v == hook.Allow && (asks || name == hook.PermissionRequest), forms && accepts:
		return hook.Allow
	}
	return hook.None
}

func TestClaudeHears(t *testing.T) {
	forEachEvent(t, func(t *rapid.T, name hook.EventName) {
		dec := drawDecision(t, name)
		if slices.Contains(deaf, name) {
			return
		}
		verdict, _ := settle(name, dec)
		got, halt := hears(t, name, encodeClaude(hook.Event{Name: name}, dec))
		if want := shouldHear(name, verdict, dec); got != want {
			t.Fatalf("decided %v, heard %v, want %v", verdict, got, want)
		}
		if info, _ := hook.Lookup(name); dec.Halted && info.Has(hook.CanGoOn) && !halt {
			t.Fatal("a halt was not heard")
		}
	})
}
