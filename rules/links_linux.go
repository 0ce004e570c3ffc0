package rules

import (
	"syscall"
	"unsafe"
)

const (
	sysOpenat2        = 437
	atFDCWD           = -100
	openPath          = 0x200000 // O_PATH
	resolveNoSymlinks = 0x04
)

// openHow is the kernel's struct open_how.
type openHow struct{ flags, mode, resolve uint64 }

// straight reports that no part of name, an absolute path with a NUL at its
// end, is a symlink: one question to the kernel instead of one for each part.
// It returns false where it cannot tell.
func straight(name []byte) bool {
	how := openHow{flags: openPath | syscall.O_CLOEXEC, resolve: resolveNoSymlinks}
	cwd := atFDCWD
	fd, _, errno := syscall.Syscall6(sysOpenat2, uintptr(cwd), uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
	switch errno {
	case 0:
		syscall.Close(int(fd))
		return true
	case syscall.ENOENT, syscall.ENOTDIR: // it came to the first part that is not there
		return true
	}
	return false
}
