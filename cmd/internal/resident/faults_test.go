//go:build unix

package resident_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

// stays asks for a while, and fails where an answer does not have text in it.
func (f *fixture) stays(c *wire.Client, dir, text string, d time.Duration) {
	f.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		if r := f.ask(c, dir, event("rm x")); !strings.Contains(string(r.Stdout), text) {
			f.t.Fatalf("%s, want %s all the time", r.Stdout, text)
		}
	}
}

// watched waits until the policy noRm in dir is watched. The first look of a
// watcher takes files as they are.
func (f *fixture) watched(dir string) {
	f.t.Helper()
	f.decided(dir, event("rm x"), `"deny"`)
	f.write(filepath.Join(dir, "pawl.yaml"), noRm+"# watched\n")
	f.log.await(f.t, "policy modified", 1)
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLinksAreSwapped: a new version of a directory takes the place of the old
// one by a link, and the policy itself makes no event (B119).
func TestLinksAreSwapped(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.workspace("")
	at := func(name ...string) string { return filepath.Join(append([]string{dir}, name...)...) }
	f.write(at("cm", "..1", "pawl.yaml"), noRm)
	f.write(at("cm", "..2", "pawl.yaml"), "permissions: {ask: ['Bash(rm *)']}\n")
	must(t, os.Symlink("..1", at("cm", "..data")), os.Symlink("..data/pawl.yaml", at("cm", "pawl.yaml")),
		os.Remove(at("pawl.yaml")), os.Symlink("cm/pawl.yaml", at("pawl.yaml")))
	f.decided(dir, event("rm x"), `"deny"`)
	must(t, os.Symlink("..2", at("cm", "..new")), os.Rename(at("cm", "..new"), at("cm", "..data")))
	f.decided(dir, event("rm x"), `"ask"`)
}

// TestDirectoryComesAndGoes: settings in a directory that was not there at the
// start, and was removed and made again (B121).
func TestDirectoryComesAndGoes(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.workspace("permissions: {allow: []}\n")
	f.decided(dir, event("rm x"), "")
	f.write(filepath.Join(dir, ".pawl", "a.yaml"), noRm)
	f.decided(dir, event("rm x"), `"deny"`)
	must(t, os.RemoveAll(filepath.Join(dir, ".pawl")))
	f.decided(dir, event("rm x"), "")
	f.write(filepath.Join(dir, ".pawl", "b.yaml"), "permissions: {ask: ['Bash(rm *)']}\n")
	f.decided(dir, event("rm x"), `"ask"`)
}

// TestSavedInPieces: a policy that is emptied and then written in pieces denies
// at every instant what it denied before and denies afterwards; what is whole
// is taken once, and no beginning that can be read is (B122, B123).
func TestSavedInPieces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells that a file is open for writing")
	}
	f := serve(t, resident.Options{})
	dir := f.workspace(noRm)
	c := f.dial()
	f.watched(dir)
	file, err := os.OpenFile(filepath.Join(dir, "pawl.yaml"), os.O_WRONLY|os.O_TRUNC, 0)
	must(t, err)
	f.stays(c, dir, `"deny"`, 50*time.Millisecond)
	for _, piece := range []string{"rules:\n", "  - {name: a, on: PreToolUse, match: Bash(a *), decision: ask}\n", "  - {name: rm, on: PreToolUse, match: Bash(rm *), decision: deny, "} {
		_, err := file.WriteString(piece)
		must(t, err)
		f.stays(c, dir, `"deny"`, 300*time.Millisecond)
	}
	_, err = file.WriteString("reason: whole}\n")
	must(t, err, file.Close())
	for !strings.Contains(string(f.ask(c, dir, event("rm x")).Stdout), "whole") {
		f.stays(c, dir, `"deny"`, time.Millisecond)
	}
	f.log.await(t, "policy modified", 2)
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	if n := strings.Count(f.log.text.String(), "policy modified"); n != 2 {
		t.Errorf("the policy was taken %d times, want two:\n%s", n, &f.log.text)
	}
}

// TestGoneForAMoment: a policy that is removed and made again is in force all
// the time; one that stays away is not, and that is told (B124).
func TestGoneForAMoment(t *testing.T) {
	f := serve(t, resident.Options{})
	dir := f.workspace(noRm)
	c := f.dial()
	f.watched(dir)
	must(t, os.Remove(filepath.Join(dir, "pawl.yaml")))
	f.stays(c, dir, `"deny"`, 400*time.Millisecond)
	f.write(filepath.Join(dir, "pawl.yaml"), noRm)
	f.stays(c, dir, `"deny"`, 400*time.Millisecond)
	must(t, os.Remove(filepath.Join(dir, "pawl.yaml")))
	f.decided(dir, event("rm x"), "")
	f.log.await(t, "policy removed", 1)
}
