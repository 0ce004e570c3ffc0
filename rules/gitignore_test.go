package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitignoreAgreesWithGit asks git check-ignore about every pair of a
// pattern and a path.
func TestGitignoreAgreesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the oracle of this test, git, is not installed")
	}
	patterns := []string{
		"a", "/a", "a/", "a/b", "a/b/", "/a/b", "*", "*.go", "/*.go", "**", "/**", "**/a", "**/b/", "a/**", "a/**/b",
		"a/*/c", "a/*", "*/b", "a**b", "a/b**", "?", "?.go", "[ab]", "[!a]", "[^a]", "[a-c].go", "[]a]", "[[:alpha:]]",
		"[[:digit:]]*", "[a-]", "[-a]", "[a", "[", "\\*", "a\\", "\\a", "a b", "a\\ ", "a ", "{a,b}", "{a", "a{b}c", ".*", ".env", "*.", "a?b",
		"a[/]b", "[!x]/b", "**/", "*/", "a/**/", "a//b", "./a", "/", "\\[a]", "[\\]]", "[[a]", "a.go/", "**/a/**", "*.go/**", "a/**b", "[z-a]",
		"[a-cx-z]", "[!a-c].go", "***", "a/***", "**/*.go", "/**/b", "[{]", "[,]", "a,b", "dir with space/", "[[:upper:]]", "[[:bogus:]]",
	}
	paths := []string{
		"a", "b", "c", "x", "a.go", "b.go", "x.go", "a/b", "a/c", "a/b/c", "a/x/b", "a/x/c", "x/a", "x/b", "x/a/b", "x/y/a.go",
		".env", "x/.env", "a b", "{a,b}", "a,b", "a{b}c", "acb", "a-b", "]", "[a", "[", "*", "-", "1x", "ab", "a/.b", "axb/c",
		"a.go/x", "dir with space/x", "{a", "{", ",", "A", "a ", "a.", "z/b/q",
	}
	dir := ignoreRepository(t)
	for _, pattern := range patterns {
		want := ignoredIn(t, dir, pattern, paths)
		ig, err := parseIgnore(pattern)
		for _, path := range paths {
			if got := err == nil && ig.match(path, false); got != want[path] {
				t.Errorf("pattern %q path %q: got %v, git says %v (parse error: %v; glob %q)", pattern, path, got, want[path], err, ig.glob)
			}
		}
	}
}

// ignoreRepository makes an empty repository.
func ignoreRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	runGit(t, dir, "", "init", "-q")
	return dir
}

// ignoredIn returns the paths that git ignores under one pattern. The paths
// do not exist, so git takes each for a file.
func ignoredIn(t fataler, dir, pattern string, paths []string) map[string]bool {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), []byte(pattern+"\n"), 0o600); err != nil {
		t.Fatalf("%v", err)
	}
	return answered(runGit(t, dir, strings.Join(paths, "\x00")+"\x00", "check-ignore", "--no-index", "-z", "--stdin"))
}
