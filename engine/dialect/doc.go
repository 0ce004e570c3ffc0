// Package dialect translates between the wire formats of agents and the
// vocabulary of package hook: one agent, one file, one line in [All].
//
//	Dialect   one agent's format: detect, decode an event, encode a decision
//	Reply     what the hook process prints, and its exit code
//	message   reads the members of an event and collects what is wrong
//	fields    a JSON object being written
//	settle    what a Decision comes to before a host's limits apply
//
// A host takes less than a Decision can say. What it cannot take is dropped
// and told, in the notices where the user sees them, else on stderr.
//
// Promises:
//
//  1. A reply never loosens. A Deny blocks wherever the host can block; an
//     Ask that the host cannot express, and a new input that it cannot take,
//     block too. A Defer asks where nothing can be put off.
//  2. Only the answer goes to stdout: nothing at all, one line of JSON, or
//     what the event asks for (the path of a worktree).
//  3. A message is read as far as it can be. A wrong type costs that member
//     and a diagnostic; in the event's name, the tool's name or its input it is
//     an error, and so is a name that differs in case only from one that is
//     read here.
//  4. All functions are pure and may be called concurrently; what they return
//     shares the bytes of what they were given.
//
// To add an agent: write its file after echo.go, add its line to All before
// the default, and put messages and replies under testdata/events.
package dialect
