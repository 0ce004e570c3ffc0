package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// env is what a condition sees. It is handed to the machine by value: by
// pointer every load of a field would allocate.
type env struct {
	Event      string         `expr:"event"`
	Tool       string         `expr:"tool"`
	HostTool   string         `expr:"host_tool"`
	Subject    string         `expr:"subject"`
	Input      map[string]any `expr:"input"`
	Command    string         `expr:"command"`
	Commands   []commandView  `expr:"commands"` // read through a call
	FilePath   string         `expr:"file_path"`
	URL        string         `expr:"url"`
	Host       string         `expr:"host"`
	Prompt     string         `expr:"prompt"`
	Cwd        string         `expr:"cwd"`
	Session    string         `expr:"session_id"`
	Permission string         `expr:"permission_mode"`
	Agent      string         `expr:"agent_type"`
	Source     string         `expr:"source"`
	Reason     string         `expr:"reason"`

	Run *run `expr:"__run"`
}

// fieldNames are the names that a condition may use.
var fieldNames = strings.Fields("event tool host_tool subject input command commands file_path url host prompt cwd session_id permission_mode agent_type source reason")

// patternNames are the functions that a condition may call.
var patternNames = strings.Fields("bash powershell reads writes path domain glob regex flag env")

// builtins are the functions of expr that are safe on any event: linear in
// time and space.
var builtins = strings.Fields("all none any one filter map count sum find findIndex len type abs ceil floor round int float trim trimPrefix trimSuffix " +
	"upper lower split indexOf lastIndexOf hasPrefix hasSuffix min max first last keys values get")

// fieldSet says which of the fields that must be looked up a condition uses.
type fieldSet struct{ subject, command, file, url, host, source, reason bool }

func (s *fieldSet) add(name string) {
	switch name {
	case "subject":
		s.subject = true
	case "command":
		s.command = true
	case "file_path":
		s.file = true
	case "url":
		s.url = true
	case "host":
		s.host = true
	case "source":
		s.source = true
	case "reason":
		s.reason = true
	}
}

func makeEnv(r *run, used fieldSet) env {
	ev := &r.facts.Event
	e := env{
		Event: string(ev.Name), Tool: ev.Tool, HostTool: ev.HostTool, Input: ev.Input.View(), Prompt: ev.Prompt, Cwd: ev.Dir,
		Session: ev.Session, Permission: ev.Mode, Agent: ev.Agent, Run: r,
	}
	if used.subject {
		e.Subject = ev.MatchSubject()
	}
	if used.command {
		e.Command = commandText(ev)
	}
	if used.file {
		e.FilePath = filePath(ev)
	}
	if used.url {
		e.URL = ev.Input.Text("url")
	}
	if used.host {
		e.Host = r.facts.Host()
	}
	if used.source {
		e.Source = ownField(ev, "source")
	}
	if used.reason {
		e.Reason = ownField(ev, "reason")
	}
	return e
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

// commandView is one command as a condition sees it.
type commandView struct {
	Name     string   `expr:"name"` // base name of the program
	Args     []string `expr:"args"` // words after it
	Text     string   `expr:"text"`
	Raw      string   `expr:"raw"`
	Dir      string   `expr:"dir"`
	Wrappers []string `expr:"wrappers"`
}

// commands returns the commands of the event. Asking for them is asking all
// that the text cannot tell of them.
func (r *run) commands() []commandView {
	if r.views != nil {
		return r.views
	}
	c := r.facts.Commands()
	if c.Opaque || len(c.Possible) > 0 {
		r.doubt(doubtOf(c))
	}
	r.views = make([]commandView, len(c.List))
	for i := range c.List {
		cmd := &c.List[i]
		r.views[i] = commandView{Text: cmd.Text, Raw: cmd.Raw, Dir: cmd.Dir.Text, Wrappers: cmd.Wrappers, Args: make([]string, max(len(cmd.Argv)-1, 0))}
		for j, w := range cmd.Argv {
			if !w.Known && (j == 0 || r.cond.deep) {
				r.doubt(w.Text + " is not literal")
			}
			if j > 0 {
				r.views[i].Args[j-1] = w.Text
			} else {
				r.views[i].Name = w.Text[strings.LastIndexByte(w.Text, '/')+1:]
			}
		}
	}
	return r.views
}

func doubtOf(c hook.Commands) string {
	if len(c.Unknown) > 0 {
		return c.Unknown[0].Reason
	}
	return "what runs cannot be told"
}

// flagTest asks whether a command has one of some options: --name also as
// --name=value, -x also in a cluster of letters.
type flagTest struct{ flags []string }

func (t *flagTest) eval(f *hook.Facts, why *string) hook.Tri {
	c := f.Commands()
	best := hook.No
	if c.Opaque || len(c.Possible) > 0 {
		best = hook.Unknown
		say(why, doubtOf(c))
	}
	for i := range c.List {
		for _, w := range c.List[i].Argv[min(1, len(c.List[i].Argv)):] {
			if w.Known && w.Text == "--" {
				break
			}
			switch {
			case w.Known && slices.ContainsFunc(t.flags, func(flag string) bool { return hasFlag(w.Text, flag) }):
				say(why, c.List[i].Text, " has ", w.Text)
				return hook.Yes
			case !w.Known && best == hook.No && mayBeFlag(w):
				best = hook.Unknown
				say(why, w.Text, " may be an option")
			}
		}
	}
	return best
}

// mayBeFlag reports whether an unknown word may hold an option: not if its
// literal start is that of an operand, unless it may fall apart.
func mayBeFlag(w hook.Word) bool {
	return w.Prefix == "" || w.Prefix[0] == '-' || !strings.HasPrefix(w.Text, `"`)
}

func hasFlag(word, flag string) bool {
	if strings.HasPrefix(flag, "--") || len(flag) != 2 {
		rest, ok := strings.CutPrefix(word, flag)
		return ok && (rest == "" || rest[0] == '=')
	}
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.IndexByte(word[1:], flag[1]) >= 0
}

// compileTest compiles a call of a pattern function whose arguments are all
// literal patterns: any of them may fit.
func compileTest(name string, args []string, s *Scope) (test, error) {
	switch name {
	case "bash":
		t := &bashTest{grant: s.Grant}
		for _, a := range args {
			if len(a) > maxGlob*4 {
				return nil, fmt.Errorf("a command pattern of %d bytes; at most %d", len(a), maxGlob*4)
			}
			t.globs = append(t.globs, shell.CompileGlob(a))
		}
		return t, nil
	case "powershell":
		t := &powershellTest{grant: s.Grant}
		for _, a := range args {
			g, err := compilePowerShell(a)
			if err != nil {
				return nil, err
			}
			t.globs = append(t.globs, g)
		}
		return t, nil
	case "domain":
		t := &domainTest{}
		for _, a := range args {
			r, err := compileDomain(a)
			if err != nil {
				return nil, err
			}
			t.rules = append(t.rules, r)
		}
		return t, nil
	case "flag":
		return &flagTest{args}, nil
	}
	t := &pathTest{grant: s.Grant, access: map[string]hook.Access{"path": rw, "reads": rd, "writes": wr}[name]}
	for _, a := range args {
		r, err := compilePath(a, s)
		if err != nil && (s.Grant || len(a) > maxGlob) {
			return nil, err
		}
		t.rules = append(t.rules, r)
	}
	return t, nil
}
