//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package audit

import (
	"errors"
	"fmt"
	"runtime"
)

// file is never open: this system has no lock that several writers could rely
// on.
type file struct {
	path    string
	maxSize int64
	keep    int
}

func (w *file) append([]byte) (bool, error) {
	return false, fmt.Errorf("the log needs flock, which %s has not: %w", runtime.GOOS, errors.ErrUnsupported)
}

func (w *file) close() {}
