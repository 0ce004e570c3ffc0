package hookcmd

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/dialect"
)

// Reply writes r and returns the exit code: 2 if the answer gets lost.
func Reply(c *cli.Console, r dialect.Reply) int {
	if len(r.Stdout)+len(r.Stderr) > 0 {
		// The signal would end the process where the reader of its answer is
		// gone. Caught, the write fails instead, and that can be told. Caught
		// and not ignored: that would pass to processes we start.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	c.Out.Write(r.Stdout)
	err := c.Flushed()
	if err == nil && len(r.Stdout) > 0 && r.Code == 0 && isNull(os.Stdout) {
		err = fmt.Errorf("standard output is closed, or %s", os.DevNull)
	}
	c.Err.Write(r.Stderr)
	if err != nil {
		fmt.Fprintf(c.Err, "pawl: the answer is lost: %v\n", err)
		c.Out.Reset(io.Discard) // it has been told
		return 2
	}
	return r.Code
}

// isNull reports whether what is written to f goes nowhere. The Go runtime
// puts the null device where standard output is closed, so that a decision
// would get lost without an error.
func isNull(f *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(info, null)
}
