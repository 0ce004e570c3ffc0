//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// locked is the file of one key while this process may change it.
type locked struct {
	f    *os.File
	path string
	// empty: a lock without a value, of use to nobody after the update.
	empty bool
}

// acquire waits for the lock of path. The system's own wait cannot be ended,
// so it asks again and again.
func acquire(ctx context.Context, path string) (*locked, error) {
	const first, last = 200 * time.Microsecond, 10 * time.Millisecond
	for pause := first; ; pause = min(2*pause, last) {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		l, err := tryLock(path, os.O_CREATE)
		if l != nil || err != nil {
			return l, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// tryLock opens and locks path; nil if somebody else has the lock, or had it
// and put another file in its place.
func tryLock(path string, flags int) (*locked, error) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|flags, 0o600)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is a symbolic link: remove it", path)
	}
	if err != nil {
		return nil, err
	}
	l := &locked{f: f, path: path}
	if ok, err := l.own(); !ok || err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// own takes the lock and reports whether the file still has its name.
func (l *locked) own() (bool, error) {
	for {
		err := syscall.Flock(int(l.f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == syscall.EWOULDBLOCK {
			return false, nil
		}
		if err == nil {
			break
		}
		if err != syscall.EINTR {
			return false, &os.PathError{Op: "flock", Path: l.path, Err: err}
		}
	}
	held, err := l.f.Stat()
	if err != nil {
		return false, err
	}
	if !held.Mode().IsRegular() || !ours(held) {
		return false, fmt.Errorf("%s is not a file of this user: remove it", l.path)
	}
	named, err := os.Lstat(l.path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	l.empty = held.Size() == 0
	return err == nil && os.SameFile(held, named), err
}

// release gives the lock back. It does so by name and not by closing alone: a
// child that is being started has the file open for a moment too.
func (l *locked) release() {
	if l.empty {
		os.Remove(l.path)
	}
	syscall.Flock(int(l.f.Fd()), syscall.LOCK_UN)
	l.f.Close()
}

// read returns the value, nil if there is none or its time is over.
func (l *locked) read(now time.Time) ([]byte, error) {
	if l.empty {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(l.f, maxFile+1))
	if err != nil {
		return nil, err
	}
	value, expires, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w (remove it to start again)", l.path, err)
	}
	if !now.Before(expires) {
		return nil, nil
	}
	return value, nil
}

// replace writes the next value beside the old one and renames it over it.
// Only the holder of the lock writes there; what an earlier one left half
// written is removed.
func (l *locked) replace(value []byte, expires time.Time) error {
	if len(value) > MaxValue {
		return fmt.Errorf("a value of %d bytes is too large, the limit is %d", len(value), MaxValue)
	}
	next := l.path + ".new"
	os.Remove(next)
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(encode(value, expires))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(next, l.path)
	}
	if err != nil {
		os.Remove(next)
		return err
	}
	l.empty = false
	return nil
}

// remove forgets the value.
func (l *locked) remove() error {
	l.empty = false
	return os.Remove(l.path)
}
