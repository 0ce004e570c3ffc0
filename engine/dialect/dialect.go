package dialect

import (
	"github.com/pawl-dev/pawl/engine/hook"
)

// Dialect is the wire format of one agent.
type Dialect struct {
	Name string
	// Detect reports whether a message looks like this agent's.
	Detect func(hook.Object) bool
	// Decode reads one event. Beside an error the Event has at least its
	// Name, if the message told it, so that Failure can answer.
	Decode func(hook.Object) (hook.Event, []hook.Diagnostic, error)
	// Encode says in the agent's words what was decided on the event. It
	// never loosens the decision.
	Encode func(hook.Event, hook.Decision) Reply
}

// Reply is what the hook process answers.
type Reply struct {
	Stdout, Stderr []byte
	Code           int // exit code
}

// All returns the dialects in the order in which they are tried; the last
// one takes every message.
func All() []Dialect {
	return []Dialect{
		pawl(),
		echo(),
		claude(),
	}
}

// Named returns the dialect called name.
func Named(name string) (Dialect, bool) {
	for _, d := range All() {
		if d.Name == name {
			return d, true
		}
	}
	return Dialect{}, false
}

// Detect returns the dialect that a message is written in.
func Detect(message hook.Object) Dialect {
	all := All()
	for _, d := range all {
		if d.Detect(message) {
			return d
		}
	}
	return all[len(all)-1]
}

// Failure is the reply when the policy cannot be loaded or the event cannot
// be read: a deny with exit code 2 where the event can be blocked, and where
// it cannot be told which event it is (known is false). Where nothing can be
// blocked, where a block would mean "go on", and if failOpen is set, the agent
// goes on. In each case the reason is on stderr, and in the answer as far as
// the agent has a place for it.
func Failure(d Dialect, name hook.EventName, known bool, reason string, failOpen bool) Reply {
	if !known {
		name = ""
	}
	reason = hook.Printable(reason)
	dec := hook.Decision{Event: name, Steps: []hook.Step{
		{Status: hook.Problem, Cause: hook.CauseConfig, Detail: reason},
	}}
	info, _ := hook.Lookup(name)
	block := info.Has(hook.CanBlock) && !failOpen
	if block {
		dec.Verdict, dec.Reasons = hook.Deny, []string{reason}
		dec.Steps[0].Verdict = hook.Deny
	} else {
		dec.Notices = []string{reason}
	}
	r := d.Encode(hook.Event{Name: name}, dec)
	r.Stderr = stderr(reason)
	if block {
		r.Code = 2
	}
	return r
}
