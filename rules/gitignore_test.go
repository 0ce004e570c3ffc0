package rules

import (
	"bytes"
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
	for _, pattern := range patterns {
		want := gitIgnored(t, pattern, paths)
		ig, err := parseIgnore(pattern)
		for _, path := range paths {
			if got := err == nil && ig.match(path, false); got != want[path] {
				t.Errorf("pattern %q path %q: got %v, git says %v (parse error: %v; glob %q)", pattern, path, got, want[path], err, ig.glob)
			}
		}
	}
}

// gitIgnored returns the paths that git ignores under one pattern. The paths
// do not exist, so git takes each for a file.
func gitIgnored(t *testing.T, pattern string, paths []string) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	git := func(stdin string, args ...string) []byte {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+dir)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("git %v: %v", args, err)
		}
		return out
	}
	git("", "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), []byte(pattern+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ignored := map[string]bool{}
	out := git(strings.Join(paths, "\x00")+"\x00", "check-ignore", "--no-index", "-z", "--stdin")
	for p := range bytes.SplitSeq(out, []byte{0}) {
		ignored[string(p)] = true
	}
	return ignored
}
