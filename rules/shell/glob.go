package shell

import (
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Glob is a compiled Bash permission pattern. It is immutable.
//
// `*` stands for any characters, blanks too. A trailing ` *` (or `:*`) is a
// word boundary, and matches the bare command if it is the only wildcard.
// Without a wildcard the pattern is the exact command. The words of a command
// are compared without their quotes; a blank within a word is none between
// words. A pattern with quotes, redirects or expansions in it is also
// compared with the command as written.
//
// A word {--force,-f} whose members all start with a dash is no text but one
// of these options, wherever it stands; see flagGroup.
type Glob struct {
	text   string
	glob   string // blanks collapsed, `:*` resolved, flags cut out
	groups []flagGroup
	start  string // literal words
	head   string // how the first word begins, if start is empty
	bare   bool   // the trailing ` *` may be absent
	raw    bool   // compare with the source text too
	starry bool
}

// CompileGlob reads the specifier of a Bash rule: "rm *", "npm run:*", "npm test".
func CompileGlob(pattern string) *Glob {
	g := &Glob{text: pattern}
	p := spaced(pattern)
	if head, ok := strings.CutSuffix(p, ":*"); ok {
		p = head + " *"
	}
	for strings.Contains(p, "**") {
		p = strings.ReplaceAll(p, "**", "*")
	}
	before := p
	if p, before, g.groups = cutFlags(p); len(g.groups) == 0 {
		before = p
	}
	first, _, _ := strings.Cut(p, " ")
	g.glob = p
	g.bare = strings.HasSuffix(p, " *") && strings.Count(p, "*") == 1
	g.starry = strings.Contains(p, "*") || len(g.groups) > 0
	g.raw = strings.ContainsAny(p, "<>\"'$`|\\;&(){}~") || assigned(first)
	if !g.raw {
		g.start = literalWords(before)
	}
	if g.start == "" && !assigned(first) {
		g.head = first[:plainPrefix(first)]
	}
	return g
}

// plainPrefix is how many bytes at the start of a word mean only themselves.
func plainPrefix(word string) int {
	n := 0
	for n < len(word) && plainByte[word[n]] && word[n] != ' ' {
		n++
	}
	return n
}

// literalWords is the words of a pattern before the first with a *.
func literalWords(p string) string {
	literal, _, star := strings.Cut(p, "*")
	if !star {
		return literal
	}
	return literal[:max(strings.LastIndexByte(literal, ' '), 0)]
}

// String returns the pattern as it was written.
func (g *Glob) String() string { return g.text }

// Any reports that the pattern matches every command.
func (g *Glob) Any() bool { return g.glob == "*" && len(g.groups) == 0 }

// Start is the literal words that a command must begin with to match, "git
// push" of "git push * main"; "" if commands with different first words can
// match.
func (g *Glob) Start() string { return g.start }

// Head is how the first word of a command must begin to match, "mkfs" of
// "mkfs* *", where Start is empty; "" if it may be any.
func (g *Glob) Head() string { return g.head }

// Starts finds the patterns that may match c by their Start. It calls start
// with texts whose leading words such a Start may be, and head with first words
// under which every Start is possible, as further words are unknown or the
// command is compared as it is written. The texts and the words begin with
// every Head that may match. It returns true if every pattern may match.
func Starts(c hook.Commands, start, head func(string)) (all bool) {
	for _, list := range [2][]hook.Command{c.List, c.Possible} {
		for i := range list {
			if argv := list[i].Argv; len(argv) > 0 {
				all = starts(&list[i], start, head) || all
			}
		}
	}
	return all || c.Opaque
}

func starts(c *hook.Command, start, head func(string)) (all bool) {
	first := c.Argv[0]
	if !first.Known {
		return true
	}
	if written := firstWord(c.Raw); written != first.Text {
		head(written)
	}
	known, length := true, len(c.Argv)-1
	for i := range c.Argv {
		known = known && c.Argv[i].Known
		length += len(c.Argv[i].Text)
	}
	if !known {
		head(first.Text)
		if name, ok := programName(first); ok && name != first.Text {
			head(name)
		}
		return false
	}
	start(c.Text)
	if length != len(c.Text) {
		start(join(c.Argv))
	}
	return false
}

func firstWord(raw string) string {
	if end := strings.IndexByte(raw, ' '); end > 0 && plainWord(raw[:end]) {
		return raw[:end]
	}
	raw = strings.TrimLeftFunc(raw, unicode.IsSpace)
	if end := strings.IndexFunc(raw, unicode.IsSpace); end >= 0 {
		return raw[:end]
	}
	return raw
}

// plainWord reports that no byte of s can belong to white space.
func plainWord(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Match says whether one of the commands is matched: Yes with its index in
// c.List and its text; Unknown with the reason; or No. The index of an
// Unknown is that of the command in doubt, or -1.
//
// With grant it says instead whether the pattern alone grants all that c
// runs: Covers and Granted in one.
func (g *Glob) Match(c hook.Commands, grant bool) (t hook.Tri, index int, why string) {
	if grant {
		covered := make([]bool, len(c.List))
		g.Covers(c, covered)
		return Granted(c, covered)
	}
	doubtful, reason := -1, ""
	for i := range c.List {
		switch t, why := g.one(&c.List[i]); {
		case t == hook.Yes:
			return hook.Yes, i, c.List[i].Text + why
		case t == hook.Unknown && reason == "":
			doubtful, reason = i, why
		}
	}
	if reason != "" {
		return hook.Unknown, doubtful, reason
	}
	for i := range c.Possible {
		if t, _ := g.one(&c.Possible[i]); t != hook.No {
			return hook.Unknown, -1, possibly(&c.Possible[i])
		}
	}
	if c.Opaque {
		if len(c.Unknown) > 0 {
			return hook.Unknown, -1, c.Unknown[0].Reason
		}
		return hook.Unknown, -1, "the text cannot be told"
	}
	return hook.No, -1, ""
}

// spaced is text with one space between its words and none around them.
func spaced(text string) string {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return strings.Join(strings.Fields(text), " ")
		}
		before = c
	}
	return strings.TrimSuffix(text, " ")
}

func possibly(c *hook.Command) string {
	if n := len(c.Wrappers); n > 0 {
		return c.Wrappers[n-1] + " may run " + shown(c.Text)
	}
	return "the text may run " + shown(c.Text)
}

// one matches one command in its readings: program without directory and
// subcommand without options before it; and as it is. The reason goes behind
// the text of the command.
func (g *Glob) one(c *hook.Command) (hook.Tri, string) {
	if len(g.groups) > 0 {
		return g.withFlags(c)
	}
	if g.raw && wildcard(g.glob, spaced(c.Raw), g.bare) {
		return hook.Yes, ""
	}
	known, length := true, max(len(c.Argv)-1, 0)
	for i := range c.Argv {
		known = known && c.Argv[i].Known
		length += len(c.Argv[i].Text)
	}
	same := length == len(c.Text)
	if known && !wildcard(g.glob, c.Text, g.bare) && (same || !wildcard(g.glob, join(c.Argv), g.bare)) {
		return hook.No, ""
	}
	var room [128]byte
	r := reading{elements: room[:0]}
	r.read(normalise(c.Argv), true)
	t := g.read(&r)
	if t != hook.Yes && (!same || !known) {
		r.read(c.Argv, false)
		t = t.Or(g.read(&r))
	}
	if t == hook.Unknown {
		return t, undecided(c)
	}
	return t, ""
}

// read matches one reading.
func (g *Glob) read(r *reading) hook.Tri {
	switch {
	case wildcard(g.glob, r.certain(), g.bare):
		return hook.Yes
	case r.open && r.may(g.glob, g.bare):
		return hook.Unknown
	}
	return hook.No
}

// undecided says which word of c is not known.
func undecided(c *hook.Command) string {
	for _, w := range c.Argv {
		if !w.Known {
			return shown(w.Text) + " in `" + shown(c.Text) + "` is not a literal"
		}
	}
	return "`" + shown(c.Text) + "` cannot be told"
}

// wildcard matches text with a pattern in which only * is special. With bare
// the ` *` at its end may be absent.
func wildcard[T string | []byte](p string, text T, bare bool) bool {
	if bare && string(text) == p[:len(p)-2] {
		return true
	}
	i, j, star, mark := 0, 0, -1, 0
	for j < len(text) {
		switch {
		case i < len(p) && p[i] == '*':
			if i == len(p)-1 {
				return true
			}
			star, mark = i, j
			i++
		case i < len(p) && p[i] == text[j]:
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
