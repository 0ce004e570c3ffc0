package hook

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Result is what one action answered. The zero Result is silence.
type Result struct {
	Verdict Verdict
	Reason  string // for whom the verdict stops: the model on Deny, the user on Ask

	Halt       bool   // continue:false: the agent ends its run
	StopReason string // shown to the user with Halt

	Context        []string // for the model
	Notices        []string // for the user
	Input          Object   // replaces the whole tool input
	Output         []byte   // JSON that replaces the tool's or agent's result
	ContinueReason string   // keep working, for this reason (echo-agent)
	Retry          bool
	Wake           string   // asyncRewake: the agent goes on with this text
	Quiet          bool     // suppressOutput
	Metadata       Object   // for the host, not interpreted
	Specific       []Member // fields that only this event has (EventInfo.Specific)

	Log         string       // plain output that is for the log only
	Diagnostics []Diagnostic // what was wrong with the answer
}

// Cause names why an action gave no verdict.
type Cause string

const (
	CauseSpawn    Cause = "spawn"    // the process could not start
	CauseExit     Cause = "exit"     // exit code other than 0 and 2
	CauseSignal   Cause = "signal"   // died by a signal
	CauseTimeout  Cause = "timeout"  // did not end in time
	CauseCanceled Cause = "canceled" // the host gave up
	CausePanic    Cause = "panic"
	CauseAnswer   Cause = "answer" // the answer cannot be read
	CauseHTTP     Cause = "http"   // connection, status or body of an HTTP answer
	CauseError    Cause = "error"  // the action returned some other error
	CauseConfig   Cause = "config" // the settings are broken: permanent, always blocks
)

// NoVerdict is the error of an action that failed. It is not an answer: the
// failure table of the engine says what follows from it.
type NoVerdict struct {
	Cause Cause
	Err   error // what happened, with the place to mend
	// Blocks: the failure blocks whatever onFailure says.
	Blocks bool
}

func (n *NoVerdict) Error() string { return fmt.Sprintf("no verdict (%s): %v", n.Cause, n.Err) }

func (n *NoVerdict) Unwrap() error { return n.Err }

// Fail returns a NoVerdict with a formatted error.
func Fail(cause Cause, format string, args ...any) *NoVerdict {
	return &NoVerdict{Cause: cause, Err: fmt.Errorf(format, args...)}
}

// OutOfTime says that ctx ended before there was an answer, and why.
func OutOfTime(ctx context.Context, began time.Time) *NoVerdict {
	took := time.Since(began).Round(time.Millisecond)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Fail(CauseTimeout, "timed out after %v: %w", took, context.Cause(ctx))
	}
	return Fail(CauseCanceled, "canceled after %v: %w", took, context.Cause(ctx))
}

// AsNoVerdict returns err as a NoVerdict; another error gets CauseError.
func AsNoVerdict(err error) *NoVerdict {
	if n, ok := errors.AsType[*NoVerdict](err); ok {
		return n
	}
	return &NoVerdict{Cause: CauseError, Err: err}
}
