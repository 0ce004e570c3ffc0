package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/answer"
)

// Trust is the list of directories whose hooks may run, and what is pinned of
// each. It is kept in the file trust.json (0600) of a directory (0700) and read
// when it is opened and before each change; open it again to see what other
// processes changed. It may be used by any number of goroutines, and processes.
type Trust struct {
	// Home is the user's home directory, from the environment. Trusting it,
	// or a directory above it, does not extend to what lies below: that would
	// trust every clone. Set it before use if it is another.
	Home string

	dir  string
	mu   sync.RWMutex
	list []Trusted // by path
}

// Trusted is one directory on the list.
type Trusted struct {
	Path string `json:"path"` // resolved
	// Pin names the file with what is pinned of it; "" if nothing is.
	Pin string `json:"pin,omitempty"`
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

// List returns the directories on the list, by path.
func (t *Trust) List() []Trusted {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clone(t.list)
}

// Trusted reports whether root, or a directory above it, is on the list. It
// resolves symlinks: what counts is the directory that is really there. Trust
// in a directory that is pinned does not extend to what lies below: of that
// nothing was seen.
func (t *Trust) Trusted(root string) bool {
	real, err := realDir(root)
	if err != nil {
		return false
	}
	home := t.Home
	if h, err := realDir(home); err == nil {
		home = h
	}
	return slices.ContainsFunc(t.List(), func(d Trusted) bool {
		return d.Path == real || d.Pin == "" && inside(real, d.Path) && d.Path != home && !inside(home, d.Path)
	})
}

// inside reports whether path lies below dir; both are clean.
func inside(path, dir string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)) && path != dir
}

// Add puts root on the list, with nothing pinned. It refuses what is not a
// directory, and the root of the file system.
func (t *Trust) Add(root string) error {
	return t.put(root, func(string) (string, error) { return "", nil })
}

// put puts root on the list, with the pin that store makes for it.
func (t *Trust) put(root string, store func(real string) (pin string, err error)) error {
	real, err := realDir(root)
	if err != nil {
		return fmt.Errorf("trust %s: %w", root, err)
	}
	if filepath.Dir(real) == real {
		return fmt.Errorf("trust %s: the root of the file system cannot be trusted: name the project", root)
	}
	return t.change(func(list []Trusted) ([]Trusted, error) {
		pin, err := store(real)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(d Trusted) bool { return d.Path == real })
		return append(list, Trusted{real, pin}), nil
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
	return t.change(func(list []Trusted) ([]Trusted, error) {
		return slices.DeleteFunc(list, func(d Trusted) bool { return slices.Contains(gone, d.Path) }), nil
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
func (t *Trust) read() ([]Trusted, error) {
	data, err := ReadFile(t.File())
	if errors.Is(err, errAbsent) {
		return nil, nil
	} else if err != nil {
		return nil, t.refuse(err.Error())
	}
	if info, err := os.Stat(t.File()); err != nil || writableByOthers(info) {
		return nil, t.refuse("others may write it: chmod 600 it")
	}
	file, err := answer.Payload(data)
	if err != nil {
		return nil, t.refuse(err.Error())
	}
	entries, ok := file.View()["directories"].([]any)
	if !ok || len(file.View()) != 1 {
		return nil, t.refuse("expected a list of directories and no more")
	}
	list := make([]Trusted, len(entries))
	for i, e := range entries {
		if list[i], err = readTrusted(e); err != nil {
			return nil, t.refuse(err.Error())
		}
	}
	return list, nil
}

func readTrusted(entry any) (d Trusted, err error) {
	members, ok := entry.(map[string]any)
	if !ok {
		return d, fmt.Errorf("expected a directory with its path, got %v", entry)
	}
	for name, value := range members {
		text, ok := value.(string)
		switch {
		case name == "path" && ok && filepath.IsAbs(text) && filepath.Clean(text) == text:
			d.Path = text
		case name == "path":
			return d, fmt.Errorf("%q is not an absolute path", fmt.Sprint(value))
		case name == "pin" && ok && isSum(text):
			d.Pin = text
		default:
			return d, fmt.Errorf("%s: %v cannot be understood", name, value)
		}
	}
	if d.Path == "" {
		return d, errors.New("a directory without a path")
	}
	return d, nil
}

func (t *Trust) refuse(why string) error {
	return fmt.Errorf("%s: %s; nothing is trusted until this is mended or the file removed", t.File(), why)
}
