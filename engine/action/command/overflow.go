package command

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// spill stores an INPUT_JSON of m that is too large for a variable in a file that
// only the user can read. The caller removes it.
func (a *action) spill(m message) (path string, err error) {
	dir := a.opts.Scratch
	if dir == "" {
		dir = m.event.TempDir()
	}
	f, err := os.CreateTemp(dir, "pawl-input-*.json") // mode 0600
	if err != nil {
		return "", err
	}
	if err = errors.Join(m.flat(bufio.NewWriterSize(f, 1<<16)), f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// withoutVariables judges an answer that was given without some variables.
// A hook that wants INPUT_JSON, or may want it, has not seen what it was to
// judge: only an answer that stops something counts.
func (a *action) withoutVariables(res hook.Result, err error, leftOut []string, dir string, env []string) (hook.Result, error) {
	if slices.Contains(leftOut, "CLAUDE_OUTPUT") && a.search("CLAUDE_OUTPUT", dir, env).found {
		res.Notices = append(res.Notices, "CLAUDE_OUTPUT was left out: the text is larger than 96 KiB; the event on stdin holds it")
	}
	stops := err == nil && (res.Verdict >= hook.Ask || res.Halt)
	if stops || !slices.Contains(leftOut, "INPUT_JSON") {
		return res, err
	}
	wants := "the hook wants it"
	switch s := a.search("INPUT_JSON", dir, env); {
	case s.found:
	case s.doubt != "":
		wants = "it cannot be told whether the hook wants it: " + s.doubt
	default:
		return res, err
	}
	why := "the event is larger than 96 KiB, so INPUT_JSON was left out, and " + wants + " (let it read the event from stdin, or block by itself)"
	failed := &hook.NoVerdict{Cause: hook.CauseAnswer, Err: errors.New(why), Blocks: true}
	if err != nil {
		n := hook.AsNoVerdict(err)
		failed.Cause, failed.Err = n.Cause, fmt.Errorf("%w; %s", n.Err, why)
	}
	return hook.Result{Context: res.Context, Notices: res.Notices, Log: res.Log, Diagnostics: res.Diagnostics}, failed
}
