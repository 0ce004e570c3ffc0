//go:build unix

package main

import (
	"os"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
)

// handOver replaces this process by pawld, which links all hook types: the same
// arguments, the same event on standard input. It returns if there is no
// pawld, and the entries that need it block.
func handOver(event []byte, deadline time.Duration) {
	pawld := findPawld()
	if pawld == "" {
		return
	}
	in, err := call.UnnamedFile(event)
	if err != nil {
		return
	}
	defer in.Close()
	// Standard input has been read to its end. A new descriptor is the lowest
	// one that is free.
	syscall.Close(0)
	if fd, err := syscall.Dup(int(in.Fd())); err != nil || fd != 0 {
		return
	}
	args := append(append([]string{pawld}, os.Args[1:]...), "--deadline", deadline.String())
	syscall.Exec(pawld, args, os.Environ())
}

// becomePawld replaces this process by pawld, with the same arguments. It
// returns if there is no pawld.
func becomePawld() {
	if pawld := findPawld(); pawld != "" {
		syscall.Exec(pawld, append([]string{pawld}, os.Args[1:]...), os.Environ())
	}
}
