package rules

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pawl-dev/pawl/engine/hook"
)

// pathFields are the input fields that hold the file a tool is about, in the
// spelling of all hosts.
var pathFields = []string{"file_path", "notebook_path", "path", "filePath", "absolute_path", "target_file", "paths"}

// otherFields are fields that hold a file name in the input of tools that are
// no file tools of the hosts, MCP tools above all; texts alone, at any depth.
// A tool that moves a file writes its source too.
var otherFields = sync.OnceValue(func() map[string]hook.Access {
	return map[string]hook.Access{
		"destination": wr, "dest": wr, "target": wr, "to": wr, "new_path": wr, "newPath": wr, "target_path": wr, "targetPath": wr,
		"destination_path": wr, "destinationPath": wr, "dest_path": wr, "output": wr, "output_path": wr, "outputPath": wr, "output_file": wr,
		"source": rw, "src": rw, "from": rw, "old_path": rw, "oldPath": rw, "source_path": rw, "sourcePath": rw,
		"file": rw, "files": rw, "filename": rw, "file_name": rw, "fileName": rw, "filepath": rw, "uri": rw,
		"dir": rw, "directory": rw, "folder": rw, "relative_path": rw, "relativePath": rw,
	}
})

// maxFieldDepth is how deep fields are looked for.
const maxFieldDepth = 4

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
	switch {
	case slices.Contains(walkTools, ev.Tool):
		return walkPaths(ev, paths)
	case access == hook.Reads, access == hook.Writes && len(paths) > 0:
		return paths
	}
	paths = append(paths, patchPaths(ev)...)
	first := len(paths)
	eachField(ev.Input.View(), 0, func(text string, access hook.Access) bool {
		paths = append(paths, locate(strings.TrimPrefix(text, "file://"), ev.Dir, ev.Dir, access, -1))
		return len(paths) < maxNamed
	})
	slices.SortFunc(paths[first:], func(a, b hook.Path) int { return strings.Compare(a.Given, b.Given) })
	return paths
}

// eachField calls yield with the texts of otherFields(), and of pathFields
// below the top, until it returns false.
func eachField(members map[string]any, depth int, yield func(text string, access hook.Access) bool) bool {
	for name, v := range members {
		access, ok := otherFields()[name]
		if !ok && depth > 0 && slices.Contains(pathFields, name) {
			access = rw
		}
		list, isList := v.([]any)
		if !isList {
			list = []any{v}
		}
		for _, v := range list {
			switch v := v.(type) {
			case string:
				if access != 0 && v != "" && len(v) < maxFieldText && !strings.Contains(v, "\n") && !yield(v, access) {
					return false
				}
			case map[string]any:
				if depth < maxFieldDepth && !eachField(v, depth+1, yield) {
					return false
				}
			}
		}
	}
	return true
}

// maxFieldText is how long the name of a file may be, as in the kernel.
const maxFieldText = 4096

func fieldPath(ev *hook.Event, field string, v any, access hook.Access) hook.Path {
	s, ok := v.(string)
	if !ok {
		return hook.Path{Access: access, Command: -1, Reason: field + " is not a text"}
	}
	return locate(s, ev.Dir, ev.Dir, access, -1)
}

// leadingPatterns are the fields whose pattern may lead away from the
// directory that a tool walks.
var leadingPatterns = map[string]string{"Glob": "pattern", "Grep": "glob"}

// walkPaths completes the paths of a tool that walks a directory: it starts
// in the current one if it names none.
func walkPaths(ev *hook.Event, paths []hook.Path) []hook.Path {
	if len(paths) == 0 {
		paths = append(paths, locate(".", ev.Dir, ev.Dir, hook.Reads, -1))
	}
	for i := range paths {
		paths[i].Tree = true
	}
	field, ok := leadingPatterns[ev.Tool]
	if !ok {
		return paths
	}
	dir, base := doublestar.SplitPattern(ev.Input.Text(field))
	if ev.Tool == "Grep" && base != "" && !strings.ContainsAny(base, `*?[{\`) {
		dir = path.Join(dir, base)
	}
	if dir != "." && dir != "" {
		p := locate(dir, paths[0].Clean, ev.Dir, hook.Reads, -1)
		p.Tree = true
		paths = append(paths, p)
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
		for _, name := range patchNames(ev.Input.Text(field)) {
			paths = append(paths, locate(name, ev.Dir, ev.Dir, hook.Writes, -1))
		}
	}
	return paths
}

// patchNames returns the files of a patch in the apply_patch format.
func patchNames(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "*** ")
		if !ok {
			continue
		}
		kind, name, ok := strings.Cut(rest, ": ")
		switch {
		case !ok:
		case kind == "Add File", kind == "Update File", kind == "Delete File", kind == "Move to":
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
