//go:build unix

package resident_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine/dialect"
)

// event is a call of a shell command.
func event(command string) []byte {
	text, _ := json.Marshal(command)
	return []byte(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":` + string(text) + `}}`)
}

const noRm = "permissions: {deny: ['Bash(rm *)']}\n"

// raw is a connection without a client's manners, after hello.
func (f *fixture) raw() *net.UnixConn {
	f.t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: wire.Socket(f.dir), Net: "unix"})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { c.Close() })
	k, n, err := wire.ReadHead(c)
	if err != nil || k != wire.KindHello {
		f.t.Fatal(k, err)
	}
	if _, err := wire.ReadBody(c, n); err != nil {
		f.t.Fatal(err)
	}
	return c
}

// dropped waits until the server has ended the connection.
func dropped(t *testing.T, c net.Conn) []byte {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(30 * time.Second))
	said, err := io.ReadAll(c)
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		t.Fatal("the server waits for good")
	}
	return said
}

func denies(t *testing.T, c *wire.Client, f *fixture, dir string) {
	t.Helper()
	r, err := patiently(f, c, wire.Call{Place: f.place(dir, "state"), Left: time.Minute, Event: event("rm x")})
	if err != nil || !strings.Contains(string(r.Stdout), `"deny"`) {
		t.Errorf("%s, %v", r.Stdout, err)
	}
}

// patiently asks again where a client would decide by itself, because the machine
// is busy.
func patiently(f *fixture, c *wire.Client, call wire.Call) (r dialect.Reply, err error) {
	for r, err = c.Answer(call, nothing); errors.Is(err, os.ErrDeadlineExceeded); {
		r, err = f.dial().Answer(call, nothing)
	}
	return r, err
}

// TestBadClients: who is silent, slow, too large or not understood is sent
// away, and costs nobody else anything.
func TestBadClients(t *testing.T) {
	f := serve(t, resident.Options{Wait: 200 * time.Millisecond})
	dir := f.workspace(noRm)
	head := func(n uint32) []byte {
		return []byte{byte(wire.KindCall), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
	}
	for name, sends := range map[string][]byte{
		"silent":           nil,
		"half a head":      head(9)[:3],
		"half a call":      append(head(100), "abc"...),
		"a slow large one": append(head(50<<20), "abc"...),
		"1 GB":             head(1 << 30),
		"all there is":     head(1<<32 - 1),
		"garbage":          []byte("GET / HTTP/1.1\r\n\r\n"),
		"an unknown kind":  {'?', 0, 0, 0, 0},
		"no call":          wire.Frame(wire.KindCall, []byte("xyz")),
		"many variables":   wire.Frame(wire.KindCall, []byte{0, 0, 0, 0, 0, 255, 255, 255, 255, 15}),
		"a large stop":     append([]byte{byte(wire.KindStop), 0, 0, 1, 0}, make([]byte, 256)...),
	} {
		t.Run(name, func(t *testing.T) {
			c := f.raw()
			if _, err := c.Write(sends); err != nil {
				t.Fatal(err)
			}
			dropped(t, c)
		})
	}
	denies(t, f.dial(), f, dir)
}

// TestEndlessClient: 1 GB that comes for real is not kept.
func TestEndlessClient(t *testing.T) {
	f := serve(t, resident.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := f.raw()
	c.SetWriteDeadline(time.Now().Add(30 * time.Second))
	chunk := bytes.Repeat([]byte("C"), 1<<20)
	var err error
	for n := 0; n < 1<<10 && err == nil; n++ {
		_, err = c.Write(chunk)
	}
	if e, ok := errors.AsType[net.Error](err); err == nil || ok && e.Timeout() {
		t.Errorf("the server took 1 GB: %v", err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("it took %d bytes of memory", took)
	}
}

// TestCrowd: beyond the connections that it may have a server sends clients
// away at once, and takes them again when there is room.
func TestCrowd(t *testing.T) {
	f := serve(t, resident.Options{Connections: 2})
	dir := f.workspace(noRm)
	a, b := f.dial(), f.dial()
	if _, err := wire.Dial(f.dir, version, 5*time.Second); err == nil || errors.Is(err, wire.ErrNone) {
		t.Errorf("a third client: %v", err)
	}
	denies(t, a, f, dir)
	denies(t, b, f, dir)
	a.Close()
	b.Close()
	for { // the server notices soon
		c, err := wire.Dial(f.dir, version, 5*time.Second)
		if err == nil {
			denies(t, c, f, dir)
			c.Close()
			return
		}
	}
}

// TestLargeEvents: there is room for so many bytes of large events. Who gets
// none decides by itself.
func TestLargeEvents(t *testing.T) {
	f := serve(t, resident.Options{Large: 2 << 20})
	dir := f.workspace(noRm)
	denies(t, f.dial(), f, dir)
	long := bytes.Replace(event("rm x"), []byte(`"command":`), []byte(`"description":"`+strings.Repeat("x", 1<<20)+`","command":`), 1)
	call := wire.Call{Place: f.place(dir, "state"), Left: time.Minute, Event: long}
	c := f.dial()
	r, err := patiently(f, c, call)
	if err != nil || len(r.Stdout) == 0 {
		t.Fatalf("%s, %v", r.Stdout, err)
	}
	denies(t, f.dial(), f, dir) // by now its room is free again
	half := f.raw()
	frame := wire.CallFrame(call)
	if _, err := half.Write(frame[:len(frame)-1]); err != nil {
		t.Fatal(err)
	}
	_, err = patiently(f, f.dial(), call)
	if lost, ok := errors.AsType[*wire.Lost](err); !ok || lost.Begun || !strings.Contains(err.Error(), "too many large events") {
		t.Errorf("a second one: %v", err)
	}
	denies(t, f.dial(), f, dir)
	half.Close()
	for err != nil { // the server notices soon
		_, err = f.dial().Answer(call, nothing)
	}
}

// TestStrangers: settings and the meaning of ~ depend on HOME, and the hour that
// a policy asks for on TZ. Both are those of the server, so who has another one
// decides by itself.
func TestStrangers(t *testing.T) {
	f := serve(t, resident.Options{})
	for want, change := range map[string]func(*call.Place){
		"HOME is":          func(p *call.Place) { p.Env[0] = "HOME=" + t.TempDir() },
		"the time zone is": func(p *call.Place) { p.Env = append(p.Env, "TZ=Asia/Tokyo") },
		`zone is "TZ="`:    func(p *call.Place) { p.Env = append(p.Env, "TZ=") }, // UTC
	} {
		p := f.place(f.workspace(noRm), "state", "X=1")
		change(&p)
		_, err := f.dial().Answer(wire.Call{Place: p, Left: time.Minute, Event: event("rm x")}, nothing)
		if lost, ok := errors.AsType[*wire.Lost](err); !ok || lost.Begun || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestWorkspaces: so many are kept, those used last; and what nobody uses is
// dropped.
func TestWorkspaces(t *testing.T) {
	f := serve(t, resident.Options{Workspaces: 2, Idle: time.Nanosecond})
	c := f.dial()
	var roots []string
	for range 4 {
		dir := f.workspace(noRm)
		denies(t, c, f, dir)
		roots = append(roots, dir)
	}
	f.log.await(t, "dropped: idle", 2)
	st := f.status()
	if st.Calls != 4 || len(st.Workspaces) != 0 {
		t.Errorf("%+v", st)
	}
	denies(t, c, f, roots[0])
	if st := f.status(); len(st.Workspaces) != 1 || st.Workspaces[0].Root != roots[0] || st.Workspaces[0].Sessions != 1 || st.Workspaces[0].Snapshot == "" {
		t.Errorf("%+v", st)
	}
}

func (f *fixture) status() (st resident.Status) {
	f.t.Helper()
	data, err := f.dial().Status(5 * time.Second)
	if err == nil {
		err = json.Unmarshal(data, &st)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return st
}

// TestSecondServer: one of a user runs at a time, and what a killed one left
// is no hindrance.
func TestSecondServer(t *testing.T) {
	f := serve(t, resident.Options{})
	err := resident.Run(t.Context(), resident.Options{Dir: f.dir, Version: "test"})
	if err == nil || !strings.Contains(err.Error(), "runs already") {
		t.Errorf("%v", err)
	}
	denies(t, f.dial(), f, f.workspace(noRm))
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(wire.Socket(f.dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

// TestSocketGoes: a server that nobody can find any more ends and says why, and
// leaves the socket of the next one alone.
func TestSocketGoes(t *testing.T) {
	f := serve(t, resident.Options{Wait: 10 * time.Millisecond})
	if err := errors.Join(os.Remove(wire.Socket(f.dir)), os.Remove(filepath.Join(f.dir, "pawld.lock"))); err != nil {
		t.Fatal(err)
	}
	next := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	log := &journal{wrote: make(chan struct{}, 1)}
	go func() {
		next <- resident.Run(ctx, resident.Options{Dir: f.dir, Version: "test", Log: slog.New(slog.NewTextHandler(log, nil))})
	}()
	log.await(t, "pawld is ready", 1)
	f.log.await(t, "pawld is stopping", 1)
	if err := f.ended(); err == nil || !strings.Contains(err.Error(), "the socket was removed, or another took its place") {
		t.Errorf("%v", err)
	}
	denies(t, f.dial(), f, f.workspace(noRm))
	cancel()
	if err := <-next; err != nil {
		t.Error(err)
	}
}
