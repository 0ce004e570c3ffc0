package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pawl-dev/pawl/engine/hook"
)

// pathFields are the input fields that hold a file name, in the spelling of
// all hosts.
var pathFields = []string{"file_path", "notebook_path", "path", "filePath", "absolute_path", "target_file", "paths"}

var (
	readTools = []string{"Read", "Glob", "Grep", "LS"}
	editTools = []string{"Edit", "MultiEdit", "Write", "NotebookEdit"}
	walkTools = []string{"Glob", "Grep", "LS"}
)

// findPaths lists the files that an event touches: those its input names and
// those its commands read or write.
func findPaths(f *hook.Facts) []hook.Path {
	switch f.Event.Tool {
	case "Bash":
		return commandPaths(f)
	case "PowerShell":
		return powershellPaths(f)
	}
	return inputPaths(&f.Event)
}

func inputPaths(ev *hook.Event) []hook.Path {
	access := hook.Reads | hook.Writes
	switch {
	case slices.Contains(readTools, ev.Tool):
		access = hook.Reads
	case slices.Contains(editTools, ev.Tool):
		access = hook.Writes
	}
	var paths []hook.Path
	for _, field := range pathFields {
		v, ok := ev.Input.Get(field)
		if !ok || v == nil {
			continue
		}
		list, isList := v.([]any)
		if !isList {
			list = []any{v}
		}
		for _, v := range list {
			paths = append(paths, fieldPath(ev, field, v, access))
		}
	}
	if slices.Contains(walkTools, ev.Tool) {
		return walkPaths(ev, paths)
	}
	if len(paths) == 0 && access&hook.Writes != 0 {
		return patchPaths(ev)
	}
	return paths
}

func fieldPath(ev *hook.Event, field string, v any, access hook.Access) hook.Path {
	s, ok := v.(string)
	if !ok {
		return hook.Path{Access: access, Command: -1, Reason: field + " is not a text"}
	}
	return locate(s, ev.Dir, ev.Dir, access, -1)
}

// walkPaths completes the paths of a tool that walks a directory: it starts
// in the current one if it names none, and a Glob's pattern may lead away.
func walkPaths(ev *hook.Event, paths []hook.Path) []hook.Path {
	if len(paths) == 0 {
		paths = append(paths, locate(".", ev.Dir, ev.Dir, hook.Reads, -1))
	}
	if ev.Tool != "Glob" {
		return paths
	}
	dir, _ := doublestar.SplitPattern(ev.Input.Text("pattern"))
	if dir != "." && dir != "" {
		paths = append(paths, locate(dir, paths[0].Clean, ev.Dir, hook.Reads, -1))
		if !path.IsAbs(dir) {
			return paths
		}
		return paths[len(paths)-1:]
	}
	return paths
}

// patchFields are the fields that may hold a patch.
var patchFields = []string{"command", "input", "patch", "patchText"}

// patchPaths finds the files of a patch in the apply_patch format, which
// names them only in its text.
func patchPaths(ev *hook.Event) []hook.Path {
	var paths []hook.Path
	for _, field := range patchFields {
		for line := range strings.Lines(ev.Input.Text(field)) {
			rest, ok := strings.CutPrefix(strings.TrimSpace(line), "*** ")
			if !ok {
				continue
			}
			kind, name, ok := strings.Cut(rest, ": ")
			switch {
			case !ok:
			case kind == "Add File", kind == "Update File", kind == "Delete File", kind == "Move to":
				paths = append(paths, locate(strings.TrimSpace(name), ev.Dir, ev.Dir, hook.Writes, -1))
			}
		}
	}
	return paths
}
