package watcher

import (
	"context"
	"errors"
)

type target interface {
	Sources() []string
	Reload(ctx context.Context, changed ...string) error
}

// Watcher keeps one target up to date while Run runs. Make one with New.
type Watcher struct {
	target target
	cfg    config
}

// New returns a Watcher of target. Sources names the files and directories to
// watch, relative ones from the working directory; it is asked again at each
// look. Reload is told which of them changed, sorted, or nothing for "look at
// everything"; a name may come again although its file is as it was.
// The error is for an option that makes no sense.
func New(target interface {
	Sources() []string
	Reload(ctx context.Context, changed ...string) error
}, opts ...Option) (*Watcher, error) {
	if target == nil {
		return nil, errors.New("watcher: no target")
	}
	w := &Watcher{target, defaults()}
	for _, o := range opts {
		if err := o(&w.cfg); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Run keeps the target up to date until ctx ends. It never gives up: where
// files cannot be watched it polls. One Run of a target is enough at a time.
func (w *Watcher) Run(ctx context.Context) {
	r := &run{config: w.cfg, target: w.target, last: &look{}, all: true, settle: settle{quiet: w.cfg.quiet, ceiling: w.cfg.ceiling}}
	defer r.close()
	r.reload(ctx, r.look(ctx), nil)
	for ctx.Err() == nil {
		r.wait(ctx)
	}
}
