package mcptool

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Options are what a host may choose for all mcp_tool hooks. The zero Options
// are fine.
type Options struct {
	// Lend calls a tool of a server that the settings do not declare and
	// returns the text of its answer; a tool that fails is an error. It may be
	// called concurrently and should return when ctx ends. nil: there are no
	// such servers, and a hook that names one is broken.
	Lend func(ctx context.Context, server, tool string, input json.RawMessage) (text string, err error)
	// Environ returns the environment that servers inherit, for each start;
	// nil is os.Environ.
	Environ func() []string
	// TLS holds roots and certificates of the host's own. nil: the system's.
	TLS *tls.Config
	// Idle is after how long a connection that nobody uses is closed; 0 is
	// five minutes.
	Idle time.Duration
}

// New returns the hook type mcp_tool. Its Close ends the connections.
func New(opts Options) hook.Type {
	if opts.Environ == nil {
		opts.Environ = os.Environ
	}
	if opts.Idle <= 0 {
		opts.Idle = 5 * time.Minute
	}
	p := newPool(opts)
	return hook.Type{
		New: func(spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
			return newAction(p, spec, deps)
		},
		Settings: map[string]func(hook.Setting, hook.Deps) []hook.Diagnostic{serversKey: judge},
		Close:    p.close,
	}
}

// action is one hook that calls a tool.
type action struct {
	pool   *pool
	server server // without a transport if the host lends it
	tool   string
	input  map[string]any
}

func newAction(p *pool, spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	a := &action{pool: p, tool: r.MustText("tool"), input: r.Map("input")}
	if arguments := r.Map("arguments"); arguments != nil {
		if a.input != nil {
			r.Fail("arguments", "the same as input", "keep one of them")
		}
		a.input = arguments
	}
	name := r.MustText("server")
	s, names, diags := findServer(name, deps)
	switch a.server = s; {
	case name == "" || s.declared:
	case p.opts.Lend == nil:
		advice := hook.DidYouMean(name, names)
		if advice == "" {
			advice = "declare it under mcpServers"
		}
		r.Fail("server", fmt.Sprintf("no server %q", name), advice)
	}
	a.server.files, _ = a.Files(deps.Kept)
	a.server.version = version(a.server.files, deps.Kept)
	return a, append(r.Done(), diags...)
}
