package process

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	// eofGrace is how long a peer may take to end by itself once its stdin has
	// ended, and termGrace how long after it was asked by a signal.
	eofGrace  = time.Second
	termGrace = 500 * time.Millisecond
	// writeLimit is how long a peer may leave a write waiting.
	writeLimit = 5 * time.Second
	// maxTail is how much of a peer's stderr is kept, from its end.
	maxTail = 4 << 10
)

// Peer is a child that is talked to: written to and read from for as long as
// both sides like. Its owner must Close it, also when it has ended.
//
// Read is for one goroutine at a time, and so is Write; all else may be called
// by any number.
type Peer struct {
	*leader
	errors tail
	closed chan struct{} // at the end of Close
	close  sync.Once

	mu     sync.Mutex // orders kills before reaping
	reaped bool
}

// Open starts c; Stdin and MaxOutput of it have no effect. When the leader
// ends, the rest of the group is killed. The error is a *hook.NoVerdict of
// CauseSpawn.
func Open(c Command) (*Peer, error) {
	started, err := start(c)
	if err != nil {
		return nil, err
	}
	p := &Peer{leader: started, errors: tail{done: make(chan struct{})}, closed: make(chan struct{})}
	go func() { // ended by Close
		defer close(p.errors.done)
		io.Copy(&p.errors, p.stderr)
	}()
	go func() {
		<-p.exited
		p.Kill()
	}()
	return p, nil
}

// Read reads what the peer prints on stdout.
func (p *Peer) Read(b []byte) (int, error) { return p.stdout.Read(b) }

// Write writes to the stdin of the peer, which is killed if it does not take
// all of b within five seconds: half a message would spoil all that follow.
func (p *Peer) Write(b []byte) (int, error) {
	err := p.stdin.SetWriteDeadline(time.Now().Add(writeLimit))
	if err != nil {
		return 0, err
	}
	n, err := p.stdin.Write(b)
	if err != nil {
		p.Kill()
	}
	return n, err
}

// Exited is closed when the leader has ended.
func (p *Peer) Exited() <-chan struct{} { return p.exited }

// Stderr returns the end of what the peer has printed there, at most 4 KiB.
func (p *Peer) Stderr() string { return p.errors.text() }

// Kill kills the group.
func (p *Peer) Kill() { p.signal(killGroup) }

// signal sends a signal to the group while its number is its own.
func (p *Peer) signal(send func(*os.Process)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		send(p.cmd.Process)
	}
}

// Close ends the peer: it closes its stdin, then asks with SIGTERM, then kills
// the group; at once if ctx has ended. When it returns, nothing of the group is
// left and a waiting Read has ended.
func (p *Peer) Close(ctx context.Context) {
	p.close.Do(func() {
		defer close(p.closed)
		p.stdin.Close()
		await(ctx.Done(), eofGrace, p.exited)
		if !ready(p.exited) && ctx.Err() == nil {
			p.signal(terminateGroup)
			await(ctx.Done(), termGrace, p.exited)
		}
		p.Kill()
		p.tether.hunt()
		await(nil, killGrace, p.exited, p.errors.done)
		p.tether.cut()
		p.stdout.Close()
		p.stderr.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reaped = true
		p.reap() // its status tells nobody anything
	})
	<-p.closed
}

// tail keeps the end of what is written to it.
type tail struct {
	done chan struct{} // closed when nothing more comes

	mu   sync.Mutex
	kept []byte
}

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b[max(0, len(b)-maxTail):]...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.TrimSpace(string(t.kept)), "\ufffd")
}
