package model

import (
	"context"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/outbound"
)

const (
	defaultTimeout   = 60 * time.Second
	defaultMaxTokens = 4096
)

// Options are what a host may choose. The zero Options are fine.
type Options struct {
	// Client sends the requests, but does not follow redirects; nil is
	// outbound.Client, which goes straight to its servers.
	Client *http.Client
}

// Clients are the models of one engine.
type Clients struct{ http http.Client }

// New makes Clients. Close ends their idle connections, which end by
// themselves after a while.
func New(opts Options) *Clients {
	if opts.Client == nil {
		opts.Client = outbound.Client(outbound.Options{MaxBody: maxBody})
	}
	c := &Clients{*opts.Client}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
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
		return make(endpoint{spec: s, base: url, http: &c.http}), nil
	}
}
