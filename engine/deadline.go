package engine

import (
	"context"
	"sync"
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
// the values of ctx but not its end. Most of it never waits, so the timer is
// started for the first that does.
func within(ctx context.Context, d time.Duration) *budget {
	return &budget{values: ctx, end: time.Now().Add(d)}
}

type budget struct {
	values context.Context
	end    time.Time

	once   sync.Once
	timed  context.Context
	cancel context.CancelFunc
}

func (b *budget) Deadline() (time.Time, bool) { return b.end, true }

func (b *budget) Done() <-chan struct{} {
	b.once.Do(func() { b.timed, b.cancel = context.WithDeadline(context.WithoutCancel(b.values), b.end) })
	return b.timed.Done()
}

func (b *budget) Err() error {
	if time.Now().Before(b.end) {
		return nil
	}
	return context.DeadlineExceeded
}

func (b *budget) Value(key any) any { return b.values.Value(key) }

// stop ends the timer. Nobody waits any more.
func (b *budget) stop() {
	b.once.Do(func() {})
	if b.cancel != nil {
		b.cancel()
	}
}
