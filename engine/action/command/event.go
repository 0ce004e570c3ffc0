package command

import (
	"bufio"
	"bytes"
	"encoding/json"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// message is one event as a command gets it.
type message struct {
	event *hook.Event
	line  []byte // of stdin, with its end; shared by all hooks of the event
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

// flat writes the text of INPUT_JSON: the event, and beside its members those
// of its input whose names are free.
func (m message) flat(w *bufio.Writer) error {
	w.Write(m.line[:len(m.line)-len("}\n")])
	taken := m.taken()
	for _, member := range m.event.Input.Members() {
		if taken[member.Name] {
			continue
		}
		name, err := answer.Value(member.Name)
		if err != nil {
			return err
		}
		w.WriteByte(',')
		w.Write(name)
		w.WriteByte(':')
		w.Write(oneLine(member.Raw))
	}
	w.WriteByte('}')
	return w.Flush() // reports what an earlier write could not
}

// taken are the names of members that the event has, or only it may have.
func (m message) taken() map[string]bool {
	ev := m.event
	taken := make(map[string]bool, len(ev.More.Members())+len(protocol())+2)
	for _, name := range protocol() {
		taken[name] = true
	}
	if info, known := hook.Lookup(ev.Name); known && ev.Subject != "" {
		taken[info.Subject] = true
	}
	if ev.Prompt != "" {
		taken["prompt"] = true
	}
	for _, member := range ev.More.Members() {
		taken[member.Name] = true
	}
	return taken
}

// oneLine returns raw without line breaks; a string cannot hold a raw one.
func oneLine(raw []byte) []byte {
	if !bytes.ContainsAny(raw, "\r\n") {
		return raw
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return raw
	}
	return b.Bytes()
}
