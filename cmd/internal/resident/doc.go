// Package resident is the engine that stays: one process of a user that
// answers the hook calls of all agents, so that a call costs no reading of
// policies.
//
//	server     listens, greets, answers; ends when it is told to
//	line       one connection (package wire says what goes over it)
//	workspace  an engine that a watcher keeps up to date
//	pool       the workspaces in use: opened on first use, dropped when idle
//
// Promises:
//
//  1. A call gets the reply that the hook command would give by itself: both
//     run package call, with the caller's environment and directory. Between
//     the save of a policy and its settling the reply is by the old one.
//  2. Before hooks run, the client is told; if it has gone, they do not run.
//     If it goes later, they are ended.
//  3. Connections, workspaces, sizes and waiting are bounded. What is beyond
//     is refused at once, and the client decides by itself.
//  4. One server of a user runs at a time: a lock says which. What a killed
//     one left is replaced. One whose socket has been removed ends.
//  5. An ordered end lets the calls that run end, up to a bound; what runs
//     then is ended and answered as a failure. Run returns when no goroutine is
//     left, but for those that wait for a file system.
package resident
