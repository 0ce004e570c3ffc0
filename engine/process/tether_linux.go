package process

import (
	"os"
	"os/exec"
	"syscall"
)

// tether is a pipe that ties a group to the life of this process. The child
// inherits the read end; nobody ever writes to it. When this process is gone,
// however it went, its write end is too, and the kernel sends the signal that
// the read end asks for to the group: SIGKILL. The group is known when it has
// started; a kill in the microseconds between misses it.
//
// The alternatives cost more or hold less: the parent-death signal reaches
// the leader alone, and is about the thread that started it, which Go may end
// before the process; a watcher is one more process for each hook.
type tether struct{ held, tied *os.File }

// tetherFD is the number of the read end in the child: beyond the digits that
// scripts use, and a number that shells leave alone if it is taken.
const tetherFD = 10

// newTether adds the read end to the files of cmd, which has none yet. Where
// there is no pipe to be had the group is not tied; all else holds.
func newTether(cmd *exec.Cmd) tether {
	r, w, err := os.Pipe()
	if err != nil {
		return tether{}
	}
	cmd.ExtraFiles = make([]*os.File, tetherFD-3+1)
	cmd.ExtraFiles[tetherFD-3] = r
	return tether{held: w, tied: r}
}

// tie asks for the signal. The group is the one that pid leads; the kernel
// keeps the group itself, not its number.
func (t *tether) tie(pid int) {
	if t.tied == nil {
		return
	}
	const setSignal = 10 // F_SETSIG
	fd := t.tied.Fd()
	for _, call := range [...][2]uintptr{
		{syscall.F_SETOWN, uintptr(-pid)},
		{setSignal, uintptr(syscall.SIGKILL)},
		{syscall.F_SETFL, syscall.O_ASYNC},
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, call[0], call[1]); errno != 0 {
			break // the group is not tied
		}
	}
	t.tied.Close()
	t.tied = nil
}

// cut ends the tie. It must come after the last killGroup: what is left of
// the group dies here.
func (t *tether) cut() {
	for _, f := range []*os.File{t.tied, t.held} {
		if f != nil {
			f.Close()
		}
	}
}
