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

// How long the engine waits for a client: for its first frame, for its next
// one, for the rest of a frame, and for it to take an answer.
const (
	// maxSmall is the largest payload that needs no leave.
	maxSmall = 1 << 20

	firstWait = 5 * time.Second
	idleWait  = time.Minute
	bodyWait  = 10 * time.Second
	takeWait  = 10 * time.Second
)

// Line is the engine's end of a connection. It is for one goroutine, except
// for Close.
type Line struct {
	conn  *net.UnixConn
	r     *bufio.Reader
	leave func(n int) (done func(), ok bool)
	wait  time.Duration // for the next frame
}

// Ask is what a client wants: a Call, or one of the two others.
type Ask struct {
	Call         *wire.Call
	Status, Stop bool
	// Done must be called when the Ask is of no use any more.
	Done func()
}

// Greet begins to talk to a client, or refuses one that is not the user's, or
// does not see the same files. leave is asked before a large frame is read,
// and done called when it is not needed any more. Greet and Next leave
// the connection open after an error.
func Greet(conn *net.UnixConn, version string, leave func(n int) (done func(), ok bool)) (*Line, error) {
	l := &Line{conn: conn, r: bufio.NewReader(conn), leave: leave, wait: firstWait}
	if err := l.admit(); err != nil {
		return nil, errors.Join(err, l.Decline(err.Error()))
	}
	return l, l.send(wire.KindHello, []byte(version))
}

func (l *Line) admit() error {
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

// Next waits for what the client wants next. A client that is slow, silent or
// not understood is an error.
func (l *Line) Next() (Ask, error) {
	l.conn.SetReadDeadline(time.Now().Add(l.wait))
	l.wait = idleWait
	k, n, err := wire.ReadHead(l.r)
	if err != nil {
		return Ask{}, err
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
		return Ask{}, errors.Join(err, l.Decline(err.Error()))
	}
	a, err := l.read(k, n)
	if a.Done = done; err != nil {
		done()
	}
	return a, err
}

// read reads the rest of a frame.
func (l *Line) read(k wire.Kind, n int) (Ask, error) {
	switch k {
	case wire.KindStatus:
		return Ask{Status: true}, nil
	case wire.KindStop:
		return Ask{Stop: true}, nil
	case wire.KindCall:
		l.conn.SetReadDeadline(time.Now().Add(bodyWait))
		body, err := wire.ReadBody(l.r, n)
		if err != nil {
			return Ask{}, err
		}
		c, err := wire.DecodeCall(body)
		return Ask{Call: &c}, err
	}
	return Ask{}, wire.ErrGarbage
}

// Watch calls gone when the client hangs up, in a goroutine that ends with
// stop.
func (l *Line) Watch(gone func()) (stop func()) {
	l.conn.SetReadDeadline(time.Time{})
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

// Begun tells the client that hooks may run from now on. After an error they
// must not: the client may decide the call itself.
func (l *Line) Begun(does engine.SideEffects) error {
	return l.send(wire.KindBegun, []byte{byte(does)})
}

// Reply answers a call.
func (l *Line) Reply(r dialect.Reply) error { return l.send(wire.KindReply, wire.EncodeReply(r)) }

// Report answers a question for the status.
func (l *Line) Report(json []byte) error { return l.send(wire.KindStatus, json) }

// Decline tells the client to decide by itself.
func (l *Line) Decline(why string) error {
	return l.send(wire.KindDecline, []byte(why[:min(len(why), wire.MaxText)]))
}

func (l *Line) send(k wire.Kind, payload []byte) error {
	l.conn.SetWriteDeadline(time.Now().Add(takeWait))
	_, err := l.conn.Write(wire.Frame(k, payload))
	return err
}

// Close ends the connection.
func (l *Line) Close() error { return l.conn.Close() }
