package watcher

import (
	"errors"
	"syscall"
	"testing"
)

// TestOpened: a look opens files, and nothing else: to open a device may do
// something, to open a pipe may end somebody's wait.
func TestOpened(t *testing.T) {
	f := newFolder(t)
	(&stage{folder: f, t: t}).play("write file one\nfifo pipe")
	for name, want := range map[string]bool{"file": true, "pipe": false} {
		fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
		if _, err := syscall.InotifyAddWatch(fd, f.path(name), syscall.IN_OPEN); err != nil {
			t.Fatal(err)
		}
		sum(t, f.path(name))
		_, err = syscall.Read(fd, make([]byte, 1024))
		if got := !errors.Is(err, syscall.EAGAIN); got != want {
			t.Errorf("%s was opened: %t, want %t (%v)", name, got, want, err)
		}
	}
}
