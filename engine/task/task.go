package task

import (
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Task is one node of a DAG: what is to be done, and what has become of it
// so far. It is plain data; to resume a run, hand in the tasks of its outcomes.
type Task struct {
	ID          string // not empty, each once in a run
	Subject     string // one line, for people; matchers of events see it
	Description string
	DependsOn   []string // ids of the tasks that must be done before

	// MaxRetries is how often the task may be tried again after a failure.
	// At 0 the Runner does not do so by itself, and hooks may want it as often
	// as Runner.MaxRetries says; below 0 the task is never tried again.
	MaxRetries int
	// Timeout of one execution; 0 takes that of the Runner.
	Timeout time.Duration

	Status     Status // "" is Pending
	RetryCount int    // retries so far; a resumed task goes on counting
	Result     string // of a completed task
}

// Status says how far a task is.
type Status string

// The words are those of task_terminal_status in events (echo-agent), and
// some more.
const (
	Pending   Status = "pending"   // not started
	Running   Status = "running"   // at work
	Completed Status = "completed" // done
	Skipped   Status = "skipped"   // failed, and a hook let those that depend on it go on
	Failed    Status = "failed"    // failed for good
	TimedOut  Status = "timed_out" // failed for good: no result in time
	Cancelled Status = "cancelled" // started, then the run ended
	Blocked   Status = "blocked"   // waits for a task that will not be done
	Rejected  Status = "rejected"  // a hook on TaskCreated blocked it: it was never there
	Open      Status = "open"      // a hook on TaskCompleted blocked its end too often
)

var statuses = []Status{"", Pending, Running, Completed, Skipped, Failed, TimedOut, Cancelled, Blocked, Rejected, Open}

// Done reports whether tasks that depend on one with status s may start. A
// run starts every task that is not done.
func (s Status) Done() bool { return s == Completed || s == Skipped }

// Outcome is what became of one task in a run.
type Outcome struct {
	// Task has the Status, RetryCount and Result of now.
	Task
	Attempts int         // executions in this run
	Err      error       // why it is not completed; of a skipped task, the failure
	Context  []string    // for the model, from hooks on the last TaskCompleted
	Notices  []string    // of hooks, for the user, safe to print on a terminal
	Steps    []hook.Step // of events, of hooks that failed, and of each OnFailure
}

// Job is what Execute is given for one attempt.
type Job struct {
	Context
	Notes    []string // for the model, from hooks on TaskCreated and TaskCompleted
	Feedback string   // why a hook did not accept the last result; "" before that
	Results  []string // of the tasks in Task.DependsOn, in that order; "" of a skipped one
}
