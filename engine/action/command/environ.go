package command

import (
	"bufio"
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxVariable is the largest variable, with its name. Linux takes 128 KiB.
const maxVariable = 96 << 10

// variables are what a command's environment says of an event.
type variables struct {
	set     map[string]string
	unset   []string // names that must not be inherited
	leftOut []string // those of them that were too large
}

func (v variables) inputLeftOut() bool { return slices.Contains(v.leftOut, "INPUT_JSON") }

// variables fills the environment for m.
func (a *action) variables(m message) variables {
	v := variables{unset: []string{"INPUT_JSON_FILE"}}
	ev := m.event
	v.set = map[string]string{
		"CLAUDE_OUTPUT": ev.Message,
		"SESSION_ID":    ev.Session,
		"HOOK_EVENT":    string(ev.Name),
		"CWD":           ev.Dir,
	}
	maps.Copy(v.set, a.directories())
	if len(m.line) > maxVariable {
		v.leftOut = []string{"INPUT_JSON"} // which is no smaller
	} else {
		var b bytes.Buffer
		m.flat(bufio.NewWriter(&b))
		v.set["INPUT_JSON"] = b.String()
	}
	for name, value := range v.set {
		value = strings.ReplaceAll(value, "\x00", "\ufffd") // no variable can hold it
		v.set[name] = value
		if len(name)+len(value) >= maxVariable {
			delete(v.set, name)
			v.leftOut = append(v.leftOut, name)
		}
	}
	v.unset = append(v.unset, v.leftOut...)
	return v
}

// directories are the variables that say where a hook is.
func (a *action) directories() map[string]string {
	dirs := map[string]string{"CLAUDE_PROJECT_DIR": a.deps.Root, "SKILL_DIR": a.skillDir(), "CLAUDE_PLUGIN_ROOT": a.pluginRoot()}
	maps.DeleteFunc(dirs, func(_, dir string) bool { return dir == "" })
	return dirs
}

func (a *action) skillDir() string {
	if a.source.Layer == hook.Skill || a.source.File == "" {
		return a.source.Dir
	}
	return filepath.Dir(a.source.File)
}

func (a *action) pluginRoot() string {
	if a.source.Layer == hook.Plugin {
		return a.source.Dir
	}
	return ""
}

// placeholders replaces what the exec form may refer to; a value is not
// looked at again. A placeholder without a value stays.
func (v variables) placeholders() *strings.Replacer {
	var pairs []string
	for _, name := range []string{"CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "SKILL_DIR"} {
		if value, ok := v.set[name]; ok {
			pairs = append(pairs, "${"+name+"}", value)
		}
	}
	return strings.NewReplacer(pairs...)
}
