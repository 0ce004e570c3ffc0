package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func procSubst(w word) ([]*syntax.Stmt, bool) {
	p, ok := w.sub.(*syntax.ProcSubst)
	if !ok {
		return nil, false
	}
	return p.Stmts, true
}

// shell follows a shell: the text of -c, a script, or standard input.
func (s *scope) shell(name string, v invocation) {
	for _, a := range v.assigns {
		if a.Name == "BASH_ENV" || a.Name == "ENV" || a.Name == "ZDOTDIR" {
			s.opaque(a.Name+" makes "+name+" run a file", v.words[0].pos)
		}
	}
	if s.run.set["ZDOTDIR"] || s.run.set["ENV"] && slices.ContainsFunc(v.words[1:], interactive) {
		s.opaque("a variable may make "+name+" run a file", v.words[0].pos)
	}
	t := s.inner(name, false)
	text, stdin, reads := false, false, false
	i := 1
options:
	for ; i < len(v.words); i++ {
		w := v.words[i]
		switch {
		case !w.known:
			if strings.HasPrefix(w.text, "-") || !text && i+1 < len(v.words) {
				s.opaque("options of "+name+" that are not known: "+shown(w.src), w.pos)
			}
			break options
		case w.text == "--" || w.text == "-":
			i++
			break options
		case w.text == "--rcfile" || w.text == "--init-file" || w.text == "--emulate":
			i++
			s.opaque(name+" runs a start file", w.pos)
		case w.text == "--version" || w.text == "--help":
			return
		case w.text == "--command" || w.text == "--commands":
			text = true
		case strings.HasPrefix(w.text, "--command="):
			w.text, w.sub = w.text[len("--command="):], nil
			t.text(w, newShell)
			return
		case strings.HasPrefix(w.text, "--"):
		case len(w.text) > 1 && (w.text[0] == '-' || w.text[0] == '+'):
			if w.text[0] == '-' {
				text = text || strings.IndexByte(w.text, 'c') > 0
				stdin = stdin || strings.IndexByte(w.text, 's') > 0
				reads = reads || strings.IndexByte(w.text, 'n') > 0 && has(readers, name) && !interactive(w)
			}
			if fish := name == "fish" && (w.text == "-C" || w.text == "--init-command") && i+1 < len(v.words); fish {
				t.text(v.words[i+1], newShell)
				i++
				break
			}
			if n := strings.Count(w.text, "o") + strings.Count(w.text, "O"); n > 0 { // each takes a word
				reads = reads || w.text[0] == '-' && i+1 < len(v.words) && v.words[i+1].text == "noexec" && has(readers, name)
				i += n
			}
		default:
			break options
		}
	}
	switch {
	case reads: // -n: the text is looked at, and not run
	case text && i < len(v.words):
		t.text(v.words[i], newShell)
	case text:
		s.opaque(name+" -c without its text", v.words[0].pos)
	case i < len(v.words) && !stdin:
		t.script(name, v.words[i])
	default:
		t.reads(name, s.reading(), v.words[0].pos)
	}
}

// readers are the shells that with -n run nothing of what they read.
const readers = "sh bash rbash dash ash ksh ksh93 mksh oksh zsh yash"

// interactive reports that a word of a shell has the flag -i.
func interactive(w word) bool {
	return strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.Contains(w.text, "i")
}

// script follows a script operand of a shell.
func (s *scope) script(name string, w word) {
	in := s.fileInput(w)
	if in.kind == typed {
		s.text(in.text, newShell)
		return
	}
	if !s.runsWritten(w, name) {
		s.opaque(name+" runs what is in "+shown(w.src), w.pos)
	}
}

// reads follows a shell that reads standard input.
func (s *scope) reads(name string, in input, pos int) {
	switch in.kind {
	case typed:
		s.stdin = input{kind: fed, why: "the shell reads it"}
		s.text(in.text, newShell)
	case fed:
		s.opaque(name+" runs its input: "+in.why, pos)
	}
}
