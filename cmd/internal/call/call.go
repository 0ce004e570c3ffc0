package call

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Flags are those of the hook command that the answer depends on.
type Flags struct {
	Agent    string // "" to tell it by the event
	JSON     bool   // answer with the whole decision
	FailOpen bool
	Policy
}

// Desk is what a program lends to its calls. Only Open must be set.
type Desk struct {
	// Open returns the engine for a setting, to decide an event.
	Open func(ctx context.Context, s Setting, event hook.EventName) (*Engine, error)
	// Workspace finds the workspace of an event in dir. Default: Place.Workspace.
	Workspace func(p Place, dir string) (root string, unread []string)
	// Lacking is told which hook types the settings want and this program does
	// not link. It may answer the call elsewhere and never return.
	Lacking func(types []string)
	// Begin is called before the event has the given side effects, and only
	// if it may have some. The dispatch runs under the context that it
	// returns, and not at all after an error; done is called when it has
	// ended. If that context ends with a cause of its own, which says who
	// ended it, the reply is a failure.
	Begin func(ctx context.Context, does engine.SideEffects) (during context.Context, done func(), err error)
}

// Outcome is what a call came to. Its parts must not be changed, and the
// event's Env not be kept.
type Outcome struct {
	Event    hook.Event    // as far as it could be read
	Decision hook.Decision // unless Err says why there is none
	Err      error
	Reply    dialect.Reply
	Root     string // of the workspace; "" if it never was looked for
	Took     time.Duration
}

// killTime is how long hooks that are told to end may take: more than package
// process needs.
const killTime = time.Second

// Until returns a context that leaves a call that must be answered by end the
// time to end its hooks.
func Until(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, end.Add(-min(time.Until(end)/20, killTime)))
}

// Call is one call of the hook command.
type Call struct {
	flags Flags
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

// New begins a call; it fails if nobody knows the agent.
func New(f Flags) (*Call, error) {
	c := &Call{flags: f}
	d := dialect.Detect(hook.Object{})
	if f.Agent != "" {
		named, ok := dialect.Named(f.Agent)
		if !ok {
			err := fmt.Sprintf("unknown agent %q", f.Agent)
			if advice := hook.DidYouMean(f.Agent, agents()); advice != "" {
				err += " (" + advice + ")"
			}
			return nil, errors.New(err)
		}
		d = named
	}
	c.hear(d, "", false)
	return c, nil
}

func agents() []string {
	var names []string
	for _, d := range dialect.All() {
		names = append(names, d.Name)
	}
	return names
}

func (c *Call) hear(d dialect.Dialect, event hook.EventName, known bool) {
	if own, ok := dialect.Named("pawl"); ok && c.flags.JSON {
		d = own
	}
	c.heard.Store(&heard{d, event, known})
}

// Heard notes which event it is, as far as it could be read.
func (c *Call) Heard(m Message) {
	if m.Dialect.Name != "" {
		c.hear(m.Dialect, m.Event.Name, m.Event.Name != "")
	}
}

// Event is the name of the event, "" as long as it has not been heard.
func (c *Call) Event() hook.EventName { return c.heard.Load().event }

// Fail returns the reply when there is no decision. It may be called at any
// time, by any goroutine.
func (c *Call) Fail(err error) dialect.Reply {
	k := c.heard.Load()
	return dialect.Failure(k.dialect, k.event, k.known, "pawl: "+err.Error(), c.flags.FailOpen)
}

// FailOn is the outcome of a call that failed elsewhere, so that nothing has
// been heard of its event here.
func (c *Call) FailOn(event []byte, err error) Outcome {
	var m Message
	func() {
		defer func() { recover() }() // then it is not known which event it is
		m, _ = ReadMessage(event, c.flags.Agent)
		c.Heard(m)
	}()
	return Outcome{Event: m.Event, Err: err, Reply: c.Fail(err)}
}

// Answer decides the event that came from p. The reply comes soon after ctx
// has ended, unless a file cannot be read to its end or a hook type does not
// heed its context: who needs it by then does not wait.
func (c *Call) Answer(ctx context.Context, d *Desk, p Place, event []byte) (o Outcome) {
	start := time.Now()
	if o.Err = c.decide(ctx, d, p, event, &o); o.Err != nil {
		o.Decision, o.Reply = hook.Decision{}, c.Fail(o.Err)
	}
	o.Took = time.Since(start)
	return o
}

// decide fills o. A panic is an error.
func (c *Call) decide(ctx context.Context, d *Desk, p Place, event []byte, o *Outcome) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v (a bug of pawl)", p)
		}
	}()
	m, err := ReadMessage(event, c.flags.Agent)
	c.Heard(m)
	o.Event = m.Event
	if err != nil {
		return fmt.Errorf("the event on standard input: %w", err)
	}
	m.Event.Env = p.Env
	find := d.Workspace
	if find == nil {
		find = Place.Workspace
	}
	setting, err := m.Setting(p, c.flags.Policy, find)
	if err != nil {
		return err
	}
	o.Root = setting.Root
	eng, err := d.Open(ctx, setting, m.Event.Name)
	if err != nil {
		return err
	}
	if types := eng.Unlinked(); len(types) > 0 && d.Lacking != nil {
		d.Lacking(types)
	}
	if o.Decision, err = d.dispatch(ctx, eng, m); err != nil {
		return err
	}
	o.Reply = c.heard.Load().dialect.Encode(m.Event, o.Decision)
	return nil
}

// dispatch decides m between Begin and done.
func (d *Desk) dispatch(ctx context.Context, eng *Engine, m Message) (hook.Decision, error) {
	does := eng.SideEffects(m.Event.Name)
	if does == 0 || d.Begin == nil {
		return m.Dispatch(ctx, eng), nil
	}
	ctx, done, err := d.Begin(ctx, does)
	if err != nil {
		return hook.Decision{}, err
	}
	defer done()
	dec := m.Dispatch(ctx, eng)
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return dec, cause // what hooks that were killed left is no decision
	}
	return dec, nil
}
