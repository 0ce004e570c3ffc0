package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
)

// The clock of the host is that of events, of scripts, and of what expires; what
// it was before it is set back is not lost.
func TestClock(t *testing.T) {
	now := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	eng := mustPolicy(t, `hooks: {PreToolUse: [{hooks: [
  {type: lua, lua: 'return ask(state.incr("calls", 1, {ttl = 60}) .. " at " .. time.now())'}]}]}`,
		engine.WithClock(func() time.Time { return now }))
	for _, tt := range []struct{ later, count int }{{0, 1}, {59, 2}, {-3600, 3}, {61, 4}, {3600, 1}} {
		now = now.Add(time.Duration(tt.later) * time.Second)
		want := fmt.Sprintf("%d at %d", tt.count, now.Unix())
		if dec := eng.Dispatch(background, bash("ls")); !strings.HasPrefix(dec.Reason(), want) {
			t.Errorf("%d seconds later: %q, want %q", tt.later, dec.Reason(), want)
		}
	}
}
