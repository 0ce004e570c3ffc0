package model

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	defaultTimeout   = 60 * time.Second
	defaultMaxTokens = 4096
)

// Options are what a host may choose. The zero Options are fine.
type Options struct {
	// Transport carries the requests; nil is one with short times to connect.
	Transport http.RoundTripper
}

// Clients are the models of one engine.
type Clients struct{ http *http.Client }

// New makes Clients. Close ends their idle connections, which end after 30
// seconds by themselves.
func New(opts Options) *Clients {
	if opts.Transport == nil {
		opts.Transport = newTransport()
	}
	return &Clients{&http.Client{
		Transport:     opts.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func newTransport() *http.Transport {
	dialer := net.Dialer{Timeout: 5 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConnsPerHost:    8,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}

// Close ends the connections that are idle. It never fails.
func (c *Clients) Close(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// Providers are the APIs that settings may name.
func (c *Clients) Providers() map[string]hook.Provider {
	return map[string]hook.Provider{
		"openai":    c.provider(openAIBase, openAIKey, func(e endpoint) hook.Model { return openAI{e} }),
		"anthropic": c.provider(anthropicBase, anthropicKey, func(e endpoint) hook.Model { return anthropic{e} }),
	}
}

func (c *Clients) provider(base, keyEnv string, make func(endpoint) hook.Model) hook.Provider {
	return func(s hook.ModelSpec) (hook.Model, error) {
		if s.BaseURL == "" {
			s.BaseURL = base
			if s.KeyEnv == "" {
				s.KeyEnv = keyEnv
			}
		}
		url, err := address(s)
		if err != nil {
			return nil, err
		}
		if s.Timeout == 0 {
			s.Timeout = defaultTimeout
		}
		if s.MaxTokens == 0 {
			s.MaxTokens = defaultMaxTokens
		}
		return make(endpoint{spec: s, base: url, http: c.http}), nil
	}
}
