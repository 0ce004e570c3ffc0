//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package process

import "os/exec"

// tether is for systems whose children inherit files.
type tether struct{}

func newTether(*exec.Cmd) tether { return tether{} }

func (*tether) tie(int) {}

func (*tether) hunt() bool { return false }

func (*tether) cut() {}
