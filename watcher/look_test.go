package watcher

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sum is the mark's of one path.
func sum(t testing.TB, path string) string {
	t.Helper()
	return fmt.Sprintf("%x", takeLook(t.Context(), []string{path}).marks[path].sum)
}

// TestFollow: paths lead where the system says: through links, links to links
// and "..", also where that comes after a link.
func TestFollow(t *testing.T) {
	names := []string{"a", "b", "c"}
	name := rapid.SampledFrom(names)
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(names, "..", ".", "")), 1, 6).Draw(t, "steps"), "/")
	})
	rapid.Check(t, func(rt *rapid.T) {
		root, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 10).Draw(rt, "things") {
			at := filepath.Join(root, "top", "in", name.Draw(rt, "in"), name.Draw(rt, "name"))
			os.MkdirAll(filepath.Dir(at), 0o755)
			switch rapid.IntRange(0, 3).Draw(rt, "kind") {
			case 0:
				os.Mkdir(at, 0o755)
			case 1:
				os.WriteFile(at, nil, 0o644)
			case 2:
				os.Symlink(path.Draw(rt, "to"), at)
			default:
				os.Symlink(root+"/top/in/"+path.Draw(rt, "to"), at)
			}
		}
		from := root + "/top/in/" + path.Draw(rt, "path")
		got := takeLook(t.Context(), []string{from}).marks[from]
		want, err := os.Stat(from)
		switch {
		case err != nil && got.info != nil:
			rt.Fatalf("%s leads to %s, want %v", from, got.real, err)
		case err == nil && (got.info == nil || !os.SameFile(got.info, want)):
			rt.Fatalf("%s leads to %q, want another place", from, got.real)
		}
	})
}

// TestRelative: relative sources begin at the working directory, and are
// reported as they were named.
func TestRelative(t *testing.T) {
	f := newFolder(t)
	t.Chdir(f.root)
	put(t, "a", "one")
	before := takeLook(t.Context(), []string{"a", "./d/../a"})
	put(t, "a", "two")
	after := takeLook(t.Context(), []string{"a", "./d/../a"})
	if got := after.changed(before.marks); !slices.Equal(got, []string{"a"}) {
		t.Errorf("changed %v, want a alone: there is no d", got)
	}
	if after.marks["a"].real != f.path("a") {
		t.Errorf("a is at %s", after.marks["a"].real)
	}
}

// TestLargeFile: a file is read up to a bound; beyond it size and time tell.
func TestLargeFile(t *testing.T) {
	path := newFolder(t).path("a")
	put(t, path, "")
	if err := os.Truncate(path, 1<<40); err != nil { // a hole, a terabyte long
		t.Fatal(err)
	}
	small := sum(t, path)
	if err := os.Truncate(path, 1<<40+1); err != nil {
		t.Fatal(err)
	}
	longer := sum(t, path)
	if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if later := sum(t, path); small == longer || longer == later {
		t.Error("a change beyond the bound is not seen")
	}
}

// TestLargeDirectory: the names of a directory count, however many there are,
// and their order does not.
func TestLargeDirectory(t *testing.T) {
	f := newFolder(t)
	for i := range 1000 {
		put(t, f.path(fmt.Sprintf("d/%d", i)), "")
		put(t, f.path(fmt.Sprintf("e/%d", 999-i)), "")
	}
	both := sum(t, f.path("d"))
	if err := os.Rename(f.path("d"), f.path("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(f.path("e"), f.path("d")); err != nil {
		t.Fatal(err)
	}
	if sum(t, f.path("d")) != both {
		t.Error("the same names in another order are a change")
	}
	if err := os.Rename(f.path("d/500"), f.path("d/x")); err != nil {
		t.Fatal(err)
	}
	if sum(t, f.path("d")) == both {
		t.Error("another name is no change")
	}
}

// TestLinkInDirectory: of a link in a directory it counts what it leads to.
func TestLinkInDirectory(t *testing.T) {
	f := newFolder(t)
	(&stage{folder: f, t: t}).play("mkdir d\nlink ../x d/l")
	dangling := sum(t, f.path("d"))
	put(t, f.path("x"), "")
	file := sum(t, f.path("d"))
	os.Remove(f.path("x"))
	os.Mkdir(f.path("x"), 0o755)
	if dir := sum(t, f.path("d")); dangling == file || file == dir || dir == dangling {
		t.Error("a link to nothing, to a file and to a directory are one")
	}
}

// TestLookEnds: a look at many files ends when its context does.
func TestLookEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if l := takeLook(ctx, []string{"a", "b"}); len(l.marks) > 0 {
		t.Errorf("looked at %d sources", len(l.marks))
	}
}
