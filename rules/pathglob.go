package rules

import (
	"path"
	"strings"
)

// maxAutomaton bounds the patterns of paths that are compared, in bytes.
const maxAutomaton = 512

// automaton accepts texts in lower case. It starts in state 0 and accepts in
// its last one.
type automaton struct {
	arcs [][]arc
	skip [][]int // to these states without a character
}

type arc struct {
	set chars
	to  int
}

// chars is one byte, or one of the sets below.
type chars uint16

const (
	anyChar    chars = 256 + iota
	inSegment        // any but a slash
	notLeading       // any but a slash and a dot, which a shell's * does not start with
)

func (a chars) meets(b chars) bool {
	switch {
	case a < 256 && b < 256:
		return a == b
	case a < 256:
		return b.meets(a)
	case b >= 256 || a == anyChar:
		return true
	}
	return b != '/' && (a == inSegment || b != '.')
}

func newAutomaton() *automaton {
	a := &automaton{}
	a.state()
	return a
}

func (a *automaton) state() int {
	a.arcs, a.skip = append(a.arcs, nil), append(a.skip, nil)
	return len(a.arcs) - 1
}

func (a *automaton) last() int { return len(a.arcs) - 1 }

// one appends a character of set.
func (a *automaton) one(set chars) {
	from, to := a.last(), a.state()
	a.arcs[from] = append(a.arcs[from], arc{set, to})
}

func (a *automaton) text(s string) {
	for i := range len(s) {
		a.one(chars(s[i]))
	}
}

// many appends any number of characters of set.
func (a *automaton) many(set chars) {
	from, to := a.last(), a.state()
	a.skip[from] = append(a.skip[from], to)
	a.arcs[to] = append(a.arcs[to], arc{set, to})
	a.skip[to] = append(a.skip[to], a.state())
}

// maybe lets what was appended since state from be missing.
func (a *automaton) maybe(from int) { a.skip[from] = append(a.skip[from], a.last()) }

// directories appends nothing, or anything that ends in a slash.
func (a *automaton) directories() {
	from := a.last()
	a.many(anyChar)
	a.one('/')
	a.maybe(from)
}

// below appends nothing, or the rest of a path below.
func (a *automaton) below() {
	from := a.last()
	a.one('/')
	a.many(anyChar)
	a.maybe(from)
}

// glob appends a pattern. shell: its wildcards do not match a dot at the
// start of a segment.
func (a *automaton) glob(text string, shell bool) {
	text = strings.ToLower(text)
	start := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		set := inSegment
		if shell && start {
			set = notLeading
		}
		switch {
		case strings.HasPrefix(text[i:], "**/") && start:
			a.directories()
			i += 2
			continue
		case strings.HasPrefix(text[i:], "**"):
			a.many(anyChar)
			i++
		case c == '*' && set == notLeading:
			from := a.last()
			a.one(notLeading)
			a.many(inSegment)
			if i+1 == len(text) || text[i+1] != '.' {
				a.maybe(from)
			}
		case c == '*':
			a.many(inSegment)
		case c == '?':
			a.one(set)
		case c == '[' && classEnd(text[i:]) > 0:
			i += classEnd(text[i:])
			a.one(set)
		case c == '\\' && i+1 < len(text):
			i++
			a.one(chars(text[i]))
		default:
			a.one(chars(c))
		}
		start = c == '/'
	}
}

// classEnd returns the offset of the ] that ends the class at the start of
// text, 0 if there is none.
func classEnd(text string) int {
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i++
	}
	for first := true; i < len(text) && text[i] != '/'; i, first = i+1, false {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == ']' && !first:
			return i
		}
	}
	return 0
}

// meet reports whether some text is accepted by both.
func meet(a, b *automaton) bool {
	width := len(b.arcs)
	seen := make([]uint64, len(a.arcs)*width/64+1)
	todo := []int{0}
	push := func(i, j int) {
		if at := i*width + j; seen[at/64]&(1<<(at%64)) == 0 {
			seen[at/64] |= 1 << (at % 64)
			todo = append(todo, at)
		}
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j := at/width, at%width
		if i == a.last() && j == b.last() {
			return true
		}
		for _, to := range a.skip[i] {
			push(to, j)
		}
		for _, to := range b.skip[j] {
			push(i, to)
		}
		for _, x := range a.arcs[i] {
			for _, y := range b.arcs[j] {
				if x.set.meets(y.set) {
					push(x.to, y.to)
				}
			}
		}
	}
	return false
}

// globAutomaton is that of a Path's Glob.
func globAutomaton(glob string) *automaton {
	a := newAutomaton()
	a.glob(glob, true)
	return a
}

// escapeName makes a name the pattern of itself.
func escapeName(name string) string {
	if !strings.ContainsAny(name, `*?[\`) {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(`*?[\`, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// someChild replaces a last segment that is all wildcard by a name that only
// patterns for any name match.
func someChild(glob string) string {
	if base := path.Base(glob); base == "*" || base == "**" {
		return path.Dir(glob) + "/\x01"
	}
	return glob
}
