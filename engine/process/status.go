package process

import (
	"os"
	"syscall"
)

// status reads an end: the exit code, or -1 and the signal in words.
func status(s *os.ProcessState) (code int, signal string) {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return -1, w.Signal().String()
	}
	return s.ExitCode(), ""
}
