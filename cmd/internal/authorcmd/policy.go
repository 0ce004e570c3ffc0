package authorcmd

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/store"
)

// Options are what the two programs do not share.
type Options struct {
	// Engine are options of every engine: the hook types that it links.
	Engine []engine.Option
	// Starter is the policy that answers where there is none.
	Starter []byte
	// HandOver replaces this process by one that knows more hook types, with the
	// same arguments, if there is one; input is what was read from standard
	// input, or nil. nil: there is none.
	HandOver func(input []byte)
}

// Commands are those that open a policy, and match, in the order of help.
func (o Options) Commands() []cli.Command {
	return []cli.Command{o.try(), o.explain(), o.check(), o.compile(), match(), o.test()}
}

// handOver has another program do the work if this one lacks something.
func (o Options) handOver(lacking []string, input []byte) {
	if len(lacking) > 0 && o.HandOver != nil {
		o.HandOver(input)
	}
}

// openPolicy makes the engine of the workspace root, or of the files that p
// names.
func (o Options) openPolicy(ctx context.Context, p call.Policy, root string, extra ...engine.Option) (*call.Engine, error) {
	s, err := call.Here().Setting(root, p)
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, append(slices.Clip(extra), o.Engine...)...)
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
