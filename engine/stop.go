package engine

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// stopTTL is how long a count of consecutive blocks is remembered.
const stopTTL = 24 * time.Hour

// stopKey counts the consecutive blocks of one agent of a session.
func stopKey(ev *hook.Event) hook.StateKey {
	return hook.StateKey{Session: ev.Session, Kind: "stops", Name: ev.More.Text("agent_id")}
}

func isStop(n hook.EventName) bool { return n == hook.Stop || n == hook.SubagentStop }

// stopsSoFar returns the consecutive blocks before this stop; a tool call
// clears them (ruling 11).
func (d *dispatch) stopsSoFar(ev *hook.Event) int {
	if !d.snap.countsStops || !isStop(ev.Name) && ev.Name != hook.PreToolUse {
		return 0
	}
	count := 0
	err := d.eng.cfg.state.Update(d.ctx, stopKey(ev), stopTTL, func(old []byte) []byte {
		if ev.Name == hook.PreToolUse {
			return nil
		}
		count, _ = strconv.Atoi(string(old))
		return old
	})
	if err != nil {
		d.eng.cfg.log.Error("stop guard: the state store failed", "error", err)
	}
	return count
}

// guardStop lets a stop pass that has been blocked too often in a row, so
// that no hook keeps an agent going for ever.
func (d *dispatch) guardStop(dec *hook.Decision) {
	most := d.eng.cfg.stopGuard
	if !d.snap.countsStops || !isStop(dec.Event) || most <= 0 {
		return
	}
	blocks := dec.Verdict == hook.Deny || dec.ContinueReason != ""
	count := 0
	err := d.eng.cfg.state.Update(d.ctx, stopKey(&d.facts.Event), stopTTL, func(old []byte) []byte {
		if count, _ = strconv.Atoi(string(old)); !blocks {
			if d.wakes {
				return old // what this stop started counts when it wakes
			}
			return nil
		}
		count++
		return strconv.AppendInt(nil, int64(count), 10)
	})
	switch {
	case !blocks || err == nil && count <= most:
		return
	case err != nil:
		// Nothing would end an agent that is blocked each time.
		dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: %s passes, since its blocks cannot be counted: %v", dec.Event, err))
	default:
		dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: %d blocks or wakes of %s in a row without a tool call; it passes now", most, dec.Event))
	}
	dec.Verdict, dec.Reasons, dec.ContinueReason = hook.None, nil, ""
}

// countWake counts a wake of a stopped agent like a block, and reports
// whether it may still be woken.
func (e *Engine) countWake(ev *hook.Event) bool {
	if !isStop(ev.Name) || e.cfg.stopGuard <= 0 {
		return true
	}
	count := 0
	err := e.cfg.state.Update(context.Background(), stopKey(ev), stopTTL, func(old []byte) []byte {
		count, _ = strconv.Atoi(string(old))
		count++
		return strconv.AppendInt(nil, int64(count), 10)
	})
	if err != nil {
		e.cfg.log.Error("stop guard: the state store failed", "error", err)
		return false
	}
	return count <= e.cfg.stopGuard
}
