// Package task runs tasks that depend on each other and calls hooks around
// each of them: before it starts, after it is done, and when it fails, where a
// hook decides what follows. It is also what those hooks are made of, for
// whoever makes them: a host in Go, a settings file, a Lua script.
//
//	r := task.Runner{Execute: work, Hooks: []task.Hooks{logging}, Dispatch: eng.Dispatch}
//	outcomes, err := r.Run(ctx, tasks)
//
//	Task       what is to be done, and what has become of it so far
//	Status     pending, running; completed and skipped, which are done; failed, …
//	Hooks      funcs that are called around a task; a nil one has no opinion
//	Context    what each hook is told: the task, the attempt, who executes it
//	Decision   answer to a failure: Retry, Skip or Fail; nil is no opinion
//	Backoff    how long the Runner itself waits before it tries again
//	Job        what Execute is given: the context, notes and feedback of hooks, earlier results
//	Outcome    what became of one task in a run
//	attempt    one execution; attempts count from 1
//	reopen     a hook on TaskCompleted blocks: the task stays open and is executed again
//
// A task goes this way:
//
//	TaskCreated ─► BeforeExecute ─► Execute ─► TaskCompleted ─► AfterExecute
//	 Deny: rejected                  │   ▲         │ Deny: again, with the reason
//	                                 ▼   └─────────┘
//	                             OnFailure ─► Retry: again │ Skip: done │ Fail
//
// Promises:
//
//  1. A Runner may run several DAGs at once, as long as nobody changes its
//     fields. Hooks, Execute and Dispatch are called from several goroutines;
//     those of one task one after the other.
//  2. A task starts when all that it depends on is done, completed or skipped.
//     Of the tasks that can start, the one that was given first starts first,
//     and at most Parallel are at work, waiting for a retry included.
//  3. Each task that was created, and not rejected, ends exactly once, as the
//     last TaskCompleted tells. BeforeExecute is called once before it is
//     executed at all, AfterExecute once if it is completed, with the result
//     that stands. A task that waits for one that failed is never created.
//  4. Of several Hooks all are called, in order. The first decision counts.
//     Where nobody decides, a task with MaxRetries is tried again after the
//     Backoff, and fails after that.
//  5. A hook that panics or hangs is a failure and no answer: a Step says so.
//     An observer that fails changes nothing. If an OnFailure fails and no
//     other decides, the task fails, since the broken one may have wanted that.
//  6. Every wait ends: executions after their timeout, hooks after
//     HookTimeout, retries and reopened completions by their bounds, all of
//     them when ctx ends. What does not return 5 seconds after its context
//     ended is abandoned. An execution that was abandoned may still be at
//     work, so its task is not tried again and not skipped. Only Dispatch
//     bounds itself, as an engine does.
//  7. An answer to TaskCreated or TaskCompleted that is Ask or Defer counts as
//     Deny: there is nobody to ask. A Decision that is halted (continue:
//     false) ends the run: nothing is started any more, what runs is cancelled,
//     and the error of Run is a *hook.Halt.
//  8. Nothing that is passed in is changed. What is handed to hooks and
//     Execute may be kept and must not be changed.
package task
