package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Trust is the list of directories whose hooks may run. It is kept in the
// file trust.json (0600) of a directory (0700) and read when it is opened and
// before each change; open it again to see what other processes changed. It
// may be used by any number of goroutines, and processes.
type Trust struct {
	// Home is the user's home directory, from the environment. Trusting it,
	// or a directory above it, does not extend to what lies below: that would
	// trust every clone. Set it before use if it is another.
	Home string

	dir  string
	mu   sync.RWMutex
	list []string // resolved paths, sorted
}

// trustFile is the content of trust.json. Directories are objects so that
// more can be kept about each: what is pinned, for one.
type trustFile struct {
	Directories []trustedDir `json:"directories"`
}

type trustedDir struct {
	Path string `json:"path"`
}

// OpenTrust reads the list kept in dir; there need not be one yet. Beside an
// error there is a Trust too: it trusts nothing.
func OpenTrust(dir string) (*Trust, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	t := &Trust{Home: home, dir: dir}
	t.list, err = t.read()
	return t, err
}

// File returns the path of the list.
func (t *Trust) File() string { return filepath.Join(t.dir, "trust.json") }

// Trusted reports whether root, or a directory above it, is on the list. It
// resolves symlinks: what counts is the directory that is really there.
func (t *Trust) Trusted(root string) bool {
	real, err := realDir(root)
	if err != nil {
		return false
	}
	home := t.Home
	if h, err := realDir(home); err == nil {
		home = h
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, dir := range t.list {
		if dir == real || inside(real, dir) && dir != home && !inside(home, dir) {
			return true
		}
	}
	return false
}

// inside reports whether path lies below dir; both are clean.
func inside(path, dir string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)) && path != dir
}

// Add puts root on the list. It refuses what is not a directory, and the
// root of the file system.
func (t *Trust) Add(root string) error {
	real, err := realDir(root)
	if err != nil {
		return fmt.Errorf("trust %s: %w", root, err)
	}
	if filepath.Dir(real) == real {
		return fmt.Errorf("trust %s: the root of the file system cannot be trusted: name the project", root)
	}
	return t.change(func(list []string) []string {
		if slices.Contains(list, real) {
			return list
		}
		return append(list, real)
	})
}

// Remove takes root off the list, also if it no longer exists. A directory
// above it that is trusted still counts.
func (t *Trust) Remove(root string) error {
	abs, err := filepath.Abs(root)
	if err != nil {
		return fmt.Errorf("trust %s: %w", root, err)
	}
	gone := []string{abs}
	if real, err := realDir(root); err == nil {
		gone = append(gone, real)
	}
	return t.change(func(list []string) []string {
		return slices.DeleteFunc(list, func(dir string) bool { return slices.Contains(gone, dir) })
	})
}

// realDir returns the directory that path leads to.
func realDir(path string) (string, error) {
	if path == "" {
		return "", errors.New("no directory named")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory", real)
	}
	return real, nil
}

// read returns the list in the file. One that cannot be read whole, or that
// others may write, is no list at all.
func (t *Trust) read() ([]string, error) {
	data, err := readFile(t.File())
	if errors.Is(err, errAbsent) {
		return nil, nil
	} else if err != nil {
		return nil, t.refuse(err.Error())
	}
	if info, err := os.Stat(t.File()); err != nil || writableByOthers(info) {
		return nil, t.refuse("others may write it: chmod 600 it")
	}
	var f trustFile
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&f); err != nil {
		return nil, t.refuse(err.Error())
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, t.refuse("more text after the list")
	}
	list := make([]string, 0, len(f.Directories))
	for _, d := range f.Directories {
		if !filepath.IsAbs(d.Path) || filepath.Clean(d.Path) != d.Path {
			return nil, t.refuse(fmt.Sprintf("%q is not an absolute path", d.Path))
		}
		list = append(list, d.Path)
	}
	return list, nil
}

func (t *Trust) refuse(why string) error {
	return fmt.Errorf("%s: %s; nothing is trusted until this is mended or the file removed", t.File(), why)
}
