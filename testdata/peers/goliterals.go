package main

import (
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// few is the number of literals up to which a search for each is fastest.
const few = 8

const gram = 4 // bytes

// literals finds the rules whose text a longer text contains. Each rule
// stands under the four bytes of its text that the fewest others share; a
// bit set tells in a nanosecond that no rule stands under the four bytes
// at hand.
type literals struct {
	rules []rule
	bits  [1 << 12]uint64
	under map[uint32][]anchored
}

// anchored is a rule and where in its text its four bytes stand.
type anchored struct {
	rule   *rule
	offset int
}

func (l *literals) index() {
	shared := map[uint32]int{}
	for i := range l.rules {
		for at := range len(l.rules[i].text) - gram + 1 {
			shared[gramAt(l.rules[i].text, at)]++
		}
	}
	l.under = map[uint32][]anchored{}
	for i := range l.rules {
		r, best := &l.rules[i], 0
		for at := range len(r.text) - gram + 1 {
			if shared[gramAt(r.text, at)] < shared[gramAt(r.text, best)] {
				best = at
			}
		}
		g := gramAt(r.text, best)
		l.under[g] = append(l.under[g], anchored{r, best})
		l.bits[bucket(g)/64] |= 1 << (bucket(g) % 64)
	}
}

func gramAt(s string, i int) uint32 {
	b := s[i : i+gram]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func bucket(g uint32) uint32 { return g * 0x9E3779B1 >> 14 }

func (l *literals) find(text string) engine.Verdict {
	v := engine.None
	if len(l.rules) <= few {
		for i := range l.rules {
			if l.rules[i].verdict > v && strings.Contains(text, l.rules[i].text) {
				v = l.rules[i].verdict
			}
		}
		return v
	}
	for i := range len(text) - gram + 1 {
		g := gramAt(text, i)
		if b := bucket(g); l.bits[b/64]&(1<<(b%64)) == 0 {
			continue
		}
		for _, a := range l.under[g] {
			if at := i - a.offset; a.rule.verdict > v && at >= 0 && strings.HasPrefix(text[at:], a.rule.text) {
				v = a.rule.verdict
			}
		}
	}
	return v
}
