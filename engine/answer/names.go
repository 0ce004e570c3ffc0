package answer

import "unicode/utf8"

// protocolNames are the names that events and answers use for themselves. A
// name that differs from one of them only in case is never a member of its
// own: a reader that ignores case would take it for the protocol's.
var protocolNames = []string{
	// answers; the rows of fields say what they mean
	"decision", "reason", "permission_decision", "permission_reason",
	"permissionDecision", "permissionDecisionReason", "hookSpecificOutput", "hookEventName",
	"continue", "stopReason", "suppressOutput", "systemMessage", "message", "terminalSequence",
	"additionalContext", "injected_context", "continue_reason", "retry", "metadata",
	"updatedInput", "modified_input", "updatedToolOutput", "updatedMCPToolOutput",
	"behavior", "interrupt", "updatedPermissions", "action", "content",
	// events
	"event", "hook_event_name", "session_id", "transcript_path", "cwd", "permission_mode", "timestamp",
	"tool_name", "tool_input", "tool_response", "tool_use_id", "tool_calls", "mcp_server",
	"agent_id", "agent_type", "prompt", "source", "trigger", "file_path", "command_name",
	"notification_type", "load_reason", "error", "to_model", "from_model", "mcp_server_name",
	"stop_hook_active", "last_assistant_message",
}

// protocolLevels are the names whose objects, or lists of objects, use the
// protocol's names too. What any other member holds is free-form.
var protocolLevels = []string{"hookSpecificOutput", "decision", "tool_calls", "mcp_server"}

// byFold finds a protocol name by its folded spelling.
var byFold = func() map[string]string {
	m := make(map[string]string, len(protocolNames))
	for _, name := range protocolNames {
		folded, _ := fold(name)
		m[folded] = name
	}
	return m
}()

// variantOf returns the protocol name that name equals but for case.
func variantOf(name string) (string, bool) {
	folded, ok := fold(name)
	if !ok {
		return "", false
	}
	own, found := byFold[folded]
	return own, found && own != name
}

// longestName bounds what fold looks at; no protocol name is longer.
const longestName = 64

// fold returns name in lower case by Unicode's simple folding, in which the
// long s (U+017F) is an s and the Kelvin sign (U+212A) a k. It gives up on
// names that hold any other rune outside ASCII: none of ours does.
func fold(name string) (string, bool) {
	if len(name) > longestName {
		return "", false
	}
	folded := make([]byte, 0, longestName)
	for _, r := range name {
		switch {
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		case r == '\u017f':
			r = 's'
		case r == '\u212a':
			r = 'k'
		case r >= utf8.RuneSelf:
			return "", false
		}
		folded = append(folded, byte(r))
	}
	return string(folded), true
}
