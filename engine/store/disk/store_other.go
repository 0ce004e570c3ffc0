//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package disk

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Store is a directory of values.
type Store struct{}

// Open says that this system has no lock that the store could rely on.
func Open(string, func() time.Time) (*Store, error) {
	return nil, fmt.Errorf("store: a directory as a store needs flock, which %s has not: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Update is never reached: there is no Store.
func (*Store) Update(context.Context, hook.StateKey, time.Duration, func([]byte) []byte) error {
	return errors.ErrUnsupported
}
