package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// backgroundMost is how many background hooks may run at once.
const backgroundMost = 16

// background owns the goroutines of async hooks.
type background struct {
	ctx  context.Context
	stop context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running int
	idle    chan struct{} // closed when, after close, nothing runs
}

func newBackground() *background {
	ctx, cancel := context.WithCancel(context.Background())
	return &background{ctx: ctx, stop: cancel, idle: make(chan struct{})}
}

// run starts f if there is room for it.
func (g *background) run(f func(ctx context.Context)) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return errors.New("the engine is closed")
	case g.running >= backgroundMost:
		return fmt.Errorf("%d background hooks are running already", backgroundMost)
	}
	g.running++
	go func() {
		defer g.done()
		f(g.ctx)
	}()
	return nil
}

func (g *background) done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running--; g.closed && g.running == 0 {
		close(g.idle)
	}
}

// close lets nothing more start, waits until ctx ends, and stops what still
// runs then.
func (g *background) close(ctx context.Context) error {
	g.mu.Lock()
	if !g.closed {
		if g.closed = true; g.running == 0 {
			close(g.idle)
		}
	}
	g.mu.Unlock()
	defer g.stop()
	select {
	case <-g.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// startLater starts the async hooks that match the final input. They cannot
// decide; a step says that they were started.
func (d *dispatch) startLater(dec *hook.Decision) {
	if d.hooks == nil || !d.hooks.async {
		return
	}
	for _, i := range d.find() {
		b := d.hooks.hooks[i]
		if !b.spec.Async {
			continue
		}
		c := candidate{b, d.matches(b)}
		switch {
		case c.match.Tri == hook.No:
			if d.snap.trace {
				dec.Steps = append(dec.Steps, b.step(hook.NotMatch, c.match.Why))
			}
			continue
		case b.gate != "":
			dec.Steps = append(dec.Steps, b.step(hook.Gated, b.gate))
			continue
		}
		if b.when != nil {
			if m, err := d.condition(b); err == nil && m.Tri == hook.No {
				if d.snap.trace {
					dec.Steps = append(dec.Steps, b.step(hook.NotMatch, join("the condition is false", m.Why)))
				}
				continue
			}
		}
		if b.spec.Once && !d.claim(b) {
			dec.Steps = append(dec.Steps, b.step(hook.Skipped, "once: it has run in this session"))
			continue
		}
		if err := d.start(c); err != nil {
			if b.spec.Once {
				d.release(b)
			}
			step := b.step(hook.Failed, err.Error())
			step.Cause = hook.CauseSpawn
			dec.Steps = append(dec.Steps, step)
			dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: background hook %s did not start: %v", b.where(), err))
			continue
		}
		d.wakes = d.wakes || b.spec.Rewake
		dec.Steps = append(dec.Steps, b.step(hook.Started, "in the background"))
	}
}

// start hands one async hook to the host, or to a goroutine.
func (d *dispatch) start(c candidate) error {
	if d.eng.cfg.detach != nil {
		return d.eng.cfg.detach(c.hook.key(), d.facts.Event)
	}
	facts := d.facts
	return d.eng.background.run(func(ctx context.Context) { d.eng.runLater(ctx, c, facts) })
}

// key names a hook among all of a workspace: IDs are of one file.
func (b *bound) key() string { return b.spec.Source.File + "#" + b.spec.ID }

// runLater runs one async hook to its end and delivers what it has to say.
func (e *Engine) runLater(ctx context.Context, c candidate, facts *hook.Facts) {
	b, session := c.hook, facts.Event.Session
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	res, err := guarded(ctx, b.action, hook.Call{Facts: facts, Hook: &b.spec, Matched: c.match, Final: true})
	step := b.step(hook.Ran, "in the background")
	said := left{context: res.Context, notices: res.Notices}
	if err != nil {
		n := hook.AsNoVerdict(err)
		step.Status, step.Cause, step.Detail = hook.Failed, n.Cause, n.Err.Error()
		e.cfg.log.Warn("background hook failed", "hook", b.spec.ID, "error", err)
		why := "pawl: background hook " + b.failure(n)
		said.notices = append([]string{why}, slices.DeleteFunc(said.notices, func(text string) bool { return strings.Contains(why, text) })...)
		e.giveBack(b, session)
	}
	if res.Verdict > hook.Allow {
		step.Would, step.Detail = res.Verdict, join(step.Detail, "too late to decide")
	}
	for _, x := range res.Diagnostics {
		step.Detail = join(step.Detail, x.Error())
	}
	if b.spec.Observe {
		step.Status = hook.Observed
	} else {
		e.deliver(c.hook, &facts.Event, res.Wake, said, &step)
	}
	e.cfg.observe(hook.Progress{Event: b.spec.Event, Session: session, Hook: b.spec.ID, Message: b.spec.Message, Ended: true, Step: step})
}

// deliver wakes the agent through the host, if it is to wake, and leaves the
// rest for a later event of the session.
func (e *Engine) deliver(b *bound, ev *hook.Event, wake string, said left, step *hook.Step) {
	switch {
	case !b.spec.Rewake || wake == "":
	case !e.countWake(ev):
		step.Detail = "it would wake the agent once more; too many blocks and wakes in a row"
		e.cfg.log.Warn("a wake was dropped", "hook", b.spec.ID, "why", step.Detail)
	case e.cfg.wake != nil:
		e.cfg.wake(ev.Session, e.spill(wake))
	default:
		said.wakes = []string{wake}
	}
	if said.len() > 0 {
		e.leave(ev.Session, said)
	}
}

// RunDetached runs one background hook that WithDetach was given, to its end;
// key is what names it there. The event must have the final input. It returns
// an error if there is no such hook now; how the hook ended is for the
// observer and the log.
func (e *Engine) RunDetached(ctx context.Context, key string, ev Event) error {
	snap := e.current.Load()
	facts := snap.analyzer.Analyze(ev)
	for _, b := range snap.hooks {
		if b.key() == key && b.spec.Event == ev.Name && b.spec.Async && b.gate == "" {
			e.runLater(ctx, candidate{b, b.match(facts)}, facts)
			return nil
		}
	}
	err := fmt.Errorf("no background hook %q on %s", key, ev.Name)
	e.leave(ev.Session, left{notices: []string{"pawl: " + err.Error() + ": the policy has changed since it was started"}})
	return err
}
