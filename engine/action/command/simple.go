package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// shell looks at the commands of a shell text and returns them.
func (s *search) shell(text string, depth int) (all [][]word) { return s.shellAt(text, depth, -1) }

// shellAt is shell for a text that is part of the command itself and ends at
// the offset end of it.
func (s *search) shellAt(text string, depth, end int) (all [][]word) {
	if depth > 20 {
		s.doubts("it is nested too deeply")
		return nil
	}
	p := parser{lexer: lexer{s: s, rest: text, depth: depth, end: end}}
	for {
		w, more := p.next()
		if w.op != "" || !more {
			p.end(w.op)
		} else {
			p.add(w)
		}
		if !more || s.found {
			return p.all
		}
	}
}

// parser cuts the words of a text into simple commands.
type parser struct {
	lexer
	all     [][]word
	now     []word
	fed     bool // the command has a here-document or here-string
	target  bool // the next word is of a redirection
	cases   int  // open case … esac
	pattern bool // what comes up to ) is a pattern of a case, or an array
}

// add adds a word to the command that is being read.
func (p *parser) add(w word) {
	first := len(p.now) == 0
	switch {
	case p.target:
		p.target = false
		return
	case p.pattern:
		if w.text == "esac" {
			p.pattern = false
			p.cases--
		}
		return
	}
	p.s.mark(w)
	switch {
	case first && !w.open && slices.Contains(strings.Fields("if then else elif while until do ! { } done fi time"), w.text):
		return
	case first && w.text == "esac" && p.cases > 0:
		p.cases--
		return
	case len(p.now) == 1 && p.now[0].text == "function":
		p.s.functions[w.text] = true
		p.now = nil
		return
	case w.text == "in" && len(p.now) == 2 && p.now[0].text == "case":
		p.cases++
		p.pattern = true
		p.now = nil
		return
	}
	p.now = append(p.now, w)
}

// end ends the command at an operator, or at the end of the text.
func (p *parser) end(op string) {
	inTest := len(p.now) > 0 && p.now[0].text == "[[" && p.now[len(p.now)-1].text != "]]"
	switch {
	case inTest && op != "" && op != "\n" && op != ";":
		return
	case strings.HasPrefix(op, "<") || strings.HasPrefix(op, ">") || strings.HasPrefix(op, "&>"):
		p.target = op != "<<" && op != "<<-"
		p.fed = p.fed || strings.HasPrefix(op, "<<")
		return
	case p.pattern:
		p.pattern = op != ")"
		return
	case op == "(" && len(p.now) > 0 && strings.HasSuffix(p.now[len(p.now)-1].text, "="):
		name := strings.TrimRight(p.now[len(p.now)-1].text, "+=")
		p.s.assign(name, word{open: true})
		p.pattern, p.now = true, nil
		return
	case op == "(" && len(p.now) == 1:
		p.s.functions[p.now[0].text] = true // name()
		p.now = nil
		return
	}
	if len(p.now) > 0 {
		p.all = append(p.all, p.now)
		p.s.command(p.now, p.fed, p.depth)
	}
	p.now, p.fed, p.target = nil, false, false
	p.pattern = p.cases > 0 && strings.HasPrefix(op, ";") && len(op) > 1
}

// Programs by what they do with their operands.
const (
	keywords = " for select case function coproc [[ ]] "
	// data: they run none of their operands.
	data = keywords + " : [ test echo printf cat head tail wc tr cut sort uniq tee grep egrep fgrep jq sed awk gawk mawk" +
		" basename dirname realpath readlink date mkdir rmdir rm cp mv ln ls touch stat chmod diff cmp comm sha256sum sha1sum md5sum base64 logger seq sleep" +
		" read mapfile readarray local declare typeset readonly export unset return exit shift break continue let kill wait true false umask set shopt" +
		" type hash getopts pwd popd jobs disown ulimit git cksum od xxd rev tac nl paste join fold expr "
	shells = " sh bash dash zsh ksh ash "
	// scripted run the file that is their first operand.
	scripted = shells + " python python2 python3 node nodejs deno bun ruby perl php lua luajit pwsh powershell osascript tclsh Rscript "
	builtins = data + " . source eval exec command builtin caller cd pushd dirs alias unalias trap times suspend fg bg bind complete compgen history fc help logout enable env "
)

func in(list, name string) bool {
	return name != "" && !strings.ContainsAny(name, " ") && strings.Contains(list, " "+name+" ")
}

// command looks at one simple command: at what it runs, and at what of its
// operands may be run.
func (s *search) command(words []word, fed bool, depth int) {
	for _, w := range words {
		s.operand(w, false)
	}
	for len(words) > 0 {
		name, value, ok := strings.Cut(words[0].text, "=")
		if !ok || !isName(name) {
			break
		}
		s.assign(name, word{text: value, open: words[0].open, glob: words[0].glob})
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	first, rest := words[0], words[1:]
	if first.open || first.glob {
		s.operand(first, true)
	} else if !in(builtins, first.text) && !s.program(first.text) && !s.function(first.text) {
		s.doubts("the program " + first.text + " is not there")
	}
	switch name := first.text; {
	case name == "eval":
		s.eval(rest, depth)
	case name == "trap" && len(rest) > 1:
		s.eval(rest[:1], depth)
	case (name == "for" || name == "select") && len(rest) > 0:
		s.assign(rest[0].text, word{open: true})
	case in(" export local declare typeset readonly ", name):
		s.assignments(rest)
	case in(" cd pushd ", name):
		s.move(rest)
	case in(" . source ", name) && len(rest) > 0:
		s.sourced = true
		s.script(rest[0])
	case in(data, strings.TrimPrefix(strings.TrimPrefix(name, "/usr"), "/bin/")):
		s.optionFiles(rest)
	default:
		s.runner(words, fed, depth)
	}
}

// function reports whether a bare name may be a function.
func (s *search) function(name string) bool {
	return s.functions[name] || s.sourced && !strings.Contains(name, "/")
}

// runner looks at a command that may run its operands. From a program of
// scripts on they are the operands of that.
func (s *search) runner(words []word, fed bool, depth int) {
	for i, w := range words {
		if name := filepath.Base(w.text); !w.open && in(scripted, name) {
			s.interpreter(name, words[i+1:], fed, depth)
			return
		}
		if s.operand(w, true); !w.open && !w.glob {
			s.perhaps(w.text)
		}
	}
}

// move follows a change of the directory.
func (s *search) move(words []word) {
	s.assign("PWD", word{open: true})
	for _, w := range words {
		if s.operand(w, true); !w.open && !w.glob {
			for _, dir := range s.places(w.text) {
				if mode, there := s.stat(dir); there && mode.IsDir() {
					s.enter(dir)
				}
			}
		}
	}
}

// operand follows a word. May it be run, it is a doubt if it is not known.
func (s *search) operand(w word, runs bool) {
	_, value, _ := strings.Cut(w.text, "=")
	any := false
	for _, text := range []string{w.text, value} {
		switch {
		case text == "" || w.open:
		case w.glob && strings.ContainsAny(filepath.Dir(text), "*?["): // may be all files there are
		case w.glob:
			for _, pattern := range s.places(text) {
				paths, _ := filepath.Glob(pattern)
				for _, path := range paths {
					any = s.follow(path, runs) || any
				}
			}
		default:
			s.follow(text, runs)
		}
	}
	if runs && (w.open || w.glob && (!any || s.name == "") || strings.Contains(w.text, "{}")) {
		s.doubts("it may name a script by a variable or a pattern")
	}
}

// script is a word that must be a file.
func (s *search) script(w word) {
	s.operand(w, true)
	if w.open || w.glob {
		return
	}
	there := s.follow(w.text, true)
	if !there && !strings.Contains(w.text, "/") && s.program(w.text) {
		return
	}
	if s.ran(w.text); !there {
		s.doubts("the script " + w.text + " is not there")
	}
}

func (s *search) assignments(words []word) {
	for _, w := range words {
		if name, value, ok := strings.Cut(w.text, "="); ok && isName(name) {
			s.assign(name, word{text: value, open: w.open, glob: w.glob})
		}
	}
}

// eval looks at words that are a shell text together.
func (s *search) eval(words []word, depth int) {
	var texts []string
	for _, w := range words {
		s.operand(w, true)
		texts = append(texts, w.text)
	}
	s.shell(strings.Join(texts, " "), depth+1)
}

// optionFiles looks at the files that programs of data read orders from.
func (s *search) optionFiles(words []word) {
	for i, w := range words {
		if i+1 < len(words) && in(" -f --file --from-file -L ", w.text) {
			if s.operand(words[i+1], true); !words[i+1].open && !words[i+1].glob {
				s.ran(words[i+1].text)
			}
		}
	}
}

// interpreter looks at what a program of scripts is to run: a file, the text
// behind an option, or its standard input.
func (s *search) interpreter(name string, words []word, fed bool, depth int) {
	for i, w := range words {
		rest := words[i+1:]
		option, dashed := strings.CutPrefix(w.text, "-")
		switch {
		case w.open || w.glob:
			s.operand(w, true)
		case dashed && takesCode(name, option):
			s.code(name, rest, depth)
		case dashed && option == "":
			s.piped(name, fed)
		case dashed || strings.HasPrefix(w.text, "+") || in(" run exec ", w.text) || in(shells, name) && w.text == "pipefail":
			continue
		default:
			s.script(w)
		}
		for _, arg := range rest {
			s.operand(arg, true)
		}
		return
	}
	s.piped(name, fed)
}

// takesCode reports whether the text of a script follows an option.
func takesCode(name, option string) bool {
	switch {
	case in(shells, name):
		return !strings.HasPrefix(option, "-") && strings.Contains(option, "c")
	case strings.HasPrefix(option, "-"):
		return in(" -eval -print ", option)
	}
	return option == "m" || strings.ContainsAny(option, "ceEp")
}

// piped is a program of scripts that reads one from its standard input.
func (s *search) piped(name string, fed bool) {
	if !fed || in(shells, name) {
		s.doubts(name + " reads its script from a pipe")
	}
}

// code is a text behind an option, for a shell or for another language.
func (s *search) code(name string, words []word, depth int) {
	switch {
	case len(words) == 0 || words[0].open:
	case in(shells, name):
		s.shell(words[0].text, depth+1)
	default:
		s.named(words[0].text)
		for _, file := range modules(words[0].text, ".py") { // -m
			if s.follow(file, true) {
				s.ran(file)
			}
		}
	}
}
