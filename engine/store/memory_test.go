package store

import (
	"strconv"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Forgotten values go without being asked for.
func TestMemorySweeps(t *testing.T) {
	clock := time.Date(2026, 5, 29, 10, 30, 0, 0, time.UTC)
	m := Memory(func() time.Time { return clock }).(*memory)
	set := func(name string) {
		key := hook.StateKey{Name: name}
		if err := m.Update(t.Context(), key, time.Minute, func([]byte) []byte { return []byte("x") }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1000 {
		set(strconv.Itoa(i))
	}
	clock = clock.Add(time.Hour)
	for range 1000 {
		set("again")
	}
	if len(m.cells) != 1 {
		t.Errorf("%d values are left", len(m.cells))
	}
}
