package subagent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// ErrClosed is the error of dispatches that Close has ended or refused.
var ErrClosed = errors.New("the subagent dispatcher is closed")

// Config is what a Dispatcher is made with. Of the bounds, 0 takes the default
// and a negative number is none at all; negative times are errors.
type Config struct {
	// Run runs a subagent until it stops and returns what it said. It is
	// called from several goroutines and must return when ctx ends. A
	// subagent that dispatches further ones hands on ctx, which carries the
	// depth. An error, a panic and the end of the timeout are failures.
	Run   func(ctx context.Context, c Call) (string, error)
	Hooks []Hooks // called in this order
	// Policy returns, for one attempt, the func that gives the hooks which are
	// called before those. That is called each time, so that hooks may change
	// while subagents run; both return at once. nil: there are none.
	Policy func(session string, c Context) func() []Hooks
	// Observe is told when each hook starts and ends: the Event is the name
	// of the func. It is called as hooks are and returns at once. nil: nobody.
	Observe func(hook.Progress)
	// Dispatch answers SubagentStart and SubagentStop: the method of an
	// engine. It returns when ctx ends. nil: nobody is asked. (A dispatch fails
	// for which Policy or Observe panics, or any of the three ends its goroutine.)
	Dispatch func(context.Context, hook.Event) hook.Decision

	Session, Dir string   // of the events
	Agents       []string // all that may be dispatched to; nil: any name

	MaxForks    int           // forks at once for each depth; default 5, none is an error
	MaxDepth    int           // default 3
	MaxRetries  int           // retries and delegates of a dispatch; default 3, or what Hooks want
	MaxGoOns    int           // how often hooks may block one stop, which then passes; default 8
	Timeout     time.Duration // of one run; default 10 minutes
	HookTimeout time.Duration // of one call of a hook; default 10 seconds
}

// maxRetries is the default of Config.MaxRetries (echo-agent).
const maxRetries = 3

// Dispatcher dispatches to subagents. Make one with New.
type Dispatcher struct {
	cfg     Config
	forks   []chan struct{} // by depth: one element for each fork at work
	closing context.Context
	close   context.CancelCauseFunc

	mu      sync.Mutex // orders Dispatch before or after Close
	running sync.WaitGroup
}

// New returns a Dispatcher, or an error that says all that is wrong with c.
func New(c Config) (*Dispatcher, error) {
	var errs []error
	if c.Run == nil {
		errs = append(errs, errors.New("subagent dispatcher: Run is missing"))
	}
	if c.MaxForks < 0 {
		errs = append(errs, fmt.Errorf("subagent dispatcher: MaxForks is %d, expected 1 or more", c.MaxForks))
	}
	if c.Timeout < 0 || c.HookTimeout < 0 {
		errs = append(errs, fmt.Errorf("subagent dispatcher: Timeout is %v and HookTimeout %v, expected 0 or more", c.Timeout, c.HookTimeout))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.Hooks = slices.Clone(c.Hooks)
	for i := range c.Hooks {
		c.Hooks[i].Name = cmp.Or(c.Hooks[i].Name, fmt.Sprintf("hooks[%d]", i))
	}
	orDefault(&c.MaxForks, 5)
	orDefault(&c.MaxDepth, 3)
	orDefault(&c.MaxGoOns, 8)
	orDefault(&c.Timeout, 10*time.Minute)
	orDefault(&c.HookTimeout, 10*time.Second)
	d := &Dispatcher{cfg: c}
	for range c.MaxDepth {
		d.forks = append(d.forks, make(chan struct{}, c.MaxForks))
	}
	d.closing, d.close = context.WithCancelCause(context.Background())
	return d, nil
}

// orDefault puts value in the place of 0, and 0 in that of a negative number.
func orDefault[T int | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
	*field = max(0, *field)
}

// Close cancels all dispatches with ErrClosed and waits until they have ended,
// or for the end of ctx, whose error it then returns. It may be called again.
func (d *Dispatcher) Close(ctx context.Context) error {
	d.mu.Lock()
	d.close(ErrClosed)
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		d.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Request asks for a subagent.
type Request struct {
	Parent string // name of the agent that asks
	Agent  string // name of the subagent
	Mode   Mode
	Task   string
	Data   any // of the host, handed to Run as it is
}

// Dispatch sends req on its way. With Sync it returns when the subagent has
// ended, else at once. The context ends the dispatch, but for a Teammate,
// which has only its values.
func (d *Dispatcher) Dispatch(ctx context.Context, req Request) *Running {
	if req.Mode == "" {
		req.Mode = Sync
	}
	depth := depthOf(ctx) + 1
	if req.Mode == Teammate {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Running{cancel: cancel, done: make(chan struct{})}
	w := &work{d: d, cfg: &d.cfg, req: req, depth: depth, chain: []string{req.Agent}}
	if err := d.begin(w); err != nil {
		r.err = err
		r.end()
		return r
	}
	detach := context.AfterFunc(d.closing, func() { cancel(ErrClosed) })
	do := func() {
		defer d.running.Done()
		defer detach()
		defer r.end()
		var caller hook.Caller
		defer caller.End()
		w.caller = &caller
		whole := false
		defer func() {
			if !whole { // a func of the host that nothing bounds has ended this goroutine
				r.result, r.err = w.out, hook.Lost(recover())
			}
		}()
		r.result, r.err = w.do(ctx)
		whole = true
	}
	if req.Mode == Sync {
		do()
	} else {
		go do()
	}
	return r
}

// begin checks a dispatch and counts it as running.
func (d *Dispatcher) begin(w *work) error {
	if modes := []string{string(Sync), string(Fork), string(Teammate)}; !slices.Contains(modes, string(w.req.Mode)) {
		return fmt.Errorf("subagent %q: unknown mode %q, expected one of %v", w.req.Agent, w.req.Mode, modes)
	}
	if err := d.known(w.req.Agent); err != nil {
		return err
	}
	if w.depth > d.cfg.MaxDepth {
		return fmt.Errorf("subagent %q: depth %d, at most %d is allowed", w.req.Agent, w.depth, d.cfg.MaxDepth)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closing.Err() != nil {
		return ErrClosed
	}
	d.running.Add(1)
	return nil
}

// known reports an agent that cannot be dispatched to.
func (d *Dispatcher) known(agent string) error {
	switch {
	case agent == "":
		return errors.New("subagent: no agent is named")
	case d.cfg.Agents == nil || slices.Contains(d.cfg.Agents, agent):
		return nil
	}
	err := fmt.Errorf("subagent %q is not known", agent)
	if advice := hook.DidYouMean(agent, d.cfg.Agents); advice != "" {
		err = fmt.Errorf("%w (%s)", err, advice)
	}
	return err
}

// Running is a dispatch on its way, or at its end.
type Running struct {
	cancel context.CancelCauseFunc
	done   chan struct{}
	result Result
	err    error
}

// end lets Wait return.
func (r *Running) end() {
	r.cancel(nil)
	close(r.done)
}

// Done is closed when the dispatch has ended.
func (r *Running) Done() <-chan struct{} { return r.done }

// Cancel ends the dispatch, which then fails with context.Canceled. It does
// not wait.
func (r *Running) Cancel() { r.cancel(context.Canceled) }

// Wait returns what the dispatch came to, or the error of ctx if that ends
// first; the dispatch then goes on. The error of a dispatch is that of its
// last attempt, the cause of its cancellation, or a *hook.Halt, beside which
// the Result may be whole. With any error, the Result has the trace.
func (r *Running) Wait(ctx context.Context) (Result, error) {
	select {
	case <-r.done:
		return r.result, r.err
	default:
	}
	select {
	case <-r.done:
		return r.result, r.err
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

// depthKey is where the context of a run has its depth.
type depthKey struct{}

func depthOf(ctx context.Context) int {
	depth, _ := ctx.Value(depthKey{}).(int)
	return depth
}
