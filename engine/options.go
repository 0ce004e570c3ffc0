package engine

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/engine/store"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
)

// Option changes one default of an Engine.
type Option func(*config) error

// config is what an engine is made with; it does not change afterwards.
type config struct {
	load      settings.Options
	types     map[string]hook.Type
	models    map[string]hook.Model
	session   []function
	tasks     []task.Hooks
	subagents []subagent.Hooks
	trust     func(root string) bool
	pins      func(root string) (*hook.Overlay, error)

	state      hook.State
	now        func() time.Time
	env        func(string) (string, bool)
	observe    func(hook.Progress)
	wake       func(session, text string)
	detach     func(key string, ev hook.Event) error
	log        *slog.Logger
	scratch    string
	trace      bool
	lazy       bool
	lines      func(path string, line int, ran bool)
	changes    func(Change)
	takeBroken bool
	stopGuard  int
	elsewhere  string
}

func newConfig(opts []Option) (*config, error) {
	home, _ := os.UserHomeDir()
	c := &config{
		types:     map[string]hook.Type{},
		models:    map[string]hook.Model{},
		trust:     func(string) bool { return false },
		pins:      func(string) (*hook.Overlay, error) { return nil, nil },
		now:       time.Now,
		env:       os.LookupEnv,
		observe:   func(hook.Progress) {},
		changes:   func(Change) {},
		log:       slog.New(slog.DiscardHandler),
		scratch:   filepath.Join(os.TempDir(), fmt.Sprintf("pawl-%d", os.Getuid())),
		stopGuard: 8,
	}
	c.load.Home, c.load.Managed = home, "/etc/pawl"
	for _, o := range opts {
		if err := o(c); err != nil {
			return nil, err
		}
	}
	c.load.Trusts = c.trust
	if c.state == nil {
		c.state = store.Memory(c.now)
	}
	if dir, ok := c.env("XDG_CONFIG_HOME"); ok && filepath.IsAbs(dir) && c.load.Home == home {
		c.load.ConfigHome = dir
	}
	own := c.types
	c.types = builtinTypes()
	maps.Copy(c.types, own)
	return c, nil
}

// WithType adds a hook type, or replaces one. The type prompt is that of
// prompts which a model evaluates. Default: command, permission, expr, lua.
func WithType(name string, t hook.Type) Option {
	return func(c *config) error {
		if name == "" || t.New == nil {
			return fmt.Errorf("hook type %q: a name and a New func are needed", name)
		}
		c.types[name] = t
		return nil
	}
}

// WithOptions adds options that f makes anew for each engine that it is given
// to: for hook types that keep something of their own, such as connections.
func WithOptions(f func() []Option) Option {
	return func(c *config) error {
		for _, o := range f() {
			if err := o(c); err != nil {
				return err
			}
		}
		return nil
	}
}

// WithModel lends a model to the hooks that name it, in place of one of that
// name in the settings; "default" is for hooks that name none. Default: those
// of the settings.
func WithModel(name string, m hook.Model) Option {
	return func(c *config) error {
		if name == "" || m == nil {
			return fmt.Errorf("model %q: a name and a model are needed", name)
		}
		c.models[name] = m
		return nil
	}
}

// WithHook adds a function hook for the life of the engine: on event, where
// matcher (the `matcher` of a settings file) fits, f is called. f may be
// called concurrently; it is abandoned after 10 seconds, and blocks when it
// fails. It runs last, whatever the trust of the workspace.
func WithHook(event EventName, matcher string, f func(context.Context, Call) (Result, error)) Option {
	return func(c *config) error {
		if f == nil {
			return fmt.Errorf("function hook on %s: nil func", event)
		}
		if _, known := hook.Lookup(event); !known {
			if near := hook.Nearest(string(event), hook.EventNames()); near != "" || event == "" {
				return fmt.Errorf("function hook: unknown event %q%s", event, didYouMean(near))
			}
		}
		c.session = append(c.session, function{event, matcher, f})
		return nil
	}
}

// WithElsewhere says where hook types are to be had that this program does
// not link: advice for whoever names one. Default: none.
func WithElsewhere(advice string) Option {
	return func(c *config) error { c.elsewhere = advice; return nil }
}

// WithTaskHooks adds hooks to the tasks that a Runner of [Engine.Tasks] runs.
// They are called after those of the policy, so that what a policy decides
// counts, and whatever the trust of the workspace.
func WithTaskHooks(h task.Hooks) Option {
	return func(c *config) error {
		h.Name = cmp.Or(h.Name, fmt.Sprintf("session.tasks[%d]", len(c.tasks)))
		c.tasks = append(c.tasks, h)
		return nil
	}
}

// WithSubagentHooks adds hooks to the dispatches of a Dispatcher of
// [Engine.Subagents], as WithTaskHooks does to tasks.
func WithSubagentHooks(h subagent.Hooks) Option {
	return func(c *config) error {
		h.Name = cmp.Or(h.Name, fmt.Sprintf("session.subagents[%d]", len(c.subagents)))
		c.subagents = append(c.subagents, h)
		return nil
	}
}

// WithState sets where counters, `once` and the like are kept. Default: in
// memory, for the life of the engine.
func WithState(s hook.State) Option {
	return func(c *config) error { c.state = s; return nil }
}

// WithClock sets the clock. Default: time.Now.
func WithClock(now func() time.Time) Option {
	return func(c *config) error { c.now = now; return nil }
}

// WithEnv sets how environment variables are looked up. Default: os.LookupEnv.
func WithEnv(lookup func(string) (string, bool)) Option {
	return func(c *config) error { c.env = lookup; return nil }
}

// WithObserver is told when each hook starts and ends, those around tasks and
// subagents too. f may be called
// concurrently and must return promptly. Default: nobody.
func WithObserver(f func(Progress)) Option {
	return func(c *config) error { c.observe = f; return nil }
}

// WithWake is called when an asyncRewake hook wants the agent of a session
// to go on, with the text for the model. f may be called from any goroutine.
// Default: the text becomes context of the next event of the session.
func WithWake(f func(session, text string)) Option {
	return func(c *config) error { c.wake = f; return nil }
}

// WithDetach hands background hooks to the host, which runs them later by
// [Engine.RunDetached], maybe in another process: key names the hook. Default:
// a goroutine of the engine, ended by Close.
func WithDetach(f func(key string, ev Event) error) Option {
	return func(c *config) error { c.detach = f; return nil }
}

// WithTrust says whether the workspace with the given root is trusted.
// Default: no workspace is; a file that is opened by name always is.
func WithTrust(f func(root string) bool) Option {
	return func(c *config) error { c.trust = f; return nil }
}

// WithPins says what stands in for all files of the workspace with the given
// root: settings, policies and scripts are read from there and from nowhere
// else; nil if nothing is pinned. With an error the workspace is not trusted,
// and what can be blocked is.
// f is called by Open and by each Reload, not where files are opened by name.
// Default: nothing is pinned.
func WithPins(f func(root string) (*hook.Overlay, error)) Option {
	return func(c *config) error { c.pins = f; return nil }
}

// WithChanges is told what each reload changed, and what it refused. f is
// called by Reload before it returns. Default: nobody.
func WithChanges(f func(Change)) Option {
	return func(c *config) error { c.changes = f; return nil }
}

// WithBrokenInForce makes a reload put what is broken in force, as Open does:
// it blocks where it would have fired, until it is mended. For a host that must
// decide what a new engine would. Default: the set before stays.
func WithBrokenInForce() Option {
	return func(c *config) error { c.takeBroken = true; return nil }
}

// WithTrace makes every Decision name all hooks of its event and why each
// did or did not match. Default: only those that matched.
func WithTrace() Option {
	return func(c *config) error { c.trace = true; return nil }
}

// WithLuaLines is told of the lines of Lua policies: with ran false of each
// that has a statement, when the file is read, and with ran true of each that
// runs. f may be called concurrently. Default: nobody.
func WithLuaLines(f func(path string, line int, ran bool)) Option {
	return func(c *config) error { c.lines = f; return nil }
}

// WithLazyConditions compiles each `when` when it is first needed, for an
// engine that answers one event: a fault of one is then found when its hook
// would fire, and blocks there, instead of at Open. Default: at Open.
func WithLazyConditions() Option {
	return func(c *config) error { c.lazy = true; return nil }
}

// WithFiles loads just these settings files, as project settings and trusted,
// beside the managed ones. Default: the layers of the workspace.
func WithFiles(paths ...string) Option {
	return func(c *config) error { c.load.Files = append(c.load.Files, paths...); return nil }
}

// WithClaudeSettings reads the user, project and local layers from Claude
// Code's own settings files too, and the plugins that these enable. Default:
// Pawl's files.
func WithClaudeSettings() Option {
	return func(c *config) error { c.load.Claude = true; return nil }
}

// WithHome sets the home directory. Default: os.UserHomeDir.
func WithHome(dir string) Option {
	return func(c *config) error { c.load.Home = dir; return nil }
}

// WithManaged sets the directory of the managed layer. Default: /etc/pawl.
func WithManaged(dir string) Option {
	return func(c *config) error { c.load.Managed = dir; return nil }
}

// WithLogger sets where what is for nobody's eyes goes: output of hooks that
// is neither context nor notice. Default: nowhere.
func WithLogger(l *slog.Logger) Option {
	return func(c *config) error { c.log = l; return nil }
}

// WithScratch sets the directory for texts of hooks that are too long to
// show whole (0700, files 0600). Default: pawl-UID in the temporary directory.
func WithScratch(dir string) Option {
	return func(c *config) error { c.scratch = dir; return nil }
}

// WithStopGuard sets after how many consecutive blocks without a tool call a
// Stop passes all the same; 0 means never. Default: 8, so
// that a hook that always blocks cannot keep an agent running for good.
func WithStopGuard(blocks int) Option {
	return func(c *config) error { c.stopGuard = blocks; return nil }
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", name)
}
