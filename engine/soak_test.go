//go:build unix

package engine_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// soakTime is how long TestSoak takes: PAWL_SOAK, else a moment.
func soakTime(t *testing.T) time.Duration {
	text := os.Getenv("PAWL_SOAK")
	if text == "" {
		return time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("PAWL_SOAK: %v", err)
	}
	return d
}

// flipping is one of two policies. Each denies with its own name, in every
// file and in Lua, so that a mixture shows.
func flipping(name string) map[string]string {
	var rules strings.Builder
	rules.WriteString("policies: [lua]\nrules:\n")
	for i := range 50 {
		fmt.Fprintf(&rules, "  - {name: r%d, on: PreToolUse, match: Bash(tool%d *), decision: ask, reason: %s}\n", i, i, name)
	}
	return map[string]string{
		"root/pawl.yaml":        rules.String(),
		"root/.pawl/more.yaml":  "rules:\n  - {name: more, on: PreToolUse, match: Bash, decision: ask, reason: " + name + "}\n",
		"root/lua/p.lua":        "on('PreToolUse', function(ev) return ask('" + name + "') end)",
		"root/.pawl/local.yaml": "permissions: {ask: [Bash(tool1 " + name + ")]}\n",
	}
}

// TestSoak (B190): while two sets are put in force in turn, a hundred times a second,
// every decision is wholly one of them, none is lost, and nothing grows.
func TestSoak(t *testing.T) {
	sets := [2]map[string]string{flipping("one"), flipping("two")}
	w := newWorkspace(t, "root/pawl.yaml", "", "root/.pawl/x", "", "root/lua/x", "")
	put := func(set map[string]string) {
		for name, text := range set {
			w.write(name, text)
		}
	}
	put(sets[0])
	w.reload()
	var stop atomic.Bool
	var decided, late, reloads atomic.Int64
	var wg sync.WaitGroup
	for i := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				ev := engine.Event{Name: engine.PreToolUse, Session: fmt.Sprint(i, n%8), Tool: "Bash", Dir: w.root, Input: engine.Input("command", "tool1 x")}
				dec := w.Dispatch(background, ev)
				if slices.ContainsFunc(dec.Steps, func(s hook.Step) bool { return s.Cause == hook.CauseTimeout }) {
					late.Add(1) // the machine is too busy for the 250 ms of a policy
					continue
				}
				decided.Add(1)
				if dec.Verdict != engine.Ask || len(dec.Reasons) != 1 || dec.Reasons[0] != "one" && dec.Reasons[0] != "two" {
					t.Errorf("%v by %q: %+v", dec.Verdict, dec.Reasons, dec.Steps)
					stop.Store(true)
				}
			}
		})
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	end := time.Now().Add(soakTime(t))
	var first uint64
	for n := 1; (time.Now().Before(end) || n <= 5) && !stop.Load(); n++ {
		put(sets[n%2])
		if err := w.tryReload(); err != nil {
			t.Error(err)
			break
		}
		w.changes = nil
		if reloads.Add(1); n == 20 {
			first = heap()
		}
		<-tick.C
	}
	stop.Store(true)
	wg.Wait()
	if last := heap(); first > 0 && last > 2*first+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", first, last)
	}
	if decided.Load() <= late.Load() || reloads.Load() < 5 {
		t.Errorf("%d decisions, %d late, %d reloads", decided.Load(), late.Load(), reloads.Load())
	}
	t.Logf("%d decisions over %d reloads", decided.Load(), reloads.Load())
}
