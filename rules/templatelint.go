package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// The fields that a template fills in: those that Template names, and the
// other members that messages of agents have.
var (
	templateNames = strings.Fields("tool_input input tool_name tool event hook_event_name cwd session_id subject prompt permission_mode agent_type host")
	messageNames  = strings.Fields("transcript_path timestamp tool_response tool_use_id agent_id agent_transcript_path source trigger reason " +
		"file_path command_name notification_type message title load_reason error to_model from_model mcp_server_name " +
		"stop_hook_active last_assistant_message custom_instructions model old_cwd new_cwd task_id task_subject task_description teammate_name " +
		"task_result task_terminal_status attempt subagent_name subagent_mode subagent_task subagent_result subagent_stop_status")
)

// LintTemplate warns of what Template would leave empty or as it is: a field
// that no event is known to have, and a ${ without its }.
func LintTemplate(t hook.Text, s Scope) []hook.Diagnostic {
	n := s.notes(t)
	info, known := hook.Lookup(s.Event)
	rest := t.Value
	for {
		_, tail, ok := strings.Cut(rest, "${")
		if !ok {
			return n.list
		}
		name, after, ok := strings.Cut(tail, "}")
		if !ok {
			n.add(hook.Warning, "${ without a } after it stays as it is", "write ${tool_input.command} for a field of the event")
			return n.list
		}
		rest = after
		name = strings.TrimSpace(name)
		head, _, _ := strings.Cut(name, ".")
		if !known || slices.Contains(templateNames, head) || slices.Contains(messageNames, head) || head == info.Subject {
			continue // an event of the host's own has fields of its own
		}
		n.add(hook.Warning, fmt.Sprintf("${%s} is no known field of an event; it is left empty where the event has none", name), fieldAdvice(name, head))
	}
}

// fieldAdvice says what may be meant by an unknown field.
func fieldAdvice(name, head string) string {
	for _, tool := range hook.ToolNames() {
		if slices.Contains(hook.ToolFields(tool), head) {
			return fmt.Sprintf("did you mean ${tool_input.%s}?", name)
		}
	}
	if near := hook.Nearest(head, append(slices.Clone(templateNames), messageNames...)); near != "" {
		return fmt.Sprintf("did you mean ${%s%s}?", near, strings.TrimPrefix(name, head))
	}
	return "known are tool_input.NAME, " + strings.Join(templateNames[2:], ", ")
}
