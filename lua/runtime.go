package lua

import (
	"context"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Options is what a Runtime is lent. Every func may be called by any number
// of goroutines at once; what is nil is an error for the policy that wants it.
type Options struct {
	Root string // project root, absolute; names of files in it are shown relative to it
	Home string // home directory of the user, for path.home()

	// Pattern compiles what ev:matches(pattern) tests: a matcher as in the
	// settings, of a hook on that event from that source.
	Pattern func(pattern hook.Text, event hook.EventName, src hook.Source) (func(*hook.Facts) hook.Match, error)
	// Glob answers glob.match.
	Glob func(pattern, text string) (bool, error)

	State hook.State                        // behind state.*
	Now   func() time.Time                  // behind time.*; nil is time.Now
	Env   func(name string) (string, bool)  // behind env.get
	Names []string                          // environment variables that env.get may read; nil is EnvNames()
	Read  func(path string) ([]byte, error) // reads policy files; nil is os.ReadFile
	// Stands reports whether Read has a text for path whatever is on disk; nil
	// is never.
	Stands func(path string) bool

	// Lines is told of the lines of policy files: with ran false of each that
	// has a statement, when the file is read, and with ran true of each that
	// runs. nil is nobody, which costs nothing.
	Lines func(path string, line int, ran bool)

	Sessions int // states that are kept, least recently used go first; 0 is 64
}

// EnvNames lists the variables that policies may read unless Options.Names
// says otherwise.
func EnvNames() []string {
	return []string{"CI", "HOME", "HOSTNAME", "LANG", "LOGNAME", "SHELL", "TERM", "TZ", "USER"}
}

// Runtime runs all Lua of one set of settings. It is safe for concurrent use
// and never changes what it loaded: new settings get a new Runtime.
type Runtime struct {
	opts     Options
	env      map[string]bool
	patterns patterns
	sessions sessions

	mu      sync.Mutex
	modules map[string]*module // by path
	sources []string
	marked  []marked // what the lines of Options.Lines are

	units     []*unit // that were loaded, for Lint
	tasks     []TaskHook
	subagents []SubagentHook
}

// New returns a Runtime without any policy.
func New(opts Options) *Runtime {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Read == nil {
		opts.Read = os.ReadFile
	}
	if opts.Stands == nil {
		opts.Stands = func(string) bool { return false }
	}
	if opts.Names == nil {
		opts.Names = EnvNames()
	}
	if opts.Sessions <= 0 {
		opts.Sessions = 64
	}
	r := &Runtime{opts: opts, env: map[string]bool{}, modules: map[string]*module{}}
	for _, name := range opts.Names {
		r.env[name] = true
	}
	r.sessions.init(opts.Sessions)
	return r
}

// Sources returns, sorted, every file that was read, or looked for, by Load
// and by the entries made so far.
func (r *Runtime) Sources() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Clone(r.sources)
	slices.Sort(all)
	return slices.Compact(all)
}

// Load compiles policy files, runs each once, and returns a hook.Spec for
// every handler that they register, in the order of the calls of on. Each
// Spec belongs to r.Type().
//
// A file that cannot be loaded gives one Error diagnostic and, for every
// event that can be blocked, a broken Spec that stands in for what it would
// have guarded.
func (r *Runtime) Load(ctx context.Context, files ...File) ([]hook.Spec, []hook.Diagnostic) {
	units, errs := r.compileFiles(files)
	var specs []hook.Spec
	var diags []hook.Diagnostic
	var try trial
	for i, u := range units {
		if errs[i] == nil {
			errs[i] = try.run(ctx, r, u)
		}
		r.keep(u)
		if errs[i] != nil {
			d := r.diagnostic(u, errs[i])
			u.broken, u.text = d.Pos, ""
			specs, diags = append(specs, u.stubs(d)...), append(append(diags, u.diags...), d)
			continue
		}
		for _, h := range u.handlers {
			if h.point != (point{}) {
				r.publish(h)
				continue
			}
			spec := h.spec
			spec.Matcher, spec.If, spec.When = u.placed(spec.Matcher), u.placed(spec.If), u.placed(spec.When)
			spec.Fields = []hook.Field{{Name: handlerField, Value: h, Pos: spec.Pos}}
			specs = append(specs, spec)
		}
		diags = append(diags, u.diags...)
		u.text = ""
	}
	for i, u := range units {
		if errs[i] == nil {
			diags = append(diags, r.idle(u)...)
		}
	}
	return specs, diags
}

// keep remembers what Lint reads.
func (r *Runtime) keep(u *unit) {
	if u.proto == nil {
		return // it is no Lua
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.units = append(r.units, u)
}

// compileFiles compiles on all processors.
func (r *Runtime) compileFiles(files []File) ([]*unit, []error) {
	units, errs := make([]*unit, len(files)), make([]error, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(files); i = next.Add(1) - 1 {
				units[i], errs[i] = r.compileFile(files[i])
			}
		})
	}
	wg.Wait()
	return units, errs
}

// stubs are the hooks of a file that nobody can tell the hooks of.
func (u *unit) stubs(d hook.Diagnostic) []hook.Spec {
	var specs []hook.Spec
	for _, name := range hook.EventNames() {
		if info, _ := hook.Lookup(hook.EventName(name)); info.Has(hook.CanBlock) {
			specs = append(specs, hook.Spec{ID: u.name, Event: info.Name, Source: u.source, Pos: d.Pos, Type: TypeName, Broken: &d})
		}
	}
	return specs
}
