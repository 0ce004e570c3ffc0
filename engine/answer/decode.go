package answer

import (
	"fmt"

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
func Decode(event hook.EventName, out Output) (res hook.Result, err error) {
	switch out.Code {
	case 0:
		res, err = decodeClean(event, readBody(out.Stdout, out.Truncated), true)
		res.Log = joined(res.Log, plainText(out.Stderr))
	case 2:
		res = decodeTwo(event, out)
	default:
		res, err = decodeFailure(event, out)
	}
	if out.Truncated {
		res.Diagnostics = append(res.Diagnostics, hook.Diagnostic{
			Severity: hook.Warning,
			Message:  fmt.Sprintf("stdout was cut after %d bytes, the most a hook may print", len(out.Stdout)),
		})
	}
	return res, err
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
		if path := lastLine(plain); path != "" {
			res.Specific = append(res.Specific, hook.Member{Name: "worktreePath", Raw: quote(nil, path)})
		}
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
