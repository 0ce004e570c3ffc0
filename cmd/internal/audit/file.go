//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// file is the current file of a log, open or not.
type file struct {
	path    string
	maxSize int64
	keep    int

	f    *os.File
	info os.FileInfo // of f, when it was opened
}

// append writes one line, with all other writers kept out. whole says that the
// line is in the file, which it may be beside an error.
func (w *file) append(line []byte) (whole bool, err error) {
	size, err := w.lock()
	if err != nil {
		return false, err
	}
	defer w.unlock()
	var late error
	if size > 0 && size+int64(len(line)) > w.maxSize {
		if late = w.rotate(); late == nil {
			w.unlock()
			if size, err = w.lock(); err != nil {
				return false, err
			}
		}
	}
	if size > 0 && !w.ended(size) {
		line = append([]byte{'\n'}, line...) // what a killed process or a full disk left
	}
	if _, err := w.f.Write(line); err != nil {
		return false, err
	}
	return true, late
}

// ended reports whether the byte before size ends a line.
func (w *file) ended(size int64) bool {
	var last [1]byte
	_, err := w.f.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}

// lock takes the lock of the file that has the name now, and returns its size:
// another process may have rotated the one that is open, or somebody removed
// it.
func (w *file) lock() (size int64, err error) {
	for {
		if w.f == nil {
			if err := w.open(); err != nil {
				return 0, err
			}
		}
		if err := flock(w.f, syscall.LOCK_EX); err != nil {
			return 0, err
		}
		named, err := os.Lstat(w.path)
		if err == nil && os.SameFile(named, w.info) {
			return named.Size(), nil
		}
		w.unlock()
		w.close()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, err
		}
	}
}

// unlock gives the lock back. It does so by name and not by closing alone: a
// child that is being started has the file open for a moment too.
func (w *file) unlock() {
	if w.f != nil {
		flock(w.f, syscall.LOCK_UN)
	}
}

func (w *file) close() {
	if w.f != nil {
		w.f.Close()
		w.f = nil
	}
}

// open opens the file, or makes it.
func (w *file) open() error {
	const flags = os.O_RDWR | os.O_APPEND | os.O_CREATE | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	f, err := os.OpenFile(w.path, flags, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(w.path), 0o700); err != nil {
			return err
		}
		f, err = os.OpenFile(w.path, flags, 0o600)
	}
	if errors.Is(err, syscall.ELOOP) {
		return fmt.Errorf("%s is a symbolic link: name the file that it points to", w.path)
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !ownFile(info) {
		err = fmt.Errorf("%s is not a file of this user: name another", w.path)
	}
	if err != nil {
		f.Close()
		return err
	}
	w.f, w.info = f, info
	return nil
}

func ownFile(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && int(stat.Uid) == os.Geteuid()
}

// rotate gives the current file, which is locked, the name with .1, and each
// older one the next number; the oldest is gone. A process that is killed in
// between leaves a number free, and the next rotation begins there.
func (w *file) rotate() error {
	free := 1
	for free < w.keep && there(numbered(w.path, free)) {
		free++
	}
	for n := free; n > 0; n-- {
		if err := os.Rename(numbered(w.path, n-1), numbered(w.path, n)); err != nil {
			return err
		}
	}
	return nil
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err == nil {
			return nil
		}
		if err != syscall.EINTR {
			return &os.PathError{Op: "flock", Path: f.Name(), Err: err}
		}
	}
}
