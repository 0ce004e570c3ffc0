// Package policytest runs the tests of a policy: files that say what an event
// shall be decided to.
//
//	file    *_test.yaml, a list of cases, or *_test.lua, calls of test(name, func)
//	case    one thing to show: events of one session, and what is wanted of each
//	turn    one event of a case, and the decision about it
//	moment  what happens to a task or subagent: it fails, ends, or is about to start
//	want    one property of a decision, or of the state that it leaves
//	world   where one case plays: an engine of its own, with empty state
//	unit    a hook, callback or permission rule of a policy, for coverage
//
// Promises:
//
//  1. An event goes the way that "pawl hook" sends it: bytes, the native
//     dialect, an engine, bytes.
//  2. Nothing that Pawl keeps reaches from one case to another. The user's
//     settings are those of the home that Options names, and the machine's
//     count only if Options names them.
//  3. Failed is a decision other than wanted. Whatever keeps a test from
//     being asked (a broken policy, file or event) is Errored, never a pass.
//  4. The policy under test is trusted: its commands run.
//
// A file is
//
//	policy: ../pawl.yaml         # optional; else that of the nearest workspace
//	cases:                       # or the list alone
//	  - {bash: "rm -rf /", want: deny, reason: "for good"}
//	  - name: only once
//	    events:
//	      - {bash: "make"}
//	      - {event: {hook_event_name: Stop}, want: none, context: /tests? (pass|fail)/}
//	    state: {runs: 1}
//	  - {task: {subject: fetch, attempt: 2, error: "no network"}, want: retry, delay: 2s}
//	  - {subagent: {subagent_name: scout, error: "out of budget"}, want: delegate, agent: reviewer}
//
// An event has the members of the native event JSON. Those left out are
// PreToolUse, a session of the case's own and the root of the workspace as
// the current directory, which a relative cwd starts at. A task or subagent has
// the members that callbacks in Lua see, and an error if it failed, a result if
// it has ended. Its callbacks and sections are asked at once: no delay is waited
// for, and the bounds of a host, such as MaxRetries, do not count.
package policytest
