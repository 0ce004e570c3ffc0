package engine

import (
	"context"
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
