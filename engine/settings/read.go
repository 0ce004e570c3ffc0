package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// errAbsent says that there is nothing at a path, not even a dangling link.
var errAbsent = absence{}

type absence struct{}

func (absence) Error() string        { return "does not exist" }
func (absence) Is(target error) bool { return target == fs.ErrNotExist }

// ReadFile reads a regular file of at most 4 MiB. It never waits, whatever is
// at path, and may be called concurrently. Where there is nothing the error is
// fs.ErrNotExist.
func ReadFile(path string) ([]byte, error) { return readFile(path) }

// readFile is ReadFile, whose error for nothing at all is errAbsent.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, absent(path, err)
	}
	if err := regular(info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, absent(path, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, reason(err)
	}
	if err := regular(info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, reason(err)
	}
	if len(data) > maxFile {
		return nil, tooLarge()
	}
	return data, nil
}

// regular refuses what is not a file of a size that can be read.
func regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return errors.New("is a directory, expected a file")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("is a named pipe, expected a regular file")
	case !mode.IsRegular():
		return errors.New("is not a regular file")
	case info.Size() > maxFile:
		return tooLarge()
	}
	return nil
}

func tooLarge() error { return fmt.Errorf("larger than %d MiB", maxFile>>20) }

// absent turns err into errAbsent where nothing is at path.
func absent(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return reason(err)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 { // else it has come since
		return errors.New("is a symbolic link to nothing")
	}
	return errAbsent
}

// reason is err without its path, which the Diagnostic has.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("cannot be read: %w", p.Err)
	}
	return fmt.Errorf("cannot be read: %w", err)
}
