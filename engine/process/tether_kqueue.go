//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package process

// signal does nothing: no pipe sends a signal that cannot be caught here.
func (*tether) signal(int) {}

// killHolders kills nobody: the system does not tell who has a pipe.
func (*tether) killHolders() {}
