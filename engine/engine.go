package engine

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// Engine decides events by the snapshot in force. Make one with Open or New.
type Engine struct {
	cfg        *config
	current    atomic.Pointer[snapshot]
	reloading  sync.Mutex
	refused    map[string]refusal // guarded by reloading
	background *background
	loads      bool // made from files, so that Reload has something to read
}

// LoadError says what is broken in the settings of a new or reloaded engine.
type LoadError struct {
	// Diagnostics are all of severity Error, in file order.
	Diagnostics []hook.Diagnostic
}

func (e *LoadError) Error() string {
	lines := make([]string, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Open loads the policy at path: one settings file, which is trusted because
// it was named, or a workspace directory with all its layers.
//
// If path cannot be read, the engine is nil. If something in the settings is
// broken, Open returns a *LoadError and an engine that may be used: each
// broken entry blocks where it would have fired.
func Open(ctx context.Context, path string, opts ...Option) (*Engine, error) {
	cfg, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		cfg.load.Workspace = path
	} else {
		cfg.load.Files = append([]string{path}, cfg.load.Files...)
	}
	set, v, err := cfg.read(view{})
	if err != nil {
		return nil, err
	}
	e := newEngine(cfg, set, v)
	e.loads = true
	return e, e.loadError()
}

// New makes an engine of settings that were loaded elsewhere; the zero Set
// has none. Errors are as for Open.
func New(set settings.Set, opts ...Option) (*Engine, error) {
	cfg, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	e := newEngine(cfg, set, view{})
	return e, e.loadError()
}

func newEngine(cfg *config, set settings.Set, v view) *Engine {
	e := &Engine{cfg: cfg, background: newBackground()}
	e.current.Store(build(cfg, set, v))
	return e
}

// loadError returns the errors of the snapshot in force as one, or nil.
func (e *Engine) loadError() error { return e.current.Load().loadError() }

func (s *snapshot) loadError() error {
	var errs []hook.Diagnostic
	for _, d := range s.diags {
		if d.Severity == hook.Error {
			errs = append(errs, d)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return &LoadError{errs}
}

// Close ends the background hooks: it waits for them until ctx ends, then
// stops them and returns the error of ctx. It then ends what hook types keep
// open (hook.Type.Close). Dispatch still answers afterwards, without these.
func (e *Engine) Close(ctx context.Context) error {
	err := e.background.close(ctx)
	for _, name := range slices.Sorted(maps.Keys(e.cfg.types)) {
		if end := e.cfg.types[name].Close; end != nil {
			err = errors.Join(err, end(ctx))
		}
	}
	return err
}

// Hook describes one hook of the snapshot in force.
type Hook struct {
	Spec hook.Spec
	// Expr is the expr source of all that makes the hook fire: matcher, if
	// and when.
	Expr        string
	Gate        string // why it is silenced, or ""
	Runs        string // what it runs or asks beside the event; "" if it judges from that alone
	Unsure      string // why it may run more files than can be told, or ""
	Diagnostics []hook.Diagnostic
}

// Hooks lists all hooks in the order in which they run.
func (e *Engine) Hooks() []Hook {
	s := e.current.Load()
	list := make([]Hook, len(s.hooks))
	for i, b := range s.hooks {
		list[i] = Hook{Spec: b.spec, Expr: b.expr(), Gate: b.gate, Runs: b.runs(), Unsure: b.unsure, Diagnostics: b.diags}
	}
	return list
}

// runs is what b runs or asks: its type, where that does not say.
func (b *bound) runs() string {
	if r, ok := b.action.(hook.Runner); ok {
		return r.Runs()
	}
	switch {
	case b.kind.New == nil && b.spec.Type != lostType:
		return "what this build cannot tell"
	case b.kind.Pure:
		return ""
	}
	return b.spec.Type
}

// expr joins the sources of b's patterns; "true" if it fires always.
func (b *bound) expr() string {
	var parts []string
	if b.matcher != nil {
		parts = append(parts, b.matcher.Expr())
	}
	if b.cond != nil {
		parts = append(parts, b.cond.Expr())
	}
	if b.when != nil {
		parts = append(parts, b.when.Expr())
	}
	switch len(parts) {
	case 0:
		return "true"
	case 1:
		return parts[0]
	}
	return "(" + strings.Join(parts, ") && (") + ")"
}

// PermissionRule describes one permission rule of the snapshot in force.
type PermissionRule struct {
	Spec hook.PermissionRule
	Expr string // "" for a broken rule
}

// PermissionRules lists the permission rules: deny, then ask, then allow.
func (e *Engine) PermissionRules() []PermissionRule {
	s := e.current.Load()
	list := make([]PermissionRule, len(s.permissions))
	for i, r := range s.permissions {
		list[i] = PermissionRule{Spec: r.spec}
		if r.pattern != nil {
			list[i].Expr = r.pattern().Expr()
		}
	}
	return list
}

// Diagnostics returns everything that is wrong or noteworthy in the settings
// in force.
func (e *Engine) Diagnostics() []hook.Diagnostic { return e.current.Load().diags }

// Lint looks closer at the Lua policies in force than loading them does: for
// names that nothing defines, functions that nobody calls, verdicts that come
// to nothing. It reads their files again, and is for authors of policies;
// nothing of it changes a decision.
func (e *Engine) Lint() []hook.Diagnostic { return e.current.Load().lua.Lint() }

// Sources returns every file and directory that the settings depend on, also
// those that do not exist.
func (e *Engine) Sources() []string { return e.current.Load().sources }

// Kept lists the changes that a reload has refused: what these files said
// before is in force.
func (e *Engine) Kept() []FileChange { return e.current.Load().kept }

// Snapshot names the set of hooks in force.
func (e *Engine) Snapshot() string { return e.current.Load().id }
