//go:build unix

package engine

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs reports whether only this user can write to the directory.
func ownedByUs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid() && info.Mode().Perm()&0o022 == 0
}
