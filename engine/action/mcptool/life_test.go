//go:build linux

package mcptool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/action/mcptool"
	"github.com/pawl-dev/pawl/engine/hook"
)

// soon is a context that ends before a server that hangs is given up.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// A server that dies during a call is a failure that tells its last words; the
// next call starts it again.
func TestCrash(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	for range 3 {
		_, err := f.call(t.Context(), t, "crash", nil)
		wantCause(t, err, hook.CauseError, "out of luck")
	}
	if res, err := f.call(t.Context(), t, "structured", nil); err != nil || res.Verdict != hook.Deny || f.started() != 4 {
		t.Errorf("%s, %v after %d starts", res.Verdict, err, f.started())
	}
}

// A server that dies between calls is started again, and no call is lost by it.
func TestDiesBetweenCalls(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	for range 5 {
		res, err := f.call(t.Context(), t, "pid", nil)
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := strconv.Atoi(res.Log)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		until(t, func() bool { return syscall.Kill(pid, 0) != nil }) // its parent has seen it
	}
	if f.started() != 5 {
		t.Errorf("started %d times", f.started())
	}
}

// A server that is not ready costs a call its own time and no more; Close ends
// it.
func TestNotReady(t *testing.T) {
	for _, mode := range []string{"mute", "deaf"} {
		f := newFixture(t, mcptool.Options{})
		f.program(t, mode)
		began := time.Now()
		_, err := f.call(soon(t), t, "say", nil)
		wantCause(t, err, hook.CauseTimeout, "server s is not ready")
		f.kind.Close(t.Context())
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: took %v", mode, took)
		}
		noneLeft(t)
	}
}

// A server that cannot be started says why, and is not started at every call.
func TestStartFails(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "dies")
	for range 5 {
		_, err := f.call(t.Context(), t, "say", nil)
		wantCause(t, err, hook.CauseSpawn, "no license found")
	}
	if n := f.started(); n != 2 {
		t.Errorf("started %d times, want 2", n)
	}
	g := newFixture(t, mcptool.Options{})
	g.declare("s", map[string]any{"command": "no-such-program"})
	_, err := g.call(t.Context(), t, "say", nil)
	wantCause(t, err, hook.CauseSpawn, `"no-such-program": executable file not found`)
	g = newFixture(t, mcptool.Options{})
	g.declare("s", map[string]any{"command": "sh", "args": []any{"-c", "${NONE}"}})
	_, err = g.call(t.Context(), t, "say", nil)
	wantCause(t, err, hook.CauseSpawn, "the variable NONE is not set")
}

// What a server prints beside its messages, and a flood of it on stderr, holds
// nothing up.
func TestNoisy(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "noisy")
	for range 3 {
		if res, err := f.call(t.Context(), t, "structured", nil); err != nil || res.Verdict != hook.Deny {
			t.Fatalf("%s, %v", res.Verdict, err)
		}
	}
	if f.started() != 1 {
		t.Errorf("started %d times", f.started())
	}
}

// A server of any generation of the protocol is understood: one that ends at a
// first message that it does not know, one that does not answer it, and one
// that knows no sessions.
func TestVersions(t *testing.T) {
	for mode, starts := range map[string]int{"old": 1, "old and mute": 1, "new": 2} {
		f := newFixture(t, mcptool.Options{})
		f.program(t, mode)
		for range 2 {
			if res, err := f.call(t.Context(), t, "structured", nil); err != nil || res.Verdict != hook.Deny {
				t.Fatalf("%s: %s, %v", mode, res.Verdict, err)
			}
		}
		if f.started() != starts {
			t.Errorf("%s: started %d times, want %d", mode, f.started(), starts)
		}
	}
}

// Output that is no protocol is a failure, soon, whatever its size.
func TestNoProtocol(t *testing.T) {
	for _, mode := range []string{"babbles", "endless line"} {
		f := newFixture(t, mcptool.Options{})
		f.program(t, mode)
		_, err := f.call(t.Context(), t, "say", nil)
		wantCause(t, err, hook.CauseSpawn, "server s is not ready")
		noneLeft(t)
	}
}

// A tool that hangs costs its caller the time of the hook; the connection
// stays.
func TestHang(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	before, err := f.call(t.Context(), t, "pid", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.call(soon(t), t, "hang", nil)
	wantCause(t, err, hook.CauseTimeout, "timed out")
	if after, err := f.call(t.Context(), t, "pid", nil); err != nil || after.Log != before.Log {
		t.Errorf("%q, before %q, %v", after.Log, before.Log, err)
	}
}

// Close ends servers with all that they started, and the calls that wait.
func TestClose(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "parent")
	if _, err := f.call(t.Context(), t, "pid", nil); err != nil || len(marked(t)) != 2 {
		t.Fatalf("%v; processes %v", err, marked(t))
	}
	hangs := make(chan error)
	go func() {
		_, err := f.call(t.Context(), t, "hang", nil)
		hangs <- err
	}()
	f.kind.Close(t.Context())
	noneLeft(t)
	wantCause(t, <-hangs, hook.CauseError, "closed")
	_, err := f.call(t.Context(), t, "pid", nil)
	wantCause(t, err, hook.CauseError, "closed")
	f.kind.Close(t.Context())
}

// A connection that nobody uses is closed, and made again when it is needed.
func TestIdle(t *testing.T) {
	f := newFixture(t, mcptool.Options{Idle: 20 * time.Millisecond})
	f.program(t, "good")
	for range 2 {
		if _, err := f.call(t.Context(), t, "pid", nil); err != nil {
			t.Fatal(err)
		}
		noneLeft(t)
	}
	if f.started() != 2 {
		t.Errorf("started %d times", f.started())
	}
}

// A server over HTTP that has forgotten the session is greeted anew.
func TestForgottenSession(t *testing.T) {
	var handler atomic.Pointer[mcp.StreamableHTTPHandler]
	renew := func() {
		handler.Store(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, &mcp.StreamableHTTPOptions{SessionTimeout: 100 * time.Millisecond}))
	}
	renew()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) }))
	defer server.Close()
	f := newFixture(t, mcptool.Options{})
	f.declare("s", map[string]any{"url": server.URL})
	for range 3 {
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if res, err := f.call(t.Context(), t, "structured", nil); err != nil || res.Verdict != hook.Deny {
					t.Errorf("%s, %v", res.Verdict, err)
				}
			})
		}
		wg.Wait()
		renew()
	}
	f.kind.Close(t.Context())
}

// With more servers than connections there may be, the one that was not used
// for longest is let go.
func TestManyServers(t *testing.T) {
	const servers, most = 70, 64
	var left atomic.Int32
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		if r.Method == http.MethodDelete {
			left.Add(1)
		}
	}))
	defer server.Close()
	f := newFixture(t, mcptool.Options{})
	for i := range servers {
		name := fmt.Sprint("s", i)
		f.declare(name, map[string]any{"url": server.URL})
		a, _ := f.make("server", name, "tool", "structured")
		if res, err := a.Run(t.Context(), f.event(hook.PreToolUse)); err != nil || res.Verdict != hook.Deny {
			t.Fatalf("%s: %s, %v", name, res.Verdict, err)
		}
	}
	until(t, func() bool { return left.Load() == servers-most })
	f.kind.Close(t.Context())
	if n := left.Load(); n != servers {
		t.Errorf("%d of %d sessions were ended", n, servers)
	}
}

// What a server over HTTP does wrong is a failure; its address is not told.
func TestBadHTTP(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		cause   hook.Cause
	}{
		"hangs":     {func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() }, hook.CauseTimeout},
		"fails":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, hook.CauseHTTP},
		"redirects": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, 307) }, hook.CauseHTTP},
		"a page":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<p>please log in") }, hook.CauseHTTP},
		"half a message": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"resu`)
		}, hook.CauseHTTP},
		"endless message": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1<<16)); err != nil {
					return
				}
			}
		}, hook.CauseHTTP},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, hook.CauseHTTP},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(tt.handler)
			defer server.Close()
			f := newFixture(t, mcptool.Options{})
			f.declare("s", map[string]any{"url": server.URL + "/secret"})
			ctx := t.Context()
			if tt.cause == hook.CauseTimeout {
				ctx = soon(t)
			}
			_, err := f.call(ctx, t, "say", nil)
			wantCause(t, err, tt.cause, "server s is not ready")
			if strings.Contains(fmt.Sprint(err), "secret") || asked {
				t.Errorf("%v, redirect followed: %v", err, asked)
			}
			f.kind.Close(soon(t))
		})
	}
	f := newFixture(t, mcptool.Options{})
	f.declare("s", map[string]any{"url": "http://169.254.169.254/mcp"})
	_, err := f.call(t.Context(), t, "say", nil)
	wantCause(t, err, hook.CauseHTTP, "hands out credentials")
}

// Headers of a server may use variables.
func TestHeaders(t *testing.T) {
	var got atomic.Value
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.Header.Get("Authorization") + " " + r.Header.Get("X-Tenant"))
		h.ServeHTTP(w, r)
	}))
	defer server.Close()
	f := newFixture(t, mcptool.Options{})
	f.declare("s", map[string]any{"url": server.URL, "headers": map[string]any{"Authorization": "Bearer ${TOKEN}", "X-Tenant": "${TENANT:-none}"}})
	if _, err := f.call(t.Context(), t, "say", nil); err == nil || got.Load() != "Bearer t0p none" {
		t.Logf("%v", err)
	}
	if got.Load() != "Bearer t0p none" {
		t.Errorf("headers %q", got.Load())
	}
	f.kind.Close(t.Context())
}

// Variables of a declaration are those of the event; what has the same ones
// shares a connection. A value that would add a header is not sent, and not told.
func TestVariablesOfTheEvent(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{} // greetings by token
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"initialize"`)) {
			mu.Lock()
			seen[r.Header.Get("Authorization")]++
			mu.Unlock()
		}
		h.ServeHTTP(w, r)
	}))
	defer server.Close()
	f := newFixture(t, mcptool.Options{})
	f.declare("s", map[string]any{"url": server.URL, "headers": map[string]any{"Authorization": "Bearer ${TOKEN}"}})
	a, _ := f.make("server", "s", "tool", "structured")
	for _, env := range [][]string{nil, {"TOKEN=a"}, {"TOKEN=b", "X=1"}, {"TOKEN=a", "X=2"}, nil} {
		ev := hook.Event{Name: hook.PreToolUse, Env: env}
		if res, err := a.Run(t.Context(), hook.Call{Facts: &hook.Facts{Event: ev}, Hook: &f.spec}); err != nil || res.Verdict != hook.Deny {
			t.Errorf("%v: %s, %v", env, res.Verdict, err)
		}
	}
	if fmt.Sprint(seen) != "map[Bearer a:1 Bearer b:1 Bearer t0p:1]" {
		t.Errorf("greeted as %v", seen)
	}
	for env, want := range map[string]string{"TOKEN=a\r\nX-Evil: s3cret": "invalid header field value", "OTHER=1": "the variable TOKEN is not set"} {
		ev := hook.Event{Name: hook.PreToolUse, Env: []string{env}}
		_, err := a.Run(t.Context(), hook.Call{Facts: &hook.Facts{Event: ev}, Hook: &f.spec})
		wantCause(t, err, hook.CauseHTTP, want)
		if strings.Contains(err.Error(), "s3cret") {
			t.Error(err)
		}
	}
	f.kind.Close(t.Context())
}

// A program has the environment of the event, and one that differs only in where
// its shell is shares it.
func TestEnvironmentOfTheEvent(t *testing.T) {
	t.Setenv("REGION", "of the engine")
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	a, _ := f.make("server", "s", "tool", "region")
	for _, tt := range []struct {
		env  []string
		want string
	}{
		{nil, "of the engine"},
		{[]string{"REGION=eu", "PWD=/a"}, "eu"},
		{[]string{"PWD=/b", "SHLVL=2", "REGION=eu"}, "eu"},
		{[]string{"REGION=us"}, "us"},
	} {
		c := f.event(hook.PreToolUse)
		c.Facts.Event.Env = tt.env
		if res, err := a.Run(t.Context(), c); err != nil || res.Reason != tt.want {
			t.Errorf("%v: %q, %v", tt.env, res.Reason, err)
		}
	}
	if n := f.started(); n != 3 {
		t.Errorf("%d programs were started, want one for each environment", n)
	}
	f.kind.Close(t.Context())
}

// A workspace that nobody trusts starts no server; a trusted one does, and the
// engine ends it.
func TestEngine(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, starts := t.TempDir(), filepath.Join(t.TempDir(), "starts")
	text := fmt.Sprintf(`mcpServers: {guard: {command: %q, env: {MODE: good, STARTS: %q, GORACE: "atexit_sleep_ms=0", PAWL_MARK: %q}}}
hooks: {PreToolUse: [{matcher: Write, hooks: [{type: mcp_tool, server: guard, tool: say, input: {text: '{"decision":"block","reason":"not ${tool_input.file_path}"}'}}]}]}
`, self, starts, mark(t))
	if err := os.WriteFile(filepath.Join(dir, "pawl.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, trusted := range []bool{false, true} {
		eng, err := engine.Open(t.Context(), dir, engine.WithType("mcp_tool", mcptool.New(mcptool.Options{})),
			engine.WithHome(""), engine.WithManaged(t.TempDir()), engine.WithTrust(func(string) bool { return trusted }))
		if trusted && err != nil {
			t.Fatal(err)
		}
		ev := engine.Event{Name: engine.PreToolUse, Tool: "Write", Dir: dir, Input: engine.Input("file_path", "a.txt")}
		dec := eng.Dispatch(t.Context(), ev)
		_, missing := os.Stat(starts)
		if trusted && dec.Reason() != "not a.txt" || trusted == (missing != nil) {
			t.Errorf("trusted %v: decision %s %q, started %v", trusted, dec.Verdict, dec.Reason(), missing == nil)
		}
		if err := eng.Close(t.Context()); err != nil {
			t.Error(err)
		}
		noneLeft(t)
	}
}

// The script of a server is part of the settings: a change of it starts the
// server anew, and one that is refused does not run.
func TestServerScript(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "guard.sh")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	says := func(answer string) {
		write(script, fmt.Sprintf("#!/bin/sh\nMODE=good GORACE=atexit_sleep_ms=0 ANSWER=%s exec '%s'\n", answer, self))
	}
	says("first")
	write(filepath.Join(dir, "pawl.yaml"), `mcpServers: {guard: {command: sh, args: [./guard.sh]}}
hooks:
  PreToolUse: [{hooks: [{type: mcp_tool, server: guard, tool: answer}]}]
  ConfigChange: [{hooks: [{type: expr, when: env("STRICT") == "1", decision: deny, reason: "not now"}]}]
`)
	strict := "0"
	eng, err := engine.Open(t.Context(), dir, engine.WithType("mcp_tool", mcptool.New(mcptool.Options{})), engine.WithHome(""),
		engine.WithManaged(t.TempDir()), engine.WithScratch(t.TempDir()), engine.WithTrust(func(string) bool { return true }),
		engine.WithEnv(func(string) (string, bool) { return strict, true }))
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close(t.Context())
	if !slices.Contains(eng.Sources(), script) {
		t.Errorf("sources %v", eng.Sources())
	}
	for _, step := range []struct{ strict, write, want string }{
		{"0", "first", "first"}, {"0", "second", "second"}, {"1", "third", "second"}, {"0", "fourth", "fourth"},
	} {
		strict = step.strict
		says(step.write)
		if err := eng.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		dec := eng.Dispatch(t.Context(), engine.Event{Name: engine.PreToolUse, Tool: "Bash", Dir: dir, Input: engine.Input("command", "ls")})
		if dec.Reason() != step.want {
			t.Errorf("%s: decision %s %q, notices %q", step.write, dec.Verdict, dec.Reason(), dec.Notices)
		}
	}
}

// A server that is late because nobody knows yet whether it is what was accepted
// blocks.
func TestLookOutOfTime(t *testing.T) {
	f, wait := newFixture(t, mcptool.Options{}), make(chan struct{})
	defer close(wait)
	if err := os.WriteFile(filepath.Join(f.deps.Root, "server.sh"), []byte("exit 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.declare("s", map[string]any{"command": "bash", "args": []any{"server.sh"}})
	f.deps.Copies = func([]string) (hook.Copies, error) { <-wait; return hook.Copies{}, nil }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.call(ctx, t, "x", nil)
	if n, ok := errors.AsType[*hook.NoVerdict](err); !ok || !n.Blocks {
		t.Errorf("%v, want a failure that blocks", err)
	}
}
