//go:build unix

package resident

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

// listen takes the lock of the runtime directory and then its socket, in place
// of one that a killed server left. release gives the lock back.
func listen(dir string) (s *socket, release func(), err error) {
	if err := wire.MakeDir(dir); err != nil {
		return nil, nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "pawld.lock"), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			pid, _ := io.ReadAll(io.LimitReader(lock, 32))
			return nil, nil, fmt.Errorf("pawld runs already (process %s, %s)", strings.TrimSpace(string(pid)), dir)
		}
		return nil, nil, &os.PathError{Op: "flock", Path: lock.Name(), Err: err}
	}
	if err := lock.Truncate(0); err == nil {
		fmt.Fprintln(lock, os.Getpid()) // only the message of a second server needs it
	}
	path := wire.Socket(dir)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if errors.Is(err, syscall.EINVAL) {
		err = fmt.Errorf("%w (%s has %d characters; set XDG_RUNTIME_DIR to a shorter directory)", err, path, len(path))
	}
	if err != nil {
		return nil, nil, err
	}
	l.SetUnlinkOnClose(false)
	err = os.Chmod(path, 0o600)
	info, statErr := os.Lstat(path)
	if err = errors.Join(err, statErr); err != nil {
		l.Close()
		return nil, nil, err
	}
	return &socket{l, path, info}, func() { lock.Close() }, nil
}

// openFiles is how many files this process may have open at once.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<20))
}
