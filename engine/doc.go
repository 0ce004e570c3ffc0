// Package engine decides what an agent may do next. Open loads a policy,
// Dispatch answers the events of the agent's life with a Decision.
//
//	eng, err := engine.Open(ctx, "pawl.yaml")
//	dec := eng.Dispatch(ctx, engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", cmd)})
//	if !dec.Proceed() { return dec.Reason() }
//
// The path of an event, a file each:
//
//	dispatch.go  takes the current snapshot and keeps it to the end
//	select.go    the hooks that may match, from the index
//	gate.go      switches and trust, by source
//	run.go       one hook: condition, deadline, panic
//	merge.go     folds the results into the Decision
//
// Promises:
//
//  1. All methods of an Engine may be called concurrently. A dispatch sees one
//     snapshot from beginning to end, whatever Reload does meanwhile.
//  2. Dispatch always answers. A hook that fails, hangs or panics, and a fault
//     of the engine itself, end in a Decision with a Step that says so.
//  3. Adding a hook never lowers a Decision, and the Decision is made on the
//     final input.
//  4. Nothing that is passed in is changed. What a Decision holds is the
//     caller's to read and keep, not to change.
//  5. The engine starts no goroutine that outlives Close, but for those of
//     function hooks that ignore their context; it prints nothing.
package engine
