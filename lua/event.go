package lua

import (
	"path/filepath"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// event is the ev of one call. Fields are made when they are read; tables
// are made once and belong to the script.
type event struct {
	glua.LUserData
	call     hook.Call
	input    glua.LValue
	more     glua.LValue
	commands glua.LValue
	paths    glua.LValue
}

func (s *state) newEvent(c hook.Call) *event {
	e := &event{call: c}
	e.Value, e.Metatable = e, s.metas.event
	return e
}

// checkEvent is the ev that a method or field is asked of.
func checkEvent(L *glua.LState) *event {
	u, _ := L.Get(1).(*glua.LUserData)
	if u == nil {
		L.RaiseError("expected ev, got a %s: write ev:matches(…), with a colon", typeName(L.Get(1)))
	}
	e, ok := u.Value.(*event)
	if !ok || of(L).event != e {
		L.RaiseError("this ev is over: keep its fields, not ev itself")
	}
	return e
}

// eventFields lists what ev has, for editors and for misspelt names.
func eventFields() []function {
	return []function{
		{name: "event", args: "string", doc: "PreToolUse, Stop, …"},
		{name: "tool", args: "string", doc: "canonical name of the tool: Bash, Edit, …"},
		{name: "host_tool", args: "string", doc: "the host's own name of the tool"},
		{name: "subject", args: "string", doc: "what a matcher tests: the tool, source, trigger, …"},
		{name: "input", args: "table", doc: "the tool input, a table of your own"},
		{name: "command", args: "string", doc: "shell text of the input, or ''"},
		{name: "commands", args: "Command[]", doc: "the commands that the shell text runs, or may run"},
		{name: "doubt", args: "string|false", doc: "why ev.commands may not be all that runs, or false"},
		{name: "paths", args: "table[]", doc: "the files that the event touches: {path, real, reads, writes, known}"},
		{name: "file_path", args: "string", doc: "the file that the input names, or ''"},
		{name: "url", args: "string", doc: "url of the input, or ''"},
		{name: "host", args: "string", doc: "host of the url, or ''"},
		{name: "prompt", args: "string", doc: "what the user typed"},
		{name: "cwd", args: "string", doc: "current directory of the session"},
		{name: "session_id", args: "string", doc: ""},
		{name: "permission_mode", args: "string", doc: ""},
		{name: "agent_type", args: "string", doc: ""},
		{name: "source", args: "string", doc: "of SessionStart, ConfigChange, …"},
		{name: "reason", args: "string", doc: "of SessionEnd, …"},
		{name: "message", args: "string", doc: "last text of the assistant"},
		{name: "stop_hook_active", args: "boolean", doc: "a stop was blocked before"},
		{name: "timestamp", args: "string", doc: "when it happened, RFC 3339, or ''"},
		{name: "unknown", args: "string|false", doc: "why it cannot be told whether the hook applies, or false"},
		{name: "final", args: "boolean", doc: "the input was rewritten and this run is on the final one"},
		{name: "more", args: "table", doc: "the whole message of the host"},
		{name: "matches", args: "fun(self: Event, pattern: string): boolean?, string?", doc: "tests a matcher: true, false, or nil and why it cannot be told"},
	}
}

// eventIndex is ev.name. A name that is no field is a member of the host's
// message, and an error where it is a field misspelt.
func eventIndex(L *glua.LState) int {
	e, s := checkEvent(L), of(L)
	name, ok := L.Get(2).(glua.LString)
	if !ok {
		L.RaiseError("ev has no list: ev.commands has")
	}
	if v := e.field(L, s, string(name)); v != nil {
		L.Push(v)
		return 1
	}
	L.Push(e.member(L, s, string(name)))
	return 1
}

func (e *event) field(L *glua.LState, s *state, name string) glua.LValue {
	ev := &e.call.Facts.Event
	switch name {
	case "event":
		return s.intern(string(ev.Name))
	case "tool":
		return s.intern(ev.Tool)
	case "host_tool":
		if ev.HostTool == "" {
			return s.intern(ev.Tool)
		}
		return s.intern(ev.HostTool)
	case "cwd":
		return s.intern(ev.Dir)
	case "session_id":
		return s.intern(ev.Session)
	case "permission_mode":
		return s.intern(ev.Mode)
	case "agent_type":
		return s.intern(ev.Agent)
	case "subject":
		return s.intern(ev.MatchSubject())
	case "command":
		return glua.LString(commandText(ev))
	case "file_path":
		return glua.LString(filePath(ev))
	case "url":
		return glua.LString(ev.Input.Text("url"))
	case "host":
		return glua.LString(lazy(e.call.Facts.Host))
	case "prompt":
		return glua.LString(ev.Prompt)
	case "source", "reason":
		return glua.LString(ownField(ev, name))
	case "message":
		return glua.LString(ev.Message)
	case "stop_hook_active":
		return glua.LBool(ev.StopActive)
	case "timestamp":
		if ev.Time.IsZero() {
			return glua.LString("")
		}
		return glua.LString(ev.Time.UTC().Format(time.RFC3339))
	case "final":
		return glua.LBool(e.call.Final)
	}
	return e.wide(L, s, name)
}

// wide returns the fields that are more than a text.
func (e *event) wide(L *glua.LState, s *state, name string) glua.LValue {
	ev := &e.call.Facts.Event
	switch name {
	case "unknown":
		if e.call.Matched.Tri != hook.Unknown {
			return glua.LFalse
		}
		return glua.LString(e.call.Matched.Why)
	case "input":
		return once(&e.input, func() glua.LValue { return s.fromObject(L, ev.Input) })
	case "more":
		return once(&e.more, func() glua.LValue { return s.fromObject(L, ev.More) })
	case "commands":
		return once(&e.commands, func() glua.LValue { return s.commandList(L, lazy(e.call.Facts.Commands)) })
	case "doubt":
		return doubt(lazy(e.call.Facts.Commands))
	case "paths":
		return once(&e.paths, func() glua.LValue { return s.pathList(L, lazy(e.call.Facts.Paths)) })
	case "matches":
		return s.metas.matches
	}
	return nil
}

func once(v *glua.LValue, f func() glua.LValue) glua.LValue {
	if *v == nil {
		*v = f()
	}
	return *v
}

// lazy calls f, which may be missing in facts that a host made itself.
func lazy[T any](f func() T) (v T) {
	if f != nil {
		v = f()
	}
	return v
}

func (e *event) member(L *glua.LState, s *state, name string) glua.LValue {
	ev := &e.call.Facts.Event
	if v, ok := ev.More.Get(name); ok {
		return s.fromView(L, v, func() []byte { return ev.More.RawOf(name) })
	}
	if hint := misspelt(name, eventFields()); hint != "" {
		L.RaiseError("ev has no field %q (%s)", name, hint)
	}
	return glua.LNil
}

// misspelt is the advice where name is near to that of a field.
func misspelt(name string, fields []function) string {
	if len(name) > 64 {
		return ""
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return hook.DidYouMean(name, names)
}

// matches is ev:matches(pattern).
func matches(L *glua.LState) int {
	e, text, s := checkEvent(L), L.CheckString(2), of(L)
	s.charge(L, costFunction)
	u := s.current.unit
	test, err := s.runtime.pattern(hook.Text{Value: text, Pos: u.position(L.Where(1), s.runtime.opts.Root)}, e.call.Facts.Event.Name, u.source)
	if err != nil {
		L.RaiseError("ev:matches(%q): %s", clip(text, 60), err.Error())
	}
	switch m := test(e.call.Facts); m.Tri {
	case hook.Yes:
		L.Push(glua.LTrue)
	case hook.No:
		L.Push(glua.LFalse)
	default:
		L.Push(glua.LNil)
		L.Push(glua.LString(m.Why))
		return 2
	}
	return 1
}

// ownField is a field that is the subject of some events.
func ownField(ev *hook.Event, name string) string {
	if info, _ := hook.Lookup(ev.Name); info.Subject == name {
		return ev.Subject
	}
	return ev.More.Text(name)
}

// commandText is the shell text of the input; an argument array is joined.
func commandText(ev *hook.Event) string {
	v, _ := ev.Input.Get("command")
	switch v := v.(type) {
	case string:
		return v
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i], _ = v[i].(string)
		}
		return strings.Join(words, " ")
	}
	return ev.Input.Text("cmd")
}

// filePath is the file that the input names first.
func filePath(ev *hook.Event) string {
	for _, name := range [...]string{"file_path", "notebook_path", "path", "filePath", "absolute_path", "target_file"} {
		if s := ev.Input.Text(name); s != "" {
			return s
		}
	}
	if ev.Name == hook.FileChanged {
		return filepath.ToSlash(ev.Subject)
	}
	return ev.More.Text("file_path")
}
