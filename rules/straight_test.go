package rules

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The short way to resolve a path says what the long way says.
func TestStraight(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, "a/b"), 0o700))
	must(os.WriteFile(filepath.Join(dir, "a/b/f"), nil, 0o600))
	must(os.Symlink("a", filepath.Join(dir, "link")))
	must(os.Symlink("gone", filepath.Join(dir, "dangling")))
	must(os.Symlink(filepath.Join(dir, "a/b/f"), filepath.Join(dir, "a/file")))
	for name, want := range map[string]string{
		"a/b/f": "a/b/f", "a/b/new": "a/b/new", "new/deep/er": "new/deep/er", "a/b/f/below": "a/b/f/below",
		"link/b/f": "a/b/f", "link/b/new": "a/b/new", "dangling": "gone", "a/file": "a/b/f", "link/../a/file": "a/b/f", "a//b/./f": "a/b/f",
	} {
		abs := dir + "/" + name
		if got, ok := resolveLinks(abs, "/"); !ok || got != filepath.Join(dir, want) {
			t.Errorf("%s: %s %v, want %s", name, got, ok, want)
		}
		if linked := want != filepath.Clean(name); linked && straight([]byte(abs+"\x00")) {
			t.Errorf("%s is straight, but goes through a link", name)
		}
	}
	if runtime.GOOS == "linux" && !straight([]byte(filepath.Join(dir, "a/b/f")+"\x00")) {
		t.Log("this kernel does not know openat2; the long way is taken")
	}
}
