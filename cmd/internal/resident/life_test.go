//go:build unix

package resident_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// ask has the server answer one call.
func (f *fixture) ask(c *wire.Client, dir string, event []byte, env ...string) dialect.Reply {
	f.t.Helper()
	r, err := c.Answer(wire.Call{Place: f.place(dir, "state", env...), Left: time.Minute, Event: event}, nothing)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// decided waits until the answer has text in it: until a change is in force.
func (f *fixture) decided(dir string, event []byte, text string) {
	f.t.Helper()
	c := f.dial()
	var r dialect.Reply
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if r = f.ask(c, dir, event); text == "" && len(r.Stdout) == 0 || text != "" && strings.Contains(string(r.Stdout), text) {
			return
		}
	}
	f.t.Fatalf("the answer stays %s, want %q", r.Stdout, text)
}

// TestEdits: what is saved is in force a moment later, also what was not there,
// what goes, what a policy names, and trust.
func TestEdits(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.workspace(noRm)
	policy := filepath.Join(dir, "pawl.yaml")
	f.decided(dir, event("rm x"), `"deny"`)
	f.write(policy, "permissions: {ask: ['Bash(rm *)']}\n")
	f.decided(dir, event("rm x"), `"ask"`)
	f.write(policy, "") // B122: it never replaces a good one
	f.log.await(t, "it has become empty", 1)
	if r := f.ask(f.dial(), dir, event("rm x")); !strings.Contains(string(r.Stdout), `"ask"`) {
		t.Errorf("%s", r.Stdout)
	}
	f.write(filepath.Join(dir, "lua", "a.lua"), "")
	f.write(policy, "policies: [lua/]\n")
	f.write(filepath.Join(dir, ".pawl", "more.yaml"), noRm)
	f.decided(dir, event("rm x"), `"deny"`)
	f.write(filepath.Join(dir, "lua", "b.lua"), `on("PreToolUse", "Bash(ls *)", function() return ask("from lua") end)`)
	f.decided(dir, event("ls x"), `from lua`)
	if err := os.RemoveAll(filepath.Join(dir, ".pawl")); err != nil {
		t.Fatal(err)
	}
	f.decided(dir, event("rm x"), "")

	f.write(policy, "permissions: {allow: ['Bash(true *)']}\n")
	trust, err := settings.OpenTrust(filepath.Join(f.home, "state", "pawl"))
	if err != nil {
		t.Fatal(err)
	}
	f.decided(dir, event("true x"), "")
	if err := trust.Add(dir); err != nil {
		t.Fatal(err)
	}
	f.decided(dir, event("true x"), `"allow"`)
	if err := trust.Remove(dir); err != nil {
		t.Fatal(err)
	}
	f.decided(dir, event("true x"), "")
}

// TestBrokenEdits: what is broken blocks, says so and can be mended, as if there
// was no server.
func TestBrokenEdits(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.workspace(noRm)
	policy := filepath.Join(dir, "pawl.yaml")
	f.decided(dir, event("rm x"), `"deny"`)
	start := []byte(`{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`)
	write := func(text string) func() error {
		return func() error { return os.WriteFile(policy, []byte(text), 0o600) }
	}
	for _, c := range []struct {
		before, want string
		change       func() error
	}{
		{noRm, "not valid YAML", write("rules: [\n")},
		{noRm, "not valid UTF-8", write("\xff\xfe\x00")},
		{noRm, "larger than", write(strings.Repeat("# filler\n", 1<<20))},
		{noRm, "is a directory", func() error { return os.Mkdir(policy, 0o700) }},
		{noRm, "is a named pipe", func() error { return syscall.Mkfifo(policy, 0o600) }},
		{noRm, "a symbolic link to nothing", func() error { return os.Symlink("nowhere", policy) }},
		{"", "not valid YAML", write("rules: [\n")}, // where no policy was
	} {
		if err := os.RemoveAll(policy); err != nil {
			t.Fatal(err)
		}
		if c.before != "" {
			f.write(policy, c.before)
		}
		f.decided(dir, event("true"), "")
		if err := errors.Join(os.RemoveAll(policy), c.change()); err != nil {
			t.Fatal(err)
		}
		f.decided(dir, event("true"), c.want)
		for _, ev := range [][]byte{event("true"), event("rm x"), start} {
			got := plain(f.ask(f.dial(), dir, ev))
			if alone := alone(call.Flags{}, f.place(dir, "state"), ev); got != alone {
				t.Errorf("%s: served\n%s\nalone\n%s", c.want, got, alone)
			}
		}
	}
	if err := os.RemoveAll(policy); err != nil {
		t.Fatal(err)
	}
	f.decided(dir, event("true"), "")
}

// trusted is a workspace whose hooks may run.
func (f *fixture) trusted(policy string) string {
	f.t.Helper()
	dir := f.workspace(policy)
	trust, err := settings.OpenTrust(filepath.Join(f.home, "state", "pawl"))
	if err == nil {
		err = trust.Add(dir)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return dir
}

// B132: what a SessionStart hook writes is in force before its answer is.
func TestSessionStartWritesPolicy(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.trusted(`hooks: {SessionStart: [{hooks: [{type: command, command: "mkdir -p .pawl && echo 'permissions: {deny: [Bash]}' > .pawl/local.yaml"}]}]}` + "\n")
	c := f.dial()
	if r := f.ask(c, dir, event("ls")); len(r.Stdout) > 0 {
		t.Fatalf("%s", r.Stdout)
	}
	f.ask(c, dir, []byte(`{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`))
	if r := f.ask(c, dir, event("ls")); !strings.Contains(string(r.Stdout), `"deny"`) {
		t.Errorf("%s", r.Stdout)
	}
}

// TestWakes: what a background hook wakes the agent with reaches the next call
// of its session.
func TestWakes(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.trusted(`hooks: {PostToolUse: [{hooks: [{type: command, command: "echo the build is red >&2; exit 2", asyncRewake: true}]}]}` + "\n")
	f.ask(f.dial(), dir, []byte(`{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"}}`))
	f.decided(dir, []byte(`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"x"}`), "the build is red")
}

// running is a workspace with a hook that does not end. up waits until it
// runs, gone until it and its child have ended.
func (f *fixture) running() (dir string, up, gone func()) {
	f.t.Helper()
	fifo := filepath.Join(f.t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		f.t.Fatal(err)
	}
	dir = f.trusted("hooks: {PreToolUse: [{hooks: [{type: command, command: 'exec >" + fifo + "; sleep 600 & echo up; wait', timeout: 300}]}]}\n")
	r, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	w, err := os.OpenFile(fifo, os.O_WRONLY, 0) // else r is at its end until the hook opens it
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { r.Close(); w.Close() })
	hook := bufio.NewReader(r)
	up = func() {
		f.t.Helper()
		if line, err := hook.ReadString('\n'); line != "up\n" {
			f.t.Fatalf("%q, %v", line, err)
		}
		w.Close()
	}
	gone = func() {
		f.t.Helper()
		if line, err := hook.ReadString('\n'); line != "" || err != io.EOF {
			f.t.Fatalf("%q, %v", line, err)
		}
	}
	return dir, up, gone
}

// start makes a call whose hook does not end.
func (f *fixture) start(c *wire.Client, dir string, left time.Duration) (begun chan engine.SideEffects, replies chan dialect.Reply, errs chan error) {
	begun, replies, errs = make(chan engine.SideEffects, 1), make(chan dialect.Reply, 1), make(chan error, 1)
	p := f.place(dir, "state")
	go func() {
		r, err := c.Answer(wire.Call{Place: p, Left: left, Event: event("ls")}, func(does engine.SideEffects) { begun <- does })
		replies <- r
		errs <- err
	}()
	return begun, replies, errs
}

// TestClientGoes: with the client go its hooks.
func TestClientGoes(t *testing.T) {
	f := serve(t, resident.Options{})
	dir, up, gone := f.running()
	c := f.dial()
	begun, _, errs := f.start(c, dir, time.Minute)
	if does := <-begun; does&engine.Starts == 0 {
		t.Errorf("begun: %v", does)
	}
	up()
	c.Interrupt()
	if err := <-errs; err == nil {
		t.Error("there is an answer")
	}
	gone()
}

// TestDeadline: the time that a client leaves is kept.
func TestDeadline(t *testing.T) {
	f := serve(t, resident.Options{})
	dir, up, gone := f.running()
	_, replies, errs := f.start(f.dial(), dir, 5*time.Second)
	up()
	r := <-replies
	if err := <-errs; err != nil || !strings.Contains(string(r.Stdout), "timed out") {
		t.Errorf("%s, %v", r.Stdout, err)
	}
	gone()
}

// TestStop: an ordered end lets calls end, up to a bound; then they are ended
// and answered as a failure, which blocks.
func TestStop(t *testing.T) {
	f := serve(t, resident.Options{Drain: 200 * time.Millisecond})
	dir, up, gone := f.running()
	idle, stopping := f.dial(), f.dial()
	begun, replies, errs := f.start(f.dial(), dir, time.Minute)
	<-begun
	up()
	if err := stopping.Stop(30 * time.Second); err != nil {
		t.Error(err)
	}
	r := <-replies
	if err := <-errs; err != nil || r.Code != 2 || !strings.Contains(string(r.Stderr), "pawld was stopped before there was a decision") {
		t.Errorf("%s, %s, code %d, %v", r.Stdout, r.Stderr, r.Code, err)
	}
	gone()
	if _, err := idle.Answer(wire.Call{Place: f.place(dir, "state"), Left: time.Minute, Event: event("x")}, nothing); err == nil {
		t.Error("a stopped server answers")
	}
	if err := f.stop(); err != nil {
		t.Error(err)
	}
}

// TestStopWaits: a call that ends in time gets its decision.
func TestStopWaits(t *testing.T) {
	f := serve(t, resident.Options{Drain: time.Minute})
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := f.trusted("hooks: {PreToolUse: [{hooks: [{type: command, command: 'read x <" + fifo + "; echo $x >&2; exit 2', timeout: 60}]}]}\n")
	begun, replies, errs := f.start(f.dial(), dir, time.Minute)
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- f.dial().Stop(time.Minute) }()
	f.log.await(t, "pawld is stopping", 1)
	f.write(fifo, "said later\n")
	r := <-replies
	if err := <-errs; err != nil || !strings.Contains(string(r.Stdout), "said later") {
		t.Errorf("%s, %v", r.Stdout, err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestStateFaults: where state cannot be kept, the answer is that of a call by
// itself, and the state is tried again later.
func TestStateFaults(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.workspace(`hooks: {PreToolUse: [{hooks: [{type: lua, lua: "return ask('call ' .. state.incr('n', 1))"}]}]}` + "\n")
	state := filepath.Join(f.home, "state")
	f.write(state, "a file in place of the directory")
	want := alone(call.Flags{}, f.place(dir, "state"), event("x"))
	if got := plain(f.ask(f.dial(), dir, event("x"))); got != want || !strings.Contains(got, `"deny"`) {
		t.Errorf("served %s\nalone %s", got, want)
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	if got := plain(f.ask(f.dial(), dir, event("x"))); !strings.Contains(got, "call 1") {
		t.Errorf("%s", got)
	}
}

// TestClosesEngines: what hook types keep open is closed when a workspace is
// dropped, after the calls that use it, and at the end.
func TestClosesEngines(t *testing.T) {
	inside, leave, closed := make(chan bool), make(chan bool), make(chan bool, 9)
	probe := engine.WithType("probe", hook.Type{
		New: func(spec hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
			return hook.ActionFunc(func(context.Context, hook.Call) (hook.Result, error) {
				inside <- true
				select {
				case <-closed:
					return hook.Result{}, errors.New("closed while it runs")
				case <-leave:
					return hook.Result{Verdict: hook.Ask, Reason: "open"}, nil
				}
			}), spec.Read().Done()
		},
		Close: func(context.Context) error { closed <- true; return nil },
	})
	f := serve(t, resident.Options{Workspaces: 1, Engine: []engine.Option{probe}})
	dir := f.trusted("hooks: {PreToolUse: [{hooks: [{type: probe}]}]}\n")
	_, replies, errs := f.start(f.dial(), dir, time.Minute)
	<-inside
	other := f.workspace(noRm)
	denies(t, f.dial(), f, other) // takes the place of the first
	leave <- true
	r := <-replies
	if err := <-errs; err != nil || !strings.Contains(string(r.Stdout), "open") {
		t.Errorf("%s, %v", r.Stdout, err)
	}
	<-closed
	if err := f.stop(); err != nil {
		t.Error(err)
	}
	<-closed
	if len(closed) > 0 {
		t.Errorf("closed %d times too often", len(closed))
	}
}
