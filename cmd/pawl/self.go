package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

// self is how an agent starts this program.
type self struct {
	command string // for a shell
	path    string // "" where the name is enough
}

// findSelf returns the name if the PATH has it, else the path that this
// program was started by: symlinks in it stay, so that a new version behind
// them is found.
func findSelf() self {
	if _, err := exec.LookPath("pawl"); err == nil {
		return self{command: "pawl hook"}
	}
	path, err := os.Executable()
	if err != nil {
		return self{command: "pawl hook"}
	}
	path = asStarted(path, os.Args[0])
	return self{cli.QuoteShell(path) + " hook", path}
}

// asStarted returns the absolute path that a program was called by, if that
// leads to the file path; else path.
func asStarted(path, called string) string {
	found, err := exec.LookPath(called)
	if err != nil {
		return path
	}
	if found, err = filepath.Abs(found); err != nil || !sameFile(found, path) {
		return path
	}
	return found
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// temporary reports whether the path will soon be gone: "go run" builds into
// such a place.
func (s self) temporary() bool {
	if strings.Contains(s.path, string(filepath.Separator)+"go-build") {
		return true
	}
	rel, err := filepath.Rel(os.TempDir(), s.path)
	return s.path != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// tell says what the entry calls if that is not simply pawl.
func (s self) tell(c *cli.Console) {
	if s.path == "" {
		return
	}
	c.Printf("\n%s pawl is not on the PATH, so the entry calls %s.\n", c.Paint.Yellow("note "), cli.Escape(s.path))
	if s.temporary() {
		c.Printf("%s that file is in a place for temporary files. When it is gone, no call is checked: install pawl, then run init again.\n", c.Paint.Red("warning"))
	}
}
