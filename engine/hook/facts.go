package hook

import "sync"

// Facts is what matchers look at: an event, and what a Finder finds in it on
// first use, at most once. All methods may be called concurrently; what they
// return must not be changed.
type Facts struct {
	Event   Event
	finder  *Finder
	subject string

	encoding, running, touching, visiting, resolving sync.Once

	line     []byte
	commands Commands
	paths    []Path
	host     string
	realDir  string
}

// Finder is where Facts has its answers from; a nil func finds nothing.
// rules.Analyzer is the one that looks at real events.
type Finder struct {
	Commands func(*Facts) Commands
	Paths    func(*Facts) []Path
	Host     func(*Facts) string
	RealDir  func(*Facts) string
}

// NewFacts returns the facts of ev, which f finds.
func NewFacts(ev Event, f *Finder) *Facts {
	return &Facts{Event: ev, finder: f, subject: ev.MatchSubject()}
}

// Subject is Event.MatchSubject.
func (f *Facts) Subject() string { return f.subject }

// Commands is what the shell text of the input really runs.
func (f *Facts) Commands() Commands {
	f.running.Do(func() {
		if f.finder.Commands != nil {
			f.commands = f.finder.Commands(f)
		}
	})
	return f.commands
}

// Paths are the files that the input names, or its commands touch.
func (f *Facts) Paths() []Path {
	f.touching.Do(func() {
		if f.finder.Paths != nil {
			f.paths = f.finder.Paths(f)
		}
	})
	return f.paths
}

// Host is the host of the url: lower case, no port, no trailing dot.
func (f *Facts) Host() string {
	f.visiting.Do(func() {
		if f.finder.Host != nil {
			f.host = f.finder.Host(f)
		}
	})
	return f.host
}

// RealDir is Event.Dir with symlinks resolved.
func (f *Facts) RealDir() string {
	f.resolving.Do(func() {
		if f.finder.RealDir != nil {
			f.realDir = f.finder.RealDir(f)
		}
	})
	return f.realDir
}

// Line returns Event.JSON with a line break at its end: what a program reads.
// It is encoded once for all hooks of an event.
func (f *Facts) Line() []byte {
	f.encoding.Do(func() { f.line = append(f.Event.JSON(), '\n') })
	return f.line
}

// Commands is everything that one shell text runs.
type Commands struct {
	List []Command
	// Possible are commands that the text may run: operands of a program that
	// is not in any table, text that git or rsync may run. A guard that
	// matches one answers Unknown; grants do not look at them.
	Possible []Command
	// Unknown says, for each thing that the text alone cannot tell, why.
	Unknown []Doubt
	// Opaque: what runs may be anything (unparseable text, `curl … | sh`), so
	// that no pattern can say No.
	Opaque bool
}

// Doubt is something that the text alone cannot tell.
type Doubt struct {
	Reason string // "$X is not a literal"
	Offset int    // in bytes, into the outermost text
}

// Command is one simple command that a text runs.
type Command struct {
	Argv      []Word // unwrapped: the program is Argv[0]
	Assigns   []Assign
	Redirects []Redirect
	Wrappers  []string // sudo, env, xargs, …, outermost first
	Text      string   // Argv joined by one space each, quotes removed; an unknown word as it is written
	Raw       string   // as written, with redirects, from its own text
	Offset    int      // in bytes, into the outermost text
	Dir       Word     // current directory relative to the event's; unknown after `cd $X`
}

// Word is one word of a command. Text is its value where Known, else the
// source text. A word that is unknown may also expand to several or none.
type Word struct {
	Text  string
	Known bool
	// Moved: a ~, $HOME or $PWD in an unknown word may be another than that
	// of the environment, because the text sets it.
	Moved bool
	// Prefix and Suffix are the literal start and end of an unknown word.
	Prefix, Suffix string
}

// Assign is NAME=value before a command.
type Assign struct {
	Name  string
	Value Word
}

// Access says what happens to a path.
type Access uint8

const (
	Reads Access = 1 << iota
	Writes
)

// Redirect is a redirection to or from a file. Copies of descriptors and
// heredocs are not listed.
type Redirect struct {
	Op     string // > >> < <> >| &> &>>
	Target Word
	Access Access
}

// Path is a file that an event touches.
type Path struct {
	Given  string // as written
	Clean  string // absolute and cleaned; "" where unknown
	Real   string // with symlinks resolved; Clean where there is none
	Access Access
	Known  bool
	Reason string // why it is not known
	// Glob tells what a path without Clean may be: an absolute pattern with
	// * ? [] within a segment, ** for anything, \ before a literal character;
	// "" where nothing is known.
	Glob string
	// Tree: what is below it is touched too.
	Tree bool
	// Command is the index in Commands.List of the command that touches it,
	// or -1 for a path of the input itself.
	Command int
}
