package shell

import (
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Elements of a reading that no pattern spells: only its * matches them.
const (
	anyText  = 0x01 // unknown: any characters, blanks between words too
	maybe    = 0x02 // the next two elements may be absent: an unknown word that vanishes
	anyWord  = 0x04 // unknown within one word
	relative = 0x05 // unknown names that do not start with a slash
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
		case c == ' ' || c == '\t' || c == '\n' || c < 0x06:
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
	single := strings.HasPrefix(w.Text, `"`) && !strings.Contains(w.Text, "@")
	switch {
	case masked:
		r.elements = append(r.elements, ' ', inDash, anyWord)
	case single:
		r.blank(1)
		r.word(w.Prefix, false)
		r.elements = append(r.elements, anyWord)
	case w.Prefix != "":
		r.blank(1)
		r.word(w.Prefix, false)
		r.elements = append(r.elements, anyText)
	case w.Text != "" && strings.IndexByte("*?[", w.Text[0]) >= 0:
		r.elements = append(r.elements, ' ', relative)
	default:
		r.elements = append(r.elements, maybe, ' ', anyText)
	}
}

// certain is the reading for a match that holds whatever is unknown.
func (r *reading) certain() string {
	return strings.ReplaceAll(string(r.elements), string(rune(maybe)), "")
}

// may reports whether some value of what is unknown makes the pattern match.
func (r *reading) may(p string, bare bool) bool {
	at := make([]bool, len(p)+1) // positions in p reached so far
	next := make([]bool, len(p)+1)
	var skipped []bool // positions reached before an optional word
	skip := 0
	at[0] = true
	pass(at, p)
	for _, e := range r.elements {
		if e == maybe {
			skipped, skip = append(skipped[:0], at...), 2
			continue
		}
		clear(next)
		open := false
		for j, ok := range at {
			if ok {
				step(next, p, j, e)
				open = true
			}
		}
		if !open {
			return false
		}
		if skip--; skip == 0 {
			for j, ok := range skipped {
				next[j] = next[j] || ok
			}
		}
		pass(next, p)
		at, next = next, at
	}
	return at[len(p)] || bare && at[len(p)-2]
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
	case e == anyText || e == relative && star:
		for k := j; k <= len(p); k++ {
			next[k] = true
		}
	case e == relative:
		for k := j + 1; j < len(p) && p[j] != '/' && k <= len(p); k++ {
			next[k] = true
		}
	case e == anyWord:
		for k := j; k <= len(p); k++ {
			next[k] = true
			if k < len(p) && p[k] == ' ' {
				break
			}
		}
	case star:
		next[j] = true
	case j < len(p) && p[j] == e:
		next[j+1] = true
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
