package task

import (
	"context"
	"time"
)

// Hooks are called around the tasks of a Runner (seed 1: TaskHooks). Each
// func may be nil, which is no opinion, is called from several goroutines, and
// returns promptly when ctx ends. A panic is contained.
type Hooks struct {
	Name string // for the trace, "" for a number: "logging", "pawl.yaml:7:3"
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
// opinion.
type Decision interface{ decision() }

type (
	// Retry executes the task again after Delay, if it has a retry left, and
	// else is Fail. A negative Delay is none.
	Retry struct{ Delay time.Duration }
	// Skip lets the tasks go on that depend on this one.
	Skip struct{}
	// Fail fails the task and so blocks those that depend on it.
	Fail struct{}
)

func (Retry) decision() {}
func (Skip) decision()  {}
func (Fail) decision()  {}
