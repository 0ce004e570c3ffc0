//go:build unix

package wire

import (
	"io/fs"
	"os"
	"syscall"
)

func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
