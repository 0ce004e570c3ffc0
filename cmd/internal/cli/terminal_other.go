//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cli

import "os"

// TerminalWidth returns 80 for a character device, 0 for anything else.
func TerminalWidth(f *os.File) int {
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return 80
	}
	return 0
}
