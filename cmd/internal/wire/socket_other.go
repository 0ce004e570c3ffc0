//go:build !unix

package wire

import (
	"errors"
	"time"
)

// socket is for systems that have no resident engine yet.
type socket struct{ deadline time.Time }

func connect(string, time.Time) (*socket, error) { return nil, errors.ErrUnsupported }
func (s *socket) Read([]byte) (int, error)       { return 0, errors.ErrUnsupported }
func (s *socket) Write([]byte) (int, error)      { return 0, errors.ErrUnsupported }
func (s *socket) checkPeer() error               { return errors.ErrUnsupported }
func (s *socket) shut()                          {}
func (s *socket) Close() error                   { return nil }
