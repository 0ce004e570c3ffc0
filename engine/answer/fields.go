package answer

import "github.com/pawl-dev/pawl/engine/hook"

// field is one row: a name, where it may stand, and how it is read.
type field struct {
	name   string
	at     place
	on     []hook.EventName // the events that have it; nil: all
	needs  hook.Effect      // what the event must let an answer do
	weight weight
	read   func(*reader, member)
}

// fields has one row for each field of an answer. Readers carry it, because
// the rows of objects read fields in turn.
var fields = func() []field {
	elicits := []hook.EventName{hook.Elicitation, hook.ElicitationResult}
	permits := []hook.EventName{hook.PreToolUse, hook.PreModelSwitch}
	return []field{
		{name: "decision", at: top | specific, read: readDecision},
		{name: "reason", at: top | specific, read: readText},
		{name: "permission_decision", at: top, read: verdict("permission_reason", "allow", "deny", "ask")},
		{name: "permission_reason", at: top, read: readText},
		{name: "continue", at: top, read: readContinue},
		{name: "stopReason", at: top, read: readStopReason},
		{name: "systemMessage", at: top, weight: neutral, read: readNotice},
		{name: "message", at: top | choice, read: readMessage},
		{name: "suppressOutput", at: top, weight: loosens, read: readQuiet},
		{name: "terminalSequence", at: top, weight: neutral, read: readSequence},
		{name: "additionalContext", at: top | specific, needs: hook.CanContext, weight: neutral, read: readContext},
		{name: "injected_context", at: top, needs: hook.CanContext, weight: neutral, read: readContext},
		{name: "continue_reason", at: top, needs: hook.CanContinue, weight: neutral, read: readContinueReason},
		{name: "metadata", at: top, weight: neutral, read: readMetadata},
		{name: "retry", at: top | specific, needs: hook.CanRetry, weight: loosens, read: readRetry},
		{name: "updatedInput", at: top | specific | choice, needs: hook.CanRewrite, weight: loosens, read: readInput},
		{name: "modified_input", at: top, needs: hook.CanRewrite, weight: loosens, read: readInput},

		{name: "hookSpecificOutput", at: top, read: readSpecific},
		{name: "hookEventName", at: top | specific, read: readText},
		{name: "permissionDecision", at: specific, on: permits, read: verdict("permissionDecisionReason", "allow", "deny", "ask", "defer")},
		{name: "permissionDecisionReason", at: top | specific, read: readText},
		{name: "updatedToolOutput", at: specific, needs: hook.CanResult, weight: loosens, read: readOutput},
		{name: "updatedMCPToolOutput", at: specific, needs: hook.CanResult, weight: loosens, read: readOutput},
		{name: "behavior", at: choice, read: verdict("message", "allow", "deny")},

		{name: "updatedPermissions", at: choice, weight: loosens, read: keep[[]any]("a list")},
		{name: "interrupt", at: choice, weight: neutral, read: keep[bool]("true or false")},
		{name: "action", at: specific, on: elicits, read: readAction},
		{name: "content", at: specific, weight: loosens, read: keep[map[string]any]("an object")},
		{name: "initialUserMessage", at: specific, weight: neutral, read: keep[string]("a string")},
		{name: "sessionTitle", at: specific, weight: neutral, read: keep[string]("a string")},
		{name: "watchPaths", at: specific, weight: neutral, read: keep[[]any]("a list")},
		{name: "reloadSkills", at: specific, weight: neutral, read: keep[bool]("true or false")},
		{name: "suppressOriginalPrompt", at: specific, weight: neutral, read: keep[bool]("true or false")},
		{name: "displayContent", at: specific, weight: loosens, read: keep[string]("a string")},
		{name: "classifierContext", at: specific, weight: neutral, read: keep[string]("a string")},
		{name: "worktreePath", at: specific, weight: loosens, read: keep[string]("a string")},
	}
}()

// named returns the row of a name.
func named(rows []field, name string) (field, bool) {
	for _, f := range rows {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}
