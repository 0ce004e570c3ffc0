package mcptool

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/outbound"
)

// maxConns is how many connections a pool has at most.
const maxConns = 64

// pool is the connections of all hooks of one type.
type pool struct {
	opts   Options
	client *http.Client
	ending sync.WaitGroup // of live

	mu     sync.Mutex
	conns  map[string]*conn // that calls go to
	live   map[*conn]bool   // that are not at their end yet
	closed bool
}

func newPool(opts Options) *pool {
	return &pool{opts: opts, conns: map[string]*conn{}, live: map[*conn]bool{}, client: outbound.Client(outbound.Options{TLS: opts.TLS, MaxBody: maxMessage})}
}

// call calls a tool of s: a second time if the first certainly did not reach
// it.
func (p *pool) call(ctx context.Context, s server, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	began := time.Now()
	for first := true; ; first = false {
		c, err := p.acquire(ctx, s)
		if err != nil {
			return nil, err
		}
		res, err := c.call(ctx, params)
		p.release(c)
		if err == nil || ctx.Err() != nil || !undelivered(err) || !first {
			return res, c.explain(ctx, began, err)
		}
		p.forget(c)
	}
}

// acquire returns a connection to s that is ready.
func (p *pool) acquire(ctx context.Context, s server) (*conn, error) {
	began := time.Now()
	c, err := p.take(s)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.ready:
		err = c.err
	case <-ctx.Done():
		err = c.late(hook.OutOfTime(ctx, began))
	}
	if err != nil {
		p.release(c)
		return nil, err
	}
	return c, nil
}

// late is the failure of a call that was not served in time. Who makes the look
// at the files of a server slow does not get round it.
func (c *conn) late(n *hook.NoVerdict) error {
	failed := hook.Fail(n.Cause, "server %s is not ready: %w", c.server.name, n.Err)
	select {
	case <-c.looked:
	default:
		failed.Blocks = c.server.guarded()
	}
	return failed
}

// take returns the connection to s, which may still have to get ready.
func (p *pool) take(s server) (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, hook.Fail(hook.CauseError, "server %s: %w", s.name, errClosed)
	}
	key := s.key()
	c, failures := p.conns[key], 0
	if c != nil && !c.again.IsZero() && !time.Now().Before(c.again) {
		c, failures = nil, c.failures
	}
	if c == nil {
		if err := p.makeRoom(key); err != nil {
			return nil, err
		}
		c = newConn(key, s, failures)
		p.conns[key], p.live[c] = c, true
		p.ending.Go(func() {
			c.serve(p.opts, p.client, p.ended)
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.live, c)
		})
	}
	c.users++
	if c.idle != nil {
		c.idle.Stop()
	}
	return c, nil
}

// makeRoom drops the connection that was not used for longest, if there are too many.
func (p *pool) makeRoom(key string) error {
	if _, replaced := p.conns[key]; replaced || len(p.conns) < maxConns {
		return nil
	}
	var oldest *conn
	for _, c := range p.conns {
		if c.users == 0 && (oldest == nil || c.used.Before(oldest.used)) {
			oldest = c
		}
	}
	if oldest == nil {
		return hook.Fail(hook.CauseError, "%d servers are in use at once, the most there may be", maxConns)
	}
	p.drop(oldest)
	return nil
}

// release gives a connection back.
func (p *pool) release(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.users--; c.users > 0 || p.conns[c.key] != c {
		return
	}
	c.used = time.Now()
	c.idle = time.AfterFunc(p.opts.Idle, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if c.users == 0 && p.conns[c.key] == c {
			p.drop(c)
		}
	})
}

// drop takes c out of the pool and lets it end. p.mu is held.
func (p *pool) drop(c *conn) {
	delete(p.conns, c.key)
	c.close(context.Background())
}

// forget makes the next call of a server go to a new connection. The old one is
// about to end by itself, when all of its calls have learnt why.
func (p *pool) forget(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns[c.key] == c {
		delete(p.conns, c.key)
	}
}

// ended is told by a connection that it is over. One that failed stays for a
// while, so that the next call does not try again at once.
func (p *pool) ended(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.err == nil {
		if p.conns[c.key] == c {
			delete(p.conns, c.key)
		}
		return
	}
	c.failures++
	c.again = time.Now().Add(pause(c.failures))
}

// pause is how long no attempt is made after so many failures in a row.
func pause(failures int) time.Duration {
	if failures < 2 {
		return 0
	}
	return min(time.Second<<min(failures-2, 5), 30*time.Second)
}

// close ends all connections and waits for it; when ctx ends, servers are
// killed.
func (p *pool) close(ctx context.Context) error {
	p.mu.Lock()
	p.closed = true
	clear(p.conns)
	for c := range p.live {
		c.close(ctx)
	}
	p.mu.Unlock()
	p.ending.Wait()
	p.client.CloseIdleConnections()
	return nil
}
