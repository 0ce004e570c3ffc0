package resident

import (
	"net"
	"os"
)

// socket is the listener of a server, and its name.
type socket struct {
	*net.UnixListener
	path string
	info os.FileInfo
}

// Close ends the listening, and removes the name unless another server has it.
func (s *socket) Close() error {
	if s.named() {
		os.Remove(s.path)
	}
	return s.UnixListener.Close()
}

// named reports whether clients still find s: somebody may have cleaned up.
func (s *socket) named() bool {
	now, err := os.Lstat(s.path)
	return err == nil && os.SameFile(now, s.info)
}
