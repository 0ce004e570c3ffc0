package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile gives path the content data in one step: a reader sees the old
// or the new file. It keeps the mode and follows a symbolic link.
func replaceFile(path string, data []byte) error {
	target, err := linkTarget(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(target); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// linkTarget returns the file that path leads to, which need not exist.
func linkTarget(path string) (string, error) {
	for range 40 {
		next, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or nothing there: written as it is named
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return "", &fs.PathError{Op: "follow", Path: path, Err: errors.New("too many symbolic links")}
}
