package command

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

var _ hook.Action = (*action)(nil)

// Run runs the command on the event and reads its answer.
func (a *action) Run(ctx context.Context, c hook.Call) (hook.Result, error) {
	run, changed, err := a.inForce(ctx)
	if err != nil {
		return hook.Result{}, err
	}
	res, err := run.answer(ctx, c)
	if len(changed) > 0 {
		return ofCopies(res, err, changed)
	}
	return res, err
}

// answer runs the command as it stands.
func (a *action) answer(ctx context.Context, c hook.Call) (hook.Result, error) {
	ev, line := c.Message()
	m := message{ev, line}
	vars := a.variables(m)
	dir, moved := a.place(m.event)
	if vars.inputLeftOut() {
		path, err := a.spill(m)
		if err != nil {
			failed := hook.Fail(hook.CauseSpawn, "the event is too large for INPUT_JSON and cannot be stored: %w", err)
			failed.Blocks = true
			return hook.Result{}, failed
		}
		defer os.Remove(path)
		vars.set["INPUT_JSON_FILE"] = path
	}
	if dir != "" {
		vars.set["PWD"] = dir // as a shell would; the inherited one is of another place
	}
	inherited := m.event.Env
	if inherited == nil {
		inherited = a.opts.Environ()
	}
	env := process.Environ(inherited, vars.set, vars.unset...)
	res, err := a.execute(ctx, c.Hook, m.event.Name, process.Command{Dir: dir, Env: env, Stdin: m.line}, vars)
	if moved != "" {
		res.Notices = append(res.Notices, moved)
	}
	if len(vars.leftOut) > 0 {
		return a.withoutVariables(res, err, vars.leftOut, dir, env)
	}
	return res, err
}

// execute runs c with the command's own words.
func (a *action) execute(ctx context.Context, spec *hook.Spec, event hook.EventName, c process.Command, vars variables) (hook.Result, error) {
	var err error
	if c.Argv, err = a.argv(vars, c.Env); err != nil {
		return hook.Result{}, err
	}
	out, err := a.start(ctx, c, vars.set["INPUT_JSON_FILE"])
	res, err := a.read(spec, event, out, err)
	if out.Left {
		res.Diagnostics = append(res.Diagnostics, hook.Diagnostic{Severity: hook.Warning,
			Message: "something that the command started has left its process group, and goes on", Advice: "have the command wait for what it starts"})
	}
	return res, err
}

// read reads what the command left behind.
func (a *action) read(spec *hook.Spec, event hook.EventName, out process.Output, err error) (hook.Result, error) {
	if err == nil && out.Signal != "" {
		err = hook.Fail(hook.CauseSignal, "ended by a signal: %s", out.Signal)
	}
	if err != nil {
		failed := *hook.AsNoVerdict(err)
		failed.Blocks = failed.Blocks || errors.Is(err, syscall.E2BIG) // the agent picks the size
		return hook.Result{Log: tail(out.Stderr)}, &failed
	}
	if spec.Rewake && out.Code == 2 {
		return hook.Result{Wake: wakeText(out)}, nil
	}
	return answer.Decode(event, answer.Output{
		Stdout: out.Stdout, Stderr: out.Stderr, Code: out.Code, Truncated: out.StdoutTruncated,
	})
}

// wakeText is what an asyncRewake hook wakes the agent with: stderr, else
// stdout (Claude Code).
func wakeText(out process.Output) string {
	for _, b := range [][]byte{out.Stderr, out.Stdout} {
		if text := strings.ToValidUTF8(strings.TrimSpace(string(b)), "\ufffd"); text != "" {
			return text
		}
	}
	return "a background hook ended with exit code 2 and said nothing"
}

// argv is what is executed.
func (a *action) argv(vars variables, env []string) ([]string, error) {
	if a.exec {
		fill := vars.placeholders()
		argv := []string{fill.Replace(a.text)}
		for _, arg := range a.args {
			argv = append(argv, fill.Replace(arg))
		}
		return argv, nil
	}
	names, flags := []string{"bash"}, []string{"--noprofile", "--norc", "-c"}
	if a.shell == "powershell" {
		names, flags = []string{"pwsh", "powershell"}, []string{"-NoProfile", "-NonInteractive", "-Command"}
	}
	shell, err := lookup(names, env)
	if err != nil {
		return nil, hook.Fail(hook.CauseSpawn, "no shell to run the command: %w (install it, or give args, which needs no shell)", err)
	}
	return append(append([]string{shell}, flags...), a.text), nil
}

// lookup finds the first program of names that is on the PATH of env.
func lookup(names, env []string) (path string, err error) {
	for _, name := range names {
		if path, err = process.Look(name, env); err == nil {
			return path, nil
		}
	}
	return "", err
}

// tail returns the end of what a failed command printed, for the log.
func tail(b []byte) string {
	const most = 4096
	return strings.ToValidUTF8(strings.TrimSpace(string(b[max(0, len(b)-most):])), "\ufffd")
}
