package call

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/lua"
)

// Policy says which settings count.
type Policy struct {
	Files  []string // in place of those of the workspace
	Claude bool     // Claude Code's own settings too
}

// Setting is all that makes an engine what it is. Calls with equal Settings
// may share one.
type Setting struct {
	Root   string
	files  string // absolute, each with a NUL at its end
	claude bool
	// What of the environment settings, policies and scratch files depend on.
	stateDir, temp string
	env            string // those of variables that are set, each with a NUL at its end
}

// variables are those that an engine may depend on: of settings, and what
// policies in Lua may read. Hooks get all that come with their event.
var variables = append(lua.EnvNames(), "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")

// Setting returns that of policy in the workspace root.
func (p Place) Setting(root string, policy Policy) (Setting, error) {
	s := Setting{Root: root, claude: policy.Claude, stateDir: p.StateDir(), temp: (&hook.Event{Env: p.Env}).TempDir()}
	var env, files strings.Builder
	for _, name := range variables {
		if value, ok := p.lookupEnv(name); ok {
			env.WriteString(name + "=" + value + "\x00")
		}
	}
	s.env = env.String()
	for _, f := range policy.Files {
		abs, ok := p.absolute(f)
		if !ok {
			return s, fmt.Errorf("%s: the current directory cannot be told", f)
		}
		files.WriteString(abs + "\x00")
	}
	s.files = files.String()
	return s, nil
}

// Files returns the named settings files, if there are any.
func (s Setting) Files() []string {
	if s.files == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s.files, "\x00"), "\x00")
}

// TrustFile is the list of trusted directories, "" if there is no place for it.
func (s Setting) TrustFile() string {
	if s.stateDir == "" {
		return ""
	}
	trust, _ := settings.OpenTrust(s.stateDir) // one that cannot be read has a name too
	return trust.File()
}

// Engine is an engine and what was odd when its settings were read.
type Engine struct {
	*engine.Engine
	trust atomic.Pointer[settings.Trust] // as it was when the settings were read
	fault atomic.Pointer[error]
}

// TrustFault says why the list of trusted directories could not be read, so
// that it trusts nothing; nil if it could.
func (e *Engine) TrustFault() error {
	if err := e.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// Open makes an engine. What is broken in the settings blocks where it would
// have fired, and says so; that is no error here.
func (s Setting) Open(ctx context.Context, extra ...engine.Option) (*Engine, error) {
	e := &Engine{}
	opts := []engine.Option{
		engine.WithState(&lazyState{dir: filepath.Join(s.stateDir, "state")}),
		engine.WithTrust(func(root string) bool { return e.trusts(root) }),
		engine.WithPins(func(root string) (*hook.Overlay, error) { return e.pins(s.stateDir, root) }),
		engine.WithEnv(s.lookup),
		engine.WithScratch(filepath.Join(s.temp, fmt.Sprintf("pawl-%d", os.Getuid()))),
	}
	if s.claude {
		opts = append(opts, engine.WithClaudeSettings())
	}
	if files := s.Files(); len(files) > 0 {
		opts = append(opts, engine.WithFiles(files...))
	}
	var err error
	e.Engine, err = engine.Open(ctx, s.Root, append(opts, extra...)...)
	if _, broken := errors.AsType[*engine.LoadError](err); broken && e.Engine != nil {
		err = nil
	}
	return e, err
}

// OpenOnce makes an engine that decides one event.
func (s Setting) OpenOnce(ctx context.Context, event hook.EventName, extra ...engine.Option) (*Engine, error) {
	extra = append(slices.Clip(extra), s.Detached())
	if event.ToolEvent() { // others tell of all that is broken
		extra = append(extra, engine.WithLazyConditions())
	}
	return s.Open(ctx, extra...)
}

// lookup is the environment that settings and policies depend on, which is not
// that of a process that decides for others; events bring all of theirs.
func (s Setting) lookup(name string) (string, bool) {
	if !slices.Contains(variables, name) {
		return os.LookupEnv(name)
	}
	for entry := range strings.SplitSeq(s.env, "\x00") {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// pins is what is pinned of root. It reads the user's list anew; one that
// cannot be read trusts nothing, and TrustFault says why.
func (e *Engine) pins(stateDir, root string) (*hook.Overlay, error) {
	if stateDir == "" {
		return nil, nil
	}
	trust, err := settings.OpenTrust(stateDir)
	e.trust.Store(trust)
	e.fault.Store(&err)
	return trust.Pins(root)
}

// Pinned returns what is pinned of root, if that can be read.
func (e *Engine) Pinned(root string) []settings.Pinned {
	trust := e.trust.Load()
	if trust == nil {
		return nil
	}
	files, _ := trust.Pinned(root)
	return files
}

// trusts reports whether root is on the list that pins has read.
func (e *Engine) trusts(root string) bool {
	trust := e.trust.Load()
	return trust != nil && trust.Trusted(root)
}
