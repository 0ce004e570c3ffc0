package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/engine/store"
	"github.com/pawl-dev/pawl/engine/store/disk"
)

// policy says which settings to open.
type policy struct {
	files  []string // --config
	claude bool     // --claude-settings
}

func (p *policy) flags() []flag {
	return []flag{
		listFlag(&p.files, "config", "FILE", "settings file to use instead of those of the workspace; may be given again"),
		switchFlag(&p.claude, "claude-settings", "read the hooks and permissions of .claude/settings.json too"),
	}
}

// open makes the engine of the workspace root, or of the named files.
func (p *policy) open(ctx context.Context, c *console, root string, extra ...engine.Option) (*engine.Engine, error) {
	opts := c.engineOptions()
	if p.claude {
		opts = append(opts, engine.WithClaudeSettings())
	}
	if len(p.files) > 0 {
		files := make([]string, len(p.files))
		for i, f := range p.files {
			abs, err := filepath.Abs(f)
			if err != nil {
				return nil, err
			}
			files[i] = abs
		}
		opts = append(opts, engine.WithFiles(files...))
	}
	eng, err := engine.Open(ctx, root, append(opts, extra...)...)
	if _, broken := errors.AsType[*engine.LoadError](err); broken && eng != nil {
		return eng, nil // what is broken blocks where it would have fired, and says so
	}
	return eng, err
}

// args returns the flags that p was made from.
func (p *policy) args() []string {
	var args []string
	for _, f := range p.files {
		args = append(args, "--config", f)
	}
	if p.claude {
		args = append(args, "--claude-settings")
	}
	return args
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

// engineOptions is what every engine of this program is opened with.
func (c *console) engineOptions() []engine.Option {
	return []engine.Option{
		engine.WithState(&lazyState{dir: filepath.Join(c.stateDir(), "state")}),
		engine.WithTrust(c.trusts),
	}
}

// trusts reports whether root is on the user's list. A list that cannot be
// read trusts nothing; trustFault says why.
func (c *console) trusts(root string) bool {
	dir := c.stateDir()
	if dir == "" {
		return false
	}
	trust, err := settings.OpenTrust(dir)
	c.trustFault = err
	return err == nil && trust.Trusted(root)
}

// stateDir is where Pawl keeps what outlives a process; "" if the user has
// no home.
func (c *console) stateDir() string {
	if dir := c.getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "pawl")
	}
	if home := c.home(); home != "" {
		return filepath.Join(home, ".local", "state", "pawl")
	}
	return ""
}

// lazyState opens the store on disk when a hook first needs it: most calls
// never do.
type lazyState struct {
	dir  string
	once sync.Once
	disk *disk.Store
	err  error
}

// Update opens the store if need be and hands the update to it.
func (l *lazyState) Update(ctx context.Context, key hook.StateKey, ttl time.Duration, f func([]byte) []byte) error {
	l.once.Do(func() {
		if !filepath.IsAbs(l.dir) {
			l.err = fmt.Errorf("no directory for state: set HOME or XDG_STATE_HOME")
			return
		}
		l.disk, l.err = disk.Open(l.dir, time.Now)
	})
	if l.err != nil {
		return l.err
	}
	return l.disk.Update(ctx, key, ttl, f)
}
