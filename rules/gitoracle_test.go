package rules

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	ignoreGen = rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{"a", "b", "ab", "A", ".a", "a.go", "*", "**", "***", "?", "*.go", "a*", "*b", "a*b", "[ab]", "[!a]", "[^b]", "[a-b]*", "[]a]", "\\*", "\\a", "a\\ b", "a b", "{a,b}", "[[:alpha:]]", "[[:digit:]]?", ".", "..", "~", "#a", "!a"})
		s := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), "/")
		if rapid.IntRange(0, 3).Draw(t, "anchored") == 0 {
			s = "/" + s
		}
		if rapid.IntRange(0, 3).Draw(t, "directory") == 0 {
			s += "/"
		}
		return s
	})
	pathGen = rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{"a", "b", "ab", "aab", "A", ".a", "a.go", "x.go", "*", "c", "1x", "a b", "{a,b}", "]", "-", "~", "#a", "!a"})
		return strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), "/")
	})
)

// TestGeneratedPatternsAgreeWithGit asks git about generated patterns and
// paths, several paths a run. A first ! or # is none of a single pattern, and
// is escaped.
func TestGeneratedPatternsAgreeWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the oracle of this test, git, is not installed")
	}
	dir := ignoreRepository(t)
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		if runs++; runs > 300 {
			return // a process each
		}
		pattern := ignoreGen.Draw(r, "pattern")
		paths := rapid.SliceOfNDistinct(pathGen, 8, 16, rapid.ID[string]).Draw(r, "paths")
		if pattern[0] == '!' || pattern[0] == '#' {
			pattern = "\\" + pattern
		}
		want := ignoredIn(r, dir, pattern, paths)
		ig, err := parseIgnore(pattern)
		for _, path := range paths {
			if got := err == nil && ig.match(path, false); got != want[path] {
				r.Errorf("pattern %q path %q: got %v, git says %v (parse error: %v)", pattern, path, got, want[path], err)
			}
		}
	})
}

// fataler is what the oracle needs of a test.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// runGit runs git in dir without the settings of the user; exit code 1 is an
// answer.
func runGit(t fataler, dir, stdin string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(cmd.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+dir)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

// answered splits the answer of git check-ignore.
func answered(out []byte) map[string]bool {
	ignored := map[string]bool{}
	for p := range bytes.SplitSeq(out, []byte{0}) {
		ignored[string(p)] = true
	}
	return ignored
}
