package settings

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Load reads all layers of a workspace, or the files that opts names. The
// error is for a workspace or a named file that does not exist; all else is
// in the Diagnostics of the Files.
func Load(opts Options) (Set, error) {
	l := loader{opts: opts, looked: map[string]bool{}, byPath: map[string]int{}, skills: map[string]string{}, walked: map[string]bool{}, plugged: map[string]bool{}, names: map[string]string{}, shelf: map[bool]*node{}}
	if err := l.begin(); err != nil {
		return Set{}, err
	}
	l.managed()
	if len(opts.Files) > 0 {
		if err := l.named(); err != nil {
			return Set{}, err
		}
	} else {
		l.layers()
	}
	return Set{Files: l.files, Root: l.root, looked: slices.Sorted(maps.Keys(l.looked))}, nil
}

// loader collects the files of one load.
type loader struct {
	opts    Options
	root    string
	files   []File
	looked  map[string]bool
	byPath  map[string]int    // resolved path -> index in files
	skills  map[string]string // name -> file of the skill that has it
	walked  map[string]bool   // resolved directories searched for skills
	plugged map[string]bool   // resolved directories of plugins
	names   map[string]string // name -> directory of the plugin that has it
	shelf   map[bool]*node    // the plugins that Claude Code has installed, for workspaces and for others
}

// begin settles the project root.
func (l *loader) begin() error {
	root := l.opts.Workspace
	if root == "" {
		if len(l.opts.Files) == 0 {
			return errors.New("no workspace and no settings file named")
		}
		root = filepath.Dir(l.opts.Files[0])
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return fmt.Errorf("workspace %s: %w", root, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return fmt.Errorf("workspace %s: %w", abs, reason(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("workspace %s: is not a directory", abs)
	}
	l.root = abs
	return nil
}

// named reads the files of opts.Files.
func (l *loader) named() error {
	for _, name := range l.opts.Files {
		path, err := filepath.Abs(name)
		if err != nil {
			return fmt.Errorf("settings file %s: %w", name, err)
		}
		src := hook.Source{Layer: hook.Project, File: path, Dir: anchor(path), Style: style(path)}
		if !l.file(src) {
			return fmt.Errorf("settings file %s: %w", path, errAbsent)
		}
	}
	l.plugins()
	return nil
}

// anchor is the directory that the relative things of a named file begin at.
func anchor(path string) string {
	dir := filepath.Dir(path)
	if isAgent(path) {
		dir = filepath.Dir(dir)
	}
	if base := filepath.Base(dir); base == ".pawl" || base == ".claude" {
		return filepath.Dir(dir)
	}
	return dir
}

// style is the family that a file belongs to by its name.
func style(path string) hook.Style {
	base := filepath.Base(path)
	switch {
	case isAgent(path):
		return hook.Claude
	case strings.HasPrefix(base, "settings") && strings.HasSuffix(base, ".json"):
		return hook.Claude
	case base == "hooks.json":
		if _, err := os.Lstat(filepath.Join(filepath.Dir(path), skillFile)); err != nil {
			return hook.Claude
		}
	}
	return hook.Echo
}

// file reads src.File, unless it is loaded already, and reports whether
// there is anything at that path.
func (l *loader) file(src hook.Source) bool {
	data, ok := l.open(&src)
	if !ok {
		return src.File != ""
	}
	l.add(ParseFile(src.File, data, src))
	return true
}

// over is what stands in for files of the layer of src.
func (l *loader) over(src hook.Source) *hook.Overlay {
	if l.opts.Pins != nil && src.Workspace() {
		return l.opts.Pins
	}
	return l.opts.Overlay
}

// read returns the bytes of a file, or those that stand in for it, and where
// it really is.
func (l *loader) read(src hook.Source) (data []byte, real string, err error) {
	l.looked[src.File] = true
	file, ok := l.over(src).Stands(src.File)
	switch {
	case ok && file.Text == nil:
		return nil, "", errAbsent
	case ok:
		return file.Text, src.File, nil
	}
	data, err = ReadFile(src.File)
	if real, e := filepath.EvalSymlinks(src.File); e == nil {
		return data, real, err
	}
	return data, src.File, err
}

// open reads the bytes of src.File. If they are not to be parsed, ok is
// false, and src.File is empty if there is nothing at all.
func (l *loader) open(src *hook.Source) (data []byte, ok bool) {
	data, real, err := l.read(*src)
	switch {
	case errors.Is(err, errAbsent):
		l.appeared(*src)
		src.File = ""
		return nil, false
	case err != nil:
		l.unreadable(*src, err)
		return nil, false
	}
	if i, ok := l.byPath[real]; ok {
		l.note(i, src.File, "is "+l.files[i].Source.File+": it is loaded once, as the "+l.files[i].Source.String()+" layer")
		return nil, false
	}
	l.byPath[real] = len(l.files)
	return data, true
}

// unreadable adds a File that stands in for one that cannot be read.
func (l *loader) unreadable(src hook.Source, err error) {
	l.add(File{Source: src, Broken: true, Diagnostics: []hook.Diagnostic{
		{Severity: hook.Error, Pos: hook.Position{File: src.File}, Message: err.Error()}}})
}

func (l *loader) add(f File) {
	f.Trusted = f.Source.Authority() == hook.Managed || len(l.opts.Files) > 0
	if l.opts.Pins != nil && f.Source.Workspace() && f.Text != nil {
		if d, differs := Drift(f.Source.File, hook.Stand{Text: f.Text}); differs {
			f.Diagnostics = append(f.Diagnostics, d)
		}
	}
	l.files = append(l.files, f)
}

// appeared tells of a settings file that has come since the workspace was
// pinned.
func (l *loader) appeared(src hook.Source) {
	if l.opts.Pins == nil || !src.Workspace() {
		return
	}
	if real, err := filepath.EvalSymlinks(src.File); err == nil {
		if _, ok := l.byPath[real]; ok {
			return // another name of a file that is loaded
		}
	}
	if d, differs := Drift(src.File, hook.Stand{}); differs {
		l.add(File{Source: src, Diagnostics: []hook.Diagnostic{d}})
	}
}

// note adds a remark about path to file i.
func (l *loader) note(i int, path, message string) {
	l.files[i].Diagnostics = append(l.files[i].Diagnostics,
		hook.Diagnostic{Severity: hook.Note, Pos: hook.Position{File: path}, Message: message})
}
