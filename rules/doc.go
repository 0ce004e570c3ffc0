// Package rules reads the patterns, permission rules and conditions of hooks
// and answers whether they fit an event.
//
//	Analyze     what an event really does, found lazily and once: commands, paths, host
//	Scope       where a text stands: event, source, anchors, and its polarity
//	Pattern     a compiled matcher, `if` or permission rule
//	Condition   a compiled `when`
//	guard       polarity of what denies, asks or runs: fires on Unknown
//	grant       polarity of what allows: needs Yes for everything the event does
//	sign        how a pattern stands in a condition: under a ! a guard's pattern grants
//	anchor      the directory that a path pattern is relative to
//	test        one pattern function with its pattern: bash("rm *"), path("src/**")
//
// A matcher, an `if` and a permission rule all lower to expr: Pattern.Expr
// gives the source, and the same text as a `when` in the same Scope means the
// same. The tests are native Go and the only reading of their patterns: a
// Pattern calls them directly, a Condition from the expr machine.
//
// In a command pattern a word {--force,-f} is one of these flags, wherever it
// stands behind the literal words before it: Bash(git push {--force,-f} *)
// fits `git push origin -uf`, `git push --force=x`; not --force-with-lease,
// nothing behind a --, nothing that is the value of another option. The rest
// of the pattern is compared without the flags. All other braces are text.
// In PowerShell patterns names and aliases are one, in any letter case.
//
// Promises:
//
//  1. Matching is pure and three-valued, and may be done by any number of
//     goroutines at once. Only Facts touch the file system, to resolve links.
//  2. Unknown never loosens: no more text in a command turns a guard's
//     Unknown or Yes into No, and whatever a grant covers a guard with the
//     same text covers too.
//  3. Texts from settings and events never panic or hang: patterns, sources,
//     nodes, memory and time are bounded.
//  4. Every text that cannot do what it seems to say gets a Diagnostic with
//     its place and advice; without one of severity Error the result is usable.
//  5. A Pattern does not touch the expr machine.
package rules
