//go:build unix

package resident_test

import (
	"io"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

// BenchmarkRoundTrip: one call on an open connection beside the same bytes
// sent through a server that only echoes. p50-ns is what to compare.
func BenchmarkRoundTrip(b *testing.B) {
	f := serve(b, resident.Options{})
	dir := f.workspace(noRm)
	call := wire.Call{Place: f.place(dir, "state"), Left: time.Minute, Event: event("ls -la")}
	for range 60 { // about what a shell has
		call.Place.Env = append(call.Place.Env, "SOME_VARIABLE_OF_THE_AGENT=and what it is set to")
	}
	b.Run("echo", func(b *testing.B) {
		c := echo(b)
		frame := wire.Frame(wire.KindCall, wire.EncodeCall(call))
		back := make([]byte, len(frame))
		p50(b, func() error {
			if _, err := c.Write(frame); err != nil {
				return err
			}
			_, err := io.ReadFull(c, back)
			return err
		})
	})
	b.Run("pawld", func(b *testing.B) {
		c := f.dial()
		p50(b, func() error {
			_, err := c.Answer(call, nothing)
			return err
		})
	})
}

// echo connects to a server that sends back what it gets.
func echo(b *testing.B) net.Conn {
	b.Helper()
	l, err := net.Listen("unix", filepath.Join(b.TempDir(), "echo"))
	if err != nil {
		b.Fatal(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		io.Copy(c, c)
		c.Close()
	}()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close(); l.Close() })
	return c
}

// p50 times each call of f by itself.
func p50(b *testing.B, f func() error) {
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
}
