package main

import (
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine/process"

	"github.com/pawl-dev/pawl/engine"
)

// elsewhere is the advice on a hook type that this program does not link, and
// pawld may.
const elsewhere = "pawld has more types: install it beside pawl or on PATH (make install builds both)"

// findPawld returns pawld beside this program, or on the PATH; "" if there is
// none.
func findPawld() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "pawld")
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	path, err := process.Look("pawld", os.Environ())
	if err != nil {
		return ""
	}
	return path
}

// advised is what every engine of this program is opened with.
func advised() []engine.Option { return []engine.Option{engine.WithElsewhere(elsewhere)} }
