package engine

import (
	"fmt"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// The vocabulary, so that most embedders import this package alone.
type (
	Action     = hook.Action
	ActionFunc = hook.ActionFunc
	Call       = hook.Call
	Decision   = hook.Decision
	Diagnostic = hook.Diagnostic
	Event      = hook.Event
	EventName  = hook.EventName
	Facts      = hook.Facts
	Model      = hook.Model
	NoVerdict  = hook.NoVerdict
	Object     = hook.Object
	Progress   = hook.Progress
	Result     = hook.Result
	Spec       = hook.Spec
	State      = hook.State
	Step       = hook.Step
	Type       = hook.Type
	Verdict    = hook.Verdict
)

// The verdicts, weakest first.
const (
	None  = hook.None
	Allow = hook.Allow
	Ask   = hook.Ask
	Defer = hook.Defer
	Deny  = hook.Deny
)

// The events.
const (
	SessionStart        = hook.SessionStart
	Setup               = hook.Setup
	InstructionsLoaded  = hook.InstructionsLoaded
	UserPromptSubmit    = hook.UserPromptSubmit
	UserPromptExpansion = hook.UserPromptExpansion
	MessageDisplay      = hook.MessageDisplay
	PreToolUse          = hook.PreToolUse
	PermissionRequest   = hook.PermissionRequest
	PermissionDenied    = hook.PermissionDenied
	PostToolUse         = hook.PostToolUse
	PostToolUseFailure  = hook.PostToolUseFailure
	PostToolBatch       = hook.PostToolBatch
	Notification        = hook.Notification
	SubagentStart       = hook.SubagentStart
	SubagentStop        = hook.SubagentStop
	TaskCreated         = hook.TaskCreated
	TaskCompleted       = hook.TaskCompleted
	Stop                = hook.Stop
	StopFailure         = hook.StopFailure
	TeammateIdle        = hook.TeammateIdle
	ConfigChange        = hook.ConfigChange
	CwdChanged          = hook.CwdChanged
	DirectoryAdded      = hook.DirectoryAdded
	FileChanged         = hook.FileChanged
	WorktreeCreate      = hook.WorktreeCreate
	WorktreeRemove      = hook.WorktreeRemove
	PreCompact          = hook.PreCompact
	PostCompact         = hook.PostCompact
	PreModelSwitch      = hook.PreModelSwitch
	PostModelSwitch     = hook.PostModelSwitch
	Elicitation         = hook.Elicitation
	ElicitationResult   = hook.ElicitationResult
	SessionEnd          = hook.SessionEnd
)

// Input makes a tool input from names and values in turn:
// Input("command", cmd). Like strings.NewReplacer it panics on an odd number
// of arguments, and on a value that JSON cannot hold.
func Input(pairs ...any) Object {
	o, err := answer.Object(pairs...)
	if err != nil {
		panic(fmt.Sprintf("engine.Input: %v", err))
	}
	return o
}

// ParseInput makes a tool input from JSON bytes, which it keeps. The error
// names line and column.
func ParseInput(data []byte) (Object, error) { return answer.Payload(data) }
