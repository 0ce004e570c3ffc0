package dialect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// message reads the members of one event. The first thing that makes the
// event unreadable is kept in err, lesser faults in diags.
type message struct {
	obj   hook.Object
	read  []string // names that were asked for
	diags []hook.Diagnostic
	err   error
}

// decode reads the members that agents of Claude Code's family share.
// nameFields are those that carry the event's name; if several do they agree.
func decode(obj hook.Object, nameFields ...string) (hook.Event, []hook.Diagnostic, error) {
	m := &message{obj: obj}
	ev := hook.Event{Name: m.eventName(nameFields), More: obj}
	if m.err != nil {
		return ev, m.diags, m.err
	}
	info, _ := hook.Lookup(ev.Name)
	ev.Session = m.text("session_id")
	ev.Dir = m.text("cwd")
	ev.Prompt = m.text("prompt")
	ev.Mode = m.text("permission_mode")
	ev.Agent = m.text("agent_type")
	ev.Message = m.text("last_assistant_message")
	ev.StopActive = m.flag("stop_hook_active")
	ev.Time = m.clock("timestamp")
	ev.Tool = m.tool(ev.Name.ToolEvent())
	ev.Input = m.object("tool_input")
	if _, there := m.get("tool_input"); !there && (ev.Name == hook.PreToolUse || ev.Name == hook.PermissionRequest) {
		m.fail("tool_input", "missing: what the tool would do cannot be judged", "")
	}
	if info.Subject != "" && info.Subject != "tool_name" {
		ev.Subject = m.text(info.Subject)
	}
	m.variants()
	return ev.Normal(), m.diags, m.err
}

// eventName reads the name of the event, which every member of names that is
// there must give alike.
func (m *message) eventName(names []string) hook.EventName {
	if v, _ := m.get("hook_event_name"); v == string(hook.FileChanged) {
		names = []string{"hook_event_name"} // its event is another thing: change, add, unlink
	}
	var name string
	for _, field := range names {
		v, ok := m.get(field)
		if !ok {
			continue
		}
		s, isText := v.(string)
		switch {
		case !isText || s == "":
			m.fail(field, "expected the name of an event, got "+describe(v), "")
		case name != "" && s != name:
			m.fail(field, fmt.Sprintf("the message names two events, %q and %q", name, s), "")
		}
		name = s
	}
	if name == "" && m.err == nil {
		m.fail("", fmt.Sprintf("missing %q", names[0]), "send the name of the event")
	}
	m.variants()
	if m.err != nil {
		return ""
	}
	if _, known := hook.Lookup(hook.EventName(name)); !known {
		m.warn(names[0], fmt.Sprintf("unknown event %q", name), hook.DidYouMean(name, hook.EventNames()))
	}
	return hook.EventName(name)
}

// tool reads the tool's name.
func (m *message) tool(needed bool) string {
	v, ok := m.get("tool_name")
	s, isText := v.(string)
	switch {
	case ok && !isText:
		m.fail("tool_name", "expected a string, got "+describe(v), "")
	case needed && s == "":
		m.fail("", `missing "tool_name"`, "an event of a tool needs it")
	}
	return s
}

// object reads a member that decides: it is an object or absent.
func (m *message) object(name string) hook.Object {
	v, there := m.get(name)
	o, ok := answer.Child(m.obj, name)
	if there && !ok {
		m.fail(name, "expected an object, got "+describe(v), "")
	}
	return o
}

// text reads a string; null is like an absent member.
func (m *message) text(name string) string {
	v, _ := m.get(name)
	s, ok := v.(string)
	if v != nil && !ok {
		m.warn(name, "expected a string, got "+describe(v), "")
	}
	return s
}

// flag reads true or false.
func (m *message) flag(name string) bool {
	v, _ := m.get(name)
	b, ok := v.(bool)
	if v != nil && !ok {
		m.warn(name, "expected true or false, got "+describe(v), "")
	}
	return b
}

// clock reads a time as RFC 3339 writes it.
func (m *message) clock(name string) time.Time {
	s := m.text(name)
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		m.warn(name, fmt.Sprintf("expected a time, got %q", s), "write it as 2006-01-02T15:04:05Z")
		return time.Time{}
	}
	return t
}

func (m *message) get(name string) (any, bool) {
	m.read = append(m.read, name)
	return m.obj.Get(name)
}

// variants refuses other spellings of the members that are read here: a
// reader of the message that is less strict about letter case might take
// those. (answer.Parse refuses the ones that it knows.)
func (m *message) variants() {
	for _, member := range m.obj.Members() {
		for _, name := range m.read {
			if member.Name != name && strings.EqualFold(member.Name, name) {
				m.fail(member.Name, fmt.Sprintf("a variant of %q", name), "names are case-sensitive")
				return
			}
		}
	}
}

func (m *message) fail(path, text, advice string) {
	if m.err == nil {
		m.err = hook.Diagnostic{Severity: hook.Error, Path: path, Message: text, Advice: advice}
	}
}

func (m *message) warn(path, text, advice string) {
	d := hook.Diagnostic{Severity: hook.Warning, Path: path, Message: text, Advice: advice}
	if !slices.Contains(m.diags, d) {
		m.diags = append(m.diags, d)
	}
}

// describe names a JSON value in an error.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprint(v)
	}
}
