package mcptool

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// server is one server as the settings declare it.
type server struct {
	name     string
	declared bool // else the host lends it
	command  string
	args     []string
	env      map[string]string
	dir      string
	url      string
	headers  map[string]string
	lookup   func(name string) (string, bool)
	inherits []string // what a command has around env; nil is Options.Environ

	root    string   // of the workspace
	files   []string // of the workspace that its command names
	version string   // of these files
	copies  func(files []string) (hook.Copies, error)
}

// of returns s for an event: with the variables of where it comes from.
func (s server) of(ev *hook.Event) server {
	if ev.Env == nil {
		return s
	}
	s.lookup = ev.LookupEnv
	if s.command == "" {
		return s
	}
	s.inherits = slices.DeleteFunc(slices.Sorted(slices.Values(ev.Env)), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains([]string{"PWD", "OLDPWD", "SHLVL", "_"}, name) // other ones after each cd of a shell
	})
	return s
}

// key names a connection to s: two that are declared alike share it, if their
// variables have the same values.
func (s server) key() string {
	s, _ = s.expanded() // a variable that is missing is told when the server is started
	text, err := json.Marshal([]any{s.name, s.command, s.args, s.env, s.inherits, s.dir, s.url, s.headers, s.version})
	if err != nil {
		return s.name // cannot happen: all of it is text
	}
	return string(text)
}

// cause is that of a server that cannot be reached.
func (s server) cause() hook.Cause {
	if s.url != "" {
		return hook.CauseHTTP
	}
	return hook.CauseSpawn
}

// findServer returns the server of a name from the first layer that declares
// it, and the names of all.
func findServer(name string, deps hook.Deps) (s server, names []string, diags []hook.Diagnostic) {
	s.name = name
	for _, setting := range deps.Settings {
		if setting.Name != serversKey {
			continue
		}
		servers, ok := setting.Entries()
		if !ok {
			return s, nil, []hook.Diagnostic{{Severity: hook.Error, Pos: setting.Pos, Path: setting.Name, Message: noServers}}
		}
		for _, entry := range servers {
			names = append(names, entry.Name)
			switch {
			case entry.Name != name:
			case s.declared:
				diags = append(diags, hook.Diagnostic{Severity: hook.Note, Pos: entry.Pos, Path: setting.Name + "." + name,
					Message: "has no effect: a layer that comes before declares the server"})
			default:
				s, diags = readServer(entry, deps)
			}
		}
	}
	return s, names, diags
}

const (
	serversKey = "mcpServers"
	noServers  = "expected a mapping from names to servers"
)

// judge says what is wrong with mcpServers of one file. One that is switched
// off is not for us.
func judge(s hook.Setting, deps hook.Deps) (diags []hook.Diagnostic) {
	servers, ok := s.Entries()
	if !ok {
		diags = []hook.Diagnostic{{Pos: s.Pos, Path: s.Name, Message: noServers}}
	}
	for _, entry := range servers {
		if fields, _ := entry.Value.(map[string]any); fields["disabled"] != true {
			_, wrong := readServer(entry, deps)
			diags = append(diags, wrong...)
		}
	}
	for i := range diags {
		diags[i].Severity = hook.Warning
	}
	return diags
}

// readServer reads one entry of mcpServers.
func readServer(entry hook.Field, deps hook.Deps) (server, []hook.Diagnostic) {
	s := server{name: entry.Name, declared: true, lookup: deps.Env, root: deps.Root, copies: deps.Copies}
	spec := hook.Spec{ID: serversKey + "." + entry.Name, Pos: entry.Pos}
	var ok bool
	spec.Fields, ok = entry.Entries()
	r := spec.Read()
	if !ok {
		r.Fail("", "expected a mapping with command, or url", "")
	}
	if r.Bool("disabled") {
		r.Fail("disabled", "the server is switched off", "")
	}
	kind := r.Word("type", "stdio", "http", "streamable-http", "streamable_http")
	s.command, s.url = r.Text("command"), r.Text("url")
	s.args, _ = r.Texts("args")
	s.env, s.headers = texts(r, "env"), texts(r, "headers")
	if s.dir = r.Text("cwd"); s.command != "" && !filepath.IsAbs(s.dir) {
		s.dir = filepath.Join(deps.Root, s.dir)
	}
	switch {
	case s.command != "" && s.url != "":
		r.Fail("url", "a server is a command or a url, not both", "keep one of them")
	case kind == "stdio" && s.command == "", s.command == "" && s.url == "":
		r.Fail("", "neither command nor url", "add one of them")
	case kind != "" && kind != "stdio" && s.url == "":
		r.Fail("type", kind+" needs a url", "")
	case s.url != "":
		s.checkURL(r)
	}
	return s, slices.DeleteFunc(r.Done(), func(d hook.Diagnostic) bool { return d.Severity < hook.Error }) // other hosts have more keys
}

func (s server) checkURL(r *hook.FieldReader) {
	if variables().MatchString(s.url) {
		return // known when it is needed
	}
	u, err := url.Parse(s.url)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		r.Fail("url", "expected http:// or https:// and a host", "")
	}
}

// texts returns a mapping from names to texts.
func texts(r *hook.FieldReader, name string) map[string]string {
	m := map[string]string{}
	for key, v := range r.Map(name) {
		text, ok := v.(string)
		if !ok {
			r.Fail(name, fmt.Sprintf("%s: expected a string", key), "quote it")
		}
		m[key] = text
	}
	return m
}

// variables are the ${NAME} and ${NAME:-default} in a text.
var variables = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)
})

// expander fills variables into texts and notes the first that is missing.
type expander struct {
	lookup  func(name string) (string, bool)
	missing string
}

func (e *expander) text(text string) string {
	return variables().ReplaceAllStringFunc(text, func(v string) string {
		m := variables().FindStringSubmatch(v)
		if e.lookup != nil {
			if value, ok := e.lookup(m[1]); ok {
				return value
			}
		}
		if m[2] == "" && e.missing == "" {
			e.missing = m[1]
		}
		return m[2][min(2, len(m[2])):]
	})
}

func (e *expander) list(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = e.text(text)
	}
	return out
}

func (e *expander) table(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for name, text := range m {
		out[name] = e.text(text)
	}
	return out
}

// expanded returns s with the variables filled in.
func (s server) expanded() (server, error) {
	e := expander{lookup: s.lookup}
	s.command, s.args, s.env, s.dir = e.text(s.command), e.list(s.args), e.table(s.env), e.text(s.dir)
	s.url, s.headers = e.text(s.url), e.table(s.headers)
	if e.missing != "" {
		return s, fmt.Errorf("the variable %s is not set (write ${%[1]s:-} if it may be empty)", e.missing)
	}
	return s, nil
}
