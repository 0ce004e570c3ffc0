// Package process is the one way to start a child process.
//
//	Command   what to run: argv, directory, environment, stdin
//	Output    how it ended and what it printed, each stream up to a cap
//	Peer      a child that is talked to: a server that stays
//	leader    the process that was started; its exit is the exit of the run
//	group     the leader and all that it started and that did not leave
//	grace     how long the group may go on writing after its leader ended
//	tether    a pipe by which what has left the group is found, and which ends
//	          the group when this process is killed
//
// Promises:
//
//  1. Run returns within about 200 ms of the end of its context, whatever the
//     child does: ignores signals, holds the pipes, never reads stdin.
//  2. When Run or Peer.Close returns, the group has been killed, also after a
//     good exit, and on Linux what has left it too (setsid, set -m). What could
//     not be killed, or not found elsewhere, is Output.Left. A process that has
//     left the group and closed all its files, as daemons do, is not found.
//  3. The group is signalled only while its leader is not yet reaped, so that
//     its number cannot belong to anybody else.
//  4. Memory is bounded by the caps: what a stream holds beyond is read, so
//     that the child does not block, and dropped.
//  5. A child that does not read its stdin is no error.
//  6. An end by a signal is Output.Signal and a code of -1, never code 0.
//  7. The child has a session of its own and no terminal. Of files it has stdin,
//     stdout, stderr and the tether; what this process was started with is not
//     handed on, on Linux since 5.11.
//  8. A group does not outlive this process, even where that is killed with
//     SIGKILL. What closes all its files and left the leader goes on.
//
// All of it holds on Linux, and 1 to 7 on macOS and the BSDs. Elsewhere only
// the leader is killed, and 2, 3 and 7 do not hold.
package process
