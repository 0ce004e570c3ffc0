package lua

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// run gives an event with a command and a session to a.
func run(t testing.TB, a hook.Action, session, command string) string {
	t.Helper()
	ev := bash(t, command)
	ev.Session = session
	res, err := a.Run(context.Background(), call(ev))
	if err != nil {
		return err.Error()
	}
	return string(res.Output)
}

// TestGlobals: globals live in one policy and one session.
func TestGlobals(t *testing.T) {
	count := "n = 0\non('PreToolUse', function(ev) n = n + 1 kept = ev return output(n) end)"
	p := newProject(t, "a.lua", count, "b.lua", count)
	a, b := p.actions("a.lua")[0], p.actions("b.lua")[0]
	for _, step := range []struct {
		a       hook.Action
		session string
		want    string
	}{{a, "1", "1"}, {a, "1", "2"}, {b, "1", "1"}, {a, "2", "1"}, {b, "1", "2"}, {a, "1", "3"}} {
		if got := run(t, step.a, step.session, "ls"); got != step.want {
			t.Errorf("session %s: got %s, want %s", step.session, got, step.want)
		}
	}
}

// TestLeaks: what one policy does to shared values no other sees.
func TestLeaks(t *testing.T) {
	p := newProject(t, "a.lua", `
on("PreToolUse", function(ev)
  pcall(function() string.find = nil end)
  pcall(function() table.insert(string, "x") end)
  pcall(setmetatable, "", {__index = {}})
  pcall(setmetatable, 1, {__index = {}})
  pcall(setmetatable, ev, {})
  string, table, deny, ipairs = nil, nil, nil, nil
  ev.input.command = "changed"
  return output(type(string) .. type(deny))
end)`, "b.lua", `
on("PreToolUse", function(ev)
  return output({type(string), type(deny), type(ipairs), ev.input.command, ("x"):upper(), string.find("ab", "b")})
end)`)
	a, b := p.actions("a.lua")[0], p.actions("b.lua")[0]
	if got := run(t, a, "1", "ls"); got != `"userdatafunction"` { // nil leaves what everybody has
		t.Errorf("a: %s", got)
	}
	if got := run(t, b, "1", "ls"); got != `["userdata","function","function","ls","X",2,2]` {
		t.Errorf("b: %s", got)
	}
}

func TestStaleEvent(t *testing.T) {
	p := newProject(t, "a.lua", `
on("PreToolUse", function(ev)
  if old then return output(old.tool) end
  old = ev
end)`)
	a := p.actions("a.lua")[0]
	run(t, a, "1", "ls")
	if got := run(t, a, "1", "ls"); !strings.Contains(got, "this ev is over") {
		t.Errorf("got %s", got)
	}
}

// TestDropped: a state in which a limit was hit is not used again, one with
// an error of the script is.
func TestDropped(t *testing.T) {
	p := newProject(t, "a.lua", `
n = 0
on("PreToolUse", function(ev)
  n = n + 1
  if ev.command == "loop" then pcall(function() while true do end end) return allow() end
  if ev.command == "error" then error("x") end
  return output(n)
end)`)
	a := p.actions("a.lua")[0]
	steps := []struct{ command, want string }{
		{"ls", "1"}, {"ls", "2"}, {"error", "no verdict (error): a.lua:6: x"}, {"ls", "4"}, {"loop", "stopped after 250 ms"}, {"ls", "1"},
	}
	for _, s := range steps {
		if got := run(t, a, "1", s.command); !strings.Contains(got, s.want) {
			t.Errorf("%s: got %s, want %s", s.command, got, s.want)
		}
	}
}

// TestRecycled: what a session may hold on to has a limit over all its calls.
func TestRecycled(t *testing.T) {
	p := newProject(t, "a.lua", `
kept = {}
on("PreToolUse", function(ev) kept[#kept + 1] = ("x"):rep(4e6) return output(#kept) end)`)
	a := p.actions("a.lua")[0]
	most := 0
	for range 40 {
		var n int
		fmt.Sscan(run(t, a, "1", "ls"), &n)
		most = max(most, n)
	}
	if most < 10 || most > 20 {
		t.Errorf("a session kept %d strings of 4 MB", most)
	}
}

func TestEviction(t *testing.T) {
	p := newProject(t, "a.lua", "n = 0\non('PreToolUse', function(ev) n = n + 1 return output(n) end)")
	p.r = New(func() Options { o := options(p.dir); o.Sessions = 2; return o }())
	a := p.actions("a.lua")[0]
	for i, s := range []struct{ session, want string }{{"1", "1"}, {"2", "1"}, {"1", "2"}, {"3", "1"}, {"1", "3"}, {"2", "1"}} {
		if got := run(t, a, s.session, "ls"); got != s.want {
			t.Errorf("step %d: session %s: got %s, want %s", i, s.session, got, s.want)
		}
	}
	if n := len(p.r.sessions.byID); n != 2 {
		t.Errorf("%d states are kept", n)
	}
}

// TestCanceled: a call ends with its context, and waits no longer for
// another call of its session.
func TestCanceled(t *testing.T) {
	p := newProject(t, "a.lua", `on("PreToolUse", function(ev) while ev.command == "loop" do end end)`)
	a := p.actions("a.lua")[0]
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan bool)
	c := call(bash(t, "loop"))
	c.Facts.Event.Session = "1"
	c.Hook = &hook.Spec{Timeout: time.Minute}
	ended := make(chan error)
	go func() {
		close(started)
		_, err := a.Run(ctx, c)
		ended <- err
	}()
	<-started
	done, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	var second error
	for second == nil { // until the loop holds the session
		_, second = a.Run(done, call(func() hook.Event { ev := bash(t, "ls"); ev.Session = "1"; return ev }()))
	}
	cancel()
	if n, ok := errors.AsType[*hook.NoVerdict](<-ended); !ok || n.Cause != hook.CauseCanceled {
		t.Errorf("got %v", n)
	}
	if n, ok := errors.AsType[*hook.NoVerdict](second); !ok || n.Cause != hook.CauseTimeout {
		t.Errorf("the one that waits: %v", second)
	}
}

// TestParallel (B139): one compiled policy, many goroutines and sessions.
func TestParallel(t *testing.T) {
	p := newProject(t, "a.lua", `
local seen = {}
on("PreToolUse", "Bash", function(ev)
  seen[ev.session_id] = true
  local n = 0
  for k in pairs(seen) do n = n + 1 end
  if n ~= 1 then return deny("sees another session") end
  if not ev.command:find("^cmd") or not ev:matches("yes") then return deny("odd") end
  return context(ev.command .. state.incr("n"))
end)`)
	p.r = New(func() Options { o := options(p.dir); o.Sessions = 5; return o }())
	a := p.actions("a.lua")[0]
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for range 20 {
				ev := bash(t, "cmd")
				ev.Session = fmt.Sprint(i % 9)
				if res, err := a.Run(t.Context(), call(ev)); err != nil || len(res.Context) != 1 {
					t.Errorf("got %+v, %v", res, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestFlatHeap (B144): calls leave nothing behind.
func TestFlatHeap(t *testing.T) {
	p := newProject(t, "a.lua", `
on("PreToolUse", function(ev)
  local t = {}
  for w in ev.command:gmatch("%a+") do t[#t + 1] = function() return w end end
  pcall(error, {t})
  return {context(#t .. ""), output(ev.input)}
end)`)
	a := p.actions("a.lua")[0]
	c := call(bash(t, "a b c"))
	measure := func() uint64 {
		for range 2000 {
			if _, err := a.Run(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := measure()
	if after := measure(); after > before+256<<10 {
		t.Errorf("the heap grew from %d to %d", before, after)
	}
}

// TestStateSize holds the memory of a session; doc.go tells it.
func TestStateSize(t *testing.T) {
	p := newProject(t, "a.lua", "on('PreToolUse', function(ev) return deny('x' .. ev.tool) end)")
	p.r = New(func() Options { o := options(p.dir); o.Sessions = 1 << 20; return o }())
	a := p.actions("a.lua")[0]
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const n = 200
	for i := range n {
		run(t, a, fmt.Sprint(i), "ls")
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := (after.HeapAlloc - before.HeapAlloc) / n
	t.Logf("%d bytes a session", each)
	if each > 60<<10 {
		t.Errorf("a session takes %d bytes", each)
	}
	runtime.KeepAlive(p)
}
