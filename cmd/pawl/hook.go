package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

const hookDetail = `The command that an agent runs at each hook event: the event comes as JSON on standard input, the decision goes to standard output in the agent's own words. Which agent it is shows in the event; --agent says it outright.

If the event cannot be read or the policy cannot be loaded, the exit code is 2, with the reason on standard error, unless the event is one that nothing can block.`

// defaultDeadline is below the timeout that init gives the hook.
const defaultDeadline = 50 * time.Second

func hookCommand() command {
	h := &hookCall{deadline: defaultDeadline}
	return command{
		name:   "hook",
		about:  "answer one event of an agent, from standard input",
		detail: hookDetail,
		flags: append([]flag{
			textFlag(&h.agent, "agent", "NAME", "the agent that speaks (default: told by the event)"),
			switchFlag(&h.json, "json", "answer with the whole decision; exit code 2 on deny, else 0"),
			switchFlag(&h.failOpen, "fail-open", "let the agent go on if Pawl itself fails"),
			textFlag(&h.background, "background", "KEY", "run one background hook for the event (pawl calls itself so)"),
			durationFlag(&h.deadline, "deadline", "the most that all of it may take (default 50s)"),
		}, h.policy.flags()...),
		run: h.run,
	}
}

// hookCall is one call of the hook command.
type hookCall struct {
	policy   policy
	agent    string
	json     bool
	failOpen bool
	deadline time.Duration
	// background is the key of a hook to run instead of answering.
	background string

	// heard is what is known of the event so far, for the reply if the rest
	// fails.
	heard atomic.Pointer[heard]
}

// heard is an event as far as it has been read.
type heard struct {
	dialect dialect.Dialect // of the reply
	event   hook.EventName
	known   bool
}

func (h *hookCall) run(c *console, args []string) error {
	if err := noArgs(args); err != nil {
		return err
	}
	if h.background != "" {
		return h.runBackground(c)
	}
	if err := h.listen(); err != nil {
		return err
	}
	return exitIf(c.reply(h.answer(c)))
}

// listen notes the dialect of the reply before there is an event.
func (h *hookCall) listen() error {
	d := dialect.Detect(hook.Object{})
	if h.agent != "" {
		named, ok := dialect.Named(h.agent)
		if !ok {
			u := usagef("--agent: unknown agent %q", h.agent)
			u.advice = hook.DidYouMean(h.agent, agentNames())
			return u
		}
		d = named
	}
	h.hear(d, "", false)
	return nil
}

func agentNames() []string {
	var names []string
	for _, d := range dialect.All() {
		names = append(names, d.Name)
	}
	return names
}

func (h *hookCall) hear(d dialect.Dialect, event hook.EventName, known bool) {
	if own, ok := dialect.Named("pawl"); ok && h.json {
		d = own
	}
	h.heard.Store(&heard{d, event, known})
}

// killTime is how long hooks that are told to end may take: more than package
// process needs.
const killTime = time.Second

// answer returns the reply, within the deadline whatever happens: a stuck
// standard input and a stuck hook end alike, with the whole process.
func (h *hookCall) answer(c *console) dialect.Reply {
	ctx, cancel := context.WithTimeout(context.Background(), h.deadline-min(h.deadline/20, killTime))
	defer cancel()
	late := time.AfterFunc(h.deadline, func() {
		os.Exit(c.reply(h.fail(fmt.Errorf("no decision within %v", h.deadline))))
	})
	r := h.decide(ctx, c)
	if !late.Stop() {
		select {} // the reply that is on its way stands
	}
	return r
}

// decide runs the whole pipeline.
func (h *hookCall) decide(ctx context.Context, c *console) (r dialect.Reply) {
	defer func() {
		if p := recover(); p != nil {
			r = h.fail(fmt.Errorf("panic: %v (a bug of pawl)", p))
		}
	}()
	m, err := readMessage(c.in, h.agent)
	if m.dialect.Name != "" {
		h.hear(m.dialect, m.event.Name, m.event.Name != "")
	}
	if err != nil {
		return h.fail(fmt.Errorf("the event on standard input: %w", err))
	}
	opts := []engine.Option{engine.WithDetach(func(key string, ev hook.Event) error { return h.detach(c, key, ev) })}
	if m.event.Name.ToolEvent() { // others tell of all that is broken
		opts = append(opts, engine.WithLazyConditions())
	}
	eng, _, err := m.open(ctx, c, &h.policy, opts...)
	if err != nil {
		return h.fail(err)
	}
	if !startsProcesses(eng, m.event.Name) {
		return h.heard.Load().dialect.Encode(m.event, m.dispatch(ctx, eng))
	}
	// A signal ends the hooks, which are in sessions of their own, and is a
	// failure: what the killed ones left is no decision.
	ctx, done := interruptible(ctx)
	defer done()
	dec := m.dispatch(ctx, eng)
	if i, ok := errors.AsType[interrupted](context.Cause(ctx)); ok {
		return h.fail(i)
	}
	return h.heard.Load().dialect.Encode(m.event, dec)
}

// startsProcesses reports whether a hook on event may start one. Watching for
// signals costs a process start some threads, and without children the usual
// end by a signal is enough.
func startsProcesses(eng *engine.Engine, event hook.EventName) bool {
	return slices.ContainsFunc(eng.Hooks(), func(x engine.Hook) bool {
		return x.Spec.Event == event && x.Spec.Type == "command" && x.Gate == ""
	})
}

// fail returns the reply when there is no decision.
func (h *hookCall) fail(err error) dialect.Reply {
	k := h.heard.Load()
	return dialect.Failure(k.dialect, k.event, k.known, "pawl: "+err.Error(), h.failOpen)
}

// reply writes r and returns the exit code: 2 if the answer gets lost.
func (c *console) reply(r dialect.Reply) int {
	if len(r.Stdout)+len(r.Stderr) > 0 {
		// Caught and not ignored: that would pass to processes we start.
		signal.Notify(make(chan os.Signal, 1), brokenPipe)
	}
	c.out.Write(r.Stdout)
	err := c.flushed()
	if err == nil && len(r.Stdout) > 0 && r.Code == 0 && isNull(os.Stdout) {
		err = fmt.Errorf("standard output is closed, or %s", os.DevNull)
	}
	c.err.Write(r.Stderr)
	if err != nil {
		fmt.Fprintf(c.err, "pawl: the answer is lost: %v\n", err)
		c.out.Reset(io.Discard) // it has been told
		return 2
	}
	return r.Code
}

// isNull reports whether what is written to f goes nowhere. The Go runtime
// puts the null device where standard output is closed, so that a decision
// would get lost without an error.
func isNull(f *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(info, null)
}
