package hook

import (
	"maps"
	"slices"
	"time"
)

// Text is a string of a settings file with its place.
type Text struct {
	Value string
	Pos   Position
}

// OnFailure says what follows when a hook gives no verdict.
type OnFailure uint8

const (
	FailDefault  OnFailure = iota // by type; block under failClosed
	FailContinue                  // warn and go on
	FailBlock                     // Deny where the event can be blocked
)

// OnUnknown says what a declarative deny or ask answers to Unknown.
type OnUnknown uint8

const (
	UnknownDefault OnUnknown = iota // ask; deny under failClosed
	UnknownAsk
	UnknownDeny
	UnknownSkip
)

// Spec is one hook as written: plain data with positions.
type Spec struct {
	ID      string // hooks.PreToolUse[0].hooks[1], or rules.NAME
	Event   EventName
	Source  Source
	Pos     Position
	Type    string
	Rule    bool // it stands under rules, whose type nobody writes
	Matcher Text // "" fits everything
	If      Text // one permission pattern
	When    Text // expr condition
	Within  Text // expr condition beside When, which counts for a broken entry too

	Timeout   time.Duration // 0: by type
	OnFailure OnFailure
	Unknown   OnUnknown
	Observe   bool
	Once      bool
	Async     bool
	Rewake    bool   // asyncRewake; implies Async
	Group     int    // hooks of one source with the same Group > 0 run in parallel
	Message   string // shown while it runs

	Fields []Field // what belongs to the type
	// Broken: the entry cannot be understood. It becomes a stub that fires
	// where the entry would have, as NoVerdict(config).
	Broken *Diagnostic
}

// kind names what the entry is for who wrote it.
func (s *Spec) kind() string {
	if s.Rule {
		return "a rule"
	}
	return "a hook of type " + s.Type
}

// commonKeys are keys that an entry of any type may have.
func (s *Spec) commonKeys() []string {
	keys := []string{"if", "when", "timeout", "async", "asyncRewake", "once", "statusMessage", "onFailure", "unknown", "mode"}
	if s.Rule {
		keys = append(keys, "name", "on", "match", "description")
	}
	return keys
}

// Fixed returns the fixed decision of the entry, None if it has none.
func (s *Spec) Fixed() Verdict {
	for _, f := range s.Fields {
		if f.Name == "decision" {
			word, _ := f.Value.(string)
			v, _ := ParseVerdict(word)
			if word == "block" {
				v = Deny
			}
			return v
		}
	}
	return None
}

// Grants reports whether the entry's fixed decision is allow, which makes
// its patterns grants: they need Yes for all that the text does.
func (s *Spec) Grants() bool {
	for _, f := range s.Fields {
		if f.Name == "decision" {
			return f.Value == "allow" || f.Value == "approve"
		}
	}
	return false
}

// Field is a key of an entry that belongs to its type. Value is a string,
// bool, int, float64, nil, []any or map[string]any of these.
type Field struct {
	Name  string
	Value any
	Pos   Position // of the value
	Key   Position // of the name; 0 where it has no place of its own
	// Members are those of a mapping, with their places. Only keys that belong
	// to hook types have them (Setting).
	Members []Field
}

// Entries returns the members of a mapping: with their places if these are
// known, else at that of f. It returns false for any other value.
func (f Field) Entries() ([]Field, bool) {
	m, ok := f.Value.(map[string]any)
	if len(f.Members) > 0 || !ok {
		return f.Members, ok
	}
	list := make([]Field, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, Field{Name: name, Value: m[name], Pos: f.Pos})
	}
	return list, true
}

// PermissionRule is one entry of permissions.deny, .ask or .allow.
type PermissionRule struct {
	ID      string // permissions.deny[0]
	Source  Source
	Verdict Verdict // Deny, Ask or Allow
	Text    Text
	Unknown OnUnknown
	Broken  *Diagnostic
}
