package subagent

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Call is what Run is given.
type Call struct {
	Context
	// ID names this attempt in events, as agent_id. Events of the subagent's
	// own, its tool calls, should have it too.
	ID       string
	Notes    []string // for the subagent's model, from hooks on SubagentStart and SubagentStop
	Feedback string   // why a hook did not let the subagent stop; "" at first
	Data     any      // of the Request
}

// work is one dispatch on its way, for one goroutine.
type work struct {
	d       *Dispatcher
	cfg     *Config
	req     Request  // Agent is the one that is tried now
	chain   []string // agents that were tried, and that one
	depth   int
	retries int
	call    Call           // of this attempt
	policy  func() []Hooks // of the Config, for this attempt
	caller  *hook.Caller
	alone   bool // hooks are called outside of a dispatch
	out     Result
	halted  error // by an event
}

// do makes attempts until one of them is the last.
func (w *work) do(ctx context.Context) (Result, error) {
	if w.req.Mode == Fork {
		slot := w.d.forks[w.depth-1]
		select {
		case slot <- struct{}{}:
			defer func() { <-slot }()
		case <-ctx.Done():
		}
	}
	for {
		if ctx.Err() != nil {
			return w.out, context.Cause(ctx)
		}
		err := w.attempt(ctx)
		switch {
		case w.halted != nil:
			return w.out, ending(w.halted, err)
		case err == nil:
			return w.out, nil
		case ctx.Err() != nil:
			return w.out, ending(context.Cause(ctx), err)
		}
		if err = w.failed(ctx, err); err != nil {
			return w.out, err
		}
	}
}

// ending is why a dispatch has ended, with the error of the attempt before.
func ending(why, err error) error {
	if err == nil || errors.Is(err, why) {
		return cmp.Or(err, why)
	}
	return fmt.Errorf("%w; before that: %w", why, err)
}

// attempt runs one agent until it stops.
func (w *work) attempt(ctx context.Context) error {
	w.out.Attempts++
	w.out.Agent = w.req.Agent
	w.call = Call{ID: rand.Text(), Data: w.req.Data, Context: Context{
		ParentAgent: w.req.Parent, SubagentName: w.req.Agent, Mode: w.req.Mode, Task: w.req.Task, Attempt: w.out.Attempts}}
	w.policy = nil
	w.before(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx) // nobody has heard of a start
	}
	w.call.Notes = w.tell(ctx, hook.SubagentStart, "", "").Context
	if w.halted != nil {
		return w.cancel(ctx, w.halted)
	}
	inner := context.WithValue(ctx, depthKey{}, w.depth)
	for goOns := 0; ; goOns++ {
		if ctx.Err() != nil {
			return w.cancel(ctx, context.Cause(ctx))
		}
		call := w.call
		text, cause, err := hook.Bounded(inner, w.caller, w.limit(), func(ctx context.Context) (string, error) { return w.cfg.Run(ctx, call) })
		if err != nil {
			return w.broke(ctx, cause, err)
		}
		dec := w.tell(ctx, hook.SubagentStop, completed, text)
		if ctx.Err() != nil && w.cfg.Dispatch != nil {
			return w.cancel(ctx, context.Cause(ctx)) // hooks were cut off: their answer is none
		}
		if w.goesOn(dec, goOns) {
			continue
		}
		w.out.Text, w.out.Context = text, dec.Context
		if dec.Output != nil {
			w.out.Text = dec.OutputText()
		}
		w.after(ctx)
		return nil
	}
}

// goesOn reports whether hooks keep the subagent from stopping, and tells it
// why. Too many blocks are let pass, so that no hook keeps it going for ever.
func (w *work) goesOn(dec hook.Decision, goOns int) bool {
	if dec.Halted || dec.Verdict <= hook.Allow && dec.ContinueReason == "" {
		return false
	}
	if goOns >= w.cfg.MaxGoOns {
		w.out.Notices = append(w.out.Notices, fmt.Sprintf("pawl: subagent %q was kept from stopping %d times; it stops now", w.req.Agent, goOns))
		return false
	}
	w.call.Feedback = cmp.Or(dec.Reason(), dec.ContinueReason)
	w.call.Notes = append(w.call.Notes[:len(w.call.Notes):len(w.call.Notes)], dec.Context...)
	return true
}

// broke ends an attempt that has failed, or was cancelled.
func (w *work) broke(ctx context.Context, cause hook.Cause, err error) error {
	switch {
	case ctx.Err() != nil:
		return w.cancel(ctx, err)
	case cause == hook.CauseTimeout:
		w.tell(ctx, hook.SubagentStop, timedOut, err.Error())
	default:
		w.tell(ctx, hook.SubagentStop, failed, err.Error())
	}
	return err
}

// cancel ends an attempt because the dispatch has ended. It is told to hooks
// that have time of their own for it.
func (w *work) cancel(ctx context.Context, err error) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), w.cfg.HookTimeout)
	defer done()
	w.tell(ctx, hook.SubagentStop, cancelled, err.Error())
	return err
}

// failed lets hooks decide what follows a failure. It returns nil if there is
// another attempt, else the error of the dispatch.
func (w *work) failed(ctx context.Context, err error) error {
	d := w.decide(ctx, err)
	if ctx.Err() != nil {
		return ending(context.Cause(ctx), err)
	}
	if errors.Is(err, hook.ErrAbandoned) {
		return err
	}
	retry, again := d.(Retry)
	delegate, other := d.(Delegate)
	most := w.maxRetries()
	switch fail, _ := d.(Fail); {
	case fail.Reason != "":
		return fmt.Errorf("%w (%s)", err, fail.Reason)
	case !again && !other:
		return err
	case w.retries >= most:
		return fmt.Errorf("%w (no retry is left of %d)", err, most)
	case other:
		if fault := w.delegate(delegate.Agent); fault != nil {
			return fmt.Errorf("%w; it cannot be delegated: %w", err, fault)
		}
	}
	w.retries++
	if why := hook.Pause(ctx, retry.Delay); why != nil {
		return ending(why, err)
	}
	return nil
}

func (w *work) maxRetries() int {
	if w.cfg.MaxRetries != 0 {
		return max(0, w.cfg.MaxRetries)
	}
	most := maxRetries
	for _, h := range w.hooks() {
		most = max(most, h.MaxRetries)
	}
	return most
}

// delegate puts another agent in the place of the one that has failed.
func (w *work) delegate(agent string) error {
	if err := w.d.known(agent); err != nil {
		return err
	}
	chain := append(w.chain, agent)
	if slices.Contains(w.chain, agent) {
		return fmt.Errorf("subagent %q has failed at this task: %s", agent, strings.Join(chain, " -> "))
	}
	if w.depth == w.cfg.MaxDepth {
		return fmt.Errorf("subagent %q: depth %d, at most %d is allowed: %s", agent, w.depth+1, w.cfg.MaxDepth, strings.Join(chain, " -> "))
	}
	w.req.Agent, w.chain = agent, chain
	w.depth++
	return nil
}
