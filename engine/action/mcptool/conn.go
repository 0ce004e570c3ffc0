package mcptool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

// connectTimeout is how long a server may take to be ready: a program that
// first fetches itself takes a while.
const connectTimeout = 30 * time.Second

// errClosed ends the calls of a connection that is closed.
var errClosed = errors.New("the connection was closed")

// conn is one connection to one server. Its goroutine makes it, waits for its
// end and cleans up; whoever calls waits for ready.
type conn struct {
	key    string
	server server
	looked chan struct{}           // closed when its files are known to be what was accepted, or not to be
	ready  chan struct{}           // closed when session or err is set
	done   chan struct{}           // closed when nothing of it is left
	end    context.Context         // ended by close: of connecting, calls and the connection
	cancel context.CancelCauseFunc // of end
	grace  chan context.Context    // how long the end may take

	session *mcp.ClientSession
	peer    *process.Peer // nil over HTTP
	err     error

	// The pool's, under its lock.
	users    int
	idle     *time.Timer
	used     time.Time
	failures int       // in a row, before this attempt or with it
	again    time.Time // when to try again; set when this attempt has failed
}

func newConn(key string, s server, failures int) *conn {
	c := &conn{key: key, server: s, failures: failures, looked: make(chan struct{}), ready: make(chan struct{}), done: make(chan struct{}), grace: make(chan context.Context, 1)}
	c.end, c.cancel = context.WithCancelCause(context.Background())
	return c
}

// close makes the connection end: at once if ctx has ended, else within it. It
// does not wait; the first ctx counts.
func (c *conn) close(ctx context.Context) {
	select {
	case c.grace <- ctx:
	default:
	}
	c.cancel(errClosed)
}

// serve makes the connection and waits for its end. It tells ended when it is
// over, or was not made, and cleans up.
func (c *conn) serve(opts Options, client *http.Client, ended func(*conn)) {
	defer close(c.done)
	if c.err = c.connect(opts, client); c.err != nil {
		ended(c)
	}
	close(c.ready)
	if c.err == nil {
		over := make(chan struct{})
		go func() { // ended by clean
			c.session.Wait()
			close(over)
		}()
		select {
		case <-over:
		case <-c.end.Done():
		}
		ended(c)
	}
	select {
	case ctx := <-c.grace:
		c.clean(ctx)
	default:
		c.clean(context.Background())
	}
}

// clean ends what is left of the connection, at once if ctx has ended.
func (c *conn) clean(ctx context.Context) {
	if c.peer != nil {
		c.peer.Close(ctx) // ends the session too: there is nothing to read any more
	}
	if c.session == nil {
		return
	}
	closed := make(chan struct{})
	go func() { // over HTTP it says goodbye, for five seconds at most
		c.session.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
	}
}

// connect starts the server, or finds it, and greets it.
func (c *conn) connect(opts Options, client *http.Client) error {
	ctx, cancel := context.WithTimeout(c.end, connectTimeout)
	defer cancel()
	s, err := c.server.accepted()
	close(c.looked)
	if err != nil {
		return err
	}
	if s, err = s.expanded(); err != nil {
		return hook.Fail(s.cause(), "server %s: %w", s.name, err)
	}
	began := time.Now()
	for _, version := range versions() {
		transport, failed := c.transport(s, opts, client)
		if failed != nil {
			return hook.Fail(s.cause(), "server %s did not start: %w", s.name, failed)
		}
		me := mcp.NewClient(&mcp.Implementation{Name: "pawl", Version: "1"}, &mcp.ClientOptions{
			Capabilities: &mcp.ClientCapabilities{},
			Logger:       slog.New(slog.DiscardHandler),
		})
		c.session, err = me.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err == nil {
			return nil
		}
		if _, answered := errors.AsType[*jsonrpc.Error](err); !answered {
			break
		}
	}
	if c.peer != nil {
		c.peer.Close(c.end) // then all that it said is there
	}
	if ctx.Err() != nil {
		n := hook.OutOfTime(ctx, began)
		return hook.Fail(n.Cause, "server %s is not ready: %w%s", s.name, n.Err, c.lastWords())
	}
	return hook.Fail(s.cause(), "server %s is not ready: %w%s", s.name, withoutURL(err), c.lastWords())
}

// versions are the protocols that are tried. The first message of the older
// one is known to all servers but such as have no sessions any more, and these
// say so; many do not answer that of the newer one, or end.
func versions() []string { return []string{"2025-11-25", "2026-07-28"} }

// transport is a way to the server; that before ends.
func (c *conn) transport(s server, opts Options, client *http.Client) (mcp.Transport, error) {
	if s.url != "" {
		with := *client
		with.Transport = withHeaders{client.Transport, s.headers}
		return &mcp.StreamableClientTransport{Endpoint: s.url, HTTPClient: &with, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxMessage}, nil
	}
	if c.peer != nil {
		c.peer.Close(c.end)
	}
	if s.inherits == nil {
		s.inherits = opts.Environ()
	}
	peer, err := process.Open(process.Command{
		Argv: append([]string{s.command}, s.args...),
		Dir:  s.dir,
		Env:  process.Environ(s.inherits, s.env),
	})
	if err != nil {
		return nil, hook.AsNoVerdict(err).Err
	}
	c.peer = peer
	return &mcp.IOTransport{Reader: newMessages(peer), Writer: stdin{peer}, MaxLineLength: maxMessage + 1}, nil
}

// stdin is that of a server.
type stdin struct{ io.Writer }

// Close leaves it to its owner.
func (stdin) Close() error { return nil }

// lastWords is what the server said on stderr, for an error.
func (c *conn) lastWords() string {
	if c.peer == nil {
		return ""
	}
	text := c.peer.Stderr()
	if text == "" {
		return ""
	}
	const most = 500
	return fmt.Sprintf("; its stderr ends with %q", text[max(0, len(text)-most):])
}

// call calls a tool. It returns when ctx ends; what is left of the call then
// ends by itself, at the latest when its message could not be written.
func (c *conn) call(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.end, func() { cancel(context.Cause(c.end)) })()
	type outcome struct {
		res *mcp.CallToolResult
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		res, err := c.session.CallTool(ctx, params)
		done <- outcome{res, err}
	}()
	select {
	case o := <-done:
		return o.res, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// undelivered reports whether err says that a call did not reach the server.
func undelivered(err error) bool {
	return errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, mcp.ErrSessionMissing) || errors.Is(err, syscall.EPIPE)
}
