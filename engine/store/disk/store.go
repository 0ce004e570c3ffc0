//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/store"
)

// Store is a directory of values. It may be used by any number of goroutines
// and holds nothing open between calls.
type Store struct {
	dir string
	now func() time.Time
}

var _ hook.State = (*Store)(nil)

// Open returns the store in dir, which it makes if there is none; one that is
// there has to be empty or closed to others. now tells the time for ttl; nil
// is time.Now.
func Open(dir string, now func() time.Time) (*Store, error) {
	if now == nil {
		now = time.Now
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := prepare(dir); err != nil {
		return nil, err
	}
	return &Store{dir, now}, nil
}

// prepare makes dir, or makes sure that it is ours and nobody else's.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("store: %s is a symbolic link: name the directory that it points to", dir)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if !ours(info) {
		return fmt.Errorf("store: %s belongs to another user", dir)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	// Closing a directory that others use, /tmp say, would be no favour.
	if _, err := f.Readdirnames(1); err != io.EOF {
		return fmt.Errorf("store: %s is not empty and open to other users: chmod 700 it, or name a directory of its own", dir)
	}
	return f.Chmod(0o700)
}

func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// Update is hook.State's. A full or read-only disk is an error, and so is a
// value that cannot be read; f has then no effect.
func (s *Store) Update(ctx context.Context, key hook.StateKey, ttl time.Duration, f func(old []byte) []byte) error {
	path := filepath.Join(s.dir, fileName(key))
	l, err := s.lock(ctx, path)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer l.release()
	old, err := l.read(s.now())
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if value := f(old); value != nil {
		err = l.replace(value, store.Expiry(s.now(), ttl))
	} else {
		err = l.remove()
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if rand.N(sweepEvery) == 0 {
		s.sweep()
	}
	return nil
}

// lock locks the file at path, in the directory as it was opened or, if that
// has been removed since, in a new one.
func (s *Store) lock(ctx context.Context, path string) (*locked, error) {
	l, err := acquire(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := prepare(s.dir); err != nil {
			return nil, err
		}
		l, err = acquire(ctx, path)
	}
	return l, err
}

// fileName is the name of the file for key. The parts are hashed one by one,
// so that no two keys have the same bytes.
func fileName(key hook.StateKey) string {
	h := sha256.New()
	for _, part := range []string{key.Session, key.Kind, key.Name} {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}
