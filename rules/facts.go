package rules

import (
	"net/url"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// Analyze returns the facts of ev, with the tool's canonical name. Everything
// costly is found on first use, once, and may be asked for concurrently.
func Analyze(ev hook.Event) *hook.Facts {
	a := &analysis{}
	a.facts = hook.Facts{Event: ev.Normal(), Commands: a.commands, Paths: a.paths, Host: a.host, RealDir: a.realDir}
	return &a.facts
}

// analysis holds what has been found of one event.
type analysis struct {
	facts hook.Facts

	shellOnce, pathOnce, hostOnce, dirOnce sync.Once

	cmds  hook.Commands
	files []hook.Path
	name  string
	dir   string
}

func (a *analysis) commands() hook.Commands {
	a.shellOnce.Do(func() { a.cmds = readCommands(&a.facts.Event) })
	return a.cmds
}

func (a *analysis) paths() []hook.Path {
	a.pathOnce.Do(func() { a.files = findPaths(&a.facts) })
	return a.files
}

func (a *analysis) host() string {
	a.hostOnce.Do(func() { a.name = hostOf(a.facts.Event.Input.Text("url")) })
	return a.name
}

func (a *analysis) realDir() string {
	a.dirOnce.Do(func() {
		if dir := a.facts.Event.Dir; dir != "" {
			a.dir, _ = resolveLinks(dir, dir)
		}
	})
	return a.dir
}

// readCommands reads the shell text or argument array of a shell tool.
func readCommands(ev *hook.Event) hook.Commands {
	if ev.Tool != "Bash" && ev.Tool != "PowerShell" {
		return hook.Commands{}
	}
	v, ok := ev.Input.Get("command")
	if !ok {
		v, ok = ev.Input.Get("cmd")
	}
	switch v := v.(type) {
	case string:
		if ev.Tool == "PowerShell" {
			return parsePowerShell(v)
		}
		return shell.Parse(v, shell.Options{})
	case []any:
		if argv, ok := texts(v); ok && ev.Tool == "Bash" {
			return shell.ParseArgv(argv, shell.Options{})
		}
	case nil:
		if !ok {
			return hook.Commands{}
		}
	}
	return hook.Commands{Opaque: true, Unknown: []hook.Doubt{{Reason: "the command is not a text"}}}
}

func texts(list []any) ([]string, bool) {
	out := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, false
		}
		out[i] = s
	}
	return out, true
}

// hostOf returns the host of a url in lower case, without port and trailing
// dot; "" where it cannot be told.
func hostOf(text string) string {
	if text == "" {
		return ""
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}
