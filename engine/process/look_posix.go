//go:build unix

package process

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Look finds a program as a shell in the environment env would: a name with a
// slash is a path already, any other is looked up in the directories of PATH.
// Relative ones do not count: they depend on where this process happens to be.
// The error is an *exec.Error.
func Look(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	err := exec.ErrNotFound
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		info, statErr := os.Stat(path)
		switch {
		case statErr != nil || info.IsDir():
		case info.Mode()&0o111 == 0:
			err = fs.ErrPermission
		default:
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: err}
}

// variable returns the value that a child finds: of several the last counts,
// as package exec hands them on.
func variable(env []string, name string) (value string) {
	for _, entry := range env {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}
