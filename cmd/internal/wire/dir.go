package wire

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/call"
)

// Dir is the runtime directory of the user at p: pawl in XDG_RUNTIME_DIR, else
// run in the state directory; "" if the user has neither.
func Dir(p call.Place) string {
	if dir := p.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "pawl")
	}
	if dir := p.StateDir(); dir != "" {
		return filepath.Join(dir, "run")
	}
	return ""
}

// Socket is the socket of the engine in a runtime directory.
func Socket(dir string) string { return filepath.Join(dir, "pawld.sock") }

// MakeDir makes the runtime directory, or makes sure that it is the user's
// own and closed to others.
func MakeDir(dir string) error {
	if dir == "" {
		return errors.New("no runtime directory: set XDG_RUNTIME_DIR or HOME")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return checkDir(dir)
}

// checkDir refuses a directory that others could put a socket into.
func checkDir(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !ours(info):
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to other users: chmod 700 it", dir)
	}
	return nil
}
