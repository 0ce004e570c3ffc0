//go:build unix

package main

import "syscall"

// ownSession keeps a child alive when the agent ends the group of this
// process.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// brokenPipe is the signal that would end the process where the reader of
// its answer is gone. Caught, the write fails instead, and that can be told.
const brokenPipe = syscall.SIGPIPE
