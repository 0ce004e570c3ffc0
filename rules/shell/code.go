package shell

import "strings"

// code looks for text in another language that may start programs.
func (s *scope) code(name string, v invocation) {
	l := languages()[name]
	words := v.words
	found, operand, mayValue := false, false, false
	s.aside(name, l, v)
	for i := 1; i < len(words); i++ {
		w := words[i]
		if l.grammar == exGrammar && strings.HasPrefix(w.text, "+") {
			found = true
			w.text = w.text[1:]
			s.mayRun(name, l, w)
			continue
		}
		if len(w.text) < 2 || w.text[0] != '-' {
			switch {
			case w.text == "-" && !l.loose:
			case l.loose || l.first && !found:
				s.mayRun(name, l, w)
			case !found:
				s.codeFile(name, l, w)
			}
			if w.text == "-" && !l.loose {
				break
			}
			if l.mixed {
				s.debugged(name, words[i:], v.end)
			}
			if operand = true; l.loose || l.mixed || mayValue {
				mayValue = false
				continue
			}
			return
		}
		o := l.option(w.text)
		mayValue = o.unknown
		value := w
		if value.text, value.sub = o.value, nil; !o.glued {
			if o.kind == 0 {
				continue
			}
			if i++; i == len(words) {
				break
			}
			value = words[i]
		}
		switch o.kind {
		case 'c':
			found = true
			s.mayRun(name, l, value)
		case 'f':
			found = true
			s.codeFile(name, l, value)
		case 'm':
			s.module(name, l, value.text, words[min(i+1, len(words)):])
			return
		}
	}
	if l.stdin && (l.mixed || !found && (!operand || l.loose || s.reading().kind == typed)) {
		s.codeInput(name, l, s.reading(), v.words[0].pos)
	}
}

// aside follows what an interpreter runs beside its code: names of files that
// end in a bar, and standard input where it stays interactive.
func (s *scope) aside(name string, l language, v invocation) {
	for _, w := range v.words[1:] {
		switch {
		case l.pipes && !strings.HasPrefix(w.text, "-") && (strings.HasSuffix(strings.TrimSpace(w.text), "|") || strings.HasPrefix(strings.TrimSpace(w.text), "|")):
			s.opaque(name+" may run "+shown(w.src), w.pos)
		case l.grammar == pythonGrammar && interactive(w) && !strings.ContainsAny(w.text, "cmWX"):
			s.codeInput(name, l, s.reading(), w.pos)
		}
	}
}

// debugged lists the program that a debugger starts.
func (s *scope) debugged(name string, words []word, end int) {
	if name != "gdb" && name != "lldb" {
		return
	}
	t := s.inner(name, false)
	t.sure = false
	t.invoke(invocation{words: words, end: end})
}

// modules of python that run code of their operands.
const modules = "timeit cProfile profile trace pdb code asyncio"

// module follows python -m and the -M of perl.
func (s *scope) module(name string, l language, module string, words []word) {
	if !has(modules, module) {
		return
	}
	for _, w := range words {
		s.mayRun(name, l, w)
	}
	if has("code asyncio", module) {
		s.codeInput(name, l, s.reading(), 0)
	}
}

// codeFile follows a file with code, where the text shows what it holds.
func (s *scope) codeFile(name string, l language, w word) {
	if s.streamed(w) {
		s.codeInput(name, l, s.fileInput(w), w.pos)
	}
}

// streamed reports that a file is standard input or the output of commands.
func (s *scope) streamed(w word) bool {
	_, ok := procSubst(w)
	return ok || has("/dev/stdin /dev/fd/0 /proc/self/fd/0 -", w.text)
}

func (s *scope) codeInput(name string, l language, in input, pos int) {
	switch in.kind {
	case typed:
		s.mayRun(name, l, in.text)
	case fed:
		why := in.why
		if why == "" {
			why = "it comes from commands"
		}
		s.opaque(name+" runs its input: "+why, pos)
	}
}

// codeOption is what one word with a dash says to an interpreter.
type codeOption struct {
	kind    byte // c code, f file with code, m module, v another value, 0 none
	value   string
	glued   bool
	unknown bool // the next word may be its value
}

func (l language) option(text string) codeOption {
	name := strings.TrimLeft(text, "-")
	if strings.HasPrefix(text, "--") || len(name) > 1 {
		long, value, glued := strings.Cut(name, "=")
		for _, list := range []struct {
			names string
			kind  byte
		}{{l.code, 'c'}, {l.file, 'f'}, {l.values, 'v'}} {
			for n := range strings.SplitSeq(list.names, " ") {
				full := strings.TrimLeft(n, "-")
				if len(full) > 1 && (full == long || strings.HasPrefix(text, "--") && len(long) > 1 && strings.HasPrefix(full, long)) {
					return codeOption{list.kind, value, glued, false}
				}
			}
		}
		if strings.HasPrefix(text, "--") {
			return codeOption{unknown: !glued && text != "--"}
		}
	}
	for k := 1; k < len(text); k++ {
		o := codeOption{value: text[k+1:], glued: k+1 < len(text)}
		switch c := text[k : k+1]; {
		case has(l.code, c):
			o.kind = 'c'
		case has(l.file, c):
			o.kind = 'f'
		case has(l.modules, c) && c == "M":
			o.kind = 'v' // of perl: `use` and what follows
			if strings.ContainsAny(o.value, ";( \n") {
				o.kind = 'c'
			}
		case has(l.modules, c):
			o.kind = 'm'
		case has(l.values, "-"+c):
			o.kind = 'v'
		case has(l.glued, c):
			return codeOption{}
		case c >= "0" && c <= "9" || plainByte[c[0]] && c != "-":
			continue
		default:
			return codeOption{unknown: l.glued == ""}
		}
		return o
	}
	return codeOption{unknown: l.glued == "" && len(text) == 2}
}

// mayRun notes code that has a word which can start a program.
func (s *scope) mayRun(name string, l language, w word) {
	if strings.Contains(w.text, hole) {
		s.opaque(name+" runs code that is not known: "+shown(w.src), w.pos)
		return
	}
	why := ""
	switch l.grammar {
	case anyGrammar:
		s.opaque(name+" runs "+shown(w.text), w.pos)
	case awkGrammar:
		s.awk(name, w)
	case pythonGrammar:
		why = s.python(name, l, w)
	case nodeGrammar:
		why = nodeStarts(l, w.text)
	case sqlGrammar:
		why = sqlStarts(l, w.text)
	case exGrammar:
		if why = l.starts(w.text); why == "" {
			s.exCommand(name, w)
		}
	default:
		why = l.starts(w.text)
	}
	if why != "" {
		s.opaque("code of "+name+" may run anything: it has "+why, w.pos)
	}
}

// starts is what in code can start a program: an identifier, or other text.
func (l language) starts(code string) string {
	for mark := range strings.FieldsSeq(l.exec) {
		if mentions(code, mark) >= 0 {
			return mark
		}
	}
	return ""
}

// mentions is the index of a mark in code, or -1: of an identifier where it
// stands alone, of other text anywhere.
func mentions(code, mark string) int {
	for from := 0; ; {
		i := strings.Index(code[from:], mark)
		if i < 0 {
			return -1
		}
		i += from
		from = i + len(mark)
		if !validName(mark) || (i == 0 || !validName("_"+code[i-1:i])) && (from == len(code) || !validName("_"+code[from:from+1])) {
			return i
		}
	}
}

// exCommand follows the shell commands of an editor: `:!cmd`, `:r !cmd`.
func (s *scope) exCommand(name string, w word) {
	t := s.inner(name, false)
	t.sure = false
	for rest := w.text; ; {
		_, after, ok := strings.Cut(rest, "!")
		if !ok {
			return
		}
		if rest = after; strings.Trim(after, " |/") != "" {
			t.possible(literal(after, w.pos))
		}
	}
}

// sqlStarts is starts for SQL with the commands of its client. Text in single
// quotes is data, unless comments or other quotes make that uncertain.
func sqlStarts(l language, code string) string {
	if strings.Contains(code, `\`) && strings.Contains(code, "|") {
		return "|"
	}
	for line := range strings.SplitSeq(code, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, ".") && strings.Contains(line, "|") {
			return "|"
		}
	}
	bare := code
	if !strings.ContainsAny(code, `$"\`+"`") && !strings.Contains(code, "--") && !strings.Contains(code, "/*") {
		parts := strings.Split(code, "'")
		for i := range parts {
			if i%2 == 1 {
				parts[i] = ""
			}
		}
		bare = strings.Join(parts, "'")
		// COPY … TO PROGRAM 'cmd' has its text behind the word.
		if words := strings.Fields(strings.ToLower(bare)); len(words) > 0 {
			for i, word := range words[1:] {
				if strings.TrimRight(word, "'") == "program" && has("to from", words[i]) {
					return "program"
				}
			}
		}
	} else if at := mentions(strings.ToLower(code), "program"); at >= 0 {
		return "program"
	}
	return l.starts(bare)
}
