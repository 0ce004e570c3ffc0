package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAsStarted(t *testing.T) {
	dir := t.TempDir()
	real, link, other := filepath.Join(dir, "pawl-1.0"), filepath.Join(dir, "pawl"), filepath.Join(dir, "other")
	for _, p := range []string{real, other} {
		if err := os.WriteFile(p, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("PATH", dir)
	for called, want := range map[string]string{
		link: link, "./pawl": link, "pawl": link, "./pawl-1.0": real,
		"./other": real, "nowhere": real, "": real,
	} {
		if got := asStarted(real, called); got != want {
			t.Errorf("called %q: got %s, want %s", called, got, want)
		}
	}
}

func TestTemporary(t *testing.T) {
	t.Setenv("TMPDIR", "/scratch")
	for path, want := range map[string]bool{
		"": false, "/usr/bin/pawl": false, "/scratch/x/pawl": true, "/scratchy/pawl": false,
		"/home/u/.cache/go-build/aa/pawl": true, "/var/tmp/go-build123/b001/exe/pawl": true,
	} {
		if got := (self{path: path}).temporary(); got != want {
			t.Errorf("%q: got %v", path, got)
		}
	}
}
