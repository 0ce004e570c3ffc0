//go:build unix

package main

import (
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
)

// handOver has pawld, which links all hook types, answer the event. It returns
// if there is no pawld, and the entries that need it block.
func handOver(event []byte, deadline time.Duration) {
	becomePawld(event, "--deadline", deadline.String())
}

// becomePawld replaces this process by pawld, with the same arguments and more.
// input is what has been read from standard input, to its end; nil: nothing
// has. It returns if there is no pawld.
func becomePawld(input []byte, more ...string) {
	pawld := findPawld()
	if pawld == "" || input != nil && !rewind(input) {
		return
	}
	syscall.Exec(pawld, slices.Concat([]string{pawld}, os.Args[1:], more), os.Environ())
}

// rewind makes input the standard input of this process.
func rewind(input []byte) bool {
	in, err := call.UnnamedFile(input)
	if err != nil {
		return false
	}
	defer in.Close()
	syscall.Close(0)
	fd, err := syscall.Dup(int(in.Fd())) // the lowest one that is free
	return err == nil && fd == 0
}
