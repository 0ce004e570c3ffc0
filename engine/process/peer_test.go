//go:build linux

package process_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/process"
)

func open(t *testing.T, text string) *process.Peer {
	t.Helper()
	p, err := process.Open(shell(t, text))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(ended(t)) })
	return p
}

// ended is a context that has ended.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	cancel()
	return ctx
}

// A peer answers as often as it is asked, and ends by itself when its stdin
// does.
func TestPeer(t *testing.T) {
	p := open(t, "while read -r line; do echo \"got $line\"; done; echo bye; echo end >&2")
	lines := bufio.NewScanner(p)
	for range 3 {
		if _, err := io.WriteString(p, "a\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || lines.Text() != "got a" {
			t.Fatalf("%q, %v", lines.Text(), lines.Err())
		}
	}
	p.Close(t.Context())
	if p.Stderr() != "end" {
		t.Errorf("stderr %q: it was not left to end by itself", p.Stderr())
	}
	if _, err := io.WriteString(p, "a\n"); err == nil {
		t.Error("written after the end")
	}
	noneLeft(t)
}

// Whatever a peer does, Close ends it with all that it started.
func TestPeerClose(t *testing.T) {
	for _, tt := range []struct {
		name, text, last string
	}{
		{"deaf", "trap 'echo asked >&2; exit' TERM; while :; do sleep .02; done", "asked"},
		{"deaf to signals too", "trap '' TERM; while :; do sleep .02; done", ""},
		{"stopped", "kill -STOP $$", ""},
		{"with a child", "sleep 30 & cat; echo left >&2", "left"},
		{"with a child of another session", "setsid sleep 30 & cat; echo left >&2", "left"},
		{"noisy", "yes", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, "echo up; "+tt.text)
			if line, err := bufio.NewReader(p).ReadString('\n'); line != "up\n" {
				t.Fatal(line, err)
			}
			began := time.Now()
			p.Close(t.Context())
			p.Close(t.Context())
			if took := time.Since(began); took > 5*time.Second || !strings.HasSuffix(p.Stderr(), tt.last) {
				t.Errorf("took %v, stderr %q", took, p.Stderr())
			}
			noneLeft(t)
		})
	}
}

// An ended context is not waited for.
func TestPeerCloseAtOnce(t *testing.T) {
	p := open(t, "trap '' TERM; sleep 30")
	began := time.Now()
	p.Close(ended(t))
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
	noneLeft(t)
}

// What the leader leaves behind dies with it, and its output ends.
func TestPeerDies(t *testing.T) {
	p := open(t, "sleep 30 & echo last words >&2; read -r line; exit 3")
	if _, err := io.WriteString(p, "\n"); err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(p); err != nil || len(data) > 0 {
		t.Errorf("%q, %v", data, err)
	}
	<-p.Exited()
	noneLeft(t)
	p.Close(t.Context())
	if p.Stderr() != "last words" {
		t.Errorf("stderr %q", p.Stderr())
	}
}

// Of a flood on stderr the end is kept, and the peer is never held up by it.
func TestPeerStderr(t *testing.T) {
	p := open(t, "head -c 50000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo done")
	if line, err := bufio.NewReader(p).ReadString('\n'); line != "done\n" {
		t.Fatal(line, err)
	}
	p.Close(t.Context())
	if text := p.Stderr(); len(text) > 4<<10 || !strings.HasSuffix(text, "xxxend") {
		t.Errorf("%d bytes, end %q", len(text), text[max(0, len(text)-20):])
	}
}

// A peer that does not read is killed, rather than spoken to in halves.
func TestPeerDoesNotRead(t *testing.T) {
	t.Parallel() // it takes five seconds
	p := open(t, "sleep 60")
	began := time.Now()
	if _, err := p.Write(bytes.Repeat([]byte("x"), 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	<-p.Exited()
	noneLeft(t)
}
