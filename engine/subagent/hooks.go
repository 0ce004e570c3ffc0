package subagent

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Mode is how a subagent runs beside its parent (seed 1: ExecutionMode).
type Mode string

const (
	// Sync: Dispatch returns when the subagent has ended. "" is Sync.
	Sync Mode = "sync"
	// Fork: the subagent runs beside its parent and ends with the parent's
	// context; at most Config.MaxForks run at once for each depth.
	Fork Mode = "fork"
	// Teammate: the subagent runs on its own until it is done, cancelled, or
	// the Dispatcher closed, whatever becomes of the parent's context.
	Teammate Mode = "teammate"
)

// Hooks are called around the dispatches of a Dispatcher (seed 1:
// SubagentHooks). Each func may be nil, which is no opinion, is called from
// several goroutines, and returns promptly when ctx ends. A panic is
// contained; one with a *hook.NoVerdict is that failure.
type Hooks struct {
	Name   string        // for the trace, "" for a number: "logging", "subagents[0]"
	Source hook.Source   // who wrote them; the zero value is the host
	Pos    hook.Position // where
	// Timeout of one run; 0 is no opinion. The first one counts.
	Timeout time.Duration
	// MaxRetries raises Config.MaxRetries where that is left to its default,
	// so that who wants more says so; the largest counts.
	MaxRetries int
	// BeforeDispatch is called before each attempt.
	BeforeDispatch func(ctx context.Context, c Context)
	// AfterDispatch is called once, when the subagent has stopped without an
	// error, with the result that stands: a hook on SubagentStop may have
	// replaced its text.
	AfterDispatch func(ctx context.Context, c Context, r Result)
	// OnFailure is called after each attempt that failed or timed out, the
	// last one included, but not after one that was cancelled.
	OnFailure func(ctx context.Context, c Context, err error) Decision
}

// Context is what a hook is told (seed 1: SubagentHookContext).
type Context struct {
	ParentAgent  string
	SubagentName string
	Mode         Mode
	Task         string
	Attempt      int // from 1
}

// Result is what came of a dispatch.
type Result struct {
	Agent    string // who gave the result: the last one of a chain of delegates
	Text     string
	Attempts int
	Context  []string    // for the parent's model, from hooks on SubagentStop
	Notices  []string    // of hooks, for the user, safe to print on a terminal
	Steps    []hook.Step // of events, of hooks that failed, and of each OnFailure
}

// Decision is the answer of an OnFailure hook: Retry, Fail or Delegate. nil
// is no opinion, and so is NoOpinion.
type Decision interface{ decision() }

type (
	// Retry dispatches to the same agent again after Delay, if a retry is
	// left, and else is Fail. A negative Delay is none.
	Retry struct{ Delay time.Duration }
	// Fail hands the error to the parent.
	Fail struct{ Reason string }
	// Delegate dispatches the same task to another agent at once. It counts
	// as a retry, and as one more level of depth.
	Delegate struct{ Agent string }
	// NoOpinion is nil, and says Why for the trace.
	NoOpinion struct{ Why string }
)

func (Retry) decision()     {}
func (Fail) decision()      {}
func (Delegate) decision()  {}
func (NoOpinion) decision() {}
