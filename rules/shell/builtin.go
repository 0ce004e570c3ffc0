package shell

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// builtin follows the builtins of the shell that run text or change what is
// certain. It reports that nothing else is to be done.
func (s *scope) builtin(name string, v invocation) bool {
	args := v.words[1:]
	s.modes(name, args)
	switch name {
	case "cd", "pushd":
		s.goes(args)
	case "shopt":
		if slices.ContainsFunc(args, func(w word) bool { return !w.known || w.text == "cdable_vars" }) {
			s.note("CDPATH")
		}
		if slices.ContainsFunc(args, func(w word) bool { return !w.known || w.text == foldsCase }) {
			s.note(foldsCase)
		}
	case "popd":
		s.dir = hook.Word{Text: "popd"}
	case "set", "shift":
		s.sets(name, args)
	case "eval":
		if len(args) > 0 && args[0].text == "--" {
			args = args[1:]
		}
		if len(args) > 0 {
			s.evaluate(joined(args), name)
		}
	case ".", "source":
		s.source(name, args)
	case "trap":
		s.trap(args)
	case "alias":
		s.alias(args)
	case "hash":
		if len(args) > 2 && args[0].text == "-p" {
			s.setAlias(args[2].text, args[1])
		}
	case "read", "unset", "getopts", "readarray", "mapfile", "wait", "printf", "let", "declare", "typeset", "local", "export", "readonly", "test", "[":
		if !v.declared {
			s.names(name, args)
		}
	case "complete", "compgen", "bind":
		s.stored(name, args)
	default:
		return s.grammar(name, v)
	}
	return true
}

// grammar follows programs whose operands have a grammar that no row tells.
func (s *scope) grammar(name string, v invocation) bool {
	args := v.words[1:]
	t := s.inner(name, false)
	switch name {
	case "find", "gfind":
		s.find(v)
	case "parallel":
		s.parallel(v)
	case "git":
		s.git(v)
		return false
	case "make", "gmake":
		s.make(v)
	case "sed", "gsed":
		s.sed(args)
	case "tar":
		s.tar(v)
		return false
	case "cmake":
		s.cmake(v)
		return false
	case "nix":
		if at := dashesAt(v.words, 0); len(args) > 0 && args[0].text == "run" && at > 0 && at < len(v.words) {
			t.sure = false
			t.invoke(invocation{words: v.words[at:], end: v.end})
		}
		return false
	case "deno":
		for i, w := range args {
			if args[0].text == "eval" && i > 0 && !strings.HasPrefix(w.text, "-") {
				s.mayRun(name, languages()["deno eval"], w)
			}
		}
	case "less":
		for _, w := range args {
			if _, text, ok := strings.Cut(w.text, "!"); ok && strings.HasPrefix(w.text, "+") {
				t.possible(literal(text, w.pos))
			}
		}
		return false
	case "tmux", "screen", "xdotool", "zellij":
		s.multiplexer(name, v)
	case "socat":
		for _, w := range args {
			if kind, text, ok := strings.Cut(w.text, ":"); ok && has("EXEC SYSTEM exec system", kind) {
				w.text = text
				t.text(w, newShell)
			}
		}
	case "at", "batch":
		s.scheduled(name, v)
	case "crontab":
		if len(args) == 0 || args[0].text == "-" || !strings.HasPrefix(args[0].text, "-") {
			s.opaque("crontab runs text from elsewhere", v.words[0].pos)
		}
	case "mispipe", "pee", "concurrently", "npm-run-all":
		for _, w := range args {
			if w.text != "" && w.text[0] != '-' {
				t.text(w, newShell)
			}
		}
	default:
		return false
	}
	return true
}

// stored follows the commands that complete and bind keep for a person.
func (s *scope) stored(name string, args []word) {
	t := s.inner(name, false)
	for i, w := range args {
		if flag, text, ok := strings.Cut(w.text, "W"); ok && name != "bind" && strings.HasPrefix(flag, "-") {
			if w.text = text; text == "" && i+1 < len(args) {
				w = args[i+1]
			}
			t.expanded(w) // a list of words
		}
		if _, text, ok := strings.Cut(w.text, ":"); ok && name == "bind" {
			w.text = text
		} else if i == 0 || args[i-1].text != "-C" && args[i-1].text != "-F" {
			continue
		}
		t.possible(w)
	}
}

// physicalCD is noted like a variable: cd follows links as with -P.
const physicalCD = "-P"

// foldsCase is an option with which patterns match either case.
const foldsCase = "nocasematch"

// modes notes options of a shell that change what cd means.
func (s *scope) modes(name string, args []word) {
	if name != "set" && !has(shellNames, name) {
		return
	}
	for _, w := range args {
		switch {
		case w.text == "physical", len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.Contains(w.text, "P"):
			s.note(physicalCD)
		case w.text == "cdable_vars":
			s.note("CDPATH")
		case w.text == foldsCase:
			s.note(foldsCase)
		}
	}
}

// goes follows cd and pushd. With -P a link on the way counts, which is not
// known here.
func (s *scope) goes(args []word) {
	physical := s.run.set[physicalCD]
	for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && args[0].known {
		if i := strings.LastIndexAny(args[0].text, "PL"); i >= 0 {
			physical = args[0].text[i] == 'P' // the last one counts
		}
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		s.dir = hook.Word{Text: "~"}
	case args[0].text == "-" || args[0].text == "" || physical || s.run.set["CDPATH"] && !rootedDir(args[0].text):
		s.dir = hook.Word{Text: args[0].src}
	default:
		s.chdir(args[0])
	}
}

// rootedDir reports that cd does not look dir up in $CDPATH.
func rootedDir(dir string) bool {
	first, _, _ := strings.Cut(dir, "/")
	return first == "" || first == "." || first == ".."
}

// evaluate runs text in this shell; what it may assign is then uncertain.
func (s *scope) evaluate(w word, name string) {
	t := s.inner(name, false)
	t.text(w, sameShell)
	s.vars, s.aliases, s.functions, s.dir = t.vars, t.aliases, t.functions, t.dir
	if strings.Contains(w.text, hole) {
		s.forgetAll()
	}
}

func (s *scope) source(name string, args []word) {
	if len(args) == 0 {
		return
	}
	w := args[0]
	if len(args) > 1 {
		s.forget(positional) // they are those of the file
	}
	switch in := s.fileInput(w); in.kind {
	case typed:
		s.evaluate(in.text, name)
	default:
		if !s.runsWritten(w, name) {
			s.opaque(name+" runs what is in "+shown(w.src), w.pos)
		}
	}
	s.forgetAll()
}

// fileInput is what a script operand holds: /dev/stdin and <(…) may be text.
func (s *scope) fileInput(w word) input {
	switch w.text {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-":
		return s.reading()
	}
	if p, ok := procSubst(w); ok {
		return s.produced(p, input{kind: fed})
	}
	return input{kind: fed}
}

func (s *scope) trap(args []word) {
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) < 2 || args[0].text == "-" || args[0].text == "" || args[0].text[0] == '-' {
		return
	}
	s.later(func(b *scope) { b.inner("trap", false).text(args[0], sameShell) })
}

func (s *scope) alias(args []word) {
	for _, w := range args {
		if name, value, ok := strings.Cut(w.text, "="); ok {
			w.text = value
			s.setAlias(name, w)
			s.inner("alias", false).possible(w)
		}
	}
}

func (s *scope) setAlias(name string, value word) {
	aliases := map[string]string{name: value.text}
	for k, v := range s.aliases {
		if k != name && len(aliases) < maxVars {
			aliases[k] = v
		}
	}
	s.aliases = aliases
}

// aliased follows a call of an alias, which only an interactive shell expands.
func (s *scope) aliased(name, text string, v invocation) {
	t := s.inner(name, false)
	t.aliases = nil
	w := joined(v.words)
	w.text = text + strings.TrimPrefix(w.text, v.words[0].text)
	t.possible(word{text: w.text, src: w.src, known: w.known, why: w.why, pos: w.pos})
}

// names follows builtins that take names of variables: they assign them, and
// expand what stands in a subscript.
func (s *scope) names(builtin string, args []word) {
	switch builtin {
	case "unset":
		s.functions = nil
	case "read":
		s.forget("REPLY")
	case "readarray", "mapfile":
		s.forget("MAPFILE")
		for i, w := range args {
			if w.text == "-C" && i+1 < len(args) {
				s.inner(builtin, false).text(args[i+1], newShell)
			}
		}
	}
	for i, w := range args {
		switch {
		case builtin == "let":
			s.expression(w, 0)
			continue
		case builtin == "test" || builtin == "[":
			if i > 0 && args[i-1].text == "-v" {
				s.subscript(w)
			}
			continue
		case builtin == "printf" && i > 1, builtin == "printf" && !strings.HasPrefix(args[0].text, "-v"):
			continue
		case builtin == "export" || builtin == "readonly", strings.HasPrefix(w.text, "-") && builtin != "printf", builtin == "getopts" && i == 0:
		case builtin != "printf" || i == 1 && args[0].text == "-v":
			s.subscript(w)
		default:
			s.subscript(word{text: strings.TrimPrefix(w.text, "-v"), src: w.src, known: w.known, pos: w.pos})
		}
		name, value, given := strings.Cut(w.text, "=")
		name, _, _ = strings.Cut(name, "[")
		if len(name) > 2 && name[0] == '-' {
			name = name[2:] // read -aNAME
		}
		switch {
		case validName(name) && builtin == "unset", given && isNumber(value):
			s.unsure(name)
		case validName(name):
			s.forget(name)
			if given {
				s.exported(name, word{text: value, src: w.src, known: w.known, pos: w.pos})
			} else if builtin != "export" && builtin != "readonly" {
				s.named(name, w.pos)
			}
		case !w.known:
			s.forgetAll()
		}
	}
}
