//go:build unix

package wire_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/dialect"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func version() string { return "v" }

// fake is an engine that does what a test says, for one client.
func fake(t *testing.T, do func(c net.Conn)) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	if err := wire.MakeDir(dir); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", wire.Socket(dir))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c, err := l.Accept()
		if err != nil {
			return // the test is over
		}
		defer c.Close()
		do(c)
	}()
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return dir
}

// hello greets the client and takes its call.
func hello(c net.Conn) {
	c.Write(wire.Frame(wire.KindHello, []byte("v")))
	_, n, err := wire.ReadHead(c)
	if err == nil {
		wire.ReadBody(c, n)
	}
}

func silent(c net.Conn) { io.Copy(io.Discard, c) }

// TestNoEngine: whatever is at the socket that is no engine of ours, Dial
// fails soon.
func TestNoEngine(t *testing.T) {
	send := func(b []byte) func(net.Conn) { return func(c net.Conn) { c.Write(b); silent(c) } }
	for name, do := range map[string]func(net.Conn){
		"silent":           silent,
		"gone":             func(net.Conn) {},
		"another version":  send(wire.Frame(wire.KindHello, []byte("w"))),
		"declines":         send(wire.Frame(wire.KindDecline, []byte("not for you"))),
		"garbage":          send([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")),
		"begins without":   send(wire.Frame(wire.KindBegun, []byte{1})),
		"half a hello":     send(wire.Frame(wire.KindHello, []byte("v"))[:5]),
		"an endless hello": send([]byte{byte(wire.KindHello), 255, 255, 255, 255}),
	} {
		t.Run(name, func(t *testing.T) {
			if c, err := wire.Dial(fake(t, do), version, 50*time.Millisecond); err == nil || errors.Is(err, wire.ErrNone) {
				t.Errorf("%v, %v", c, err)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "run")
	none := func(what string) {
		t.Helper()
		if _, err := wire.Dial(dir, version, time.Second); !errors.Is(err, wire.ErrNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	none("no directory")
	if err := wire.MakeDir(dir); err != nil {
		t.Fatal(err)
	}
	none("no socket")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: wire.Socket(dir), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	none("a socket that a killed engine left")
}

// TestDirs: only a directory of the user alone is used.
func TestDirs(t *testing.T) {
	for name, make := range map[string]func(dir string) error{
		"open":   func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770)) },
		"a file": func(dir string) error { return os.WriteFile(dir, nil, 0o700) },
		"a link": func(dir string) error { return os.Symlink(os.TempDir(), dir) },
	} {
		dir := filepath.Join(t.TempDir(), "run")
		if err := make(dir); err != nil {
			t.Fatal(err)
		}
		if err := wire.MakeDir(dir); err == nil {
			t.Errorf("%s: a server would use it", name)
		}
		if _, err := wire.Dial(dir, version, time.Second); err == nil || errors.Is(err, wire.ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := wire.MakeDir(""); err == nil {
		t.Error("no directory at all is fine")
	}
}

// TestLost: a call without a reply says whether hooks may have run.
func TestLost(t *testing.T) {
	begin := wire.Frame(wire.KindBegun, []byte{byte(engine.Starts)})
	for name, tt := range map[string]struct {
		do    func(c net.Conn)
		begun bool
	}{
		"gone before the call":   {func(c net.Conn) { c.Write(wire.Frame(wire.KindHello, []byte("v"))) }, false},
		"gone after it":          {hello, false},
		"gone when hooks ran":    {func(c net.Conn) { hello(c); c.Write(begin) }, true},
		"stuck":                  {func(c net.Conn) { hello(c); silent(c) }, false},
		"stuck when hooks ran":   {func(c net.Conn) { hello(c); c.Write(begin); silent(c) }, true},
		"declined":               {func(c net.Conn) { hello(c); c.Write(wire.Frame(wire.KindDecline, []byte("no"))) }, false},
		"garbage":                {func(c net.Conn) { hello(c); c.Write([]byte("xxxxxxxxxx")); silent(c) }, false},
		"garbage when hooks ran": {func(c net.Conn) { hello(c); c.Write(append(begin, "yyyyyyyy"...)) }, true},
		"a reply that is none":   {func(c net.Conn) { hello(c); c.Write(wire.Frame(wire.KindReply, []byte{0, 9})) }, false},
		"an exit code too large": {func(c net.Conn) { hello(c); c.Write(wire.Frame(wire.KindReply, []byte{0x80, 0x02, 0, 0})) }, false},
		"half a reply":           {func(c net.Conn) { hello(c); c.Write(wire.Frame(wire.KindReply, []byte{0, 0, 0})[:6]) }, false},
		"a reply without an end": {func(c net.Conn) { hello(c); c.Write([]byte{byte(wire.KindReply), 255, 255, 255, 255}); silent(c) }, false},
		"two begins":             {func(c net.Conn) { hello(c); c.Write(append(begin, begin...)) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := wire.Dial(fake(t, tt.do), version, 5*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			r, err := c.Answer(wire.Call{Left: 200 * time.Millisecond, Event: []byte("{}")}, func(engine.SideEffects) {})
			lost, ok := errors.AsType[*wire.Lost](err)
			if !ok || lost.Begun != tt.begun {
				t.Errorf("%+v, %v, begun %v", r, err, ok && lost.Begun)
			}
		})
	}
}

// TestGivesUpForGood: when a client has given up, an engine that wakes up late
// cannot begin any more; and if it had begun, the client knows.
func TestGivesUpForGood(t *testing.T) {
	begun := make(chan error, 1)
	release := make(chan struct{})
	dir := fake(t, func(c net.Conn) {
		hello(c)
		<-release
		_, err := c.Write(wire.Frame(wire.KindBegun, []byte{byte(engine.Starts)}))
		begun <- err
	})
	c, err := wire.Dial(dir, version, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Answer(wire.Call{Left: 50 * time.Millisecond}, func(engine.SideEffects) {})
	close(release)
	lost, ok := errors.AsType[*wire.Lost](err)
	if !ok || lost.Begun != (<-begun == nil) {
		t.Errorf("%v: the two ends do not agree", err)
	}
}

// TestAnswer: what comes back is what was sent.
func TestAnswer(t *testing.T) {
	want := dialect.Reply{Stdout: []byte("{}\n"), Stderr: []byte("why"), Code: 2}
	dir := fake(t, func(c net.Conn) {
		hello(c)
		c.Write(wire.Frame(wire.KindBegun, []byte{byte(engine.Keeps)}))
		for _, b := range wire.Frame(wire.KindReply, wire.EncodeReply(want)) {
			c.Write([]byte{b})
		}
	})
	c, err := wire.Dial(dir, version, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var does engine.SideEffects
	r, err := c.Answer(wire.Call{Left: time.Minute}, func(d engine.SideEffects) { does = d })
	if err != nil || !reflect.DeepEqual(r, want) || does != engine.Keeps {
		t.Errorf("%+v, %v, does %v", r, err, does)
	}
}

// TestCallsComeThrough: a call is read as it was sent, whatever is in it.
func TestCallsComeThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Make[wire.Call]().Draw(t, "call")
		want.Left = min(want.Left.Abs(), time.Hour)
		for _, list := range []*[]string{&want.Flags.Files, &want.Place.Env} {
			*list = append([]string{}, *list...) // not nil
		}
		want.Event = append([]byte{}, want.Event...)
		b := wire.CallFrame(want)[5:]
		got, err := wire.DecodeCall(b)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
		// The frame says where the event ends; all before it is told apart.
		cut := rapid.IntRange(0, len(b)-len(want.Event)-1).Draw(t, "cut")
		if _, err := wire.DecodeCall(b[:cut]); err == nil {
			t.Fatalf("%d of %d bytes are a call", cut, len(b))
		}
	})
}

// FuzzDecodeCall: no bytes make it panic or take memory that they do not have.
func FuzzDecodeCall(f *testing.F) {
	f.Add(wire.CallFrame(wire.Call{Event: []byte("{}"), Place: call.Place{Env: []string{"A=b"}}})[5:])
	f.Add([]byte{0, 0, 0, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := wire.DecodeCall(b)
		if err == nil && len(c.Event) > len(b) {
			t.Errorf("%d bytes of %d", len(c.Event), len(b))
		}
	})
}

// TestReadBody: a length is no promise: what does not come takes no memory.
func TestReadBody(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := wire.ReadBody(strings.NewReader("abc"), 1<<30); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("3 bytes of 1 GiB took %d bytes", took)
	}
	long := strings.Repeat("x", 200_000)
	got, err := wire.ReadBody(bufio.NewReader(strings.NewReader(long+"y")), len(long))
	if err != nil || string(got) != long {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
