//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package process

import (
	"os"
	"syscall"
)

// attributes put the child into a session of its own, and so into a process
// group with its own number and without a terminal.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// terminateGroup asks the group that p leads to end. p must not have been
// reaped.
func terminateGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

// killGroup kills the group that p leads. p must not have been reaped: until
// then the kernel gives its number to no other process or group.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL) // an empty group is fine
}
