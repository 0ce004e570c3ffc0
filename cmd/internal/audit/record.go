package audit

import (
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Record is one decision: one line of the log. What is written of it has
// passed the redaction rules and is cut to size.
type Record struct {
	Time Time `json:"time"`
	// ID is a ULID. Append makes it: those of one process rise.
	ID      string `json:"id"`
	Session string `json:"session"`
	Event   string `json:"event"`
	Tool    string `json:"tool,omitempty"`
	// Subject is what the event was about: the command, file or url of the
	// tool's input, or what a matcher tests on an event without a tool.
	Subject string `json:"subject,omitempty"`
	// Rewritten is the subject of the final input, if a hook rewrote it.
	Rewritten string   `json:"rewritten,omitempty"`
	Verdict   string   `json:"verdict"`
	Halted    bool     `json:"halted,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	// Error says why there was no decision; Verdict is then what was answered.
	Error    string        `json:"error,omitempty"`
	Hooks    []Run         `json:"hooks,omitempty"` // those that ran, in their order
	Duration time.Duration `json:"duration_ns"`
	Snapshot string        `json:"snapshot,omitempty"`
	Root     string        `json:"root"` // of the workspace
	// Missed counts the decisions before this one that the process could not
	// write.
	Missed int `json:"missed,omitempty"`
	// Cut: texts or hooks have been left out, for the size of the line. The
	// hooks that are left are those that count most.
	Cut bool `json:"cut,omitempty"`
}

// Run is what one hook did.
type Run struct {
	ID       string        `json:"id"`
	Source   string        `json:"source"` // its layer, and the name of a plugin or skill
	File     string        `json:"file,omitempty"`
	Status   string        `json:"status"` // ran, failed, observed or started
	Verdict  string        `json:"verdict"`
	Would    string        `json:"would,omitempty"` // what an observed hook would have said
	Cause    string        `json:"cause,omitempty"` // of a failed hook
	Duration time.Duration `json:"duration_ns"`
}

// Time is written in UTC, to the millisecond.
type Time struct{ time.Time }

// MarshalJSON writes RFC 3339 with three digits of a second.
func (t Time) MarshalJSON() ([]byte, error) {
	return t.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}

// Of returns the record of one decision: dec on ev, in the workspace at root,
// after took. Time is that of now.
func Of(ev *hook.Event, dec *hook.Decision, root string, took time.Duration) Record {
	r := Record{
		Time:    Time{time.Now()},
		Session: ev.Session, Event: string(ev.Name), Tool: hook.CanonicalTool(ev.Tool), Subject: subject(ev, ev.Input),
		Verdict: dec.Verdict.String(), Halted: dec.Halted, Reasons: dec.Reasons,
		Duration: took, Snapshot: dec.Snapshot, Root: root,
	}
	if dec.Halted && dec.StopReason != "" {
		r.Reasons = append(r.Reasons[:len(r.Reasons):len(r.Reasons)], dec.StopReason)
	}
	if !dec.Input.Absent() {
		r.Rewritten = subject(ev, dec.Input)
	}
	for _, s := range dec.Steps {
		if run, ok := runOf(&s); ok {
			r.Hooks = append(r.Hooks, run)
		}
	}
	return r
}

// subjects are the members of a tool's input that say what it is about.
var subjects = [...]string{"command", "file_path", "notebook_path", "path", "url", "pattern", "query"}

func subject(ev *hook.Event, input hook.Object) string {
	for _, name := range subjects {
		if text := input.Text(name); text != "" {
			return text
		}
	}
	if ev.Name.ToolEvent() {
		return ""
	}
	return ev.Subject
}

func runOf(s *hook.Step) (Run, bool) {
	switch s.Status {
	case hook.Ran, hook.Failed, hook.Observed, hook.Started:
	default:
		return Run{}, false
	}
	r := Run{
		ID: s.Hook, Source: s.Source.String(), File: filepath.ToSlash(s.Source.File),
		Status: string(s.Status), Verdict: s.Verdict.String(), Cause: string(s.Cause), Duration: s.Duration,
	}
	if s.Status == hook.Observed {
		r.Would = s.Would.String()
	}
	return r, true
}
