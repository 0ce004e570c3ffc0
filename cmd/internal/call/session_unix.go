//go:build unix

package call

import "syscall"

// ownSession keeps a child alive when the agent ends the group of this
// process.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
