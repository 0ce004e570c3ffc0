package shell

import "github.com/pawl-dev/pawl/engine/hook"

// Glob is a compiled Bash permission pattern. It is immutable.
type Glob struct{ text string }

// CompileGlob reads the specifier of a Bash rule: "rm *", "npm run:*", "npm test".
func CompileGlob(pattern string) *Glob { return &Glob{text: pattern} }

// Match says whether one of the commands is matched: Yes with its index in
// c.List and its text, Unknown with the reason, or No. With grant it says
// whether the pattern alone grants everything that c runs.
func (g *Glob) Match(c hook.Commands, grant bool) (t hook.Tri, index int, why string) {
	return hook.Unknown, -1, "not read"
}

// Covers marks in covered, which has the length of c.List, the commands that
// the pattern grants.
func (g *Glob) Covers(c hook.Commands, covered []bool) {}

// Granted says whether the covered commands are all that c runs; if not, the
// index of one that is not covered (-1: none in particular) and why.
func Granted(c hook.Commands, covered []bool) (t hook.Tri, index int, why string) {
	return hook.Unknown, -1, "not read"
}

// Any reports that the pattern matches every command.
func (g *Glob) Any() bool { return g.text == "*" }

// Head is the literal first word of the pattern; "" if commands with
// different first words can match.
func (g *Glob) Head() string { return "" }

// Heads are the first words under which a pattern may match c; all means that
// any pattern may.
func Heads(c hook.Commands) (heads []string, all bool) { return nil, true }

// String returns the pattern as it was written.
func (g *Glob) String() string { return g.text }
