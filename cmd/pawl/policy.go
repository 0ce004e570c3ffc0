package main

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/store"
)

// openPolicy makes the engine of the workspace root, or of the files that p
// names.
func openPolicy(ctx context.Context, p call.Policy, root string, extra ...engine.Option) (*call.Engine, error) {
	s, err := call.Here().Setting(root, p)
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, append(slices.Clip(extra), engine.WithElsewhere(elsewhere))...)
}

// projectRoot returns the root of the workspace that dir belongs to.
func projectRoot(dir string) string {
	root, _ := call.Here().Workspace(dir)
	return root
}

// rehearsal is how a decision is made that is only looked at: with a full
// trace, and without a mark on the state of a session.
func rehearsal() []engine.Option {
	return []engine.Option{engine.WithTrace(), engine.WithState(store.Memory(time.Now))}
}

// closeSoon ends eng; background hooks have a few seconds to end by
// themselves.
func closeSoon(eng *engine.Engine) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	eng.Close(ctx) // the error only says that some were stopped
}
