// Package settings reads settings files into Specs: plain data with
// positions. It judges shape, never meaning: patterns, conditions and the
// fields of a hook type are judged by whoever compiles them.
//
//	Set     all files of one load, in the order of their layers
//	File    what one file says: hooks, permissions, policies, switches
//	node    the neutral tree that both readers (YAML, JSON) make of a text
//	fault   something the reader refused inside a tree: a duplicate key, a tag
//	entry   one hook, rule or permission as written
//	plugin  a directory of hooks, each a layer of its own: what it may do is what
//	        the layer that enabled it may
//	agent   a definition of Claude Code's subagents, whose hooks run within it
//	stub    a Spec with Broken set: it fires where its entry would have
//	Trust   the list of directories whose hooks may run
//	pin     all files that a workspace brings, as they were at one time
//
// Promises:
//
//  1. Every entry of a file ends as a Spec or in a Diagnostic, most bad ones
//     as both. One bad entry leaves its neighbours as they are.
//  2. A text that cannot be read at all is a File with Broken set, never an
//     empty one: whoever uses the Set has to block. One that defines an agent
//     is a stub for the tools of that agent.
//  3. What loosens needs certainty: an entry that grants, and has a misspelt
//     condition, is broken; one that denies stays, with a warning.
//  4. Load reads regular files of at most 4 MiB, and never waits for one.
//     ParseFile does no I/O. Neither looks at the environment; both may be
//     called concurrently. What one text may cost is bounded.
//  5. Diagnostics carry file:line:col, the path of keys as in
//     hooks.PreToolUse[0].matcher, and advice where there is some.
package settings
