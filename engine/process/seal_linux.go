package process

import "syscall"

// seal keeps children from inheriting what this process has open: Go sees to
// that for its own files, but not for those that this process was started
// with, or that C code opened. An open directory is a way out of any sandbox.
// Kernels before 5.11 cannot.
func seal() {
	const (
		closeRange  = 436 // close_range(2), the same number everywhere
		closeOnExec = 4   // CLOSE_RANGE_CLOEXEC
		first       = 3
	)
	syscall.RawSyscall(closeRange, first, 1<<31-1, closeOnExec)
}
