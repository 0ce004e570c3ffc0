package shell

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// invoke lists a simple command and follows what it runs in turn.
func (s *scope) invoke(v invocation) {
	s.run.walked += len(v.words)
	if len(v.words) == 0 || !s.run.walk() {
		return
	}
	head := v.words[0]
	argv := make([]hook.Word, len(v.words))
	for i, w := range v.words {
		argv[i] = w.export()
	}
	c := hook.Command{Argv: argv, Assigns: v.assigns, Redirects: v.redirects, Wrappers: s.chain, Text: join(normalise(argv)),
		Raw: visible(s.slice(head.pos, max(v.end, head.pos))), Offset: s.at(head.pos), Dir: s.dir}
	if c.Raw == "" {
		c.Raw = c.Text
	}
	s.add(c)
	name, known := programName(argv[0])
	switch {
	case !known:
		why := head.why
		if head.src != head.text {
			why = shown(head.src) + ": " + why
		}
		s.run.doubt("the program is not known: "+why, c.Offset)
	case len(s.chain) >= maxLayers:
		s.opaque("more wrappers than are followed", head.pos)
	default:
		s.follow(name, v)
	}
}

// follow looks for what a program runs: by name in its own code, by row in
// the table of wrappers, by kind.
func (s *scope) follow(name string, v invocation) {
	if v.function != nil {
		defer s.inline(v.function, v.words[1:])
	}
	if text, ok := s.aliases[name]; ok && len(s.chain) < maxLayers {
		s.aliased(name, text, v)
	}
	if program, ok := s.copyOf(v.words[0].text); ok && len(s.chain) < maxLayers {
		s.aliased(name, program, v)
	}
	s.copied(name, v.words[1:])
	s.saves(name, v.words[1:])
	if s.runsWritten(v.words[0], "") {
		return
	}
	name, kind := kindOf(name)
	if s.builtin(name, v) {
		return
	}
	row, at := s.row(name, v.words)
	if row != nil {
		s.wrapped(row, at, v)
	}
	switch kind {
	case shellProgram:
		s.shell(name, v)
	case codeProgram:
		s.code(name, v)
	case unheard:
		if row == nil && s.sure && v.function == nil && looksLikeProgram(name) {
			s.unheard(name, v)
		}
	}
}

// row finds the row of the program, or of the program and its subcommands,
// and the index of the last word of its name.
func (s *scope) row(name string, words []word) (*Wrapper, int) {
	row, at := s.lookupRow(name), 0
	if name == "runuser" && !slices.ContainsFunc(words[1:], namesUser) {
		return s.lookupRow("runuser -"), 0
	}
	if head, _, _ := strings.Cut(name, " "); !subcommandHeads()[head] && sameAs[name] == "" && len(s.run.wrappers) == 0 {
		return row, at
	}
	key := name
	for i, n := 0, 0; i+1 < len(words) && n < 3; n++ {
		i += shifted(words, i, key, func(w word) string { return w.text }) + 1
		if i >= len(words) || !words[i].known {
			break
		}
		key += " " + words[i].text
		if len(key) > 64 {
			break
		}
		if longer := s.lookupRow(key); longer != nil {
			row, at = longer, i
		}
	}
	if row == nil && (strings.HasPrefix(key, "podman ") || strings.HasPrefix(key, "nerdctl ") || strings.HasPrefix(key, "oc ") || strings.HasPrefix(key, "docker-compose ")) {
		return s.row(sameAs[name], words)
	}
	return row, at
}

// sameAs are programs that take the options and subcommands of another.
var sameAs = map[string]string{"podman": "docker", "nerdctl": "docker", "oc": "kubectl", "docker-compose": "docker compose"}

func (s *scope) lookupRow(name string) *Wrapper {
	if w, ok := s.run.wrappers[name]; ok {
		return w
	}
	return wrapperIndex()[name]
}

// namesUser reports the option of runuser with which its operands are a command.
func namesUser(w word) bool {
	return strings.HasPrefix(w.text, "-u") || strings.HasPrefix(w.text, "--user")
}

// inner is the scope of what a wrapper runs.
func (s *scope) inner(name string, away bool) *scope {
	t := *s
	t.chain = append(slices.Clip(s.chain), name)
	if away {
		t.dir = hook.Word{Text: name}
	}
	return &t
}

// wrapped follows the operands of a wrapper; at is the index of its name.
func (s *scope) wrapped(row *Wrapper, at int, v invocation) {
	words := v.words[at:]
	o := row.scan(words)
	t := s.inner(row.Name, row.Away)
	for _, w := range o.shell {
		t.text(w, newShell)
	}
	for _, w := range o.maybe {
		t.possible(w)
	}
	if o.chdir != nil {
		if t.chdir(*o.chdir); strings.Contains(o.chdir.text, "..") {
			t.dir = hook.Word{Text: o.chdir.src} // a link on the way counts
		}
	}
	in := invocation{assigns: slices.Clip(v.assigns), end: v.end}
	for _, w := range o.env {
		name, value, _ := strings.Cut(w.text, "=")
		if s.unsure(name); !isNumber(value) {
			s.forget(name)
		}
		t.exported(name, word{text: value, src: w.src, known: w.known, why: w.why, pos: w.pos})
		in.assigns = append(in.assigns, hook.Assign{Name: strings.TrimSuffix(name, "+"), Value: hook.Word{Text: value, Known: w.known}})
	}
	if o.split != nil {
		in.words = append(append([]word{words[0]}, o.split...), words[o.start:]...)
		in.words[0].text, in.words[0].known = row.Name, true
		s.wrapped(row, 0, in)
		return
	}
	if o.quits || row.Rest != "" && !o.rest || len(o.shell) > 0 && row.Operands < NoCommand && row.Default != "" {
		return
	}
	in.words = words[o.start:]
	if o.program != nil && o.program.text != "" {
		in.words = append([]word{*o.program}, in.words...)
	}
	if row.Name == "builtin" && len(in.words) > 0 && !has(shellBuiltins, in.words[0].text) {
		return
	}
	t.operands(row, o, in)
	if row.Name == "command" || row.Name == "builtin" {
		s.dir = t.dir
	}
	if o.other > 0 && o.other < len(words) && o.other != o.start && (row.Operands < NoCommand || o.rest) {
		t.sure = false
		t.operands(row, o, invocation{words: words[o.other:], assigns: in.assigns, end: v.end})
	}
}

// operands runs the words that a wrapper found to be its command.
func (s *scope) operands(row *Wrapper, o options, v invocation) {
	v.words = replaced(v.words, o.replace)
	switch {
	case len(v.words) == 0 && (row.Append && row.Default == "" || row.Dashes && row.Operands == NoCommand):
		return
	case len(v.words) == 0 && row.Default != "":
		v.words = []word{literal(row.Default, v.end)}
	case len(v.words) > 0 && row.Default == "sh" && strings.HasPrefix(v.words[0].text, "-"):
		v.words = append([]word{literal("sh", v.words[0].pos)}, v.words...)
	}
	if len(v.words) == 0 {
		return
	}
	if row.Append && o.replace == "" {
		v.words = s.appended(v.words)
	}
	if row.Text && len(v.words) > 0 {
		s.text(joined(v.words), newShell)
		return
	}
	s.invoke(v)
}

// appended adds the words that come from input: in place of {} or at the end.
func (s *scope) appended(words []word) []word {
	for _, w := range words {
		if strings.Contains(w.text, "{}") {
			return replaced(words, "{}")
		}
	}
	return append(slices.Clip(words), unknown("{}", "it comes from input", words[len(words)-1].pos))
}

// shellBuiltins are what `builtin` runs.
const shellBuiltins = ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait"

// replaced puts a hole where input replaces a word or part of it.
func replaced(words []word, mark string) []word {
	if mark == "" {
		return words
	}
	out := slices.Clone(words)
	for i, w := range out {
		if strings.Contains(w.text, mark) {
			out[i].text, out[i].known, out[i].why = strings.ReplaceAll(w.text, mark, hole), false, "it comes from input"
		}
	}
	return out
}

// joined is the text that eval, ssh and watch make of their words.
func joined(words []word) word {
	out := words[0]
	if len(words) == 1 {
		return out
	}
	text := make([]string, len(words))
	src := make([]string, len(words))
	for i, w := range words {
		text[i], src[i] = w.text, w.src
		out.known = out.known && w.known
		if out.why == "" {
			out.why = w.why
		}
	}
	out.text, out.src, out.sub = strings.Join(text, " "), strings.Join(src, " "), nil
	return out
}

// unheard follows the operands of a program that no table names: they may be
// a command, as under a wrapper, or text for a shell after -c.
func (s *scope) unheard(name string, v invocation) {
	t := s.inner(name, false)
	t.sure = false
	found := 0
	for i := 1; i < len(v.words) && found < 2; i++ {
		w := v.words[i]
		if w.text == "" || w.text[0] == '-' {
			if (w.text == "-c" || w.text == "--command" || w.text == "-e" || w.text == "--exec") && i+1 < len(v.words) {
				t.possible(v.words[i+1])
			}
			continue
		}
		after := v.words[i-1].text
		option := i > 1 && strings.HasPrefix(after, "-") && after != "--"
		if w.known && looksLikeProgram(w.text) {
			t.invoke(invocation{words: v.words[i:], end: v.end})
		}
		if found++; !option {
			break
		}
	}
}

// looksLikeProgram reports that an operand could be the name of a program.
func looksLikeProgram(text string) bool {
	if strings.Trim(text, "0123456789.-/:") == "" {
		return false
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; !plainByte[c] || strings.IndexByte(" :,@%=", c) >= 0 {
			return false
		}
	}
	return true
}
