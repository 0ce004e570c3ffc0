//go:build !unix

package main

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }

const brokenPipe = syscall.SIGPIPE
