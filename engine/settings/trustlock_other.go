//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package settings

import "io/fs"

// lockFile does nothing here: of two changes at once the last one wins.
func lockFile(string) (unlock func(), err error) { return func() {}, nil }

func writableByOthers(fs.FileInfo) bool { return false }
