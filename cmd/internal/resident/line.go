package resident

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/dialect"
)

// maxSmall is the largest payload that needs no leave.
const maxSmall = 1 << 20

// line is the server's end of a connection. It is for one goroutine, except
// for close.
type line struct {
	conn  *net.UnixConn
	r     *bufio.Reader
	leave func(n int) (done func(), ok bool)
	wait  time.Duration // for a frame that must come, and for one that must be taken
	idle  time.Duration // for the next call
	// How long reads and writes may wait now.
	readBy, writeBy time.Time
}

// ask is what a client wants: a call, or one of the two others.
type ask struct {
	call         *wire.Call
	status, stop bool
	// done must be called when the ask is of no use any more.
	done func()
}

// greet begins to talk to a client, or refuses one that is not the user's, or
// does not see the same files.
func (l *line) greet(version string) error {
	if err := l.admit(); err != nil {
		l.decline(err.Error())
		return err
	}
	return l.send(wire.KindHello, []byte(version))
}

func (l *line) admit() error {
	raw, err := l.conn.SyscallConn()
	if err != nil {
		return err
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		var pid int
		if pid, refused = wire.CheckPeer(int(fd)); refused == nil {
			refused = wire.CheckView(pid)
		}
	})
	return errors.Join(err, refused)
}

// next waits for what the client wants next. A client that is slow, silent or
// not understood is an error.
func (l *line) next() (ask, error) {
	l.readWithin(l.idle)
	k, n, err := wire.ReadHead(l.r)
	if err != nil {
		return ask{}, err
	}
	done := func() {}
	switch {
	case k != wire.KindCall && n > 0 || n > wire.MaxFrame:
		err = fmt.Errorf("a frame of %d bytes is too large", n)
	case n > maxSmall:
		var ok bool
		if done, ok = l.leave(n); !ok {
			err = errors.New("too many large events at once")
		}
	}
	if err != nil {
		l.decline(err.Error())
		return ask{}, err
	}
	a, err := l.read(k, n)
	if a.done = done; err != nil {
		done()
	}
	return a, err
}

// read reads the rest of a frame.
func (l *line) read(k wire.Kind, n int) (ask, error) {
	switch k {
	case wire.KindStatus:
		return ask{status: true}, nil
	case wire.KindStop:
		return ask{stop: true}, nil
	case wire.KindCall:
		if l.r.Buffered() < n {
			l.readWithin(l.wait)
		}
		body, err := wire.ReadBody(l.r, n)
		if err != nil {
			return ask{}, err
		}
		c, err := wire.DecodeCall(body)
		return ask{call: &c}, err
	}
	return ask{}, wire.ErrGarbage
}

// readWithin bounds the reads that follow.
func (l *line) readWithin(d time.Duration) {
	if by, late := deadline(l.readBy, d); late {
		l.readBy = by
		l.conn.SetReadDeadline(by)
	}
}

// deadline is about d from now. It is not late to keep the one that is set, as
// long as that leaves most of d: each change costs as much as a system call.
func deadline(set time.Time, d time.Duration) (by time.Time, late bool) {
	now := time.Now()
	left := set.Sub(now)
	return now.Add(d), left < d*3/4 || left > d
}

// watch calls gone when the client hangs up, in a goroutine that ends with
// stop.
func (l *line) watch(gone func()) (stop func()) {
	l.readBy = time.Time{}
	l.conn.SetReadDeadline(l.readBy)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, err := l.r.Peek(1); err != nil && !isTimeout(err) {
			gone()
		}
	}()
	return func() {
		l.conn.SetReadDeadline(time.Unix(1, 0))
		<-ended
	}
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// begun tells the client that hooks may run from now on. After an error they
// must not: the client may decide the call itself.
func (l *line) begun(does engine.SideEffects) error {
	return l.send(wire.KindBegun, []byte{byte(does)})
}

// reply answers a call.
func (l *line) reply(r dialect.Reply) error { return l.send(wire.KindReply, wire.EncodeReply(r)) }

// report answers a question for the status.
func (l *line) report(json []byte) error { return l.send(wire.KindStatus, json) }

// decline tells the client to decide by itself.
func (l *line) decline(why string) error {
	return l.send(wire.KindDecline, []byte(why[:min(len(why), wire.MaxText)]))
}

func (l *line) send(k wire.Kind, payload []byte) error {
	if by, late := deadline(l.writeBy, l.wait); late {
		l.writeBy = by
		l.conn.SetWriteDeadline(by)
	}
	_, err := l.conn.Write(wire.Frame(k, payload))
	return err
}

// close ends the connection, and what waits for it.
func (l *line) close() { l.conn.Close() }
