package rules

import (
	"os"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Scope says where a text stands. It fixes the polarity and the anchors of
// its patterns when they are compiled.
type Scope struct {
	Event  hook.EventName
	About  string      // what the matcher tests if Event is none of the table: the subject of a task
	Source hook.Source // its Dir anchors /path
	Root   string      // project root, absolute; guards anchor relative patterns here too
	Home   string      // anchors ~/path
	// Grant: the entry's decision is allow.
	Grant bool
	// Named: a pattern of paths fits only what names a path, if in part: not
	// a path of which nothing is known.
	Named bool
	// Subjects are what the entry's matcher lets through (Pattern.Subjects);
	// nil means any. They serve only to warn of fields a tool does not have.
	Subjects []string
	// Env looks up env("NAME") of events that have no environment of their
	// own; nil means that of the process.
	Env func(name string) (string, bool)
	// Links remembers where directories really are, for all texts of one load;
	// nil looks each time.
	Links Links
	Pos   hook.Position // of a text that has no place of its own
	Path  string        // hooks.PreToolUse[0].matcher
}

func (s *Scope) env(name string) (string, bool) {
	if s.Env != nil {
		return s.Env(name)
	}
	return os.LookupEnv(name)
}

// notes collects what is wrong with one text.
type notes struct {
	scope *Scope
	pos   hook.Position
	list  []hook.Diagnostic
}

func (s *Scope) notes(t hook.Text) *notes {
	pos := t.Pos
	if pos == (hook.Position{}) {
		pos = s.Pos
	}
	return &notes{scope: s, pos: pos}
}

func (n *notes) add(sev hook.Severity, message, advice string) {
	n.list = append(n.list, hook.Diagnostic{Severity: sev, Pos: n.pos, Path: n.scope.Path, Message: message, Advice: advice})
}

func (n *notes) failed() bool {
	for _, d := range n.list {
		if d.Severity == hook.Error {
			return true
		}
	}
	return false
}

// Links are directories and where they really are. It is for one goroutine.
type Links map[string]string

// real returns dir with its symlinks resolved.
func (s *Scope) real(dir string) (string, bool) {
	if real, ok := s.Links[dir]; ok {
		return real, true
	}
	real, ok := resolveLinks(dir, "")
	if ok && s.Links != nil {
		s.Links[dir] = real
	}
	return real, ok
}
