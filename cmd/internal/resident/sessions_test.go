//go:build unix

package resident_test

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

var sessions = flag.Int("sessions", 300, "sessions of TestSessions; make sessions takes 10000")

// maxMemory is what a server may take, whatever the number of sessions.
const maxMemory = 200 << 20

// TestSessions: many sessions through one server, each with its own state of
// the Lua policy, keep memory bounded, and each counts for itself.
func TestSessions(t *testing.T) {
	debug.FreeOSMemory() // what other tests have left
	f := serve(t, resident.Options{})
	dir := f.trusted(noRm + `
hooks:
  PreToolUse:
    - hooks:
        - type: lua
          timeout: 60s # of a busy machine
          lua: |
            seen = seen or {}
            for i = 1, 50 do seen[#seen + 1] = ev.command .. i end
            return context("call of " .. ev.session_id)
`)
	work := make(chan int)
	var workers sync.WaitGroup
	for range 4 {
		c := f.dial()
		workers.Go(func() {
			for n := range work {
				id := fmt.Sprintf("session-%d", n)
				ev := []byte(strings.Replace(string(event("ls -la")), `"s"`, `"`+id+`"`, 1))
				r, err := c.Answer(wire.Call{Place: f.place(dir, "state"), Left: time.Minute, Event: ev}, nothing)
				if err != nil || !strings.Contains(string(r.Stdout), "call of "+id) {
					t.Errorf("%s: %s, %v", id, r.Stdout, err)
				}
			}
		})
	}
	for n := range 2 * *sessions {
		work <- n % *sessions
	}
	close(work)
	workers.Wait()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	used := m.Sys - m.HeapReleased
	t.Logf("%d sessions: %d MiB in use, %d MiB live", *sessions, used>>20, m.HeapAlloc>>20)
	if used > maxMemory {
		t.Errorf("%d sessions take %d MiB", *sessions, used>>20)
	}
	if st := f.status(); st.Calls != int64(2**sessions) || st.Workspaces[0].Sessions != *sessions {
		t.Errorf("%d calls, %d sessions", st.Calls, st.Workspaces[0].Sessions)
	}
}
