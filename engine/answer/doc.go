// Package answer is the one strict decoder of what comes back from a hook,
// and of event objects: bytes and an exit code in, a hook.Result out.
//
//	Parse       bytes that must be one JSON object of the protocol -> hook.Object
//	Payload     the same for an object whose keys are a tool's own
//	Child       a member of an Object as an Object of its own
//	Value       a Go value -> JSON; Object: names and Go values -> hook.Object
//	Decode      exit code, stdout and stderr of a command -> hook.Result
//	DecodeBody  an HTTP body or the text of an MCP tool -> hook.Result
//	DecodeReply what a language model answered -> hook.Result
//
// What each field of an answer means is one row of the table in fields.go;
// the words of a verdict are in words.go, the exit codes in decode.go.
//
// Promises:
//
//  1. Names are exact. Two members of one name, at any depth, or a name that
//     differs from one of the protocol's only in letter case, make an object
//     ambiguous: two readers could see two messages in it. Where a Deny has an
//     effect, an ambiguous answer is a Deny.
//  2. Fields are read one by one. A wrong type costs that field and is told in
//     Result.Diagnostics; unknown names are ignored.
//  3. A word that tightens counts wherever it stands and however it is spelt,
//     with a diagnostic; one that loosens counts only in its place, at exit
//     code 0, in an answer with nothing around it.
//  4. Time is linear in the input and nesting is bounded (MaxDepth), so that
//     no input can exhaust the stack.
//  5. Functions are pure and may be called by any number of goroutines. A
//     result shares the bytes it was made from: do not change them.
package answer
