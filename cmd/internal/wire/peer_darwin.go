package wire

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const prompt = false

// CheckPeer refuses the process at the other end of a socket if it is not the
// user's.
func CheckPeer(fd int) (pid int, err error) {
	peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	if int(peer.Uid) != os.Geteuid() {
		return 0, fmt.Errorf("the process at the other end is of user %d", peer.Uid)
	}
	return 0, nil
}

// CheckView finds nothing out.
func CheckView(int) error { return nil }
