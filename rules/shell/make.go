package shell

import (
	"path"
	"strings"
)

// makeRow are the options of GNU make.
var makeRow = Wrapper{
	Flags:    "B b d e i k L m n p q R r S s t w always-make ignore-errors keep-going just-print dry-run question silent quiet touch print-directory no-print-directory no-builtin-rules no-builtin-variables check-symlink-times environment-overrides warn-undefined-variables version help",
	Values:   "C f I o W E file makefile directory include-dir old-file assume-old what-if new-file assume-new eval",
	Optional: "j l O jobs load-average max-load output-sync debug shuffle",
}

// make follows what make reads as a makefile in the text itself, and
// variables that look like commands.
func (s *scope) make(v invocation) {
	t := s.inner("make", false)
	t.sure = false
	for i := 1; i < len(v.words); i++ {
		w := v.words[i]
		if len(w.text) < 2 || w.text[0] != '-' {
			if shell, ok := strings.CutPrefix(w.text, "SHELL="); ok && has(shellNames, path.Base(shell)) {
				continue
			} else if ok {
				t.invoke(invocation{words: []word{literal(shell, w.pos), literal("-c", w.pos), unknown("a recipe", "it is in a makefile", w.pos)}, end: v.end})
			} else if assigned(w.text) && strings.ContainsAny(w.text, " \t;|&`") {
				t.possible(w)
			}
			continue
		}
		name, value, glued := makeRow.last(w.text)
		if !has(makeRow.Values, name) {
			continue
		}
		if w.text, w.sub = value, nil; !glued {
			if i++; i == len(v.words) {
				return
			}
			w = v.words[i]
		}
		switch name {
		case "E", "eval":
			t.makefile(w)
		case "f", "file", "makefile":
			switch in := s.fileInput(w); {
			case in.kind == typed:
				t.makefile(in.text)
			case in.kind == fed && s.streamed(w):
				s.opaque("make runs its input", w.pos)
			default:
				t.writtenMakefile(w)
			}
		}
	}
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		t.writtenMakefile(literal(name, v.words[0].pos))
	}
}

// writtenMakefile follows a makefile that the text wrote before.
func (s *scope) writtenMakefile(w word) {
	if len(s.run.written) == 0 || !w.known {
		return
	}
	if c, ok := s.run.written[s.placed(w.text)]; ok {
		if c.known {
			w.text = c.text.text
		}
		s.makefile(w)
	}
}

// makefile looks for recipes in a text; make itself may make others.
func (s *scope) makefile(w word) {
	s.opaque("make runs "+shown(w.src), w.pos)
	for line := range strings.SplitSeq(w.text, "\n") {
		if head, recipe, ok := strings.Cut(line, ";"); ok && strings.Contains(head, ":") {
			line = recipe
		}
		s.possible(literal(strings.TrimLeft(line, " \t@-+"), w.pos))
	}
}

// last is the last option in a word, with its value if it is glued.
func (w *Wrapper) last(text string) (name, value string, glued bool) {
	if long, ok := strings.CutPrefix(text, "--"); ok {
		name, value, glued = strings.Cut(long, "=")
		name, _ = w.whole(name)
		return name, value, glued
	}
	for k := 1; k < len(text); k++ {
		switch name = text[k : k+1]; {
		case has(w.Optional, name):
			return name, text[k+1:], true
		case has(w.Values, name):
			return name, text[k+1:], k+1 < len(text)
		}
	}
	return name, "", true
}
