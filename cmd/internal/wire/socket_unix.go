//go:build unix

package wire

import (
	"io"
	"os"
	"syscall"
	"time"
)

// socket is the client's end of a connection, without package net.
type socket struct {
	fd       int
	deadline time.Time
	// The deadlines that the system knows of.
	reads, writes time.Time
}

// connect connects to path until deadline.
func connect(path string, deadline time.Time) (*socket, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	s := &socket{fd: fd, deadline: deadline}
	err = s.limit(syscall.SO_SNDTIMEO, &s.writes)
	for err == nil {
		if err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}); err != syscall.EINTR {
			break
		}
		err = s.limit(syscall.SO_SNDTIMEO, &s.writes)
	}
	if err != nil {
		syscall.Close(fd)
		return nil, os.NewSyscallError("connect", err)
	}
	return s, nil
}

// limit makes the system calls that option is about end about the deadline.
func (s *socket) limit(option int, known *time.Time) error {
	left := time.Until(s.deadline)
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	if *known == s.deadline {
		return nil // a call that begins later ends later, by less than there was
	}
	*known = s.deadline
	tv := syscall.NsecToTimeval(int64(max(left, time.Millisecond)))
	return syscall.SetsockoptTimeval(s.fd, syscall.SOL_SOCKET, option, &tv)
}

func (s *socket) Read(b []byte) (int, error) {
	for {
		if err := s.limit(syscall.SO_RCVTIMEO, &s.reads); err != nil {
			return 0, err
		}
		n, err := syscall.Read(s.fd, b)
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
			continue // limit says whether time is over
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (s *socket) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		if err := s.limit(syscall.SO_SNDTIMEO, &s.writes); err != nil {
			return done, err
		}
		n, err := syscall.Write(s.fd, b[done:])
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case err != nil:
			return done, os.NewSyscallError("write", err)
		default:
			done += n
		}
	}
	return done, nil
}

// checkPeer refuses an engine that is not the user's.
func (s *socket) checkPeer() error {
	_, err := CheckPeer(s.fd)
	return err
}

// shut lets nothing more in, and ends a Read that waits.
func (s *socket) shut() { syscall.Shutdown(s.fd, syscall.SHUT_RDWR) }

func (s *socket) Close() error { return syscall.Close(s.fd) }
