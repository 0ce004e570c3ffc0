package rules

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

const (
	cacheSlots = 1 << 10
	cacheText  = 4 << 10 // bytes of the longest text that is kept
)

// Analyzer makes Facts. It remembers what the shell texts of late run, so
// that an agent's habits are parsed once. It may be used by any number of
// goroutines at once; reading takes no lock.
type Analyzer struct {
	finder hook.Finder
	opts   shell.Options
	seed   maphash.Seed
	slots  [cacheSlots]atomic.Pointer[parsed]
}

// parsed is a text and what it runs.
type parsed struct {
	text string
	cmds hook.Commands
}

// NewAnalyzer returns an analyzer that knows the given wrappers besides its own.
func NewAnalyzer(wrappers []Wrapper) *Analyzer {
	a := &Analyzer{opts: shell.Options{Wrappers: wrappers}, seed: maphash.MakeSeed()}
	a.finder = a.newFinder()
	return a
}

// Analyze returns the facts of ev, with the tool's canonical name.
func (a *Analyzer) Analyze(ev hook.Event) *hook.Facts { return hook.NewFacts(ev.Normal(), &a.finder) }

// Analyze is Analyzer.Analyze of one that remembers nothing.
func Analyze(ev hook.Event) *hook.Facts {
	finder := (*Analyzer)(nil).newFinder()
	return hook.NewFacts(ev.Normal(), &finder)
}

func (a *Analyzer) newFinder() hook.Finder {
	return hook.Finder{Commands: a.findCommands, Paths: findPaths, Host: findHost, RealDir: findDir}
}

// Commands returns what a shell text runs; a nil analyzer has no wrappers of
// its own and no memory. A slot holds the last text that fell into it.
func (a *Analyzer) Commands(text string) hook.Commands {
	if a == nil {
		return shell.Parse(text, shell.Options{})
	}
	if len(text) > cacheText {
		return shell.Parse(text, a.opts)
	}
	slot := &a.slots[maphash.String(a.seed, text)%cacheSlots]
	if p := slot.Load(); p != nil && p.text == text {
		return p.cmds
	}
	p := &parsed{text, shell.Parse(text, a.opts)}
	slot.Store(p)
	return p.cmds
}

func (a *Analyzer) parseArgv(argv []string) hook.Commands {
	if a == nil {
		return shell.ParseArgv(argv, shell.Options{})
	}
	return shell.ParseArgv(argv, a.opts)
}
