package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// claims remembers which `once` hooks this dispatch has claimed: a run on the
// final input after a rewrite is the same use (law 3).
type claims struct {
	mu   sync.Mutex
	mine map[*bound]bool
}

// onceKey names the use of one hook by all of its definition: an entry that
// has been edited is another one.
func onceKey(b *bound, session string) hook.StateKey {
	name := fmt.Sprintf("%s\x00%s\x00%v\x00%v", b.spec.Source.File, b.spec.ID, b.definition(), b.spec.Fields)
	return hook.StateKey{Session: session, Kind: "once", Name: name}
}

// claim reports whether a `once` hook may run in this dispatch. A store that
// fails does not silence the hook.
func (d *dispatch) claim(b *bound) bool {
	d.once.mu.Lock()
	defer d.once.mu.Unlock()
	if d.once.mine[b] {
		return true
	}
	free := true
	err := d.eng.cfg.state.Update(d.ctx, onceKey(b, d.facts.Event.Session), 0, func(old []byte) []byte {
		free = old == nil
		return []byte{1}
	})
	if err != nil {
		d.faults = append(d.faults, fmt.Sprintf("pawl: %s may run more than once: %v", b.where(), err))
		free = true
	}
	if free {
		if d.once.mine == nil {
			d.once.mine = make(map[*bound]bool)
		}
		d.once.mine[b] = true
	}
	return free
}

// release gives a claim back: only a run that succeeded uses it up.
func (d *dispatch) release(b *bound) {
	d.once.mu.Lock()
	defer d.once.mu.Unlock()
	if !d.once.mine[b] {
		return
	}
	delete(d.once.mine, b)
	if err := d.eng.unclaim(d.ctx, b, d.facts.Event.Session); err != nil {
		d.faults = append(d.faults, fmt.Sprintf("pawl: %s may not run again: %v", b.where(), err))
	}
}

// unclaim forgets that b has run in a session.
func (e *Engine) unclaim(ctx context.Context, b *bound, session string) error {
	return e.cfg.state.Update(ctx, onceKey(b, session), time.Second, func([]byte) []byte { return nil })
}

// giveBack is unclaim for a background hook that has failed.
func (e *Engine) giveBack(b *bound, session string) {
	if !b.spec.Once {
		return
	}
	if err := e.unclaim(context.Background(), b, session); err != nil {
		e.cfg.log.Error("a once hook that failed may not run again", "hook", b.spec.ID, "error", err)
	}
}
