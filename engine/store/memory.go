package store

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Memory returns an empty store in memory. now tells the time for ttl; nil is
// time.Now.
func Memory(now func() time.Time) hook.State {
	if now == nil {
		now = time.Now
	}
	return &memory{now: now, cells: map[hook.StateKey]*cell{}}
}

// memory runs funcs without holding its lock and takes what they return if
// the value is still the one they were given.
type memory struct {
	now   func() time.Time
	mu    sync.Mutex
	cells map[hook.StateKey]*cell
}

// cell is one value. It is never changed, only replaced.
type cell struct {
	value   []byte
	expires time.Time
}

func (m *memory) Update(ctx context.Context, key hook.StateKey, ttl time.Duration, f func(old []byte) []byte) error {
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		old := m.load(key)
		var next *cell
		if value := f(old.bytes()); value != nil {
			next = &cell{bytes.Clone(value), Expiry(m.now(), ttl)}
		}
		if m.swap(key, old, next) {
			return nil
		}
	}
}

func (m *memory) load(key hook.StateKey) *cell {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live(key)
}

// swap puts next in the place of old, unless that is another value by now.
func (m *memory) swap(key hook.StateKey, old, next *cell) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live(key) != old {
		return false
	}
	if next == nil {
		delete(m.cells, key)
	} else {
		m.cells[key] = next
	}
	m.sweep()
	return true
}

// live returns the cell of key, and forgets it when its time is over.
func (m *memory) live(key hook.StateKey) *cell {
	c := m.cells[key]
	if c != nil && !m.now().Before(c.expires) {
		delete(m.cells, key)
		return nil
	}
	return c
}

// sweep looks at a few cells: maps are walked from a random place.
func (m *memory) sweep() {
	left := 4
	for key := range m.cells {
		if m.live(key); left == 0 {
			return
		}
		left--
	}
}

func (c *cell) bytes() []byte {
	if c == nil {
		return nil
	}
	return append([]byte{}, c.value...) // empty is not absent
}
