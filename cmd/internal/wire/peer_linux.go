package wire

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// prompt: after shutdown what had arrived can still be read, and nothing more
// arrives. So a client that gives up knows whether the engine had begun.
const prompt = true

// CheckPeer refuses the process at the other end of a socket if it is not the
// user's.
func CheckPeer(fd int) (pid int, err error) {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	if int(peer.Uid) != os.Geteuid() {
		return 0, fmt.Errorf("the process at the other end is of user %d", peer.Uid)
	}
	return int(peer.Pid), nil
}

// CheckView refuses a client that does not see the files that this process
// sees: in a container with the socket in it, say. The answer would be about
// other files, and its hooks would run outside.
func CheckView(pid int) error {
	if pid == 0 {
		return errors.New("the client is in another process namespace")
	}
	for _, what := range []string{"ns/mnt", "ns/user", "root"} {
		its, err := os.Readlink(fmt.Sprintf("/proc/%d/%s", pid, what))
		if err != nil {
			return errors.New("it cannot be told what the client sees: it has gone, or hides it")
		}
		ours, err := os.Readlink("/proc/self/" + what)
		if err != nil {
			return err
		}
		if its != ours {
			return fmt.Errorf("the client has another %s: %s, not %s", what, its, ours)
		}
	}
	return nil
}
