package command

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine/hook"
)

// place is the directory that the command runs in, with a notice if it is
// not the one that it should be: that one may have been deleted, and a guard
// has to run all the same.
func (a *action) place(ev *hook.Event) (dir, notice string) {
	want := a.deps.Root
	if a.source.Layer == hook.Skill || a.source.Layer == hook.Plugin {
		want = a.source.Dir
	}
	if isDir(want) {
		return want, ""
	}
	for _, dir := range []string{ev.Dir, a.deps.Root, a.deps.Home, ev.TempDir()} {
		switch {
		case !isDir(dir):
		case want == "":
			return dir, ""
		default:
			return dir, fmt.Sprintf("the directory %s is not there: the hook ran in %s", want, dir)
		}
	}
	return want, ""
}

func isDir(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && filepath.IsAbs(dir)
}
