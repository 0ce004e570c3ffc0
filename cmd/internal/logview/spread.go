package logview

import (
	"math/bits"
	"time"
)

// spread counts durations in buckets that are an eighth wide, in constant
// memory.
type spread struct {
	count   int
	max     time.Duration
	buckets [8 * 61]uint32
}

func (s *spread) add(d time.Duration) {
	d = max(d, 0)
	s.count++
	s.max = max(s.max, d)
	s.buckets[bucket(d)]++
}

// bucket is the number of the bucket for d: one for each of 0 to 7, then eight
// for each power of two.
func bucket(d time.Duration) int {
	if d < 8 {
		return int(d)
	}
	power := bits.Len64(uint64(d)) - 1
	return (power-2)*8 + int(d>>(power-3)&7)
}

// upTo is the greatest duration of a bucket.
func upTo(bucket int) time.Duration {
	if bucket < 8 {
		return time.Duration(bucket)
	}
	return time.Duration((bucket%8+9)<<(bucket/8-1)) - 1
}

// part returns a duration that percent of all do not exceed, or up to an
// eighth more; 0 if there are none.
func (s *spread) part(percent int) time.Duration {
	rank := (s.count*percent + 99) / 100
	for i, n := range s.buckets {
		if rank -= int(n); rank <= 0 && s.count > 0 {
			return min(upTo(i), s.max)
		}
	}
	return s.max
}
