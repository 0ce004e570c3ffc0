//go:build !unix

package resident

import "errors"

// listen fails: the resident engine needs a socket that only one user can
// reach, and locks that end with their process.
func listen(string) (*socket, func(), error) { return nil, nil, errors.ErrUnsupported }

func openFiles() int { return 0 }
