package lua

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// File is a policy file to load.
type File struct {
	Path   string      // absolute
	Dir    string      // what require may read below; "" is the file's directory
	Source hook.Source // of the hooks that it registers
}

// Files expands the entries of a `policies:` list: a file stands for itself,
// a directory for the *.lua files right in it, by name, without *_test.lua. A
// relative path starts at src.Dir. over stands in for what is on disk.
func Files(src hook.Source, entries []hook.Text, over *hook.Overlay) ([]File, []hook.Diagnostic) {
	var files []File
	var diags []hook.Diagnostic
	for _, e := range entries {
		path := e.Value
		if !filepath.IsAbs(path) {
			path = filepath.Join(src.Dir, path)
		}
		found, err := expand(path, src, over)
		if err != nil {
			diags = append(diags, hook.Diagnostic{Severity: hook.Error, Pos: e.Pos, Path: "policies",
				Message: fmt.Sprintf("%q: %v", e.Value, err), Advice: "relative paths start at " + src.Dir})
		}
		for _, f := range found {
			if !slices.ContainsFunc(files, func(g File) bool { return g.Path == f.Path }) {
				files = append(files, f)
			}
		}
	}
	return files, diags
}

func expand(path string, src hook.Source, over *hook.Overlay) ([]File, error) {
	file, stands := over.Stands(path)
	info, err := os.Stat(path)
	kept := over.HasDir(path) || file.Mode.IsDir()
	isDir := kept || err == nil && info.IsDir() && !(stands && over.Whole)
	switch {
	case stands && file.Text != nil, err == nil && !isDir && !stands:
		return []File{{Path: path, Dir: filepath.Dir(path), Source: src}}, nil
	case !isDir && stands:
		return nil, fs.ErrNotExist
	case !isDir:
		return nil, plain(err)
	}
	var names []string
	if err == nil && info.IsDir() {
		names, err = scripts(path)
	}
	if err != nil && !kept {
		return nil, plain(err)
	}
	var files []File
	for _, name := range slices.Sorted(slices.Values(over.Listing(path, names))) {
		file := filepath.Join(path, name)
		if s, stands := over.Stands(file); strings.HasSuffix(name, ".lua") && !(stands && s.Text == nil) {
			files = append(files, File{Path: file, Dir: path, Source: src})
		}
	}
	return files, nil
}

// scripts are the names of the policy files right in dir.
func scripts(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".lua") && !strings.HasSuffix(name, "_test.lua") && !e.IsDir() && name[0] != '.' {
			names = append(names, name)
		}
	}
	return names, err
}

// plain is err without the path, which the caller names.
func plain(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}

// shown is the name of a file in messages: relative to root where it is
// below, with slashes.
func shown(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && root != "" && filepath.IsLocal(rel) {
		path = rel
	}
	return filepath.ToSlash(path)
}
