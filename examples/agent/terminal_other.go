//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package main

import "os"

// terminalWidth returns 80 for a character device, 0 for anything else.
func terminalWidth(f *os.File) int {
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return 80
	}
	return 0
}
