package process

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// signal has the kernel send SIGKILL to the group that pid leads when the
// write end is gone. The group is known when it has started; a kill in the
// microseconds between misses it. The kernel keeps the group itself, not its
// number.
//
// The alternatives cost more or hold less: the parent-death signal reaches
// the leader alone, and is about the thread that started it, which Go may end
// before the process; a watcher is one more process for each hook.
func (t *tether) signal(pid int) {
	const setSignal = 10 // F_SETSIG
	fd := t.tied.Fd()
	for _, call := range [...][2]uintptr{
		{syscall.F_SETOWN, uintptr(-pid)},
		{setSignal, uintptr(syscall.SIGKILL)},
		{syscall.F_SETFL, syscall.O_ASYNC},
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, call[0], call[1]); errno != 0 {
			return // the group is not tied
		}
	}
}

// killHolders kills the processes that have the read end.
func (t *tether) killHolders() {
	info, err := t.held.Stat()
	if err != nil {
		return
	}
	link := fmt.Sprintf("pipe:[%d]", info.Sys().(*syscall.Stat_t).Ino)
	for _, name := range names("/proc") {
		pid, err := strconv.Atoi(name)
		if err != nil || !holds(pid, link) {
			continue
		}
		p, err := os.FindProcess(pid) // a handle: from now on its number is nobody else's
		if err != nil {
			continue
		}
		if holds(pid, link) {
			p.Kill()
		}
		p.Release()
	}
}

// holds reports whether a process has the read end of the pipe link, and not
// the write end: that one this process has, and for a moment, until it has
// become another program, a child that it makes.
func holds(pid int, link string) (reads bool) {
	dir := fmt.Sprintf("/proc/%d/fd/", pid)
	for _, fd := range names(dir) {
		if to, err := os.Readlink(dir + fd); err != nil || to != link {
			continue
		}
		info, err := os.Lstat(dir + fd)
		if err != nil || info.Mode()&0o200 != 0 { // open for writing
			return false
		}
		reads = true
	}
	return reads
}

// names are the entries of a directory that can be read.
func names(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(-1) // what there is
	return list
}
