package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Runner runs DAGs of tasks. Of the bounds, 0 takes the default and a
// negative number is none at all; negative times are errors.
type Runner struct {
	// Execute does the work of one attempt at a task and returns its result.
	// It is called from up to Parallel goroutines and must return when ctx
	// ends. An error, a panic and the end of the timeout are failures.
	Execute func(ctx context.Context, job Job) (string, error)
	Hooks   []Hooks // called in this order
	// Policy returns, for one task, the func that gives the hooks which are
	// called before those. That is called each time, so that hooks may change
	// while tasks run; both return at once. nil: there are none.
	Policy func(session string, t Task) func() []Hooks
	// Observe is told when each hook starts and ends: the Event is the name
	// of the func. It is called as hooks are and returns at once. nil: nobody.
	Observe func(hook.Progress)
	// Dispatch answers TaskCreated and TaskCompleted: the method of an engine.
	// It returns when ctx ends. nil: nobody is asked. (A task fails for which
	// Policy or Observe panics, or any of the three ends its goroutine.)
	Dispatch func(context.Context, hook.Event) hook.Decision

	Session, Dir string // of the events
	Executor     string // the agent that executes, for hooks and events

	Parallel    int           // tasks at work at once; default 5, none is an error
	Timeout     time.Duration // of an execution; default 5 minutes
	HookTimeout time.Duration // of one call of a hook; default 10 seconds
	MaxRetries  int           // of tasks that do not say, if a hook wants one; default 10, or what Hooks want
	MaxReopens  int           // of a completion that hooks block; default 8
	Backoff     Backoff       // of retries that no hook has decided
}

// maxRetries is the default of Runner.MaxRetries.
const maxRetries = 10

// check says what r cannot run with.
func (r *Runner) check() error {
	var errs []error
	if r.Execute == nil {
		errs = append(errs, errors.New("task runner: Execute is missing"))
	}
	if r.Parallel < 0 {
		errs = append(errs, fmt.Errorf("task runner: Parallel is %d, expected 1 or more", r.Parallel))
	}
	if r.Timeout < 0 || r.HookTimeout < 0 {
		errs = append(errs, fmt.Errorf("task runner: Timeout is %v and HookTimeout %v, expected 0 or more", r.Timeout, r.HookTimeout))
	}
	return errors.Join(errs...)
}

// withDefaults returns a copy of r in which every field is set.
func (r *Runner) withDefaults() *Runner {
	c := *r
	c.Hooks = slices.Clone(c.Hooks)
	for i := range c.Hooks {
		c.Hooks[i].Name = cmp.Or(c.Hooks[i].Name, fmt.Sprintf("hooks[%d]", i))
	}
	orDefault(&c.Parallel, 5)
	orDefault(&c.Timeout, 5*time.Minute)
	orDefault(&c.HookTimeout, 10*time.Second)
	orDefault(&c.MaxReopens, 8)
	return &c
}

// orDefault puts value in the place of 0, and 0 in that of a negative number.
func orDefault[T int | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
	*field = max(0, *field)
}

// Run executes all tasks that are not done yet, each when those that it
// depends on are done, and returns when nothing can go on. There is one
// Outcome for each task, in the order of tasks.
//
// Without outcomes, the error says what is wrong with the Runner or with the
// plan: duplicate ids, missing dependencies, cycles. With outcomes it is nil
// if all tasks are done; else it says why the run ended early (the cause of
// ctx, or a *hook.Halt), or names the first task that is not done.
func (r *Runner) Run(ctx context.Context, tasks []Task) ([]Outcome, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	r = r.withDefaults()
	p, err := newPlan(tasks)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := newSchedule(r, p, tasks, stop)
	s.run(ctx)
	return s.outcomes, verdict(ctx, s.outcomes)
}

// verdict is the error of a whole run.
func verdict(ctx context.Context, outcomes []Outcome) error {
	left := 0
	var why error
	for i := range outcomes {
		o := &outcomes[i]
		if o.Status.Done() {
			continue
		}
		if left++; why == nil && o.Status != Blocked && o.Err != nil {
			why = fmt.Errorf("task %q is %s: %w", o.ID, o.Status, o.Err)
		}
	}
	if left == 0 {
		return nil
	}
	if ctx.Err() != nil {
		why = context.Cause(ctx)
	}
	return fmt.Errorf("%d of %d tasks are not done: %w", left, len(outcomes), why)
}
