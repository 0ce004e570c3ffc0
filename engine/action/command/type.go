package command

import (
	"fmt"
	"os"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

// MaxText is the longest command, in bytes.
const MaxText = 32768

// Options are what a host may choose for all commands. The zero Options are
// fine.
type Options struct {
	// Environ returns the environment that commands inherit where the event
	// has none of its own, for each run; nil is os.Environ.
	Environ func() []string
	// Scratch is the directory for INPUT_JSON_FILE; "" is that for temporary
	// files, in the environment of the event.
	Scratch string
	// Confine returns a command that runs c in a sandbox; nil is Bwrap. It may
	// be called concurrently; its error is a NoVerdict.
	Confine func(c process.Command, s Sandbox) (process.Command, error)
}

// Type returns the hook type command.
func Type(opts Options) hook.Type {
	if opts.Environ == nil {
		opts.Environ = os.Environ
	}
	if opts.Confine == nil {
		opts.Confine = Bwrap
	}
	return hook.Type{New: func(spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
		return newAction(opts, spec, deps)
	}}
}

// action is one hook that runs a command.
type action struct {
	opts   Options
	deps   hook.Deps
	source hook.Source
	text   string
	shell  string   // "" is bash
	args   []string // of the exec form
	exec   bool
	limits *limits  // nil: no sandbox
	copies []string // files that stand in the place of others
}

func newAction(opts Options, spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	a := &action{opts: opts, deps: deps, source: spec.Source}
	a.text = r.MustText("command")
	a.args, a.exec = r.Texts("args")
	a.shell = r.Word("shell", "bash", "powershell")
	a.limits = readLimits(r, spec)
	a.checkText(r)
	return a, r.Done()
}

func (a *action) checkText(r *hook.FieldReader) {
	if len(a.text) > MaxText {
		r.Fail("command", fmt.Sprintf("%d bytes, the limit is %d", len(a.text), MaxText), "move it to a script file")
	}
	if strings.ContainsRune(a.text, 0) {
		r.Fail("command", "contains a NUL character", "")
	}
	for i, arg := range a.args {
		if strings.ContainsRune(arg, 0) {
			r.Fail("args", fmt.Sprintf("item %d contains a NUL character", i), "")
		}
	}
	switch {
	case a.exec && a.shell != "":
		r.Warn("shell", "has no effect beside args: no shell runs", "leave out one of them")
	case a.exec && strings.ContainsAny(strings.TrimSpace(a.text), " \t\n") && !strings.Contains(a.text, "/"):
		r.Warn("command", "with args, command is the name of one program; this one has spaces", "put its arguments into args")
	case a.shell == "powershell" && strings.Contains(a.text, "${CLAUDE_"):
		r.Warn("command", "${CLAUDE_…} is a PowerShell variable here, and empty", "write ${env:CLAUDE_…}")
	}
}
