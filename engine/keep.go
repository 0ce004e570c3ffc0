package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

const keptPrefix = "kept-"

// keeper makes copies of files that hooks run, as they were accepted. They lie
// in the scratch directory as the files lie to each other, in a directory that
// is named by what they hold, so that a script finds the others beside it.
//
// Between the look at the files and the start of the hook's program a moment
// is left in which a file can be changed unseen; who can write to the scratch
// directory can change the copies in it, too.
type keeper struct {
	over *hook.Overlay
	dir  string
	now  func() time.Time
}

// kept is one file of a copy.
type kept struct {
	path string
	hook.Stand
}

// copies is what hook.Deps lends as Copies.
func (k *keeper) copies(files []string) (hook.Copies, error) {
	var list []kept
	var c hook.Copies
	for _, path := range files {
		file, held := k.over.Stands(path)
		if !held {
			file = live(path)
		} else if other, err := changed(path, file); err != nil {
			return hook.Copies{}, err
		} else if other {
			c.Changed = append(c.Changed, path)
		}
		if file.Sum == "" && !file.Mode.IsDir() {
			list = append(list, kept{path, file})
		}
	}
	if len(c.Changed) == 0 {
		return hook.Copies{}, nil
	}
	err := k.write(list, &c)
	return c, err
}

// live is the file on disk. One that cannot be read is taken for none.
func live(path string) hook.Stand {
	text, err := settings.ReadFile(path)
	if err != nil {
		return hook.Stand{}
	}
	return hook.Stand{Text: text, Mode: modeOf(path)}
}

func modeOf(path string) fs.FileMode {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// changed reports whether the file on disk is another than the one accepted.
// The error is for one of which there is no copy.
func changed(path string, file hook.Stand) (bool, error) {
	switch {
	case file.Mode.IsDir():
		return false, nil
	case file.Sum != "":
		sum, err := settings.Digest(path)
		if err == nil && sum != file.Sum {
			err = errors.New("it has changed since, and it was too large to be kept")
		}
		if err != nil {
			return false, fmt.Errorf("%s is not as it was accepted: %w (pawl trust --pin)", path, err)
		}
		return false, nil
	case file.Text == nil:
		return exists(path), nil
	}
	text, err := settings.ReadFile(path)
	return err != nil || !bytes.Equal(text, file.Text) || modeOf(path)&0o111 != file.Mode&0o111, nil
}

// write makes the copies, or makes sure of those that are there.
func (k *keeper) write(list []kept, c *hook.Copies) error {
	h := sha256.New()
	for _, f := range list {
		fmt.Fprintf(h, "%q %o %v %d\n", f.path, f.Mode, f.Text != nil, len(f.Text))
		h.Write(f.Text)
	}
	if err := private(k.dir); err != nil {
		return err
	}
	dir := filepath.Join(k.dir, keptPrefix+hex.EncodeToString(h.Sum(nil)[:16]))
	if !exists(dir) {
		sweep(k.dir, k.now().Add(-textKept))
	}
	if err := private(dir); err != nil {
		return err
	}
	c.Run = map[string]string{}
	for _, f := range list {
		at := filepath.Join(dir, strings.ReplaceAll(f.path, ":", "_"))
		if err := copyOf(at, f.Stand); err != nil {
			return fmt.Errorf("the copy of %s: %w", f.path, err)
		}
		c.Run[f.path] = at
	}
	return os.Chtimes(dir, k.now(), k.now()) // it is not swept away
}

// copyOf writes file at path in one step, unless it is there already.
func copyOf(path string, file hook.Stand) error {
	if file.Text == nil {
		return os.RemoveAll(path)
	}
	mode := file.Mode&0o500 | 0o400
	if info, err := os.Lstat(path); err == nil && info.Mode() == mode {
		if text, err := settings.ReadFile(path); err == nil && bytes.Equal(text, file.Text) {
			return nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	syscall.ForkLock.RLock() // a file that a child has open for writing cannot be run
	defer syscall.ForkLock.RUnlock()
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(file.Text)
	if err := errors.Join(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		os.Remove(tmp.Name())
		return err
	}
	return os.Rename(tmp.Name(), path)
}
