package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// errAbsent says that there is nothing at a path, not even a dangling link.
var errAbsent = absence{}

// ErrTooLarge is the error for a file that is too large to be read.
var ErrTooLarge = errors.New("larger")

type absence struct{}

func (absence) Error() string        { return "does not exist" }
func (absence) Is(target error) bool { return target == fs.ErrNotExist }

// ReadFile reads a regular file of at most 4 MiB. It never waits, whatever is
// at path, and may be called concurrently. Where there is nothing the error is
// fs.ErrNotExist.
func ReadFile(path string) ([]byte, error) { return readFile(path, maxFile) }

// Digest returns the SHA-256, in hex, of a regular file of at most 256 MiB. It
// is otherwise like ReadFile.
func Digest(path string) (string, error) {
	const most = 256 << 20
	f, err := openFile(path, most)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, most)); err != nil {
		return "", reason(err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readFile reads a regular file of at most so many bytes. Its error for nothing
// at all is errAbsent.
func readFile(path string, most int) ([]byte, error) {
	f, err := openFile(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return nil, reason(err)
	}
	if len(data) > most {
		return nil, tooLarge(most)
	}
	return data, nil
}

// openFile opens a regular file without waiting for one.
func openFile(path string, most int) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, absent(path, err)
	}
	if err := regular(info, most); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, absent(path, err)
	}
	if info, err = f.Stat(); err != nil {
		err = reason(err)
	} else {
		err = regular(info, most)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// regular refuses what is not a file of a size that can be read.
func regular(info fs.FileInfo, most int) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return errors.New("is a directory, expected a file")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("is a named pipe, expected a regular file")
	case !mode.IsRegular():
		return errors.New("is not a regular file")
	case info.Size() > int64(most):
		return tooLarge(most)
	}
	return nil
}

func tooLarge(most int) error { return fmt.Errorf("%w than %d MiB", ErrTooLarge, most>>20) }

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
