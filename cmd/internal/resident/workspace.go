package resident

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/watcher"
)

// workspace is an engine that is kept up to date.
type workspace struct {
	setting call.Setting
	log     *slog.Logger
	ctx     context.Context // of the watcher
	drop    context.CancelFunc

	ready chan struct{} // closed when eng or err is there
	eng   *call.Engine
	err   error
	// once: tool events are decided by an engine of their own, because this
	// one has told of faults that a call by itself does not look for.
	once atomic.Bool

	looking sync.Mutex
	told    string // the set and the faults that were logged last

	using sync.WaitGroup // calls

	// Guarded by the pool.
	opened, used time.Time
	calls        int
	sessions     map[string]bool
}

// open makes the engine.
func (w *workspace) open(opts []engine.Option) {
	defer close(w.ready)
	opts = append(slices.Clip(opts), w.setting.Detached(), engine.WithLogger(w.log), engine.WithChanges(w.changed), engine.WithBrokenInForce())
	if w.eng, w.err = w.setting.Open(w.ctx, opts...); w.err == nil {
		w.look()
	}
}

// watch keeps the engine up to date until the workspace is dropped.
func (w *workspace) watch() {
	watch, err := watcher.New(w, watcher.WithObserver(w.noticed))
	if err != nil {
		w.log.Error("the policy is not watched", "error", err) // only options can be wrong
		return
	}
	watch.Run(w.ctx)
}

// Sources are the files and directories that the answers depend on.
func (w *workspace) Sources() []string {
	sources := w.eng.Sources()
	if trust := w.setting.TrustFile(); trust != "" {
		sources = append(slices.Clip(sources), trust)
	}
	return sources
}

// Reload reads what has changed. A change of trust touches all files.
func (w *workspace) Reload(ctx context.Context, changed ...string) error {
	if slices.Contains(changed, w.setting.TrustFile()) {
		changed = nil
	}
	err := w.eng.Reload(ctx, changed...)
	w.look()
	return err
}

// look tells what is broken, and finds out whether a condition has a fault: a
// call by itself compiles the conditions that it needs, and finds no fault in
// others.
func (w *workspace) look() {
	w.looking.Lock()
	defer w.looking.Unlock()
	broken := strings.Join(faults(w.eng.Diagnostics()), "\n")
	told := w.eng.Snapshot() + broken
	if broken != "" && told != w.told {
		w.log.Error("what is broken in the policy blocks", "error", broken)
	}
	w.told = told
	w.once.Store(slices.ContainsFunc(w.eng.Hooks(), func(h engine.Hook) bool {
		return h.Spec.When.Value != "" && slices.ContainsFunc(h.Diagnostics, func(d hook.Diagnostic) bool {
			return d.Severity >= hook.Warning
		})
	}))
}

// changed logs what a reload did.
func (w *workspace) changed(c engine.Change) {
	for _, f := range c.Files {
		if f.Kept != "" {
			w.log.Warn("policy "+string(f.Kind)+", and what it said before stays in force", "file", f.Path, "why", f.Kept)
			continue
		}
		w.log.Info("policy "+string(f.Kind), "file", f.Path, "what", f.Summary())
	}
	if c.Err != nil {
		w.log.Error("the policy before stays in force", "error", c.Err)
	} else {
		w.log.Info("policy in force", "snapshot", c.Snapshot)
	}
}

// noticed logs how the files are watched; changed tells of reloads.
func (w *workspace) noticed(n watcher.Notice) {
	switch n.Kind {
	case watcher.Polling:
		w.log.Warn("files are polled: changes take longer to be in force", "why", n.Err)
	case watcher.Watching:
		w.log.Info("files are watched")
	}
}
