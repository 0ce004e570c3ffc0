package hook

// EventName names a point of an agent's life; the spelling is Claude Code's.
type EventName string

// The 33 events: the 20 of seed 1, those of seed 2 and of Claude Code 2.1.296.
const (
	SessionStart        EventName = "SessionStart"
	Setup               EventName = "Setup"
	InstructionsLoaded  EventName = "InstructionsLoaded"
	UserPromptSubmit    EventName = "UserPromptSubmit"
	UserPromptExpansion EventName = "UserPromptExpansion"
	MessageDisplay      EventName = "MessageDisplay"
	PreToolUse          EventName = "PreToolUse"
	PermissionRequest   EventName = "PermissionRequest"
	PermissionDenied    EventName = "PermissionDenied"
	PostToolUse         EventName = "PostToolUse"
	PostToolUseFailure  EventName = "PostToolUseFailure"
	PostToolBatch       EventName = "PostToolBatch"
	Notification        EventName = "Notification"
	SubagentStart       EventName = "SubagentStart"
	SubagentStop        EventName = "SubagentStop"
	TaskCreated         EventName = "TaskCreated"
	TaskCompleted       EventName = "TaskCompleted"
	Stop                EventName = "Stop"
	StopFailure         EventName = "StopFailure"
	TeammateIdle        EventName = "TeammateIdle"
	ConfigChange        EventName = "ConfigChange"
	CwdChanged          EventName = "CwdChanged"
	DirectoryAdded      EventName = "DirectoryAdded"
	FileChanged         EventName = "FileChanged"
	WorktreeCreate      EventName = "WorktreeCreate"
	WorktreeRemove      EventName = "WorktreeRemove"
	PreCompact          EventName = "PreCompact"
	PostCompact         EventName = "PostCompact"
	PreModelSwitch      EventName = "PreModelSwitch"
	PostModelSwitch     EventName = "PostModelSwitch"
	Elicitation         EventName = "Elicitation"
	ElicitationResult   EventName = "ElicitationResult"
	SessionEnd          EventName = "SessionEnd"
)

// Effect is a set of things that the answer to an event may do.
type Effect uint16

const (
	CanBlock    Effect = 1 << iota // a Deny stops what is about to happen
	CanGoOn                        // a Deny means: keep working, do not stop yet
	CanFeedBack                    // a Deny cannot undo, its reason goes to the model
	CanAnswer                      // an Allow, Ask or Defer means something
	CanRewrite                     // the tool input may be replaced
	CanContext                     // text may be added for the model
	CanResult                      // the result may be replaced or added to
	CanContinue                    // a continue reason keeps the agent working
	CanRetry                       // the agent may be told to try again
	CanTell                        // hosts show the agent of the session and its user what is added, also if it is about something else
)

// ExitTwo says what exit code 2 of a command means on an event.
type ExitTwo uint8

const (
	ExitIgnored ExitTwo = iota // nothing; stderr goes to the log
	ExitNotice                 // no decision; stderr goes to the user
	ExitDeny                   // Deny; stderr goes to the model
)

// EventInfo is one row of the event table.
type EventInfo struct {
	Name    EventName
	Subject string // the input field that a matcher tests; "" if the event has none
	Can     Effect
	ExitTwo ExitTwo
	// PlainContext: stdout that is not JSON, at exit 0, is context for the model.
	PlainContext bool
	// Specific lists the fields of hookSpecificOutput that only this event has.
	Specific []string
}

// Has reports whether all of e may be done.
func (i *EventInfo) Has(e Effect) bool { return i.Can&e == e }

// Deciding reports whether a Deny has any effect on the event.
func (i *EventInfo) Deciding() bool { return i.Can&(CanBlock|CanGoOn|CanFeedBack) != 0 }

const (
	toolSubject = "tool_name"
	prompting   = CanBlock | CanContext
	watchPaths  = "watchPaths"
)

// events is the union of what the seeds and Claude Code let an answer do; a
// dialect drops what its host cannot.
var events = []EventInfo{
	{SessionStart, "source", CanContext | CanTell, ExitNotice, true, []string{"initialUserMessage", "sessionTitle", watchPaths, "reloadSkills"}},
	{Setup, "trigger", CanContext, ExitNotice, false, nil},
	{InstructionsLoaded, "load_reason", CanBlock | CanContext, ExitDeny, false, nil},
	{UserPromptSubmit, "", prompting | CanTell, ExitDeny, true, []string{"sessionTitle", "suppressOriginalPrompt"}},
	{UserPromptExpansion, "command_name", prompting | CanTell, ExitDeny, true, nil},
	{MessageDisplay, "", 0, ExitIgnored, false, []string{"displayContent"}},
	{PreToolUse, toolSubject, CanBlock | CanAnswer | CanRewrite | CanContext | CanTell, ExitDeny, false, nil},
	{PermissionRequest, toolSubject, CanBlock | CanAnswer | CanRewrite | CanContext, ExitDeny, false, []string{"updatedPermissions", "interrupt"}},
	{PermissionDenied, toolSubject, CanRetry, ExitIgnored, false, nil},
	{PostToolUse, toolSubject, CanFeedBack | CanContext | CanResult | CanTell, ExitDeny, false, []string{"classifierContext"}},
	{PostToolUseFailure, toolSubject, CanFeedBack | CanContext | CanTell, ExitDeny, false, nil},
	{PostToolBatch, "", CanBlock | CanContext | CanTell, ExitDeny, false, nil},
	{Notification, "notification_type", CanBlock | CanAnswer | CanContext, ExitNotice, false, nil},
	{SubagentStart, "agent_type", CanContext, ExitNotice, false, nil},
	{SubagentStop, "agent_type", CanGoOn | CanContext | CanResult | CanContinue, ExitDeny, false, nil},
	{TaskCreated, "", CanBlock | CanContext, ExitDeny, false, nil},
	{TaskCompleted, "", CanGoOn | CanContext | CanResult, ExitDeny, false, nil},
	{Stop, "", CanGoOn | CanContext | CanContinue | CanTell, ExitDeny, false, nil},
	{StopFailure, "error", CanContext | CanRetry, ExitIgnored, false, nil},
	{TeammateIdle, "", CanGoOn | CanContext, ExitDeny, false, nil},
	{ConfigChange, "source", CanBlock, ExitDeny, false, nil},
	{CwdChanged, "", CanContext, ExitNotice, false, []string{watchPaths}},
	{DirectoryAdded, "source", CanContext, ExitIgnored, false, nil},
	{FileChanged, "file_path", CanContext, ExitNotice, false, []string{watchPaths}},
	{WorktreeCreate, "", CanBlock, ExitDeny, false, []string{"worktreePath"}},
	{WorktreeRemove, "", CanBlock, ExitDeny, false, nil},
	{PreCompact, "trigger", CanBlock | CanContext, ExitDeny, false, nil},
	{PostCompact, "trigger", CanContext, ExitNotice, false, nil},
	{PreModelSwitch, "to_model", CanBlock | CanAnswer, ExitDeny, false, nil},
	{PostModelSwitch, "to_model", CanContext, ExitNotice, true, nil},
	{Elicitation, "mcp_server_name", CanBlock, ExitDeny, false, []string{"action", "content"}},
	{ElicitationResult, "mcp_server_name", CanBlock, ExitDeny, false, []string{"action", "content"}},
	{SessionEnd, "reason", 0, ExitNotice, false, nil},
}

var eventIndex = func() map[EventName]*EventInfo {
	m := make(map[EventName]*EventInfo, len(events))
	for i := range events {
		m[events[i].Name] = &events[i]
	}
	return m
}()

// hostEvent is the row of every event that the table does not know: a host's
// own. It may be blocked, so that a guard on it holds if the host looks.
var hostEvent = EventInfo{Subject: "matcher", Can: CanBlock | CanContext | CanTell, ExitTwo: ExitDeny}

// Lookup returns the row of name and whether the table has it. For an event
// of the host's own it returns a row that may be blocked and given context.
func Lookup(name EventName) (*EventInfo, bool) {
	if i, ok := eventIndex[name]; ok {
		return i, true
	}
	return &hostEvent, false
}

// EventNames returns all names in table order, as plain strings.
func EventNames() []string {
	names := make([]string, len(events))
	for i := range events {
		names[i] = string(events[i].Name)
	}
	return names
}

// ToolEvent reports whether the subject of name is a tool.
func (n EventName) ToolEvent() bool {
	i, ok := eventIndex[n]
	return ok && i.Subject == toolSubject
}
