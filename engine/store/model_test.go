package store_test

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/store"
	"github.com/pawl-dev/pawl/engine/store/disk"
)

// each runs test on every store.
func each(t *testing.T, test func(t *testing.T, open func(now func() time.Time) hook.State)) {
	t.Run("memory", func(t *testing.T) { test(t, store.Memory) })
	t.Run("disk", func(t *testing.T) {
		test(t, func(now func() time.Time) hook.State {
			s, err := disk.Open(t.TempDir(), now)
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
	})
}

// A store is a map whose values have a time.
func TestModel(t *testing.T) {
	type value struct {
		bytes   []byte
		expires time.Time
	}
	part := rapid.SampledFrom([]string{"", "a", "b", "ab", "../a", "a\x00"})
	each(t, func(t *testing.T, open func(func() time.Time) hook.State) {
		rapid.Check(t, func(rt *rapid.T) {
			clock := time.Date(2026, 5, 29, 10, 30, 0, 0, time.UTC)
			s := open(func() time.Time { return clock })
			model := map[hook.StateKey]value{}
			for range rapid.IntRange(1, 12).Draw(rt, "updates") {
				clock = clock.Add(time.Duration(rapid.IntRange(0, 3).Draw(rt, "hours")) * time.Hour)
				key := hook.StateKey{Session: part.Draw(rt, "session"), Kind: part.Draw(rt, "kind"), Name: part.Draw(rt, "name")}
				ttl := time.Duration(rapid.IntRange(0, 3).Draw(rt, "ttl")) * time.Hour
				next := rapid.OneOf(rapid.Just([]byte(nil)), rapid.SliceOf(rapid.Byte())).Draw(rt, "next")
				var want []byte
				if v, ok := model[key]; ok && clock.Before(v.expires) {
					want = v.bytes
				}
				err := s.Update(t.Context(), key, ttl, func(old []byte) []byte {
					if !bytes.Equal(old, want) || (old == nil) != (want == nil) {
						rt.Fatalf("%q holds %q, want %q", key, old, want)
					}
					for i := range old {
						old[i] = 'x' // the bytes are the func's own
					}
					return next
				})
				if err != nil {
					rt.Fatal(err)
				}
				model[key] = value{bytes.Clone(next), store.Expiry(clock, ttl)}
				for i := range next {
					next[i] = 'y'
				}
			}
		})
	})
}

func TestConcurrentUpdates(t *testing.T) {
	each(t, func(t *testing.T, open func(func() time.Time) hook.State) {
		const routines, rounds = 6, 20
		s := open(nil)
		var wg sync.WaitGroup
		for range routines {
			wg.Go(func() {
				for range rounds {
					increment(t, s, "shared")
				}
			})
		}
		wg.Wait()
		if got := increment(t, s, "shared"); got != routines*rounds+1 {
			t.Errorf("counted to %d, want %d", got, routines*rounds+1)
		}
	})
}

// increment adds one to a counter and returns what it is then.
func increment(t *testing.T, s hook.State, name string) (n int) {
	err := s.Update(t.Context(), hook.StateKey{Kind: "counter", Name: name}, 0, func(old []byte) []byte {
		n, _ = strconv.Atoi(string(old))
		n++
		return strconv.AppendInt(nil, int64(n), 10)
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

func TestEndedContext(t *testing.T) {
	each(t, func(t *testing.T, open func(func() time.Time) hook.State) {
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(gone)
		err := open(nil).Update(ctx, hook.StateKey{}, 0, func([]byte) []byte {
			t.Error("called after the end")
			return nil
		})
		if !errors.Is(err, gone) {
			t.Errorf("got %v", err)
		}
	})
}

// A func may use other keys, and one that panics changes nothing.
func TestFuncs(t *testing.T) {
	each(t, func(t *testing.T, open func(func() time.Time) hook.State) {
		s := open(nil)
		increment(t, s, "a")
		func() {
			defer func() { recover() }()
			s.Update(t.Context(), hook.StateKey{Kind: "counter", Name: "a"}, 0, func([]byte) []byte { panic("boom") })
		}()
		err := s.Update(t.Context(), hook.StateKey{Kind: "counter", Name: "a"}, 0, func(old []byte) []byte {
			increment(t, s, "b")
			return old
		})
		if a, b := increment(t, s, "a"), increment(t, s, "b"); err != nil || a != 2 || b != 2 {
			t.Errorf("a %d, b %d, %v", a, b, err)
		}
	})
}
