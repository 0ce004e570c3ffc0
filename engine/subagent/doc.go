// Package subagent sends work to the subagents of an agent and calls hooks
// around each dispatch: before it, after it, and when it fails, where a hook
// decides what follows. It is also what those hooks are made of, for whoever
// makes them: a host in Go, a settings file, a Lua script.
//
//	d, err := subagent.New(subagent.Config{Run: run, Hooks: []subagent.Hooks{logging}, Dispatch: eng.Dispatch})
//	res, err := d.Dispatch(ctx, subagent.Request{Parent: "main", Agent: "reviewer", Task: "read the diff"}).Wait(ctx)
//
//	Request   what is to be done, by which agent, for which parent, in which mode
//	Mode      Sync: the parent waits. Fork: beside the parent, ends with it. Teammate: on its own
//	Running   a dispatch on its way; Wait, Cancel
//	Call      what Run is given: the context, notes and feedback of hooks
//	Result    what the subagent said at last, and the trace
//	Hooks     funcs that are called around a dispatch; a nil one has no opinion
//	Context   what each hook is told: parent, subagent, mode, task, attempt
//	Decision  answer to a failure: Retry, Fail or Delegate; nil is no opinion
//	attempt   one run of one agent, until it stops; attempts count from 1, over delegates too
//	go on     a hook on SubagentStop blocks: the same agent runs on, with the reason
//	depth     1 for subagents of the main agent, one more for theirs, and for each delegate
//
// An attempt goes this way:
//
//	BeforeDispatch ─► SubagentStart ─► Run ─► SubagentStop ─► AfterDispatch
//	                   context          │ ▲         │ Deny: go on
//	                                    ▼ └─────────┘
//	                              SubagentStop ─► OnFailure ─► Retry │ Delegate │ Fail
//
// Promises:
//
//  1. All methods may be called concurrently. Hooks, Run and Dispatch are
//     called from several goroutines; those of one dispatch one after the other.
//  2. Each attempt that begins ends exactly once: BeforeDispatch is called
//     once and a last SubagentStop tells its end; then AfterDispatch is called
//     once, with the result that stands, or OnFailure once; a cancelled one has
//     neither. A Request that cannot be dispatched has no attempt.
//  3. Of several Hooks all are called, in order. The first decision counts;
//     where nobody decides, the dispatch fails.
//  4. A hook that panics or hangs is a failure and no answer: a Step says so.
//     An observer that fails changes nothing.
//  5. Every chain ends: retries and delegates by MaxRetries and MaxDepth, a
//     stop that hooks block by MaxGoOns. A delegate is not an agent that has
//     failed at this task before: that is an error, as is one that is not there.
//  6. Every wait ends: runs after Timeout, hooks after HookTimeout, all of them
//     when the context of the dispatch ends, by Cancel or by Close. What does
//     not return 5 seconds after its context ended is abandoned. A run that was
//     abandoned may still be at work, so it is neither tried again nor delegated.
//     Only Dispatch bounds itself, as an engine does.
//  7. An answer to SubagentStop that is Ask or Defer counts as Deny: there is
//     nobody to ask. A Decision that is halted (continue: false) ends the
//     dispatch with a *hook.Halt: the parent has to end its run too.
//  8. No goroutine outlives its dispatch, but for those of abandoned calls;
//     Close ends all dispatches.
//  9. Nothing that is passed in is changed. What is handed to hooks and Run
//     may be kept and must not be changed.
package subagent
