// Package trustcmd is the trust command, which both programs have: it keeps
// the list of directories whose hooks may run, and what is pinned of them.
//
//	pin  the bytes of all files that the workspace brings, as they are now
//
// Promises:
//
//  1. Only what can be kept is pinned: a workspace with a broken policy, or
//     with hooks of which this program does not know what they run, is not.
//  2. What a hook may run and nobody can tell is listed.
package trustcmd
