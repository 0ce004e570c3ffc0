package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

const explainDetail = `Decides about one event like "pawl hook" and tells how: what the event really does, every hook of it with its place, verdict, reason and time, and the merged decision. The event comes from FILE or from standard input.

Hooks that run programs run, but what the session has kept ("once", counters) is neither read nor changed. The exit code is that of "pawl hook --json": 2 on deny, else 0.`

func explainCommand() command {
	var e explainCall
	return command{
		name:   "explain",
		args:   "[FILE]",
		about:  "decide like hook, and tell why",
		detail: explainDetail,
		flags: append([]flag{
			textFlag(&e.agent, "agent", "NAME", "the agent that speaks (default: told by the event)"),
			switchFlag(&e.json, "json", "print the whole decision as JSON"),
		}, e.policy.flags()...),
		run: e.run,
	}
}

type explainCall struct {
	policy policy
	agent  string
	json   bool
}

func (e *explainCall) run(c *console, args []string) error {
	call := hookCall{agent: e.agent, json: true}
	if err := call.listen(); err != nil {
		return err
	}
	if len(args) > 1 {
		return usagef("expected one file, got %d arguments", len(args))
	}
	m, err := e.read(c, args)
	if err == nil {
		err = e.tell(c, m)
	}
	if _, told := errors.AsType[exitCode](err); err != nil && !told && e.json {
		call.hear(call.heard.Load().dialect, m.event.Name, m.event.Name != "")
		return exitIf(c.reply(call.fail(err))) // a decision, as of pawl hook --json
	}
	return err
}

// read reads the event from the file that args name, or standard input.
func (e *explainCall) read(c *console, args []string) (m message, err error) {
	in, name := c.in, "standard input"
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return m, err
		}
		defer f.Close()
		in, name = f, args[0]
	}
	if m, err = readMessage(in, e.agent); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return m, err
}

func (e *explainCall) tell(c *console, m message) error {
	ctx, done := interruptible(context.Background())
	defer done()
	eng, root, err := m.open(ctx, c, &e.policy, rehearsal()...)
	if err != nil {
		return err
	}
	dec := m.dispatch(ctx, eng)
	closeSoon(eng)
	if i, ok := errors.AsType[interrupted](context.Cause(ctx)); ok {
		return i
	}
	if e.json {
		return writeJSONDecision(c, m.event, dec)
	}
	c.look()
	a := account{c: c, root: root}
	a.event(m.event, m.dialect.Name)
	a.shell(m.event)
	a.steps(dec.Steps)
	a.decision(dec)
	a.files(eng)
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
	return names
}
