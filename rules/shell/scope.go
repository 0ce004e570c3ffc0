package shell

import (
	"maps"
	"path"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// here is the directory that a text starts in.
var here = hook.Word{Text: ".", Known: true}

// maxVars bounds the variables that are followed: scopes are copied.
const maxVars = 64

// run is the work on one outermost text.
type run struct {
	out      hook.Commands
	wrappers map[string]*Wrapper // of the options
	set      map[string]bool     // variables that the text assigns anywhere so far
	poison   map[string]bool     // variables that functions and traps may change
	copies   map[string]string   // names that the text gives to programs
	written  map[string]content  // files that the text writes
	constant map[string]bool     // variables that may not be assigned again
	lost     bool                // a function may change the directory
	walked   int
	left     int // bytes of texts that may still be parsed
	fields   int // words that may still come from braces
	parses   int // calls of the parser
	inlined  int // calls of functions that were followed
	numbers  numbers
	rewired  bool // some `exec < f` gives a shell another input
}

// scope is one shell: the text that it reads and what is certain there.
type scope struct {
	run       *run
	src       string
	base      int  // offset of src in the outermost text
	fixed     bool // all of src has the offset base
	depth     int  // texts around this one
	nesting   int  // statements around the current one
	chain     []string
	vars      map[string][]string
	wrote     map[string]bool // variables assigned in this branch
	aliases   map[string]string
	functions map[string]function // that the text defines here for certain
	assoc     map[string]bool     // associative arrays
	dir       hook.Word
	stdin     input
	sure      bool // what is found runs; else it is possible
}

// input is what a command reads from standard input.
type input struct {
	kind inputKind
	text word   // of kind typed
	why  string // of kind fed
}

// reading is what a command reads from standard input, even where a function
// gave the shell another.
func (s *scope) reading() input {
	if s.stdin.kind == terminal && s.run.rewired {
		return input{kind: fed, why: "exec gives the shell another input"}
	}
	return s.stdin
}

type inputKind uint8

const (
	terminal inputKind = iota // nothing that the text gives
	typed                     // text that is written in the command
	fed                       // a file or the output of a program
)

func (s *scope) at(pos int) int {
	if s.fixed {
		return s.base
	}
	return s.base + pos
}

func (s *scope) slice(from, to int) string {
	if from < 0 || to > len(s.src) || from > to {
		return ""
	}
	return s.src[from:to]
}

// fork is a scope for a subshell: it starts alike, and nothing comes back.
func (s *scope) fork() *scope {
	c := *s
	c.vars, c.wrote = maps.Clone(s.vars), nil
	return &c
}

// blank is a scope in which no variable is certain.
func (s *scope) blank() *scope {
	c := *s
	c.vars, c.wrote = nil, nil
	return &c
}

// branch runs f on a part of the text that may not run, or may run again: what
// it assigns is uncertain afterwards.
func (s *scope) branch(inner *scope, f func(*scope)) {
	inner.wrote = map[string]bool{}
	f(inner)
	for name := range inner.wrote {
		s.unsure(name)
	}
	s.merge(inner.dir)
}

// merge makes the directory uncertain unless both ways end in the same.
func (s *scope) merge(dir hook.Word) {
	if dir != s.dir {
		s.dir = hook.Word{Text: dir.Text}
	}
}

func (s *scope) assign(name string, values []string) {
	s.note(name)
	if s.run.constant[name] {
		s.poison(name)
	}
	integer := s.run.numbers.integers[name] || has(integerNames, name)
	for _, v := range values {
		if isNumber(v) {
			continue
		}
		mark(&s.run.numbers.loose, name)
		if integer {
			s.expression(literal(v, 0), 0)
		}
	}
	if s.run.poison[name] || len(s.vars) >= maxVars {
		delete(s.vars, name)
		return
	}
	if s.vars == nil {
		s.vars = map[string][]string{}
	}
	s.vars[name] = values
}

// forget notes that a variable may hold anything.
func (s *scope) forget(name string) {
	s.unsure(name)
	mark(&s.run.numbers.loose, name)
	if has(integerNames, name) {
		s.integer(name)
	}
}

// unsure notes that the value of a variable is one of those it is given.
func (s *scope) unsure(name string) {
	s.note(name)
	delete(s.vars, name)
}

func (s *scope) note(name string) {
	if s.run.set == nil {
		s.run.set = map[string]bool{}
	}
	s.run.set[name] = true
	if s.wrote != nil {
		s.wrote[name] = true
	}
}

// forgetAll: something unseen may have assigned anything.
func (s *scope) forgetAll() {
	for name := range s.vars {
		s.forget(name)
	}
	s.functions = nil
	s.run.numbers.all = true
	s.dir.Known = false
}

// poisoned marks what a part that runs at another time assigns.
func (s *scope) poisoned(inner *scope) {
	if s.run.poison == nil {
		s.run.poison = map[string]bool{}
	}
	for name := range inner.wrote {
		s.run.poison[name] = true
		s.unsure(name)
	}
	if inner.dir != s.dir {
		s.run.lost = true
		s.dir.Known = false
	}
}

func (s *scope) lookup(name string) ([]string, bool) {
	if s.run.poison[name] || s.run.set["IFS"] {
		return nil, false
	}
	v, ok := s.vars[name]
	return v, ok
}

// chdir notes that the shell goes to dir.
func (s *scope) chdir(dir word) {
	switch {
	case s.run.lost || !dir.known:
		s.dir = hook.Word{Text: dir.src}
	case path.IsAbs(dir.text):
		s.dir = hook.Word{Text: path.Clean(dir.text), Known: true}
	case s.dir.Known:
		s.dir = hook.Word{Text: path.Join(s.dir.Text, dir.text), Known: true}
	}
}

func (r *run) walk() bool {
	if r.walked >= maxWalk {
		r.opaque("the text is too large to follow", 0)
		return false
	}
	r.walked++
	return true
}

// doubt notes what the text cannot tell.
func (r *run) doubt(reason string, offset int) {
	if n := len(r.out.Unknown); n < 64 && (n == 0 || r.out.Unknown[n-1].Reason != reason) {
		r.out.Unknown = append(r.out.Unknown, hook.Doubt{Reason: reason, Offset: offset})
	}
}

// opaque notes that anything may run.
func (r *run) opaque(reason string, offset int) {
	r.out.Opaque = true
	r.doubt(reason, offset)
}

func (s *scope) opaque(reason string, pos int) { s.run.opaque(reason, s.at(pos)) }

// shown is text for a reason: short and on one line.
func shown(text string) string {
	text = strings.Map(func(c rune) rune {
		if c < ' ' {
			return ' '
		}
		return c
	}, text)
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}
