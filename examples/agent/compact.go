package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine"
)

// compact replaces the middle of a long conversation by a line. A hook that
// denies PreCompact keeps it whole for now.
func (a *Agent) compact(ctx context.Context) error {
	const first, last = 2, 6
	if len(a.messages) < compactAt {
		return nil
	}
	before := a.dispatch(ctx, engine.Event{Name: engine.PreCompact, Subject: "auto", More: engine.Input("messages", len(a.messages))})
	if !before.Proceed() {
		return before.Halt()
	}
	// What is kept must not begin with the answer to a call that is gone.
	cut := len(a.messages) - last
	for cut > first && a.messages[cut].Role == "tool" {
		cut--
	}
	tail := slices.Clone(a.messages[cut:])
	gone := cut - first
	a.messages = a.messages[:first:first]
	after := a.dispatch(ctx, engine.Event{Name: engine.PostCompact, Subject: "auto", More: engine.Input("messages", first+1+len(tail))})
	a.say("system", fmt.Sprintf("%d messages were left out.", gone), slices.Concat(before.Context, after.Context)...)
	a.messages = append(a.messages, tail...)
	return after.Halt()
}
