package task

import (
	"math"
	"math/rand/v2"
	"time"
)

// Backoff is how long to wait before each retry: First, and Factor times as
// long each time after, up to Most. The wait is a random part of that, so that
// tasks that failed together are not tried again together, unless Steady. A
// field that is not positive takes its default: 1 s, 2, 60 s (echo-agent).
type Backoff struct {
	First, Most time.Duration
	Factor      float64
	Steady      bool
}

// Delay returns the wait before retry n, from 1.
func (b Backoff) Delay(n int) time.Duration {
	first, most, factor := float64(b.First), float64(b.Most), b.Factor
	if first <= 0 {
		first = float64(time.Second)
	}
	if most <= 0 {
		most = float64(time.Minute)
	}
	if !(factor > 0) {
		factor = 2
	}
	d := min(first*math.Pow(factor, float64(n-1)), most)
	if !b.Steady {
		d *= rand.Float64()
	}
	if d >= math.MaxInt64 { // which no float64 is
		return math.MaxInt64
	}
	return time.Duration(d)
}
