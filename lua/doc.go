// Package lua runs policies written in Lua: a small language, in the process,
// at a few microseconds a call, safe to take from people one trusts little.
//
//	Runtime   all Lua of one set of settings: compiled code, and a state for each session
//	File      a policy file; its top level calls on(event, matcher, options, handler)
//	unit      a file, or the text of one hook, compiled once to a prototype
//	handler   one call of on: a hook.Spec, and a function in every state
//	state     the Lua machine of one session, with its limits; one call at a time
//	instance  a unit that was run in a state: its globals and its functions
//	ev        what a handler is called with: a view of the facts
//	callback  one call of task.before and the like: a function that a runner of tasks calls
//	verdict   what deny, ask, context, … return and a handler hands on
//	survey    what the texts of a unit name, for those who look for mistakes in it
//	lint      one such look: a function from a survey to findings, a file each
//
// The functions that a policy can call are in one table (library), which
// registers them and describes them to people, editors and lints.
//
// Promises:
//
//  1. A script reaches its event, the host functions of the library and its
//     own directory, and nothing else: no files, no processes, no output, no
//     other policy's globals, no other session.
//  2. A call costs its deadline and its memory allowance at most. Pattern
//     matching counts steps, every string and table is charged when it grows,
//     and nothing that a script does (pcall, metatables, goto) makes a limit
//     that was hit go away: the answer is a NoVerdict, the state is dropped.
//  3. Sessions run in parallel, one session's calls one after the other. Only
//     compiled prototypes are shared.
//  4. Globals of a policy live as long as the state of the session, which the
//     runtime may drop between calls; what must last goes through `state`.
//  5. Errors start with file:line and carry a Lua traceback.
//  6. Files are read by Load and Type.New alone; a Runtime answers from what
//     it read until it is replaced. Lint reads them again, for its findings only.
//
// A state takes about 40 KiB, and 2 KiB for each small policy that ran in it.
// It is made when a session's first event has a handler, and dropped when
// 64 other sessions were active since, when a limit was hit, and when all its
// calls together have allocated 64 MiB, so that no session holds more.
package lua
