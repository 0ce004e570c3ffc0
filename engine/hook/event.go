package hook

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Event is one occurrence at a named point of an agent's loop. A host that
// embeds Pawl fills the fields that its event has; a dialect fills them from
// the agent's bytes and keeps those bytes in More.
type Event struct {
	Name     EventName
	Session  string
	Dir      string // current directory of the session, absolute
	Tool     string // canonical tool name (see CanonicalTool)
	HostTool string // the host's own name of the tool, if it differs
	Input    Object // tool input

	// Subject is what a matcher tests on an event without a tool: the source
	// of a SessionStart, the trigger of a PreCompact, … (EventInfo.Subject).
	Subject    string
	Prompt     string // UserPromptSubmit
	Mode       string // permission_mode
	Agent      string // agent_type
	Message    string // last text of the assistant (Stop, SubagentStop)
	StopActive bool   // stop_hook_active
	Time       time.Time

	// Env is the environment, NAME=value, of the process that asks: what env
	// of a condition looks up, and what commands inherit. nil is that of the
	// engine. It is no part of the message, so that JSON never shows it.
	Env []string

	// More is the whole message as it came. Its members that have a field
	// above are superseded by that field; all others are kept by JSON.
	More Object
}

// Normal returns ev with the canonical tool name, and the host's own in
// HostTool.
func (ev Event) Normal() Event {
	if ev.HostTool == "" {
		ev.HostTool = ev.Tool
	}
	ev.Tool = CanonicalTool(ev.Tool)
	return ev
}

// LookupEnv returns a variable of Env; of several, the first counts, as in
// package os.
func (ev *Event) LookupEnv(name string) (value string, ok bool) {
	for _, entry := range ev.Env {
		if len(entry) > len(name) && entry[len(name)] == '=' && entry[:len(name)] == name {
			return entry[len(name)+1:], true
		}
	}
	return "", false
}

// TempDir is the directory for temporary files in Env.
func (ev *Event) TempDir() string {
	if dir, _ := ev.LookupEnv("TMPDIR"); dir != "" {
		return dir
	}
	if ev.Env == nil || os.PathSeparator != '/' {
		return os.TempDir()
	}
	return "/tmp"
}

// MatchSubject returns what a matcher tests: the tool on tool events, the
// base name on FileChanged, else Subject.
func (ev *Event) MatchSubject() string {
	info, _ := Lookup(ev.Name)
	return info.SubjectOf(ev)
}

// SubjectOf is ev.MatchSubject, given the row of ev.
func (i *EventInfo) SubjectOf(ev *Event) string {
	switch {
	case i.Subject == toolSubject:
		return ev.Tool
	case ev.Name == FileChanged && ev.Subject != "":
		return filepath.Base(ev.Subject)
	}
	return ev.Subject
}

// JSON encodes the event on one line without a line break: all members of
// More with their bytes, superseded by the typed fields, in a form that
// carries both seeds' names (event and hook_event_name).
func (ev *Event) JSON() []byte {
	ms := ev.members()
	known := ms
	for _, m := range ev.More.members {
		if !hasMember(known, m.Name) {
			ms = append(ms, m)
		}
	}
	size := 3 // {} and a line break, which callers add
	for _, m := range ms {
		size += len(m.Name) + len(m.Raw) + len(`"":,`)
	}
	b := append(make([]byte, 0, size), '{')
	for _, m := range ms {
		b = appendMember(b, m)
	}
	return append(b, '}')
}

func (ev *Event) members() []Member {
	ms := make([]Member, 0, 16)
	text := func(name, value string) {
		if value != "" {
			ms = append(ms, Member{name, appendText(nil, value)})
		}
	}
	if ev.Name != FileChanged || ev.More.RawOf("event") == nil {
		text("event", string(ev.Name)) // FileChanged has an event of its own: change, add, unlink
	}
	text("hook_event_name", string(ev.Name))
	text("session_id", ev.Session)
	text("cwd", ev.Dir)
	if !ev.Time.IsZero() {
		text("timestamp", ev.Time.UTC().Format(time.RFC3339))
	}
	if tool := ev.HostTool; tool != "" {
		text("tool_name", tool)
	} else {
		text("tool_name", ev.Tool)
	}
	if !ev.Input.Absent() {
		ms = append(ms, Member{"tool_input", ev.Input.raw})
	}
	if info, _ := Lookup(ev.Name); info.Subject != "" && info.Subject != toolSubject {
		text(info.Subject, ev.Subject)
	}
	text("prompt", ev.Prompt)
	text("permission_mode", ev.Mode)
	text("agent_type", ev.Agent)
	text("last_assistant_message", ev.Message)
	if ev.StopActive || ev.Name == Stop || ev.Name == SubagentStop {
		ms = append(ms, Member{"stop_hook_active", strconv.AppendBool(nil, ev.StopActive)})
	}
	return dedupe(ms)
}

// dedupe keeps the first member of each name: agent_type is the subject of
// some events and a field of all.
func dedupe(ms []Member) []Member {
	kept := ms[:0]
	for _, m := range ms {
		if !hasMember(kept, m.Name) {
			kept = append(kept, m)
		}
	}
	return kept
}

func hasMember(ms []Member, name string) bool {
	for _, m := range ms {
		if m.Name == name {
			return true
		}
	}
	return false
}

func appendMember(b []byte, m Member) []byte {
	if len(b) > 1 {
		b = append(b, ',')
	}
	b = appendText(b, m.Name)
	b = append(b, ':')
	return append(b, oneLine(m.Raw)...)
}

// oneLine returns raw without line breaks; a string cannot hold a raw one.
func oneLine(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	return compact(raw)
}
