package rules

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// gram is how many bytes of a literal the index looks at.
const gram = 4

// textIndex finds which of many literals stand in a text. Few are looked for
// one by one; of many, one gram each is in a table that one walk over the
// text probes.
type textIndex struct {
	literals []literalEntry
	short    []int32     // literals shorter than a gram
	filter   []uint64    // one bit for each hash that is in table; nil for few literals
	table    []gramEntry // by hash
	starts   []int32     // where in table the hashes with the same leading bits start
	shift    uint8       // leaves of a hash those bits
}

type literalEntry struct {
	text  string
	entry int32
}

// gramEntry is a literal under the hash of one of its grams.
type gramEntry struct {
	hash    uint32
	literal int32
	offset  int32 // of the gram in the literal
}

// fewLiterals are faster to look for one by one.
const fewLiterals = 16

func (t *textIndex) add(text string, entry int32) {
	t.literals = append(t.literals, literalEntry{text, entry})
}

// finish builds the table. Each literal is filed under its gram that the
// fewest others have.
func (t *textIndex) finish() {
	if len(t.literals) <= fewLiterals {
		return
	}
	shared := make(map[uint32]int)
	for _, l := range t.literals {
		for at := range len(l.text) - gram + 1 {
			shared[hashGram(gramAt(l.text, at))]++
		}
	}
	t.filter = make([]uint64, 1<<hashBits/64)
	for i, l := range t.literals {
		if len(l.text) < gram {
			t.short = append(t.short, int32(i))
			continue
		}
		best := gramEntry{hashGram(gramAt(l.text, 0)), int32(i), 0}
		for at := range len(l.text) - gram + 1 {
			if h := hashGram(gramAt(l.text, at)); shared[h] < shared[best.hash] {
				best.hash, best.offset = h, int32(at)
			}
		}
		t.table = append(t.table, best)
		t.filter[best.hash/64] |= 1 << (best.hash % 64)
	}
	slices.SortFunc(t.table, func(a, b gramEntry) int { return cmp.Compare(a.hash, b.hash) })
	t.shift = uint8(hashBits - min(hashBits, bits.Len(uint(len(t.table)))))
	t.starts = make([]int32, 1<<(hashBits-t.shift)+1)
	for _, e := range t.table {
		t.starts[e.hash>>t.shift+1]++
	}
	for i := range len(t.starts) - 1 {
		t.starts[i+1] += t.starts[i]
	}
}

func gramAt(s string, i int) uint32 {
	b := s[i : i+gram]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

const hashBits = 16

func hashGram(g uint32) uint32 { return g * 2654435761 >> (32 - hashBits) }

// find appends the entries whose literal stands in text.
func (t *textIndex) find(text string, found []int32) []int32 {
	var seen []bool // of the literals, once there are hits in a table
	t.each(text, func(i int32) bool {
		if t.filter != nil {
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
	if t.filter == nil {
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
	for i := range len(text) - gram + 1 {
		h := hashGram(gramAt(text, i))
		if t.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		for _, e := range t.table[t.starts[h>>t.shift]:t.starts[h>>t.shift+1]] {
			at := i - int(e.offset)
			if e.hash == h && at >= 0 && strings.HasPrefix(text[at:], t.literals[e.literal].text) && !yield(e.literal) {
				return
			}
		}
	}
}
