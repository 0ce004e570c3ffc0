package hook

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Matcher tests the facts of an event.
//
// Match is pure: no I/O, no state, the same answer for the same facts. It may
// be called by any number of goroutines at once and must not keep f.
type Matcher interface {
	Match(f *Facts) Tri
}

// Match is how well a hook fits an event, and why it is not known better.
type Match struct {
	Tri Tri
	Why string // the sub-command that matched, or why the text cannot tell
}

// Call is what an action is run with.
type Call struct {
	Facts   *Facts // of the event with its current input
	Hook    *Spec
	Matched Match
	// Final: an earlier hook rewrote the input; this run is on the final one.
	Final bool
	// Turn is what an action may wait in for others of its type: its own time,
	// that of the context of Run, begins when it first asks that context. nil:
	// it waits within its time.
	Turn context.Context
}

// Message returns the event of c as its action is told of it: where it cannot
// be told whether the hook applies, with why as its member "unknown". line is
// its JSON with a line break, which all hooks of the event may share.
func (c Call) Message() (ev *Event, line []byte) {
	if c.Matched.Tri != Unknown {
		return &c.Facts.Event, c.Facts.Line()
	}
	told := c.Facts.Event
	rest := slices.DeleteFunc(slices.Clone(told.More.members), func(m Member) bool { return m.Name == "unknown" })
	told.More = NewObject(told.More.raw, append(rest, Member{"unknown", appendText(nil, c.Matched.Why)}), told.More.view)
	return &told, append(told.JSON(), '\n')
}

// Waking returns res as the answer of a hook that may be asyncRewake and has
// no exit code: a Deny then wakes the agent, with its reason.
func (c Call) Waking(res Result) Result {
	if !c.Hook.Rewake || res.Verdict != Deny {
		return res
	}
	return Result{Wake: cmp.Or(res.Reason, "a background hook denied and gave no reason")}
}

// Action is what a hook runs.
//
// Run may be called by any number of goroutines at once. It returns promptly
// when ctx ends; the engine abandons it shortly after. It must not change what
// c points to, and may keep it. An error is a NoVerdict, whatever its type,
// and costs nothing but this answer; of a Result returned beside an error
// only Context, Notices, Log and Diagnostics count. A panic is such an error.
type Action interface {
	Run(ctx context.Context, c Call) (Result, error)
}

// Sourced is an Action that runs files. They are sources of the settings in
// force like the files that those are read from.
type Sourced interface {
	// Files returns the absolute paths of the files that the action runs, also
	// of such as are not there, and why there may be others that cannot be told,
	// or "". over stands in for what is on disk. It may be called concurrently,
	// and waits for nothing.
	Files(over *Overlay) (paths []string, unsure string)
}

// ActionFunc is a func as an Action.
type ActionFunc func(ctx context.Context, c Call) (Result, error)

// Run calls f.
func (f ActionFunc) Run(ctx context.Context, c Call) (Result, error) { return f(ctx, c) }

// Runner is an Action that runs or asks something outside of the process, and
// says what on one line: for people who decide whether they trust it.
type Runner interface{ Runs() string }

// Type is a kind of hook: command, permission, expr, …
type Type struct {
	// New makes the action of one entry, once for each load. It reads the
	// fields of its type from spec.Read(), and has no effect outside the
	// process. Diagnostics of severity Error make the entry a stub.
	New func(spec Spec, deps Deps) (Action, []Diagnostic)
	// Pure: judges from the facts alone. A pure hook may run for a source
	// that is not trusted, and has 250 ms; others have 10 s.
	Pure bool
	// Timeout is what an entry without one has instead; 0 leaves it at that.
	Timeout time.Duration
	// Blocks: a hook that fails blocks, unless onFailure says otherwise.
	// Pure implies it: a policy that breaks must not open the gate. The
	// others warn.
	Blocks bool
	// Silent: never gives a verdict, so it need not see a rewritten input.
	Silent bool
	// Settings are the top-level keys of settings files that belong to the type,
	// and what says what is wrong with one of them in one file. What it finds is
	// for the author: a hook that needs what is broken is broken itself.
	Settings map[string]func(s Setting, deps Deps) []Diagnostic
	// Close ends what the actions of all loads share, such as connections: at
	// once if ctx has ended, else within it. nil: there is nothing. Actions
	// that run afterwards fail. The engine that has the type calls it from its
	// own Close, so a type with a Close belongs to one engine.
	Close func(ctx context.Context) error
}

// Deps is what the engine lends to the actions of one snapshot.
type Deps struct {
	Root  string // project root, absolute
	Home  string // home directory of the user, "" if there is none
	Env   func(name string) (string, bool)
	Now   func() time.Time
	State State

	// Kept stands in for files that hooks run; nil if what is on disk counts.
	Kept *Overlay
	// Copies makes copies of files as they were accepted, to be run in their
	// place; none if all of them are as accepted. An error says that one of them
	// must not be run at all. It may be called concurrently; nil means that there
	// is nothing to keep.
	Copies func(files []string) (Copies, error)
	// Settings are the top-level keys of the settings files that belong to
	// hook types, as mcpServers does, in the order of their layers; without
	// those of files whose hooks may not execute.
	Settings []Setting
	// Models are lent by the host, by name; "default" is for hooks that name
	// none.
	Models map[string]Model
	// MayRead tells why rules of the policy keep the agent from reading a file,
	// "" if they do not. It may be called when a hook runs, by any goroutine.
	MayRead func(path string) (why string)
}

// Copies are copies of files as they were accepted.
type Copies struct {
	Run     map[string]string // file -> its copy, which is not there if the file was not
	Changed []string          // those of the files that are different now
}

// Setting is one top-level key of one settings file.
type Setting struct {
	Field
	Source Source
}

// StateKey names one value. Session "" is shared by all sessions.
type StateKey struct{ Session, Kind, Name string }

// State keeps what must outlive a dispatch, or a process.
//
// Update replaces the value of key by what f makes of it, atomically with
// respect to every other Update of the key, also in other processes that
// share the store. f gets nil where there is no value or its time is over,
// and deletes the value by returning nil; it may be called again after a
// lost race. The value is forgotten ttl after the update (0: 30 days).
type State interface {
	Update(ctx context.Context, key StateKey, ttl time.Duration, f func(old []byte) []byte) error
}

// Progress tells an observer that a hook starts or has ended.
type Progress struct {
	Event   EventName // or BeforeExecute, OnFailure, … of a task or subagent
	Session string
	Hook    string // id
	Message string // statusMessage, or ""
	Ended   bool
	Step    Step // when Ended
}
