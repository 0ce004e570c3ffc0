package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

// A first look never leaves out what a closer one finds: whatever the words of
// a command or the fields of an input, and whatever they are links to.
func TestIdleMeansNothingFits(t *testing.T) {
	dir := t.TempDir()
	for name, target := range map[string]string{"link": ".env", "src/up": "..", "deep": "src", "loop": "loop", ".ENV.d": "/etc"} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(target, at)); err != nil {
			t.Fatal(err)
		}
	}
	words := []string{"ls", "cat", "mkdir", "git", "add", "mv", "-C", "kubectl", "delete", "get", "cp", "tee", "touch", "foo", "docker", "rm", "-rf", "-p", "-f", "-o", "--out=.env", "dd", "of=.env",
		"sort", "make", "systemctl", "apt", "install", "stash", "link", "src/up/.env", "deep/.env", "deep/x", "loop", "a", ".env", "./.env", "src", ".ENV", ".env.local", "x/../.env", "..", "/etc/passwd", "~/x", "-", "--", "a=link"}
	names := append([]string{"", "/", "/proc/self/cwd/.env", "\u212a", "a\x00b", strings.Repeat("x", 300), dir + "/.env", dir + "/link"}, words...)
	var patterns []*Pattern
	var keys [][]Key
	for _, text := range []string{"Edit(.env)", "Read(.env)", "Edit(.env.*)", "Edit(//etc/**)", "Bash(rm *)", "Bash(kubectl delete *)", "Edit(//**/\u212a)", "Edit(x)"} {
		p, diags := Permission(hook.Text{Value: text}, scopeFor(false))
		if p == nil {
			t.Fatal(diags)
		}
		patterns, keys = append(patterns, p), append(keys, p.Keys())
	}
	x := NewIndex(keys, nil)
	idle := 0
	rapid.Check(t, func(t *rapid.T) {
		ev := toolEvent("Bash", nil)
		if rapid.Bool().Draw(t, "shell") {
			ev.Input = object(map[string]any{"command": strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words"), rapid.SampledFrom([]string{" ", " ", "  "}).Draw(t, "blank"))})
		} else {
			ev.Tool = rapid.SampledFrom([]string{"Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Glob", "mcp__a__b"}).Draw(t, "tool")
			view, members := map[string]any{}, []hook.Member{}
			for _, field := range rapid.SliceOfN(rapid.SampledFrom([]string{"file_path", "path", "notebook_path", "source", "content"}), 0, 3).Draw(t, "fields") {
				view[field] = rapid.SampledFrom(names).Draw(t, "name")
				members = append(members, hook.Member{Name: field})
			}
			ev.Input = hook.NewObject([]byte("{}"), members, view)
		}
		ev.Dir = rapid.SampledFrom([]string{dir, dir + "/src", dir + "/deep", "", "relative"}).Draw(t, "dir")
		if !Idle(&ev, ev.Tool, x) {
			return
		}
		idle++
		f := Analyze(ev)
		for _, p := range patterns {
			if p.Match(f) != hook.No {
				t.Fatalf("%s %v in %q is idle, but %s fits: %+v", ev.Tool, ev.Input.View(), ev.Dir, p, f.Paths())
			}
		}
	})
	if idle == 0 {
		t.Error("nothing was idle")
	}
}
