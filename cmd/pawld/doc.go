// Command pawld is the resident engine of a user, and everything that is too
// heavy for pawl, which starts on every tool call: one file a subcommand, the
// table of them is in main.go.
//
//	hook    as pawl hook, with all hook types
//	serve   the resident engine (package resident)
//	status  what it does
//	stop    its ordered end
//	log     the decisions that were recorded (package logview)
//
// Promises:
//
//  1. "pawld hook" and "pawl hook" run the same code; only the hook types
//     differ that they link.
//  2. "pawld serve" writes nothing but its log, and that to standard error.
package main
