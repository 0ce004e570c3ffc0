//go:build linux

package process_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/engine/process"
)

// A killed starter takes the group with it: the leader, its children, and
// those that ignore what can be ignored.
func TestStarterKilled(t *testing.T) {
	if text := os.Getenv("PAWL_STARTER"); text != "" {
		process.Run(context.Background(), process.Command{Argv: []string{"bash", "--noprofile", "--norc", "-c", text}})
		return
	}
	for _, text := range []string{
		"sleep 60; true",
		"trap '' HUP INT TERM IO; sleep 60 | sleep 60 & (sleep 60; true); wait",
		"exec 0<&- 1>&- 2>&-; sleep 60; true",
		"exec sleep 60",
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		starter := exec.Command(os.Args[0], "-test.run=^TestStarterKilled$")
		starter.Env = append(os.Environ(), "PAWL_MARK="+mark(t),
			fmt.Sprintf("PAWL_STARTER=sleep .1; echo > /proc/%d/fd/%d; %s", os.Getpid(), w.Fd(), text))
		if err := starter.Start(); err != nil {
			t.Fatal(err)
		}
		r.Read(make([]byte, 1)) // the group runs, and is tied by now
		starter.Process.Signal(syscall.SIGKILL)
		starter.Wait()
		noneLeft(t)
		r.Close()
		w.Close()
	}
}
