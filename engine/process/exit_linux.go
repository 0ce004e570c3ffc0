package process

import (
	"os"
	"syscall"
	"unsafe"
)

// awaitExit waits for the end of p without reaping it. An error means that
// there is nothing to wait for.
func awaitExit(p *os.Process) *os.ProcessState {
	const pPID = 1      // P_PID of waitid(2)
	var info [16]uint64 // siginfo_t, 128 bytes
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(p.Pid),
			uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return nil
		}
	}
}
