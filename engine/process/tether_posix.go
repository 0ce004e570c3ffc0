//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package process

import (
	"os"
	"os/exec"
	"time"
)

// tether is a pipe that ties what a child starts to this process. The child
// inherits the read end, and so does all that it starts; nobody ever reads
// from it.
//
// While somebody has the read end, something is left: this finds what has left
// the group (setsid, set -m), which its number does not reach. And when this
// process is gone, however it went, its write end is too: where the kernel
// can, it sends SIGKILL to the group then.
type tether struct{ held, tied *os.File }

// tetherFD is the number of the read end in the child: beyond the digits that
// scripts use, and a number that shells leave alone if it is taken.
const tetherFD = 10

// newTether adds the read end to the files of cmd, which has none yet. Where
// there is no pipe to be had nothing is tied; all else holds.
func newTether(cmd *exec.Cmd) tether {
	r, w, err := os.Pipe()
	if err != nil {
		return tether{}
	}
	cmd.ExtraFiles = make([]*os.File, tetherFD-3+1)
	cmd.ExtraFiles[tetherFD-3] = r
	return tether{held: w, tied: r}
}

// tie ties the group that pid leads.
func (t *tether) tie(pid int) {
	if t.tied != nil {
		t.signal(pid)
		t.tied.Close()
		t.tied = nil
	}
}

// hunt kills what has left a group that has been killed. It reports whether
// something is still there after some 60 ms: what runs for another user, or
// anything where the system does not tell who it is.
func (t *tether) hunt() (left bool) {
	const first, longest = time.Millisecond, 32 * time.Millisecond
	var never <-chan struct{}
	for wait := first; t.taken(); wait *= 2 {
		switch {
		case wait > longest:
			return true
		case wait > first: // what has been killed needs a moment to go
			t.killHolders()
		}
		await(nil, wait, never)
	}
	return false
}

// taken reports whether somebody has the read end.
func (t *tether) taken() bool {
	if t.held == nil {
		return false
	}
	_, err := t.held.Write([]byte{0}) // there is room for more than are ever written
	return err == nil
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
