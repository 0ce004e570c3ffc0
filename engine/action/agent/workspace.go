package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const (
	maxFile    = 1 << 20 // bytes that are read of a file
	maxEntries = 20_000  // that one walk looks at
)

// workspace is the project root as the tools see it. Nothing in it leads out.
type workspace struct {
	root *os.Root
	use  Use
}

// enter opens the workspace of u. The caller closes it.
func enter(u Use) (workspace, error) {
	root, err := os.OpenRoot(u.Root)
	if err != nil {
		return workspace{}, errors.New("there is no workspace to look into")
	}
	return workspace{root, u}, nil
}

func (w workspace) close() { w.root.Close() }

// rel is a path as the model writes it, relative to the root, with slashes.
func (w workspace) rel(name string) (string, error) {
	if filepath.IsAbs(name) {
		var err error
		if name, err = filepath.Rel(w.use.Root, name); err != nil {
			return "", err
		}
	}
	if name = filepath.Clean(name); !filepath.IsLocal(name) {
		return "", fmt.Errorf("%s is outside of the workspace", name)
	}
	return filepath.ToSlash(name), nil
}

// text returns the start of a text file, and whether that is all of it.
func (w workspace) text(name string) (text string, all bool, err error) {
	if w.use.MayRead != nil {
		if why := w.use.MayRead(filepath.Join(w.use.Root, filepath.FromSlash(name))); why != "" {
			return "", false, fmt.Errorf("%s may not be read: %s", name, why)
		}
	}
	// A named pipe must not keep us waiting.
	f, err := w.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", false, reason(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", false, fmt.Errorf("%s is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", false, reason(name, err)
	}
	if all = len(data) <= maxFile; !all {
		data = data[:maxFile]
	}
	if slices.Contains(data, 0) {
		return "", false, fmt.Errorf("%s is not a text", name)
	}
	return strings.ToValidUTF8(string(data), "\ufffd"), all, nil
}

// walk calls f for the files below dir, in the order of their names, until it
// returns false. It reports whether that were all.
func (w workspace) walk(ctx context.Context, dir string, f func(name string) bool) (all bool, err error) {
	all = true
	left := maxEntries
	err = fs.WalkDir(w.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if left--; left < 0 {
			all = false
			return fs.SkipAll
		}
		switch {
		case err != nil && name == dir:
			return reason(dir, err)
		case err != nil:
			return nil // a directory that cannot be read has nothing to show
		case d.IsDir() && name != dir && slices.Contains([]string{".git", "node_modules"}, d.Name()):
			return fs.SkipDir
		case !d.IsDir() && !f(name):
			all = false
			return fs.SkipAll
		}
		return nil
	})
	return all, err
}

// reason is err without the path of the root.
func reason(name string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}

// fits reports whether a file fits a pattern, in which ** stands for any
// number of directories. A pattern without a slash is one of base names.
func fits(pattern, name string) bool {
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	want, have := strings.Split(strings.TrimPrefix(pattern, "./"), "/"), strings.Split(name, "/")
	// star is the last ** and what it has been given so far; the classic way
	// back, so that time is bounded by the product of both lengths.
	i, j, star, taken := 0, 0, -1, 0
	for j < len(have) {
		switch {
		case i < len(want) && want[i] == "**":
			star, taken = i, j
			i++
		case i < len(want) && matches(want[i], have[j]):
			i, j = i+1, j+1
		case star >= 0:
			taken++
			i, j = star+1, taken
		default:
			return false
		}
	}
	for i < len(want) && want[i] == "**" {
		i++
	}
	return i == len(want)
}

func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}
