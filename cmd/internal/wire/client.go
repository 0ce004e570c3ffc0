package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/dialect"
)

// ErrNone: there is no resident engine.
var ErrNone = errors.New("no pawld is running")

// patience is how long a call may go without a sign that it has begun. Opening
// a workspace for the first time is all that takes long.
const patience = 2 * time.Second

// Client is a connection to the resident engine. It is for one goroutine,
// except for Close.
type Client struct {
	s *socket
	r *bufio.Reader
}

// Lost is a call without an answer.
type Lost struct {
	// Begun: hooks may have run. If not, none has, and none will.
	Begun bool
	Err   error
}

func (l *Lost) Error() string { return "pawld gave no answer: " + l.Err.Error() }

// Unwrap returns what went wrong.
func (l *Lost) Unwrap() error { return l.Err }

// Dial connects to the engine whose runtime directory is dir and waits for its
// hello, both within wait. It fails with ErrNone if there is no engine, and
// if it is not ours or of another version; a nil version fits all.
func Dial(dir string, version func() string, wait time.Duration) (*Client, error) {
	err := checkDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	s, err := connect(Socket(dir), time.Now().Add(wait))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	c := &Client{s, bufio.NewReader(s)}
	if err := c.greeted(version); err != nil {
		s.Close()
		return nil, err
	}
	return c, nil
}

// greeted waits for hello.
func (c *Client) greeted(version func() string) error {
	if err := c.s.checkPeer(); err != nil {
		return err
	}
	k, text, err := readFrame(c.r, MaxText)
	switch {
	case err != nil:
		return err
	case k == KindDecline:
		return errors.New(string(text))
	case k != KindHello:
		return ErrGarbage
	case version != nil && string(text) != version():
		return fmt.Errorf("pawld is of another version: %s", text)
	}
	return nil
}

// Close ends the connection. With it ends a call that is running, and its
// hooks.
func (c *Client) Close() error { return c.s.Close() }

// Interrupt ends a call that is running as if the engine were gone. It may be
// called by any goroutine.
func (c *Client) Interrupt() { c.s.shut() }

// Answer has the engine answer a call within call.Left. begins is called when
// hooks begin to run, if they do. Any error is a *Lost; after it the client is
// of no use.
func (c *Client) Answer(call Call, begins func(does engine.SideEffects)) (dialect.Reply, error) {
	end := time.Now().Add(call.Left)
	c.s.deadline = end
	if prompt {
		c.s.deadline = time.Now().Add(min(patience, call.Left/2))
	}
	ran := false
	begin := func(does engine.SideEffects) {
		ran, c.s.deadline = true, end
		begins(does)
	}
	c.s.Write(CallFrame(call)) // who does not take it may say why
	r, err := c.await(begin)
	if err == nil {
		return r, nil
	}
	if !ran && prompt {
		// Nothing more gets in now: what has come already is all there is.
		c.s.shut()
		c.s.deadline = time.Now().Add(patience)
		if r, err := c.await(begin); err == nil {
			return r, nil
		}
	}
	unknown := !prompt && errors.Is(err, os.ErrDeadlineExceeded)
	return dialect.Reply{}, &Lost{ran || unknown, err}
}

// await reads frames up to the reply.
func (c *Client) await(begin func(engine.SideEffects)) (dialect.Reply, error) {
	for {
		k, payload, err := readFrame(c.r, MaxFrame)
		switch {
		case err != nil:
			return dialect.Reply{}, err
		case k == KindReply:
			return decodeReply(payload)
		case k == KindBegun && len(payload) == 1:
			begin(engine.SideEffects(payload[0]))
		case k == KindDecline:
			return dialect.Reply{}, errors.New(string(payload))
		default:
			return dialect.Reply{}, ErrGarbage
		}
	}
}

// Status asks for the report on the engine, which is JSON.
func (c *Client) Status(within time.Duration) ([]byte, error) {
	c.s.deadline = time.Now().Add(within)
	if _, err := c.s.Write(Frame(KindStatus, nil)); err != nil {
		return nil, err
	}
	k, payload, err := readFrame(c.r, MaxFrame)
	if err == nil && k != KindStatus {
		err = ErrGarbage
	}
	return payload, err
}

// Stop asks the engine to end, and waits until it has.
func (c *Client) Stop(within time.Duration) error {
	c.s.deadline = time.Now().Add(within)
	if _, err := c.s.Write(Frame(KindStop, nil)); err != nil {
		return err
	}
	_, _, err := readFrame(c.r, MaxText)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		err = ErrGarbage
	}
	return err
}
