package watcher

import (
	"errors"
	"os"
	"syscall"
)

// writing reports whether somebody has the file at path open for writing. The
// kernel refuses a lease for reading exactly then. It gives one only to the
// owner of the file; of others' files nothing can be said.
func writing(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close() // gives the lease back, within microseconds
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	const setSignal = 10 // F_SETSIG
	var errno syscall.Errno
	_ = raw.Control(func(fd uintptr) {
		// Who opens the file while the lease holds waits for its end, and we
		// are sent a signal: one that programs ignore by default, not SIGIO.
		if _, _, errno = syscall.Syscall(syscall.SYS_FCNTL, fd, setSignal, uintptr(syscall.SIGURG)); errno == 0 {
			_, _, errno = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETLEASE, syscall.F_RDLCK)
		}
	})
	return errors.Is(errno, syscall.EAGAIN)
}
