// Package hook is the vocabulary of Pawl: every type that crosses a package
// border, the table of events and the table of tool names. It holds data and
// small pure functions, imports nothing but the standard library and does no
// I/O. Beside them it has Bounded, which calls a func of somebody else's so
// that a hang or a panic of it is an error.
//
//	Event      one occurrence at a named point of an agent's loop
//	Subject    the one string of an event that a matcher tests (tool name, source, …)
//	Facts      what matchers look at: the event, and what its input really does
//	Tri        answer of a matcher: No < Unknown < Yes
//	Spec       one hook as written in a settings file, with positions
//	Source     the layer and file that a hook comes from; its rank and trust
//	Type       makes the Action of a Spec (command, permission, expr, …)
//	Action     what runs; answers with a Result or fails with a NoVerdict
//	Result     what one action answered
//	Verdict    None < Allow < Ask < Defer < Deny
//	Decision   the merged answer to an event, with a Step for each candidate hook
//	Halt       the error of a run that a Decision has ended
//	Bounded    calls a func of somebody else's: limit, panic, abandonment
//	Overlay    what stands in for files on disk: refused changes, pins
//	Diagnostic what is wrong in a settings file, and where
//
// Promises:
//
//  1. Values are frozen once made: an Event, Object, Facts, Spec or Decision
//     may be read by any number of goroutines and is never written again.
//     Bytes and maps handed out are shared; the reader must not change them.
//  2. The tables (Events, Tools) are built from literals and never change
//     while the program runs.
//  3. Only Bounded starts a goroutine; it ends with the func that it calls.
//  4. A Verdict is only ever raised by merging, never lowered.
package hook
