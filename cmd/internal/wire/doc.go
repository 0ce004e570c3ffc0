// Package wire is how the hook command talks to the resident engine: frames
// over a Unix socket that only one user can reach.
//
//	frame    a kind (1 byte), a length (4 bytes, big-endian) and that many bytes
//	hello    the first frame, from the engine: its version; then the client asks
//	call     flags, place, time left and event of one hook call
//	begun    "from here on hooks may run": sent before the first side effect
//	reply    what the hook command writes, and its exit code
//	decline  "decide it yourself", with the reason
//	status   asks for, and is, a report on the engine, as JSON
//	stop     asks the engine to end when its calls have ended
//
// A client may make any number of calls on one connection, one after the
// other.
//
// Promises:
//
//  1. Nobody but the user is talked to: the directory of the socket is the
//     user's and closed to others, and where the system tells the user at the
//     other end, both ends look.
//  2. No answer comes from another version: the client leaves where hello
//     says so.
//  3. A call that is lost says whether hooks may have run. If it says no, none
//     has, and none will.
//  4. Lengths are bounded before memory is taken, and memory is taken as bytes
//     come, not as they are announced.
//  5. The client has no goroutine and does not link package net: it is on the
//     way of every tool call.
package wire
