package settings

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	skillDepth = 4
	skillDirs  = 4096 // directories searched in one load
)

var notSkills = []string{".git", "node_modules", "target", "__pycache__", ".venv", "dist", "build"}

// skillsIn searches dir for skills. The directories searched are sources too:
// skills may be added to them.
func (l *loader) skillsIn(dir string) { l.search(dir, "", 0) }

// search looks into dir, which is in the resolved directory parent. It
// follows links, but not upwards: that way lies the whole workspace.
func (l *loader) search(dir, parent string, depth int) {
	l.looked[dir] = true
	real, err := filepath.EvalSymlinks(dir)
	if err != nil && len(l.opts.Overlay.Listing(dir, nil)) > 0 {
		real, err = dir, nil // all that was in it still stands
	}
	if err != nil || l.walked[real] || inside(parent, real) {
		return
	}
	l.walked[real] = true
	if len(l.walked) > skillDirs {
		if len(l.walked) == skillDirs+1 {
			l.warn(hook.Source{Layer: hook.Skill, File: dir, Dir: dir}, "the search for skills stops here: too many directories", "")
		}
		return
	}
	names, err := l.listing(dir)
	if err != nil {
		l.warn(hook.Source{Layer: hook.Skill, File: dir, Dir: dir}, err.Error(), "")
		return
	}
	if slices.Contains(names, skillFile) {
		l.skill(filepath.Join(dir, skillFile))
		return
	}
	if depth == skillDepth {
		return
	}
	for _, name := range names {
		sub := filepath.Join(dir, name)
		info, err := os.Stat(sub)
		isDir := err == nil && info.IsDir() || len(l.opts.Overlay.Listing(sub, nil)) > 0
		if isDir && !slices.Contains(notSkills, name) {
			l.search(sub, real, depth+1)
		}
	}
}

// skill reads a SKILL.md, then the hooks.json beside it. The first skill of
// a name wins.
func (l *loader) skill(path string) {
	src := hook.Source{Layer: hook.Skill, File: path, Dir: filepath.Dir(path)}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		src.Dir = filepath.Dir(real)
	}
	data, ok := l.open(&src)
	if !ok {
		return
	}
	f := ParseFile(path, data, src)
	name := f.Source.Name
	if first, taken := l.skills[name]; taken && name != "" {
		l.add(File{Source: f.Source, Hash: f.Hash, Text: f.Text, Diagnostics: []hook.Diagnostic{{Severity: hook.Note, Pos: hook.Position{File: path},
			Message: "left out: the skill " + name + " is that of " + first}}})
		return
	}
	l.add(f)
	if name == "" {
		return
	}
	l.skills[name] = path
	beside := f.Source
	beside.File = filepath.Join(filepath.Dir(path), "hooks.json")
	l.file(beside)
}
