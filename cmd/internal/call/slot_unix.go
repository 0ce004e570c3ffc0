//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package call

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// takeSlot takes one of the places that a user has for background hooks: a
// locked file in dir. The lock is held by all who have the file open, so it is
// handed to the child and free again when that has ended, however it ends.
func takeSlot(dir string) (*os.File, error) {
	if !filepath.IsAbs(dir) {
		return nil, errors.New("no directory to count background hooks in: set HOME or XDG_STATE_HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for n := range backgroundMost {
		path := filepath.Join(dir, fmt.Sprint(n))
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		f.Close()
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			return nil, &os.PathError{Op: "flock", Path: path, Err: err}
		}
	}
	return nil, fmt.Errorf("%d background hooks of this user are running already", backgroundMost)
}

// keepSlot keeps the slot that this process was started with from what it
// starts itself: only the background hook counts.
func keepSlot() { syscall.CloseOnExec(slotFD) }
