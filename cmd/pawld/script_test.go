package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// programs is the directory of both programs, as they are installed.
var programs string

func TestMain(m *testing.M) {
	if path := os.Getenv(echoAt); path != "" {
		echo(path) // until it is killed
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pawld-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		programs = dir
		build := exec.Command("go", "build", "-o", dir, "../pawl", ".")
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "building pawl and pawld:", err)
		return 1
	}
	return m.Run()
}

// TestScripts runs testdata/script/pawld: both programs from outside, in a
// home and a directory of their own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script", "pawld"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_RUNTIME_DIR", filepath.Join(e.WorkDir, "run"))
			e.Setenv("PATH", programs+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("PROGRAMS", programs)
			if err := os.Mkdir(filepath.Join(e.WorkDir, "run"), 0o700); err != nil {
				return err
			}
			return os.Mkdir(filepath.Join(e.WorkDir, "home"), 0o700)
		},
	})
}
