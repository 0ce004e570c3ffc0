package policytest

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/store"
	"github.com/pawl-dev/pawl/lua"
)

// state is the memory of one world, which can be looked into.
type state struct {
	memory hook.State
	mu     sync.Mutex
	values map[hook.StateKey][]byte
}

func newState() *state {
	return &state{memory: store.Memory(time.Now), values: map[hook.StateKey][]byte{}}
}

// Update hands the update on and remembers the value that stays.
func (s *state) Update(ctx context.Context, key hook.StateKey, ttl time.Duration, f func(old []byte) []byte) error {
	return s.memory.Update(ctx, key, ttl, func(old []byte) []byte {
		value := f(old)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.values[key] = bytes.Clone(value)
		return value
	})
}

// kept returns the JSON that a policy has put under name, nil if none has;
// of several policies any.
func (s *state) kept(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, value := range s.values {
		if of, json := lua.Stored(key, value); of == name && json != nil {
			return json
		}
	}
	return nil
}
