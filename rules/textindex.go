package rules

import "strings"

// gram is how many bytes of a literal the index looks at.
const gram = 4

// textIndex finds which of many literals stand in a text. Few are looked for
// one by one; of many, one gram each is in a table that one walk over the
// text probes.
type textIndex struct {
	literals []literalEntry
	grams    map[uint32][]gramEntry
	filter   []uint64 // one bit for each hash of a gram that is in grams
	short    []int32  // literals shorter than a gram
}

type literalEntry struct {
	text  string
	entry int32
}

// gramEntry is a literal and where in it the gram stands.
type gramEntry struct{ literal, offset int32 }

// fewLiterals are faster to look for one by one.
const fewLiterals = 16

func (t *textIndex) add(text string, entry int32) {
	t.literals = append(t.literals, literalEntry{text, entry})
}

// finish builds the table. Each literal is filed under its gram that has the
// fewest others.
func (t *textIndex) finish() {
	if len(t.literals) <= fewLiterals {
		return
	}
	t.grams = make(map[uint32][]gramEntry)
	t.filter = make([]uint64, 1<<16/64)
	for i, l := range t.literals {
		if len(l.text) < gram {
			t.short = append(t.short, int32(i))
			continue
		}
		best, at := gramAt(l.text, 0), 0
		for j := 1; j+gram <= len(l.text); j++ {
			if g := gramAt(l.text, j); len(t.grams[g]) < len(t.grams[best]) {
				best, at = g, j
			}
		}
		t.grams[best] = append(t.grams[best], gramEntry{int32(i), int32(at)})
		h := hashGram(best)
		t.filter[h/64] |= 1 << (h % 64)
	}
}

func gramAt(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func hashGram(g uint32) uint32 { return g * 2654435761 >> 16 }

// find appends the entries whose literal stands in text.
func (t *textIndex) find(text string, found []int32) []int32 {
	var seen []bool // of the literals, once there are hits in a table
	t.each(text, func(i int32) bool {
		if t.grams != nil {
			if seen == nil {
				seen = make([]bool, len(t.literals))
			}
			if seen[i] {
				return true
			}
			seen[i] = true
		}
		found = append(found, t.literals[i].entry)
		return true
	})
	return found
}

// anyIn reports whether some literal stands in text.
func (t *textIndex) anyIn(text string) bool {
	hit := false
	t.each(text, func(int32) bool {
		hit = true
		return false
	})
	return hit
}

// each calls yield with the index of each literal in text, maybe more than
// once, until it returns false.
func (t *textIndex) each(text string, yield func(literal int32) bool) {
	if t.grams == nil {
		for i := range t.literals {
			if strings.Contains(text, t.literals[i].text) && !yield(int32(i)) {
				return
			}
		}
		return
	}
	for _, i := range t.short {
		if strings.Contains(text, t.literals[i].text) && !yield(i) {
			return
		}
	}
	for i := 0; i+gram <= len(text); i++ {
		g := gramAt(text, i)
		if h := hashGram(g); t.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		for _, e := range t.grams[g] {
			at := i - int(e.offset)
			if at >= 0 && strings.HasPrefix(text[at:], t.literals[e.literal].text) && !yield(e.literal) {
				return
			}
		}
	}
}
