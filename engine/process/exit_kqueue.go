//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package process

import (
	"os"
	"syscall"
)

// awaitExit waits for the end of p without reaping it (waitid returns here
// for a stopped process too). An error means that p has ended.
func awaitExit(p *os.Process) *os.ProcessState {
	queue, err := syscall.Kqueue()
	if err != nil {
		return nil
	}
	defer syscall.Close(queue)
	syscall.CloseOnExec(queue)
	var change [1]syscall.Kevent_t
	syscall.SetKevent(&change[0], p.Pid, syscall.EVFILT_PROC, syscall.EV_ADD|syscall.EV_ONESHOT)
	change[0].Fflags = syscall.NOTE_EXIT
	for {
		var got [1]syscall.Kevent_t
		if _, err := syscall.Kevent(queue, change[:], got[:], nil); err != syscall.EINTR {
			return nil
		}
	}
}
