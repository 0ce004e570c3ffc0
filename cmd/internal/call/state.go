package call

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/store/disk"
)

// lazyState opens the store on disk when a hook first needs it: most calls
// never do.
type lazyState struct {
	dir  string
	mu   sync.Mutex
	disk *disk.Store
}

// Update opens the store if need be and hands the update to it.
func (l *lazyState) Update(ctx context.Context, key hook.StateKey, ttl time.Duration, f func([]byte) []byte) error {
	store, err := l.open()
	if err != nil {
		return err
	}
	return store.Update(ctx, key, ttl, f)
}

func (l *lazyState) open() (*disk.Store, error) {
	if !filepath.IsAbs(l.dir) {
		return nil, errors.New("no directory for state: set HOME or XDG_STATE_HOME")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.disk != nil {
		return l.disk, nil
	}
	store, err := disk.Open(l.dir, time.Now)
	if err == nil {
		l.disk = store
	}
	return store, err
}
