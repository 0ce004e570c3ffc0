package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// env is what a condition loads its fields from. It is handed to the machine
// by value: by pointer every load of a field would allocate. So it holds no
// more than most conditions use; the others are calls of field.
type env struct {
	Event      string         `expr:"event"`
	Tool       string         `expr:"tool"`
	Input      map[string]any `expr:"input"`
	Command    string         `expr:"command"`
	FilePath   string         `expr:"file_path"`
	Prompt     string         `expr:"prompt"`
	Permission string         `expr:"permission_mode"`
	Run        *run           `expr:"__run"`
}

// allFields is what conditions are checked against. It begins as env does,
// whose fields the machine knows by their number.
type allFields struct {
	Event      string         `expr:"event"`
	Tool       string         `expr:"tool"`
	Input      map[string]any `expr:"input"`
	Command    string         `expr:"command"`
	FilePath   string         `expr:"file_path"`
	Prompt     string         `expr:"prompt"`
	Permission string         `expr:"permission_mode"`
	Run        *run           `expr:"__run"`

	Commands []commandView `expr:"commands"`
	HostTool string        `expr:"host_tool"`
	Subject  string        `expr:"subject"`
	URL      string        `expr:"url"`
	Host     string        `expr:"host"`
	Cwd      string        `expr:"cwd"`
	Session  string        `expr:"session_id"`
	Agent    string        `expr:"agent_type"`
	Source   string        `expr:"source"`
	Reason   string        `expr:"reason"`
}

// calledFields are the texts that are not in env.
var calledFields = strings.Fields("host_tool subject url host cwd session_id agent_type source reason")

// fieldNames are the names that a condition may use.
var fieldNames = strings.Fields("event tool host_tool subject input command commands file_path url host prompt cwd session_id permission_mode agent_type source reason")

// patternNames are the functions that a condition may call.
var patternNames = strings.Fields("bash powershell reads writes path domain glob regex flag env")

// builtins are the functions of expr that are safe on any event: linear in
// time and space.
var builtins = strings.Fields("all none any one filter map count sum find findIndex len type abs ceil floor round int float trim trimPrefix trimSuffix " +
	"upper lower split indexOf lastIndexOf hasPrefix hasSuffix min max first last keys values get")

// fieldSet says which of the fields that must be looked up a condition uses.
type fieldSet struct{ command, file bool }

func (s *fieldSet) add(name string) {
	switch name {
	case "command":
		s.command = true
	case "file_path":
		s.file = true
	}
}

func makeEnv(r *run, used fieldSet) env {
	ev := &r.facts.Event
	e := env{Event: string(ev.Name), Tool: ev.Tool, Input: ev.Input.View(), Prompt: ev.Prompt, Permission: ev.Mode, Run: r}
	if used.command {
		e.Command = commandText(ev)
	}
	if used.file {
		e.FilePath = filePath(ev)
	}
	return e
}

// callField is the value of one of calledFields.
func callField(a ...any) (any, error) {
	f, name := a[0].(*run).facts, a[1].(string)
	if name == "host" {
		return f.Host(), nil
	}
	return textOf(&f.Event, name), nil
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
		if argv, ok := texts(v); ok {
			return strings.Join(argv, " ")
		}
	}
	return ev.Input.Text("cmd")
}

// filePath is the file that the input names first.
func filePath(ev *hook.Event) string {
	for _, field := range pathFields {
		if s := ev.Input.Text(field); s != "" {
			return s
		}
	}
	if ev.Name == hook.FileChanged {
		return ev.Subject
	}
	return ev.More.Text("file_path")
}
