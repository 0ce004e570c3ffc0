//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package process

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

// terminateGroup asks nobody: there is no such signal.
func terminateGroup(*os.Process) {}

// killGroup kills the leader alone.
func killGroup(p *os.Process) { p.Kill() }

// awaitExit waits for the end of p and returns its status: here every wait
// reaps. A Process that has been reaped is not killed any more.
func awaitExit(p *os.Process) *os.ProcessState {
	state, err := p.Wait()
	if err != nil {
		return nil
	}
	return state
}
