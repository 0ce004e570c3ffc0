package command

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// message is the event that the command reads: the one of c, and why it runs
// at all if the text cannot be told.
func message(c hook.Call) hook.Event {
	ev := c.Facts.Event
	if c.Matched.Tri != hook.Unknown {
		return ev
	}
	why, err := answer.Value(c.Matched.Why)
	if err != nil {
		why = []byte(`"the text cannot be told"`)
	}
	rest := slices.DeleteFunc(slices.Clone(ev.More.Members()), func(m hook.Member) bool { return m.Name == "unknown" })
	ev.More = hook.NewObject(ev.More.Raw(), append(rest, hook.Member{Name: "unknown", Raw: why}), ev.More.View())
	return ev
}

// protocol are the members of an event that a tool's input cannot take the
// place of, even where the event lacks them.
func protocol() []string {
	return []string{
		"event", "hook_event_name", "session_id", "transcript_path", "cwd", "timestamp", "permission_mode",
		"tool_name", "tool_input", "tool_use_id", "tool_response", "agent_id", "agent_type",
		"last_assistant_message", "stop_hook_active", "unknown",
	}
}

// flat is ev with the members of its input also beside it, where their names
// are free.
func flat(ev *hook.Event) []byte {
	taken := protocol()
	rest := slices.Clone(ev.More.Members())
	for _, m := range rest {
		taken = append(taken, m.Name)
	}
	for _, m := range ev.Input.Members() {
		if !slices.Contains(taken, m.Name) {
			rest = append(rest, m)
		}
	}
	wide := *ev
	wide.More = hook.NewObject(ev.More.Raw(), rest, ev.More.View())
	return wide.JSON()
}
