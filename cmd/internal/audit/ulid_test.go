package audit

import (
	"math"
	"testing"
	"time"
)

// The example of the ULID specification, and the ends of the range.
func TestULIDLetters(t *testing.T) {
	for want, b := range map[string][16]byte{
		"01ARZ3NDEKTSV4RRFFQ69G5FAV": {0x01, 0x56, 0x3e, 0x3a, 0xb5, 0xd3, 0xd6, 0x76, 0x4c, 0x61, 0xef, 0xb9, 0x93, 0x02, 0xbd, 0x5b},
		"00000000000000000000000000": {},
		"7ZZZZZZZZZZZZZZZZZZZZZZZZZ": {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
	} {
		if got := encodeULID(b); got != want {
			t.Errorf("%x: %s, want %s", b, got, want)
		}
	}
}

func TestULIDsRise(t *testing.T) {
	var g ids
	now := time.UnixMilli(1469918176385)
	last := g.next(now)
	if last[:10] != "01ARYZ6S41" { // the time of the specification's example
		t.Errorf("%s: the time is wrong", last)
	}
	g.lo = math.MaxUint64 - 1
	for i, at := range []time.Time{now, now, now.Add(-time.Hour), time.Unix(-1, 0), now.Add(time.Millisecond), now} {
		id := g.next(at)
		if id <= last || len(id) != 26 {
			t.Errorf("%d: %s is not above %s", i, id, last)
		}
		last = id
	}
	var other ids
	if other.next(now) == new(ids).next(now) {
		t.Error("two processes made the same id")
	}
}
