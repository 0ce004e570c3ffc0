package audit

import (
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// ids makes ULIDs (github.com/ulid/spec): 48 bits of milliseconds and 80 of
// chance, in 26 letters that sort as the numbers do. Each is greater than the
// one before, also when the clock jumps back.
type ids struct {
	ms     uint64
	hi, lo uint64 // 16 and 64 bits of chance
}

const ulidLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func (g *ids) next(now time.Time) string {
	if ms := uint64(max(now.UnixMilli(), 0)) & (1<<48 - 1); ms > g.ms {
		g.ms, g.hi, g.lo = ms, rand.Uint64N(1<<15), rand.Uint64() // a bit is left free to count up in
	} else if g.lo++; g.lo == 0 {
		g.hi++
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], g.ms<<16|g.hi)
	binary.BigEndian.PutUint64(b[8:], g.lo)
	return encodeULID(b)
}

// encodeULID writes five bits a letter; the first letter has three.
func encodeULID(b [16]byte) string {
	hi, lo := binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])
	var text [26]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = ulidLetters[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(text[:])
}
