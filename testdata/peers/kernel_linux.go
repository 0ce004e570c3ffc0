package main

import (
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// questions is how often an event of the stream, at 1,000 rules, makes Pawl
// ask the kernel whether a path leads through a symlink. No peer asks.
const questions = 0.555

// writeKernel says what part of a Dispatch the kernel takes.
func writeKernel(w io.Writer, results []result, rounds int) error {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	ask := &track{name: "kernel", step: 1, run: func(int) error {
		if _, err := unix.Openat2(unix.AT_FDCWD, "/srv/checkout/src/pkg00/file.go", &how); err != unix.ENOENT {
			return fmt.Errorf("openat2 of a path that is not there: %v", err)
		}
		return nil
	}}
	if err := interleave([]*track{ask}, rounds); err != nil {
		return err
	}
	whole := find(results, readyName, 1000).ns
	kernel := questions * ask.median()
	fmt.Fprintf(w, "\nOf the %s that Dispatch takes with 1,000 rules, about %s are questions to the kernel about symlinks: %v an event, %s each here.\n",
		duration(whole), duration(kernel), questions, duration(ask.median()))
	fmt.Fprintf(w, "Without these OPA would take %s as long as Dispatch, and cedar-go %s.\n",
		times(find(results, opaName, 1000).ns/(whole-kernel)), times(find(results, cedarName, 1000).ns/(whole-kernel)))
	return nil
}
