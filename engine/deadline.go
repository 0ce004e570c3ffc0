package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	endBudget     = 1500 * time.Millisecond // of all SessionEnd hooks (ruling 13)
	endBudgetMost = 60 * time.Second
)

// deadline bounds the whole dispatch. SessionEnd hooks share 1.5 seconds,
// more if one of them asks for more: the user is waiting to leave.
func (d *dispatch) deadline(event hook.EventName) (context.Context, context.CancelFunc) {
	if event != hook.SessionEnd {
		return d.ctx, func() {}
	}
	budget := endBudget
	if x := d.snap.events[event]; x != nil {
		for _, b := range x.hooks {
			if b.asked > 0 {
				budget = max(budget, b.asked)
			}
		}
	}
	return context.WithTimeout(d.ctx, min(budget, endBudgetMost))
}

// within returns a context for work that is over at once or not at all, with
// the values of ctx but not its end. Its time begins when it is first asked for,
// so that work may wait for its turn before. Most of it never waits then, so
// the timer is started for the first that does.
func within(ctx context.Context, d time.Duration) *budget {
	return &budget{values: ctx, limit: d}
}

type budget struct {
	values context.Context
	limit  time.Duration

	began sync.Once
	end   time.Time

	once    sync.Once
	timed   context.Context
	cancel  context.CancelFunc
	stopped atomic.Bool
}

func (b *budget) Deadline() (time.Time, bool) {
	b.began.Do(func() { b.end = time.Now().Add(b.limit) })
	return b.end, true
}

func (b *budget) Done() <-chan struct{} {
	b.once.Do(func() {
		end, _ := b.Deadline()
		b.timed, b.cancel = context.WithDeadline(context.WithoutCancel(b.values), end)
	})
	if b.timed == nil { // stopped before
		over := make(chan struct{})
		close(over)
		return over
	}
	return b.timed.Done()
}

func (b *budget) Err() error {
	end, _ := b.Deadline()
	switch {
	case b.stopped.Load():
		return context.Canceled
	case time.Now().Before(end):
		return nil
	}
	return context.DeadlineExceeded
}

func (b *budget) Value(key any) any { return b.values.Value(key) }

// stop ends the timer. Nobody waits any more.
func (b *budget) stop() {
	b.stopped.Store(true)
	b.once.Do(func() {})
	if b.cancel != nil {
		b.cancel()
	}
}
