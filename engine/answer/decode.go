package answer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Output is what a command left behind.
type Output struct {
	Stdout, Stderr []byte
	Code           int
	Truncated      bool // Stdout is not all of it
}

// Decode reads the output of a command that ran to its end on event.
//
//	code   JSON answer              plain stdout           stderr
//	0      all its fields           context, or the log    log
//	2      what does not loosen     to the user            reason of the Deny, or to the user
//	other  if it tightens, as at 2  to the user            to the user
//
// What exit code 2 means is EventInfo.ExitTwo. The error is a *hook.NoVerdict:
// CauseExit for any other code without a tightening answer, CauseAnswer for
// stdout at code 0 that starts as a JSON object and is not one. Of the Result
// beside an error, Context, Notices, Log and Diagnostics count.
func Decode(event hook.EventName, out Output) (hook.Result, error) {
	switch out.Code {
	case 0:
		res, err := decodeClean(event, readBody(out.Stdout, out.Truncated), true)
		res.Log = joined(res.Log, plainText(out.Stderr))
		return res, err
	case 2:
		return decodeTwo(event, out), nil
	}
	return decodeFailure(event, out)
}

// DecodeBody reads the body of an HTTP answer, or the text of an MCP tool, as
// Decode reads stdout at exit code 0.
func DecodeBody(event hook.EventName, data []byte) (hook.Result, error) {
	return decodeClean(event, readBody(data, false), false)
}

// decodeClean reads an answer that nothing speaks against.
func decodeClean(event hook.EventName, b body, command bool) (hook.Result, error) {
	res, plain, broken := decodeBody(event, b, loosens, "")
	if broken != nil {
		return res, unreadable(event, broken)
	}
	info, _ := hook.Lookup(event)
	switch {
	case plain == "":
	case info.PlainContext && !tightens(res):
		res.Context = append(res.Context, plain)
	case event == hook.WorktreeCreate && command && b.object.Absent():
		res.Specific = append(res.Specific, hook.Member{Name: "worktreePath", Raw: quote(nil, lastLine(plain))})
	default:
		res.Log = plain
	}
	return res, nil
}

// decodeTwo reads the output of a command that ended with exit code 2.
func decodeTwo(event hook.EventName, out Output) hook.Result {
	b := readBody(out.Stdout, out.Truncated)
	res, plain, broken := decodeBody(event, b, neutral, "stands beside exit code 2")
	if broken != nil {
		res.Diagnostics = append(res.Diagnostics, diagnosticOf(broken))
	}
	notice(&res, plain)
	stderr := plainText(out.Stderr)
	info, _ := hook.Lookup(event)
	switch info.ExitTwo {
	case hook.ExitNotice:
		notice(&res, stderr)
	case hook.ExitIgnored:
		res.Log = joined(res.Log, stderr)
	case hook.ExitDeny:
		res.Verdict = hook.Deny
		res.Reason = firstOf(stderr, res.Reason, reasonIn(b.object), "blocked by a hook (exit code 2) that gave no reason")
	}
	return res
}

// decodeFailure reads the output of a command that ended with a code that is
// no answer by itself.
func decodeFailure(event hook.EventName, out Output) (hook.Result, error) {
	b := readBody(out.Stdout, out.Truncated)
	res, plain, broken := decodeBody(event, b, neutral, fmt.Sprintf("stands beside exit code %d", out.Code))
	if broken != nil {
		res.Diagnostics = append(res.Diagnostics, diagnosticOf(broken))
	}
	stderr := plainText(out.Stderr)
	notice(&res, joined(stderr, plain))
	if tightens(res) {
		return res, nil
	}
	failed := hook.Fail(hook.CauseExit, "exit code %d%s", out.Code, firstLine(stderr))
	failed.Blocks = failureBlocks(event)
	return res, failed
}

// decodeBody reads the JSON of a body as far as limit allows. It returns the
// plain text beside it, and an error for what should have been JSON.
func decodeBody(event hook.EventName, b body, limit weight, odd string) (hook.Result, string, *SyntaxError) {
	if b.broken != nil && b.broken.Ambiguous {
		if info, _ := hook.Lookup(event); info.Deciding() {
			return ambiguous(b.broken), "", nil
		}
	}
	if b.object.Absent() {
		return hook.Result{}, b.plain, b.broken
	}
	if b.noise != "" {
		limit, odd = min(limit, neutral), "stands in an object with other text before it"
	}
	res := decodeObject(event, b.object, limit, odd)
	if b.noise == "" {
		return res, "", nil
	}
	counts := "counts because it tightens"
	if !tightens(res) { // then it is text that happens to end in an object
		res = hook.Result{Diagnostics: res.Diagnostics}
		counts = "has no effect because it does not tighten"
	}
	if answers(b.object) {
		res.Diagnostics = append(res.Diagnostics, hook.Diagnostic{
			Severity: hook.Warning,
			Message:  "other text stands before the JSON object, which " + counts,
			Advice:   "print nothing but the object",
		})
	}
	if tightens(res) {
		return res, b.noise, nil
	}
	return res, b.plain, b.broken
}

// answers reports whether o has any field of an answer.
func answers(o hook.Object) bool {
	return slices.ContainsFunc(o.Members(), func(m hook.Member) bool {
		_, ok := named(fields, m.Name)
		return ok
	})
}

// tightens reports whether an answer keeps something from happening.
func tightens(res hook.Result) bool { return res.Verdict >= hook.Ask || res.Halt }

// ambiguous is the answer of a hook that two readers could read differently.
func ambiguous(e *SyntaxError) hook.Result {
	d := diagnosticOf(e)
	return hook.Result{
		Verdict:     hook.Deny,
		Reason:      "blocked: the answer of a hook is ambiguous: " + e.Error(),
		Diagnostics: []hook.Diagnostic{d},
	}
}

func diagnosticOf(e *SyntaxError) hook.Diagnostic {
	return hook.Diagnostic{Severity: hook.Error, Message: "the answer is not one JSON object: " + e.Error()}
}

func unreadable(event hook.EventName, e *SyntaxError) *hook.NoVerdict {
	failed := hook.Fail(hook.CauseAnswer, "the answer is not one JSON object: %w", e)
	failed.Blocks = failureBlocks(event)
	return failed
}

// failureBlocks: a worktree that a hook failed to make or remove was not made
// or removed, whatever onFailure says.
func failureBlocks(event hook.EventName) bool {
	return event == hook.WorktreeCreate || event == hook.WorktreeRemove
}

// plainText returns printed bytes as trimmed, valid text.
func plainText(data []byte) string {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte(byteOrderMark)))
	return strings.ToValidUTF8(string(data), "\ufffd")
}

func notice(res *hook.Result, text string) {
	if text != "" {
		res.Notices = append(res.Notices, text)
	}
}

// joined returns the texts that are not empty, a line each.
func joined(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		if t != "" && b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t)
	}
	return b.String()
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// firstLine returns ": " and the first line of text, or "".
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if line == "" {
		return ""
	}
	return ": " + strings.TrimRight(line, "\r")
}
