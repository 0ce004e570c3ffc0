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
//     Ask that the host cannot express, and a rewritten input that it cannot
//     take, block too.
//  2. Only the answer goes to stdout: nothing at all, one line of JSON, or
//     what the event asks for (the path of a worktree).
//  3. An event that decides nothing wrongly is read even if a lesser field has
//     the wrong type: that costs a diagnostic. A wrong type in the event name,
//     the tool name or the tool input, and a second spelling of a member that
//     is read here, are errors.
//  4. All functions are pure and may be called concurrently; what they return
//     shares the bytes of what they were given.
//
// To add an agent: write its file after echo.go, add its line to All before
// the default, and put messages and replies under testdata/events.
package dialect
