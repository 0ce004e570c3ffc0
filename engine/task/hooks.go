package task

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Hooks are called around the tasks of a Runner (seed 1: TaskHooks). Each
// func may be nil, which is no opinion, is called from several goroutines, and
// returns promptly when ctx ends. A panic is contained; one with a
// *hook.NoVerdict is that failure.
type Hooks struct {
	Name   string        // for the trace, "" for a number: "logging", "tasks[0]"
	Source hook.Source   // who wrote them; the zero value is the host
	Pos    hook.Position // where
	// Timeout of one execution of a task that has none of its own; 0 is no
	// opinion. The first one counts.
	Timeout time.Duration
	// MaxRetries raises Runner.MaxRetries where that is left to its default,
	// so that who wants more says so; the largest counts.
	MaxRetries int
	// BeforeExecute is called once, before the first execution of a task.
	BeforeExecute func(ctx context.Context, c Context)
	// AfterExecute is called once, when a task is completed, with the result
	// that stands: a hook on TaskCompleted may have replaced it.
	AfterExecute func(ctx context.Context, c Context, result string)
	// OnFailure is called after each execution that failed or timed out, the
	// last one included, but not after one that was cancelled. c.Task.Status
	// is Failed or TimedOut.
	OnFailure func(ctx context.Context, c Context, err error) Decision
}

// Context is what a hook is told (seed 1: TaskHookContext).
type Context struct {
	Task     Task
	Attempt  int    // this execution, from 1; retries of earlier runs count
	Executor string // the agent that executes the task, or ""
}

// Decision is the answer of an OnFailure hook: Retry, Skip or Fail. nil is no
// opinion, and so is NoOpinion.
type Decision interface{ decision() }

type (
	// Retry executes the task again after Delay, if it has a retry left, and
	// else is Fail. A negative Delay is none.
	Retry struct{ Delay time.Duration }
	// Skip lets the tasks go on that depend on this one.
	Skip struct{}
	// Fail fails the task and so blocks those that depend on it.
	Fail struct{ Reason string }
	// NoOpinion is nil, and says Why for the trace.
	NoOpinion struct{ Why string }
)

func (Retry) decision()     {}
func (Skip) decision()      {}
func (Fail) decision()      {}
func (NoOpinion) decision() {}
