package shell

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Options extends what the package knows.
type Options struct {
	// Wrappers are rows beside the built-in ones; a row with the name of a
	// built-in one takes its place.
	Wrappers []Wrapper
}

// Parse finds what a shell text runs. It never fails and never panics: what
// it cannot tell is in Unknown, and Opaque where anything may run.
func Parse(text string, o Options) hook.Commands {
	bare := len(text) <= maxText && plain(text)
	if bare && len(o.Wrappers) == 0 {
		if c, ok := inert(text); ok {
			return c
		}
	}
	return o.follow(text, func(s *scope) {
		if !bare || !s.plainWords(text) {
			s.read()
		}
	})
}

// ParseArgv is Parse for a command that is given as an argument array, which
// no shell reads.
func ParseArgv(argv []string, o Options) hook.Commands {
	return o.follow("", func(s *scope) {
		words := make([]word, len(argv))
		size := 0
		for i, a := range argv {
			size += len(a)
			words[i] = literal(a, 0)
			if strings.ContainsAny(a, holes+"\x00") {
				words[i].known, words[i].why = false, "it has a control character"
			}
		}
		if s.run.left = reread(size); size > maxText {
			s.opaque("the command is too long to be read", 0)
			return
		}
		s.invoke(invocation{words: words})
	})
}

// follow runs f on a fresh scope and collects what it finds.
func (o Options) follow(text string, f func(*scope)) (out hook.Commands) {
	r := &run{left: reread(len(text)), fields: 8 * maxFields}
	if len(o.Wrappers) > 0 {
		r.wrappers = make(map[string]*Wrapper, len(o.Wrappers))
		for i := range o.Wrappers {
			r.wrappers[o.Wrappers[i].Name] = &o.Wrappers[i]
		}
	}
	defer func() {
		if e := recover(); e != nil {
			r.opaque("the text could not be followed", 0)
		}
		out = r.out
	}()
	if at := strings.IndexFunc(text, disguises); at >= 0 {
		r.opaque("the text has a character that changes how it is shown", at)
	}
	f(&scope{run: r, src: text, dir: here, sure: true})
	r.settle()
	return r.out
}

// disguises reports characters that make a text look unlike what runs:
// bidirectional overrides and isolates.
func disguises(c rune) bool { return c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 }
