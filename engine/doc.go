// Package engine is what a program imports to let Pawl decide what its AI agent
// may do next: Open loads a policy, Dispatch answers each event of the agent's
// life with a Decision.
//
//	eng, err := engine.Open(ctx, "pawl.yaml")
//	dec := eng.Dispatch(ctx, engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", cmd)})
//	if !dec.Proceed() { return dec.Reason() }
//
// Event, Decision, Result, Spec and the other types that go in and out are
// documented in package [github.com/pawl-dev/pawl/engine/hook]; this package
// has them under the same names, so that most hosts import it alone.
//
//	Engine    answers events by the snapshot in force
//	Option    changes one default of an Engine
//	snapshot  one immutable set of hooks and rules; Reload puts another in force
//	gate      what silences a hook whatever it matches: switches, missing trust
//	Step      what became of one hook that was considered, in a Decision
//	around    what is called around tasks and subagents, for Tasks and Subagents
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
