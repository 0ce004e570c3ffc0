package main

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

// BenchmarkRoundTrip: a call of pawld on an open connection, in turn with the
// same bytes sent to a process that only echoes. The medians and their ratio
// are what to look at.
func BenchmarkRoundTrip(b *testing.B) {
	b.Run("audit", func(b *testing.B) { roundTrip(b) })
	b.Run("no-audit", func(b *testing.B) { roundTrip(b, "--no-audit") })
}

func roundTrip(b *testing.B, flags ...string) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pawl.yaml"), []byte("permissions: {deny: ['Bash(rm *)']}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	env := []string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "PATH=" + os.Getenv("PATH")}
	start(b, env, filepath.Join(programs, "pawld"), append([]string{"serve"}, flags...)...)
	start(b, append(env, echoAt+"="+filepath.Join(dir, "echo")), os.Args[0])
	place := call.Place{Dir: dir, Env: env}
	for range 60 { // about what a shell has
		place.Env = append(place.Env, "SOME_VARIABLE_OF_THE_AGENT=and what it is set to")
	}
	event := []byte(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls -la"}}`)
	frame := wire.CallFrame(wire.Call{Place: place, Left: time.Minute, Event: event})
	pawld, mirror := connect(b, wire.Socket(wire.Dir(place))), connect(b, filepath.Join(dir, "echo"))
	if k, err := pawld.frame(); k != wire.KindHello {
		b.Fatal(k, err)
	}
	var asked, echoed []time.Duration
	for b.Loop() {
		begin := time.Now()
		pawld.Write(frame)
		if k, err := pawld.frame(); k != wire.KindReply {
			b.Fatal(k, err)
		}
		between := time.Now()
		mirror.Write(frame)
		if k, err := mirror.frame(); k != wire.KindCall {
			b.Fatal(k, err)
		}
		asked, echoed = append(asked, between.Sub(begin)), append(echoed, time.Since(between))
	}
	b.ReportMetric(median(asked), "p50-ns")
	b.ReportMetric(median(echoed), "echo-p50-ns")
	b.ReportMetric(median(asked)/median(echoed), "p50/echo")
}

func median(took []time.Duration) float64 {
	slices.Sort(took)
	return float64(took[len(took)/2])
}

// start runs a server until the benchmark ends; it is ready when it says
// something.
func start(b *testing.B, env []string, program string, args ...string) {
	b.Helper()
	c := exec.Command(program, args...)
	c.Env = env
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	if _, err := stderr.Read(make([]byte, 1)); err != nil {
		b.Fatal(err)
	}
}

// client is a connection and what comes from it.
type client struct {
	net.Conn
	r *bufio.Reader
}

func connect(b *testing.B, path string) client {
	b.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return client{c, bufio.NewReaderSize(c, 16<<10)}
}

// frame reads one frame.
func (c client) frame() (wire.Kind, error) {
	k, n, err := wire.ReadHead(c.r)
	if err == nil {
		_, err = wire.ReadBody(c.r, n)
	}
	return k, err
}

// echoAt is the variable that makes this program an echo server on a socket.
const echoAt = "PAWLD_TEST_ECHO"

func echo(path string) error {
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	io.WriteString(os.Stderr, "ready\n")
	c, err := l.Accept()
	for b := make([]byte, 16<<10); err == nil; {
		var n int
		if n, err = c.Read(b); err == nil {
			_, err = c.Write(b[:n])
		}
	}
	return err
}
