package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Key is something that an event must have for a pattern to fit it. A pattern
// that has keys fits only events that have one of them.
type Key struct {
	Subject string // the subject or tool, MCPTools, or "" for any
	Kind    KeyKind
	Text    string      // by Kind
	Field   string      // of KeyText: the field of the condition's environment
	Access  hook.Access // of KeyPath and KeyName
}

// KeyKind says what Text is.
type KeyKind uint8

const (
	KeyAny   KeyKind = iota // nothing: the subject is all
	KeyStart                // the first words of a command that runs
	KeyHead                 // the beginning of the first word of a command that runs
	KeyPath                 // one segment of a path, in lower case
	KeyName                 // the beginning of one segment of a path, in lower case
	KeyHost                 // the last labels of the host
	KeyText                 // a text that the field holds
)

// anyKey is the key of what cannot be narrowed.
var anyKey = []Key{{}}

// Keys returns the keys of the pattern; one of kind KeyAny without a subject
// means that it may fit any event.
func (p *Pattern) Keys() []Key {
	var keys []Key
	for i := range p.terms {
		keys = append(keys, p.terms[i].keys()...)
	}
	return keys
}

func (t *term) keys() []Key {
	switch o := t.test.(type) {
	case *onTool:
		if o.not {
			return testKeys(o.test)
		}
		return withSubjects(testKeys(o.test), o.tools)
	case *pathTest, *bashTest, *domainTest:
		return testKeys(t.test)
	}
	if t.subjects == nil {
		return anyKey
	}
	return withSubjects(anyKey, t.subjects)
}

func withSubjects(keys []Key, subjects []string) []Key {
	out := make([]Key, 0, len(keys)*len(subjects))
	for _, s := range subjects {
		for _, k := range keys {
			k.Subject = s
			out = append(out, k)
		}
	}
	return out
}

// testKeys returns the keys of a test of its own kind.
func testKeys(t test) []Key {
	var keys []Key
	switch t := t.(type) {
	case *bashTest:
		for _, g := range t.globs {
			switch {
			case g.Start() != "":
				keys = append(keys, Key{Kind: KeyStart, Text: g.Start()})
			case g.Head() != "":
				keys = append(keys, Key{Kind: KeyHead, Text: g.Head()})
			default:
				return anyKey
			}
		}
	case *pathTest:
		for _, r := range t.rules {
			key := r.key()
			if key.Text == "" {
				return anyKey
			}
			key.Access = t.access
			keys = append(keys, key)
		}
	case *domainTest:
		for i := range t.rules {
			labels := t.rules[i].tail()
			if labels == "" {
				return anyKey
			}
			keys = append(keys, Key{Kind: KeyHost, Text: labels})
		}
	default:
		return anyKey
	}
	return keys
}

// key is the longest segment of the pattern that a path must have as it is
// written, letter case aside, or the beginning of one; without text if there
// is none.
func (r *pathRule) key() Key {
	whole, begin := "", ""
	if r.literal != "" {
		return Key{}
	}
	for s := range strings.SplitSeq(r.ig.glob, "/") {
		switch special := strings.IndexAny(s, `*?[\{}`); {
		case special < 0 && len(s) > len(whole):
			whole = s
		case special > len(begin):
			begin = s[:special]
		}
	}
	switch {
	case whole != "":
		return Key{Kind: KeyPath, Text: strings.ToLower(whole)}
	case len(begin) < 2 || strings.ContainsAny(r.ig.glob, "{}"):
		return Key{} // a brace may hold a slash
	}
	return Key{Kind: KeyName, Text: strings.ToLower(begin)}
}

// tail returns the literal labels at the end of the rule.
func (r *domainRule) tail() string {
	i := len(r.labels)
	for i > 0 && !strings.Contains(r.labels[i-1], "*") {
		i--
	}
	return strings.Join(r.labels[i:], ".")
}

// Narrow returns the keys of a pattern and a condition that must both fit,
// given the keys of each; nil stands for a part that is not there.
func Narrow(pattern, condition []Key) []Key {
	switch {
	case pattern == nil && condition == nil:
		return anyKey
	case pattern == nil:
		return condition
	case condition == nil:
		return pattern
	}
	var keys []Key
	for _, p := range pattern {
		if p.Kind != KeyAny {
			keys = append(keys, p)
			continue
		}
		for _, c := range condition {
			switch {
			case p.Subject == "":
				keys = append(keys, c)
			case c.Subject == "" || c.Subject == p.Subject:
				c.Subject = p.Subject
				keys = append(keys, c)
			default: // they contradict each other, or name one tool in two ways
				keys = append(keys, p)
			}
		}
	}
	return keys
}
