package command_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// A hook that is out of time while nobody knows yet whether it runs what was
// accepted blocks: else who makes the look slow, by what is put in the place of
// a script, gets round the hook.
func TestLookOutOfTime(t *testing.T) {
	for name, copies := range map[string]func(wait <-chan struct{}) (hook.Copies, error){
		"slow":   func(wait <-chan struct{}) (hook.Copies, error) { <-wait; return hook.Copies{}, nil },
		"panics": func(<-chan struct{}) (hook.Copies, error) { panic("oh") },
	} {
		t.Run(name, func(t *testing.T) {
			f, wait := newFixture(t), make(chan struct{})
			defer close(wait)
			write(t, f.deps.Root+"/guard.sh", "#!/bin/sh\nexit 0\n")
			f.deps.Copies = func([]string) (hook.Copies, error) { return copies(wait) }
			a, _ := f.make("command", "./guard.sh")
			ctx, cancel := context.WithCancel(t.Context())
			if name == "slow" {
				cancel()
			}
			defer cancel()
			_, err := a.Run(ctx, call(bash(t)))
			if n, ok := errors.AsType[*hook.NoVerdict](err); !ok || !n.Blocks || !strings.Contains(err.Error(), "it runs") {
				t.Errorf("%v, want a failure that blocks", err)
			}
		})
	}
}
