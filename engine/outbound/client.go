package outbound

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// DefaultMaxBody is the cap of a response body, in bytes.
	DefaultMaxBody = 1 << 20
	// ConnectTimeout bounds the time to connect, and that of the TLS handshake.
	ConnectTimeout = 5 * time.Second

	maxHeader   = 64 << 10
	idleMost    = 64
	idleTimeout = 90 * time.Second
)

// Options are what a host may choose. The zero Options are fine.
type Options struct {
	// TLS holds roots and certificates of the host's own. nil: the system's.
	TLS *tls.Config
	// MaxBody is the cap of a response body in bytes; 0 is DefaultMaxBody.
	MaxBody int64
}

// Client returns a client with connections of its own.
func Client(opts Options) *http.Client {
	if opts.MaxBody <= 0 {
		opts.MaxBody = DefaultMaxBody
	}
	return &http.Client{
		Transport: &transport{
			max: opts.MaxBody,
			Transport: &http.Transport{
				DialContext:            dialer().DialContext,
				TLSClientConfig:        opts.TLS.Clone(),
				TLSHandshakeTimeout:    ConnectTimeout,
				MaxResponseHeaderBytes: maxHeader,
				MaxIdleConns:           idleMost,
				MaxIdleConnsPerHost:    idleMost,
				IdleConnTimeout:        idleTimeout,
				ForceAttemptHTTP2:      true,
				// Else a connection that has died unseen fails every request
				// until the system gives it up, which takes a quarter of an hour.
				HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: ConnectTimeout},
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func dialer() *net.Dialer {
	return &net.Dialer{Timeout: ConnectTimeout, KeepAlive: 30 * time.Second, ControlContext: control}
}

// transport caps the bodies that come in. CloseIdleConnections is that of the
// transport inside.
type transport struct {
	*http.Transport
	max int64
}

// RoundTrip sends one request.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.Transport.RoundTrip(req)
	if err == nil {
		resp.Body = &capped{resp.Body, t.max, t.max}
	}
	return resp, err
}

// capped is a body that fails when it has yielded too much.
type capped struct {
	io.ReadCloser
	left, max int64
}

// Read reads up to the cap. A body of just that size is not too large.
func (c *capped) Read(b []byte) (int, error) {
	if int64(len(b)) > c.left+1 {
		b = b[:c.left+1]
	}
	n, err := c.ReadCloser.Read(b)
	if int64(n) > c.left {
		n, c.left = int(c.left), 0
		return n, fmt.Errorf("the body is larger than %d bytes", c.max)
	}
	c.left -= int64(n)
	return n, err
}
