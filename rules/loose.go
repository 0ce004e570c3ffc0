package rules

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Loose reports that some alternative of p, which names more than tools, is
// tested on every event of its subject: nothing in it is what the index could
// find it by.
func (p *Pattern) Loose() bool {
	return slices.ContainsFunc(p.terms, func(t term) bool {
		switch test := t.test.(type) {
		case always, *nameTest:
			return false
		case *wordTest: // of a server's tools, unless it is a regular expression
			return t.subjects == nil
		case *onTool:
			if _, all := test.test.(always); all {
				return false
			}
		}
		return slices.ContainsFunc(t.keys(), func(k Key) bool { return k.Kind == KeyAny })
	})
}

// LooseNote is the diagnostic of an entry with the given keys that has a
// pattern or a condition at t which is tested on every event of a subject. ok
// is false if its keys narrow it after all.
func LooseNote(t hook.Text, path string, keys []Key) (d hook.Diagnostic, ok bool) {
	at := slices.IndexFunc(keys, func(k Key) bool { return k.Kind == KeyAny })
	if at < 0 {
		return d, false
	}
	on := "event"
	if s := keys[at].Subject; s != "" {
		on = s
	}
	return hook.Diagnostic{Severity: hook.Note, Pos: t.Pos, Path: path,
		Message: "tested on every " + on + ": the index finds nothing in it that such an event must have",
		Advice:  "a whole first word, a path segment, a host, or a comparison with a text that comes first in when makes it cheap",
	}, true
}
