// Package hookcmd is the hook command, which both programs have: an event on
// standard input, the answer on standard output and in the exit code.
//
//	call      what is to be answered (package call)
//	resident  the engine that may answer it, if it runs (package wire)
//	desk      what this process answers it with, if not
//	ledger    where the answer of this process is recorded (package audit)
//
// Promises:
//
//  1. Nothing but the answer goes to standard output, and the exit code is 2
//     whenever it gets lost or there is none.
//  2. The process ends within its deadline, whatever is stuck.
//  3. A call is answered by this process if the resident engine does not, as
//     long as no hook can have run there. If one can, the answer is a failure,
//     which blocks where something can be blocked; no hook runs twice.
package hookcmd
