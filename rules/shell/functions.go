package shell

import (
	"maps"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxInlined bounds the calls of functions that are followed with their words.
const maxInlined = 32

// positional is the name under which the parameters $1 $2 … are kept.
const positional = "@"

// function is a function that the text defines, and the text it stands in.
type function struct {
	body  *syntax.Stmt
	src   string
	base  int
	fixed bool
}

// define follows the definition of a function: what it runs whatever it is
// called with, at any time.
func (s *scope) define(x *syntax.FuncDecl) {
	name := x.Name.Value
	s.note(name + "()")
	s.later(func(b *scope) {
		b.stdin = input{kind: fed, why: "the input of a function is not known"}
		b.stmt(x.Body)
		delete(b.wrote, positional) // those of the function
	})
	functions := maps.Clone(s.functions)
	if functions == nil {
		functions = map[string]function{}
	}
	if len(functions) < maxVars {
		functions[name] = function{x.Body, s.src, s.base, s.fixed}
	}
	s.functions = functions
}

// defined is the function that a simple command calls, if it is certain.
func (s *scope) defined(words []word) *function {
	if len(words) == 0 || !words[0].known {
		return nil
	}
	if f, ok := s.functions[words[0].text]; ok {
		return &f
	}
	return nil
}

// inline follows a function once more, with the words of one call. What it
// assigns is uncertain since its definition.
func (s *scope) inline(f *function, args []word) {
	values, ok := certain(args)
	if !ok || len(args) == 0 || s.run.inlined >= maxInlined || s.nesting > 8 {
		return
	}
	s.run.inlined++
	b := s.fork()
	b.src, b.base, b.fixed = f.src, f.base, f.fixed
	b.functions = maps.Clone(s.functions)
	b.wrote = map[string]bool{}
	b.assign(positional, values)
	b.stmt(f.body)
	if b.dir != s.dir {
		s.dir = hook.Word{Text: b.dir.Text}
	}
}

// certain are the values of words that are all known, few and short.
func certain(args []word) ([]string, bool) {
	size := 0
	values := make([]string, len(args))
	for i, w := range args {
		values[i] = w.text
		if size += len(w.text) + 1; !w.known || size > 4096 {
			return nil, false
		}
	}
	return values, true
}

// sets follows set and shift, which change the positional parameters.
func (s *scope) sets(name string, args []word) {
	if name == "shift" {
		now, ok := s.lookup(positional)
		n := 1
		if len(args) > 0 {
			ok = ok && args[0].known && len(args[0].text) == 1 && isNumber(args[0].text)
			if ok {
				n = int(args[0].text[0] - '0')
			}
		}
		switch {
		case !ok:
			s.forget(positional)
		case n <= len(now):
			s.assign(positional, now[n:])
		}
		return
	}
	ended := false
	for len(args) > 0 && !ended && len(args[0].text) > 0 && (args[0].text[0] == '-' || args[0].text[0] == '+') {
		flag := args[0].text
		if args = args[1:]; flag == "-" && len(args) == 0 {
			return
		}
		ended = flag == "--" || flag == "-"
		if !ended && flag[len(flag)-1] == 'o' && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) == 0 && !ended {
		return
	}
	if values, ok := certain(args); ok {
		s.assign(positional, values)
	} else {
		s.forget(positional)
	}
}

// readHere keeps what `read NAME <<< text` puts into its one variable.
func (s *scope) readHere(st *syntax.Stmt, words []word) {
	if len(words) < 2 || words[0].text != "read" || len(st.Redirs) != 1 || st.Redirs[0].Op != syntax.WordHdoc || st.Redirs[0].N != nil {
		return
	}
	for _, w := range words[1 : len(words)-1] {
		if w.text != "-r" {
			return
		}
	}
	text := s.one(st.Redirs[0].Word)
	name := words[len(words)-1]
	if !text.known || !name.known || !validName(name.text) || len(text.text) > 4096 {
		return
	}
	for i := 0; i < len(text.text); i++ {
		if text.text[i] == '\\' || text.text[i] == '\n' {
			return
		}
	}
	s.assign(name.text, []string{trimBlanks(text.text)})
}
