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
	text, stdin := false, false
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
			}
			i += strings.Count(w.text, "o") + strings.Count(w.text, "O") // each takes a word
		default:
			break options
		}
	}
	switch {
	case text && i < len(v.words):
		t.text(v.words[i], newShell)
	case text:
		s.opaque(name+" -c without its text", v.words[0].pos)
	case i < len(v.words) && !stdin:
		t.script(name, v.words[i])
	default:
		t.reads(name, s.stdin, v.words[0].pos)
	}
}

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
	s.opaque(name+" runs what is in "+shown(w.src), w.pos)
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

// code looks for text in another language that may start programs.
func (s *scope) code(name string, v invocation) {
	l := languages()[name]
	words := v.words
	found := false
	for i := 1; i < len(words); i++ {
		w := words[i]
		if w.text == "-" {
			break
		}
		if len(w.text) < 2 || w.text[0] != '-' {
			if l.loose || l.first && !found {
				s.mayRun(name, l, w)
			}
			if l.loose {
				continue
			}
			return
		}
		option, value, glued := l.option(w.text)
		switch {
		case option == "" && (has(l.values, w.text)):
			i++
		case option == "" && (w.text == "-m" || w.text == "-f" || w.text == "--file"):
			return // a module or a file
		case option == "":
		case glued:
			found = true
			w.text = value
			s.mayRun(name, l, w)
		case i+1 < len(words):
			found = true
			i++
			s.mayRun(name, l, words[i])
		}
	}
	if !found && l.stdin {
		s.codeInput(name, l, v)
	}
}

func (s *scope) codeInput(name string, l language, v invocation) {
	switch s.stdin.kind {
	case typed:
		s.mayRun(name, l, s.stdin.text)
	case fed:
		s.opaque(name+" runs its input: "+s.stdin.why, v.words[0].pos)
	}
}

// option finds in one word the option that gives code, with its value if
// glued.
func (l language) option(text string) (name, value string, glued bool) {
	if long, ok := strings.CutPrefix(text, "--"); ok {
		name, value, glued = strings.Cut(long, "=")
		if has(l.code, name) {
			return name, value, glued
		}
		return "", "", false
	}
	if has(l.code, text[1:]) {
		return text[1:], "", false
	}
	for k := 1; k < len(text); k++ {
		if c := text[k : k+1]; has(l.code, c) {
			return c, text[k+1:], k+1 < len(text)
		} else if !plainByte[text[k]] {
			break
		}
	}
	return "", "", false
}

// mayRun notes code that has a word which can start a program.
func (s *scope) mayRun(name string, l language, w word) {
	if strings.Contains(w.text, hole) {
		s.opaque(name+" runs code that is not known: "+shown(w.src), w.pos)
		return
	}
	if l.exec == "" {
		s.opaque(name+" runs "+shown(w.text), w.pos)
		return
	}
	if mark := l.starts(w.text); mark != "" {
		s.opaque("code of "+name+" may run anything: it has "+mark, w.pos)
	}
}

// starts is what in code can start a program: an identifier, or other text.
func (l language) starts(code string) string {
	if l.awk {
		code = awkBare(code)
	}
	for mark := range strings.FieldsSeq(l.exec) {
		if !validName(mark) {
			if strings.Contains(code, mark) {
				return mark
			}
			continue
		}
		for rest, from := code, 0; ; {
			i := strings.Index(rest[from:], mark)
			if i < 0 {
				break
			}
			i += from
			if from = i + len(mark); (i == 0 || !validName("_"+rest[i-1:i])) && (from == len(rest) || !validName("_"+rest[from:from+1])) {
				return mark
			}
		}
	}
	return ""
}

// awkBare is an awk program without its strings, patterns and ||, so that a
// bar that is left is a pipe.
func awkBare(code string) string {
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"' || c == '/':
			i = sedPart(code, i+1, c) - 1
		case c == '|' && i+1 < len(code) && code[i+1] == '|':
			i++
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
