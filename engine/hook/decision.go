package hook

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Decision is the merged answer to one event.
type Decision struct {
	Event   EventName
	Verdict Verdict
	// Reasons are those of the verdict, strongest hook first in file order.
	Reasons []string

	Halted     bool // the agent ends its run, whatever the verdict
	StopReason string

	Context        []string // for the model
	Notices        []string // for the user, safe to print on a terminal
	Input          Object   // the final tool input if a hook rewrote it, else absent
	Output         []byte   // JSON that replaces the result, or nil
	ContinueReason string
	Retry          bool
	Quiet          bool
	Metadata       []Object // one for each hook that gave some, in order
	Specific       []Member

	Bypassed bool // an Ask under permission mode bypassPermissions, where the agent asks nobody
	Steps    []Step
	Snapshot string // names the set of hooks that decided
}

// Proceed reports whether what the event announces may happen without asking
// anybody: the tool call on PreToolUse, the end of the turn on Stop.
func (d Decision) Proceed() bool { return !d.Halted && d.Verdict <= Allow }

// Reason returns all reasons in one text, or a fixed one if a Decision that
// does not proceed has none.
func (d Decision) Reason() string {
	switch {
	case len(d.Reasons) > 0:
		return strings.Join(d.Reasons, "\n")
	case d.Halted && d.StopReason != "":
		return d.StopReason
	case !d.Proceed():
		return "stopped by a hook that gave no reason"
	}
	return ""
}

// OutputText returns Output as text: the string that it is, else its JSON.
func (d Decision) OutputText() string {
	var s string
	if json.Unmarshal(d.Output, &s) == nil {
		return s
	}
	return string(d.Output)
}

// Halt is the error of a run that a hook has ended by continue:false.
type Halt struct {
	Event  EventName
	Reason string
}

// Halt returns the error of what d has ended, or nil if d is not Halted.
func (d Decision) Halt() error {
	if !d.Halted {
		return nil
	}
	reason := d.StopReason
	if reason == "" {
		reason = d.Reason()
	}
	return &Halt{d.Event, reason}
}

func (h *Halt) Error() string {
	return fmt.Sprintf("a hook on %s ended the run: %s", h.Event, h.Reason)
}

// Status says what became of a candidate hook.
type Status string

const (
	Ran      Status = "ran"      // answered
	Failed   Status = "failed"   // gave no verdict; Cause says why
	Skipped  Status = "skipped"  // not reached, or already run once
	Gated    Status = "gated"    // silenced by a switch or by missing trust
	NotMatch Status = "no match" // only in a full trace
	Observed Status = "observed" // mode: observe; counts for nothing
	Started  Status = "started"  // runs in the background
	Problem  Status = "problem"  // a load diagnostic that touches this event
)

// Step is the trace of one considered hook.
type Step struct {
	Hook     string // id: hooks.PreToolUse[0].hooks[1], or the name of a rule
	Type     string
	Source   Source
	Pos      Position
	Status   Status
	Verdict  Verdict
	Would    Verdict // what an observed hook would have said
	Cause    Cause   // of a failed hook
	Detail   string  // why it matched, did not run or failed, in words
	Again    bool    // ran on the final input after a rewrite
	Duration time.Duration
}
