package logview

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A percentile is that of the sorted list, or up to an eighth more.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, 1e10), rapid.Int64Range(0, math.MaxInt64)), 1, 200).Draw(t, "all")
		var s spread
		for _, d := range all {
			s.add(time.Duration(d))
		}
		slices.Sort(all)
		for _, percent := range []int{1, 50, 99, 100} {
			want := all[(len(all)*percent+99)/100-1]
			if got := int64(s.part(percent)); got < want || got-want > want/8 {
				t.Fatalf("percentile %d of %v is %d, want %d", percent, all, got, want)
			}
		}
		if s.max != time.Duration(all[len(all)-1]) {
			t.Fatalf("max %v", s.max)
		}
	})
	if (&spread{}).part(50) != 0 {
		t.Error("the median of nothing is not 0")
	}
}

func TestBuckets(t *testing.T) {
	for b := range len(spread{}.buckets) {
		if top := upTo(b); bucket(top) != b || top < math.MaxInt64 && bucket(top+1) != b+1 {
			t.Fatalf("bucket %d ends at %d, which is in %d, and the next in %d", b, top, bucket(top), bucket(top+1))
		}
	}
}
