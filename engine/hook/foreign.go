package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// grace is how long a func may take to return after its context has ended
// before it is abandoned.
const grace = 5 * time.Second

// ErrAbandoned is wrapped by the error of a call that is not waited for any
// longer: what was called did not return in time and still runs.
var ErrAbandoned = errors.New("it has not returned and still runs")

var errGoexit = errors.New("the goroutine was ended by runtime.Goexit")

// Panic is the error of a func that panicked.
type Panic struct {
	Value any
	Stack []byte // for a log
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Lost is the error of a func that did not return: it panicked with p, or, if
// that is nil, its goroutine was ended by runtime.Goexit.
func Lost(p any) error {
	if p == nil {
		return errGoexit
	}
	return &Panic{p, debug.Stack()}
}

// Caller makes bounded calls, one after the other, in a goroutine that it
// keeps for them. The zero Caller is ready; it is for one goroutine, which
// calls End when it has no more calls.
type Caller struct {
	calls chan runner   // to its goroutine; nil: there is none
	over  chan struct{} // from it, after each call
	began time.Time     // the last call
}

// Began returns when the last call began.
func (c *Caller) Began() time.Time { return c.began }

type runner interface{ run() }

// End lets the goroutine of c go.
func (c *Caller) End() {
	if c.calls != nil {
		close(c.calls)
		c.calls = nil
	}
}

// start hands r to the goroutine of c.
func (c *Caller) start(r runner) {
	if c.calls == nil {
		c.calls, c.over = make(chan runner), make(chan struct{}, 1)
		go serve(c.calls, c.over)
	}
	c.calls <- r
}

func serve(calls <-chan runner, over chan<- struct{}) {
	for r := range calls {
		func() {
			defer func() { over <- struct{}{} }()
			r.run()
		}()
	}
}

// Bounded calls f, which is not ours, in the goroutine of c, with a context
// that ends after limit or with ctx. It returns what f does; a result without
// an error stands even if it comes late. A panic is a *Panic with CausePanic,
// but one with a *NoVerdict is that failure: so a func without an error to
// return tells of one. An error after the end of the context has CauseTimeout
// or CauseCanceled, any other error of f has no cause. An f that has not
// returned 5 seconds after its context ended is abandoned, with the goroutine:
// ErrAbandoned.
func Bounded[T any](ctx context.Context, c *Caller, limit time.Duration, f func(context.Context) (T, error)) (value T, _ Cause, err error) {
	r := &call[T]{f: f}
	c.began = time.Now()
	r.scope.Context, r.scope.until, r.scope.err = ctx, c.began.Add(limit), ctx.Err()
	c.start(r)
	late, over := await(&r.scope, limit, c.over)
	if !over {
		c.End()
		err = ErrAbandoned
	} else {
		if r.err == errGoexit {
			c.End()
		}
		if value, err = r.value, r.err; err == nil || r.cause != "" {
			return value, r.cause, err
		}
	}
	switch why := context.Cause(ctx); {
	case late:
		return value, CauseTimeout, fmt.Errorf("no answer within %v: %w", limit, err)
	case why == nil:
		return value, "", err
	case errors.Is(err, why):
		return value, CauseCanceled, err
	default:
		return value, CauseCanceled, fmt.Errorf("%w: %w", why, err)
	}
}

// call is one bounded call. What f came to may be read when it is over.
type call[T any] struct {
	scope scope
	f     func(context.Context) (T, error)
	value T
	cause Cause // CausePanic, or ""
	err   error
}

func (c *call[T]) run() {
	c.cause, c.err = CausePanic, errGoexit
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *NoVerdict:
			c.cause, c.err = cmp.Or(p.Cause, CauseError), p.Err
		default:
			c.err = Lost(p)
		}
	}()
	value, err := c.f(&c.scope)
	c.value, c.cause, c.err = value, "", err
}

// await waits until a call is over, and ends its scope. It reports whether
// the call took longer than limit, and whether it is over at all.
func await(s *scope, limit time.Duration, call <-chan struct{}) (late, over bool) {
	runtime.Gosched() // most calls are short: they are over now, and need no timer
	select {
	case <-call:
		s.end(context.Canceled)
		return false, true
	default:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-call:
		s.end(context.Canceled)
		return false, true
	case <-s.Context.Done():
		s.end(s.Context.Err())
	case <-timer.C:
		late = true
		s.end(context.DeadlineExceeded)
	}
	timer.Reset(grace)
	select {
	case <-call:
		return late, true
	case <-timer.C:
		return late, false
	}
}

// scope is the context of one bounded call. It does what context.WithTimeout
// does for less, since the one who waits for the call ends it.
type scope struct {
	context.Context // of the caller
	until           time.Time

	mu   sync.Mutex
	done chan struct{} // made when first asked for
	err  error
}

func (s *scope) Deadline() (time.Time, bool) {
	if d, ok := s.Context.Deadline(); ok && d.Before(s.until) {
		return d, true
	}
	return s.until, true
}

func (s *scope) Done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == nil {
		s.done = make(chan struct{})
		if s.err != nil {
			close(s.done)
		}
	}
	return s.done
}

func (s *scope) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *scope) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if s.err = err; s.done != nil {
		close(s.done)
	}
}

// Pause waits for d, which may be negative for no time at all, or until ctx
// ends, whose cause it then returns.
func Pause(ctx context.Context, d time.Duration) error {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return context.Cause(ctx)
}

// Decide lets dispatch answer ev. A panic is a failure: it denies where the
// event can be blocked, and the Decision says so.
func Decide(ctx context.Context, dispatch func(context.Context, Event) Decision, ev Event) (dec Decision) {
	defer func() {
		if p := recover(); p != nil {
			dec = broken(ev.Name, Lost(p))
		}
	}()
	return dispatch(ctx, ev)
}

func broken(name EventName, err error) Decision {
	text := Printable(fmt.Sprintf("pawl: the dispatch of %s failed: %v", name, err))
	dec := Decision{Event: name, Notices: []string{text},
		Steps: []Step{{Hook: "dispatch", Type: "engine", Source: Source{Layer: Builtin}, Status: Failed, Cause: CausePanic, Detail: err.Error()}}}
	if info, _ := Lookup(name); info.Has(CanBlock) {
		dec.Verdict, dec.Reasons = Deny, []string{text}
	}
	return dec
}
