package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Elements of a reading that no pattern spells: only its * matches them.
const (
	anyText  = 0x01 // unknown: any characters, blanks between words too
	maybe    = 0x02 // the next two elements may be absent: an unknown word that vanishes
	again    = 0x03 // what follows, up to endAgain, stands once or more: file names
	anyWord  = 0x04 // unknown within one word
	relative = 0x05 // the same, but it does not start with a slash
	rooted   = 0x06 // the same, but it starts with a slash, or a tilde that nobody knows
	endAgain = 0x07
	named    = 0x08 // like relative, and not empty
	inBlank  = 0x1f // a blank within a word
	inDash   = 0x1e // a dash that starts no option: the word is the value of one
)

// reading is a command as a string of elements.
type reading struct {
	elements []byte
	open     bool // it has unknown elements
}

// read makes the reading of words; normal: that of normalise.
func (r *reading) read(argv []hook.Word, normal bool) {
	r.elements, r.open = r.elements[:0], false
	for i, w := range argv {
		masked := i > 0 && valueOf(argv, i)
		switch {
		case w.Known:
			r.blank(i)
			r.word(w.Text, masked)
		case i == 0:
			r.program(w, normal)
		default:
			r.unknown(w, masked)
		}
	}
}

func (r *reading) blank(i int) {
	if i > 0 {
		r.elements = append(r.elements, ' ')
	}
}

func (r *reading) word(text string, masked bool) {
	for k := 0; k < len(text); k++ {
		c := text[k]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c <= named:
			c = inBlank
		case masked && k == 0 && c == '-':
			c = inDash
		}
		r.elements = append(r.elements, c)
	}
}

// program adds an unknown program word.
func (r *reading) program(w hook.Word, normal bool) {
	r.open = true
	if name, ok := quotedBase(w.Text); ok {
		r.elements = append(r.elements, anyWord, '/')
		r.word(name, false)
		return
	}
	if !normal || strings.IndexByte(w.Prefix, '/') < 0 {
		r.word(w.Prefix, false)
	}
	r.elements = append(r.elements, anyText)
}

func (r *reading) unknown(w hook.Word, masked bool) {
	r.open = true
	r.elements = append(r.elements, ' ')
	switch {
	case masked:
		r.elements = append(r.elements, inDash, anyWord)
		return
	case fileNames(w):
		r.elements[len(r.elements)-1] = again
		r.elements = append(r.elements, ' ')
		r.word(w.Prefix, false)
		r.elements = append(r.elements, start(w))
		r.word(w.Suffix, false)
		r.elements = append(r.elements, endAgain)
		return
	case oneWord(w):
		r.word(w.Prefix, false)
		r.elements = append(r.elements, start(w))
	case w.Prefix != "" || w.Suffix != "":
		r.word(w.Prefix, false)
		r.elements = append(r.elements, anyText)
	default:
		r.elements = append(r.elements[:len(r.elements)-1], maybe, ' ', anyText)
	}
	r.word(w.Suffix, false)
}

// oneWord reports that an unknown word does not fall apart into several.
func oneWord(w hook.Word) bool {
	return strings.HasPrefix(w.Text, `"`) && !strings.Contains(w.Text, "@") ||
		strings.HasPrefix(w.Text, "~") && !strings.ContainsAny(w.Text, "$`{")
}

// fileNames reports that an unknown word stands for file names, each with its
// prefix and suffix, or for itself.
func fileNames(w hook.Word) bool {
	return strings.ContainsAny(w.Text, "*?[") && !strings.ContainsAny(w.Text, "$`(\\\"'") &&
		(strings.IndexByte(w.Text, '{') < 0 || w.Prefix != "") // too many braces leave nothing known
}

// start is the element of what is unknown behind the prefix of w.
func start(w hook.Word) byte {
	names := fileNames(w)
	switch whole := w.Prefix == "" || w.Prefix[len(w.Prefix)-1] == '/'; {
	case strings.HasPrefix(w.Text, "~") && w.Prefix == "":
		return rooted
	case names && whole && (w.Suffix == "" || w.Suffix[0] == '/'):
		return named
	case names && whole:
		return relative
	}
	return anyWord
}

// certain is the reading for a match that holds whatever is unknown. A
// pattern that matches one file name matches more: only its * matches any.
func (r *reading) certain() []byte {
	if !r.open {
		return r.elements
	}
	return slices.DeleteFunc(slices.Clone(r.elements), func(e byte) bool { return e == maybe || e == again || e == endAgain })
}

// maxTurns is how many file names in a row are told apart; a pattern that
// wants more may match.
const maxTurns = 16

// may reports whether some value of what is unknown makes the pattern match.
func (r *reading) may(p string, bare bool) bool {
	at := make([]bool, len(p)+1) // positions in p reached so far
	next := make([]bool, len(p)+1)
	var skipped []bool // positions reached before an optional word
	var ends []bool    // positions reached behind file names
	skip, from, turns := 0, -1, 0
	at[0] = true
	pass(at, p)
	for i := 0; i < len(r.elements); i++ {
		switch e := r.elements[i]; e {
		case maybe:
			skipped, skip = append(skipped[:0], at...), 2
			continue
		case again:
			ends, from, turns = make([]bool, len(p)+1), i, 0
			continue
		case endAgain:
			if merge(ends, at) {
				if turns++; turns > maxTurns {
					return true
				}
				i = from
				continue
			}
			copy(at, ends)
			from = -1
			continue
		default:
			clear(next)
			if !advance(next, at, p, e) && from < 0 {
				return false
			}
		}
		if skip--; skip == 0 {
			merge(next, skipped)
		}
		pass(next, p)
		at, next = next, at
	}
	return at[len(p)] || bare && at[len(p)-2]
}

// advance adds the positions that element e leads to, and reports whether
// there was one to start from.
func advance(next, at []bool, p string, e byte) bool {
	open := false
	for j, ok := range at {
		if ok {
			step(next, p, j, e)
			open = true
		}
	}
	return open
}

// merge adds the positions of more, and reports whether one is new.
func merge(at, more []bool) bool {
	grown := false
	for j, ok := range more {
		grown = grown || ok && !at[j]
		at[j] = at[j] || ok
	}
	return grown
}

// pass adds the positions behind a * that stands for nothing.
func pass(at []bool, p string) {
	for j := range len(p) {
		if at[j] && p[j] == '*' {
			at[j+1] = true
		}
	}
}

// step adds the positions that element e leads to from position j.
func step(next []bool, p string, j int, e byte) {
	star := j < len(p) && p[j] == '*'
	switch {
	case e == anyText:
		for k := j; k <= len(p); k++ {
			next[k] = true
		}
	case e == anyWord || star && (e == relative || e == rooted || e == named):
		within(next, p, j)
	case e == relative && j < len(p) && p[j] != '/':
		within(next, p, j)
	case e == named && j < len(p) && p[j] != '/' && p[j] != ' ':
		within(next, p, j+1)
	case e == rooted && j < len(p) && (p[j] == '/' || p[j] == '~'):
		within(next, p, j+1)
	case star:
		next[j] = true
	case j < len(p) && p[j] == e:
		next[j+1] = true
	}
}

// within adds the positions from j on to the end of the word.
func within(next []bool, p string, j int) {
	for k := j; k <= len(p); k++ {
		next[k] = true
		if k < len(p) && p[k] == ' ' {
			break
		}
	}
}

// valueOptions take a value that is data even if it starts with a dash.
var valueOptions = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"find": "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -printf -newer -samefile -user -group",
		"git":  "-m --message -F --file --author --grep --format --pretty -S -G",
		"gh":   "-t --title -b --body",
		"grep": "-e --regexp", "rg": "-e --regexp", "sed": "-e --expression",
	}
})

// valueOf reports that argv[i] is the value of the option before it.
func valueOf(argv []hook.Word, i int) bool {
	if i < 2 || !argv[i-1].Known || len(argv[i-1].Text) == 0 || argv[i-1].Text[0] != '-' {
		return false
	}
	name, _ := programName(argv[0])
	return has(valueOptions()[name], argv[i-1].Text)
}
