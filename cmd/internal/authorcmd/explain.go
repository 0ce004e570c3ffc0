package authorcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

const explainDetail = `Decides about one event like "pawl hook" and tells how: what the event really does, every hook of it with its place, verdict, reason and time, and the merged decision. The event comes from FILE or from standard input.

Hooks that run programs run, but what the session has kept ("once", counters) is neither read nor changed. The exit code is that of "pawl hook --json": 2 on deny, else 0.`

func (o Options) explain() cli.Command {
	e := explainCall{options: o}
	return cli.Command{
		Name:   "explain",
		Args:   "[FILE]",
		About:  "decide like hook, and tell why",
		Detail: explainDetail,
		Flags: append([]cli.Flag{
			cli.Text(&e.agent, "agent", "NAME", "the agent that speaks (default: told by the event)"),
			cli.Switch(&e.json, "json", "print the whole decision as JSON"),
		}, hookcmd.PolicyFlags(&e.policy)...),
		Run: e.run,
	}
}

type explainCall struct {
	options Options
	policy  call.Policy
	agent   string
	json    bool
	event   []byte // that was read from standard input, or nil
}

func (e *explainCall) run(c *cli.Console, args []string) error {
	failing, err := call.New(call.Flags{Agent: e.agent, JSON: true})
	if err != nil {
		return cli.Usagef("--agent: %v", err)
	}
	if len(args) > 1 {
		return cli.Usagef("expected one file, got %d arguments", len(args))
	}
	m, err := e.read(c, args)
	if err == nil {
		err = e.tell(c, m)
	}
	if _, told := errors.AsType[cli.ExitCode](err); err != nil && !told && e.json {
		failing.Heard(m)
		return cli.ExitIf(hookcmd.Reply(c, failing.Fail(err))) // a decision, as of pawl hook --json
	}
	return err
}

// read reads the event from the file that args name, or standard input.
func (e *explainCall) read(c *cli.Console, args []string) (m call.Message, err error) {
	in, name := c.In, "standard input"
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return m, err
		}
		defer f.Close()
		in, name = f, args[0]
	}
	c.Waiting(in)
	data, err := call.ReadEvent(in)
	if err == nil {
		if in == c.In {
			e.event = data
		}
		m, err = call.ReadMessage(data, e.agent)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return m, err
}

func (e *explainCall) tell(c *cli.Console, m call.Message) error {
	ctx, done := cli.Interruptible(context.Background())
	defer done()
	setting, err := m.Setting(call.Here(), e.policy, call.Place.Workspace)
	if err != nil {
		return err
	}
	eng, err := setting.Open(ctx, append(rehearsal(), e.options.Engine...)...)
	if err != nil {
		return err
	}
	e.options.handOver(eng.Unlinked(), e.event)
	dec := m.Dispatch(ctx, eng)
	closeSoon(eng.Engine)
	if i, ok := errors.AsType[cli.Interrupted](context.Cause(ctx)); ok {
		return i
	}
	if e.json {
		return writeJSONDecision(c, m.Event, dec)
	}
	c.Look()
	a := account{c: c, root: setting.Root}
	a.event(m.Event, m.Dialect.Name)
	a.shell(m.Event)
	a.steps(dec.Steps)
	a.decision(dec)
	a.files(eng.Engine)
	return verdictExit(dec)
}

// shell writes what the shell text of the event runs.
func (a account) shell(ev hook.Event) {
	if tool := ev.Tool; tool == "Bash" || tool == "PowerShell" {
		a.commands(rules.Analyze(ev))
	}
}

// files writes which settings decided.
func (a account) files(eng *engine.Engine) {
	names := settingsFiles(eng)
	if len(names) == 0 {
		a.heading("settings", "none found in "+a.root)
		return
	}
	a.heading("settings", "")
	for _, name := range names {
		a.para("  ", a.file(name), same)
	}
}

// settingsFiles returns the files that hooks and rules come from.
func settingsFiles(eng *engine.Engine) []string {
	var names []string
	add := func(file string) {
		if file != "" && !slices.Contains(names, file) {
			names = append(names, file)
		}
	}
	for _, h := range eng.Hooks() {
		add(h.Spec.Source.File)
	}
	for _, r := range eng.PermissionRules() {
		add(r.Spec.Source.File)
	}
	for _, back := range eng.Callbacks() {
		add(back.Source.File)
	}
	return names
}
