package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxWritten bounds the files that one text is seen to write.
const maxWritten = 512

// content is what the text puts into a file.
type content struct {
	text  word
	known bool
}

// writes notes the files that a statement writes by redirects, with what it
// prints into them.
func (s *scope) writes(st *syntax.Stmt, redirects []hook.Redirect) {
	for _, r := range redirects {
		if r.Access&hook.Writes == 0 || !r.Target.Known || strings.HasPrefix(r.Target.Text, "/dev/") {
			continue
		}
		var c content
		if len(redirects) == 1 && (r.Op == ">" || r.Op == ">|") {
			quiet := *st
			quiet.Redirs = slices.DeleteFunc(slices.Clone(st.Redirs), func(r *syntax.Redirect) bool {
				return r.Op == syntax.RdrOut || r.Op == syntax.RdrClob
			})
			c.text, c.known = s.output(&quiet)
		}
		s.written(r.Target.Text, c)
	}
}

// written notes that the text writes a file.
func (s *scope) written(name string, c content) {
	if s.run.written == nil {
		s.run.written = map[string]content{}
	}
	place := s.placed(name)
	if _, again := s.run.written[place]; again || !s.sure || s.nesting > 1 {
		c = content{}
	}
	if len(s.run.written) < maxWritten {
		s.run.written[place] = c
	}
}

// saves notes the files that programs write for a text that may then run
// them: tee, curl -o, wget -O.
func (s *scope) saves(name string, args []word) {
	option := map[string]string{"curl": "-o --output", "wget": "-O --output-document"}[name]
	if name != "tee" && option == "" {
		return
	}
	for i, w := range args {
		switch {
		case !w.known || w.text == "":
		case name == "tee" && w.text[0] != '-':
			s.written(w.text, content{s.stdin.text, s.stdin.kind == typed && len(args) == 1})
		case option != "" && i > 0 && has(option, args[i-1].text):
			s.written(w.text, content{})
		case option != "" && strings.HasPrefix(w.text, option[:2]) && len(w.text) > 2:
			s.written(w.text[2:], content{})
		case option != "" && strings.HasPrefix(w.text, option[3:]+"="):
			s.written(w.text[len(option)-2:], content{})
		}
	}
}

// runsWritten follows a file that the text wrote before, and reports that it
// did: by is the shell that reads it, "" if it is started itself.
func (s *scope) runsWritten(w word, by string) bool {
	if len(s.run.written) == 0 || !w.known || by == "" && !strings.Contains(w.text, "/") {
		return false
	}
	c, ok := s.run.written[s.placed(w.text)]
	if !ok {
		return false
	}
	if line, _, _ := strings.Cut(c.text.text, "\n"); !c.known || by == "" && strings.HasPrefix(line, "#!") && !shebang(line) {
		s.opaque(shown(w.text)+" is written by this text, and then run", w.pos)
		return true
	}
	t := s.inner(w.text, false)
	t.sure = false
	t.text(c.text, newShell)
	return true
}

// shebang reports that the first line of a script names a shell.
func shebang(line string) bool {
	for _, field := range strings.Fields(strings.TrimPrefix(line, "#!")) {
		if name, ok := programName(hook.Word{Text: field, Known: true}); ok && has(shellNames, name) {
			return true
		}
	}
	return false
}
