//go:build !unix

package call

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }
