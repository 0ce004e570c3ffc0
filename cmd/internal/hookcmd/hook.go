package hookcmd

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

const detail = `The command that an agent runs at each hook event: the event comes as JSON on standard input, the decision goes to standard output in the agent's own words. Which agent it is shows in the event; --agent says it outright.

If the event cannot be read or the policy cannot be loaded, the exit code is 2, with the reason on standard error, unless the event is one that nothing can block.

If pawld runs, it is asked, and the answer is the same; PAWL_DAEMON=off has this process decide by itself.`

const (
	// defaultDeadline is below the timeout that init gives the hook.
	defaultDeadline = 50 * time.Second
	// closeWait is how long servers that hooks have started may take to end,
	// after the answer.
	closeWait = 500 * time.Millisecond
)

// Options are what the two programs do not share. The zero Options are fine.
type Options struct {
	// Engine are options of every engine: the hook types that it links.
	Engine []engine.Option
	// Resident: if a resident engine runs, it is asked first.
	Resident bool
	// HandOver has another program answer the event, with this deadline and
	// otherwise the same arguments: it replaces this process, or returns if
	// there is no such program.
	HandOver func(event []byte, deadline time.Duration)
}

// Command returns the hook command.
func Command(o Options) cli.Command {
	h := &hookCall{options: o, deadline: defaultDeadline}
	return cli.Command{
		Name:   "hook",
		About:  "answer one event of an agent, from standard input",
		Detail: detail,
		Flags: append([]cli.Flag{
			cli.Text(&h.flags.Agent, "agent", "NAME", "the agent that speaks (default: told by the event)"),
			cli.Switch(&h.flags.JSON, "json", "answer with the whole decision; exit code 2 on deny, else 0"),
			cli.Switch(&h.flags.FailOpen, "fail-open", "let the agent go on if Pawl itself fails"),
			cli.Text(&h.background, "background", "KEY", "run one background hook for the event (pawl calls itself so)"),
			cli.Text(&h.root, "root", "DIR", "the workspace of the background hook"),
			cli.Duration(&h.deadline, "deadline", "the most that all of it may take (default 50s)"),
			cli.Switch(&h.audit, "audit", "record the decision in the audit log (or set PAWL_AUDIT=1)"),
		}, append(h.ledger.Flags(), PolicyFlags(&h.flags.Policy)...)...),
		Run: h.run,
	}
}

// PolicyFlags are the flags that say which settings count.
func PolicyFlags(p *call.Policy) []cli.Flag {
	return []cli.Flag{
		cli.List(&p.Files, "config", "FILE", "settings file to use instead of those of the workspace; may be given again"),
		cli.Switch(&p.Claude, "claude-settings", "read the hooks and permissions of .claude/settings.json too"),
	}
}

// hookCall is one run of the command.
type hookCall struct {
	options  Options
	flags    call.Flags
	deadline time.Duration
	// background is the key of a hook to run instead of answering, in the
	// workspace root.
	background, root string

	audit  bool
	ledger Ledger
	log    *audit.Log // nil if the call is not recorded

	call       *call.Call
	engine     *call.Engine // that answered here
	start, end time.Time
	event      atomic.Pointer[[]byte] // once it has been read
}

func (h *hookCall) run(c *cli.Console, args []string) (err error) {
	if err := cli.NoArgs(args); err != nil {
		return err
	}
	if h.background != "" {
		return h.runBackground(c)
	}
	if h.call, err = call.New(h.flags); err != nil {
		return cli.Usagef("--agent: %v", err)
	}
	if err := h.openLog(c.Getenv); err != nil {
		return err
	}
	code := h.finish(c, h.answer(c))
	if h.engine != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		h.engine.Close(ctx) // the error says that some were stopped
	}
	return cli.ExitIf(code)
}

// finish writes the answer, records it and returns the exit code.
func (h *hookCall) finish(c *cli.Console, a answer) int {
	code := Reply(c, a.Reply)
	if !a.resident {
		h.record(c, a.Outcome)
	}
	return code
}

func (h *hookCall) runBackground(c *cli.Console) error {
	event, err := call.ReadEvent(c.In)
	if err != nil {
		return err
	}
	ctx, done := cli.Interruptible(context.Background())
	defer done()
	return call.RunBackground(ctx, call.Here(), h.flags.Policy, h.root, h.background, event, h.options.Engine...)
}

// answer is what a call came to.
type answer struct {
	call.Outcome
	resident bool // told by the resident engine, which keeps a record of its own
}

// answer returns within the deadline whatever happens: a stuck standard input
// and a stuck hook end alike, with the whole process.
func (h *hookCall) answer(c *cli.Console) answer {
	h.start = time.Now()
	h.end = h.start.Add(h.deadline)
	late := time.AfterFunc(h.deadline, func() {
		os.Exit(h.finish(c, h.fail(fmt.Errorf("no decision within %v", h.deadline))))
	})
	a := h.decide(c)
	if !late.Stop() {
		select {} // the reply that is on its way stands
	}
	return a
}

// fail is the answer without a decision, about the event if it has been read.
func (h *hookCall) fail(err error) (a answer) {
	if event := h.event.Load(); event != nil {
		a.Outcome = h.call.FailOn(*event, err)
	} else {
		a.Outcome = call.Outcome{Err: err, Reply: h.call.Fail(err)}
	}
	a.Took = time.Since(h.start)
	return a
}

// decide has the resident engine answer, or answers here.
func (h *hookCall) decide(c *cli.Console) (a answer) {
	ctx, cancel := call.Until(context.Background(), h.end)
	defer cancel()
	c.Waiting(c.In)
	event, err := call.ReadEvent(c.In)
	if err != nil {
		return h.fail(fmt.Errorf("the event on standard input: %w", err))
	}
	h.event.Store(&event)
	place := call.Here()
	if h.options.Resident {
		if a, ok := h.ask(place, event); ok {
			return a
		}
	}
	return answer{Outcome: h.call.Answer(ctx, h.desk(event), place, event)}
}

// desk is what this process answers with.
func (h *hookCall) desk(event []byte) *call.Desk {
	return &call.Desk{
		Open: func(ctx context.Context, s call.Setting, name hook.EventName) (*call.Engine, error) {
			eng, err := s.OpenOnce(ctx, name, h.options.Engine...)
			if err == nil {
				h.engine = eng
			}
			return eng, err
		},
		Lacking: func([]string) {
			if h.options.HandOver != nil {
				h.options.HandOver(event, time.Until(h.end))
			}
		},
		Begin: begin,
	}
}

// begin watches for signals where a hook may start a process: it hears nothing
// of them in a session of its own. That costs a process start some threads,
// and without children the usual end by a signal is enough.
func begin(ctx context.Context, does engine.SideEffects) (context.Context, func(), error) {
	if does&engine.Starts == 0 {
		return ctx, func() {}, nil
	}
	ctx, done := cli.Interruptible(ctx)
	return ctx, done, nil
}
