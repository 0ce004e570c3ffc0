// Package call is one call of the hook command, apart from the process that
// it was made in: what comes in are bytes, an environment and a directory,
// what goes out are bytes and an exit code. Whoever answers a call, the
// process that was called or a resident engine, runs this code and so answers
// the same.
//
//	call      one run from event bytes to reply
//	place     where the caller stands: its environment and directory
//	policy    the flags that say which settings count
//	setting   all that makes an engine what it is; equal settings may share one
//	message   one event as it came
//	desk      what a program lends to its calls: engines, and who is told
//	background hook  one that outlives the answer, in a process of its own
//
// Promises:
//
//  1. Answer never fails: without a decision the reply blocks where the event
//     can be blocked, unless the caller wished otherwise. The same holds for
//     a panic.
//  2. Nothing of the caller is looked up in this process: not its variables,
//     not its directory, not its PATH. Home is the exception: it must be that
//     of this process.
//  3. Desk.Begin returns before anything happens that another answer to the
//     same call would do again.
//  4. A Desk, an Engine and a Place may be used by any number of goroutines.
package call
