// Package shell finds which commands a shell text really runs, and says
// whether a permission pattern matches one of them. It parses with
// mvdan.cc/sh/v3/syntax, follows wrappers and shell strings by tables, and
// never runs, expands or looks up anything.
//
//	word      a literal value, or source text whose value is unknown
//	command   one program with its words; a wrapped one is listed for each layer
//	wrapper   a program that runs its operands (sudo, env, xargs): one table row
//	text      a word that some program reads as shell text (bash -c, eval, ssh)
//	hole      a place in such a text that is known only when it runs
//	possible  a command that may run: operand of an unknown program
//	opaque    anything may run
//	glob      a compiled pattern; it matches words, not their quoting
//
// Promises:
//
//  1. Parse never fails and never panics. What it cannot tell is a Doubt, and
//     every Doubt comes with Opaque, an unknown program word or a possible
//     command: so a Glob that answers No is never wrong about what is listed.
//  2. Work is bounded before the parser is called: 256 KiB, nesting 200; then
//     by the number of commands, re-read bytes and expansions. Past a bound
//     the result is Opaque.
//  3. In List the layers of one wrapped command follow each other, outermost
//     first, each with one wrapper more; commands in substitutions of their
//     words stand before them.
//  4. A command without words (`> f`, `A=1`) is listed for its redirects and
//     assignments; its Argv is empty.
//  5. Values are frozen once returned; everything may be used concurrently.
package shell
