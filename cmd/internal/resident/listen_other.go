//go:build !unix

package resident

import (
	"errors"
	"net"
)

// listen fails: the resident engine needs a socket that only one user can
// reach, and locks that end with their process.
func listen(string) (*net.UnixListener, func(), error) { return nil, nil, errors.ErrUnsupported }
