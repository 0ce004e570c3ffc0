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

// skillSource is the layer of skills wherever they lie.
var skillSource = hook.Source{Layer: hook.Skill}

var notSkills = []string{".git", "node_modules", "target", "__pycache__", ".venv", "dist", "build"}

// skillsIn searches dir for skills. The directories searched are sources too:
// skills may be added to them.
func (l *loader) skillsIn(dir string) { l.search(dir, "", 0) }

// search looks into dir, which is in the resolved directory parent. It
// follows links, but not upwards: that way lies the whole workspace. What
// stands in for the disk is always found, whatever the disk has.
func (l *loader) search(dir, parent string, depth int) {
	l.looked[dir] = true
	over := l.over(skillSource)
	stands := over.HasDir(dir)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	if !stands && (err != nil || l.walked[real] || inside(parent, real)) {
		return
	}
	l.walked[real] = true
	if len(l.walked) > skillDirs && !stands {
		if len(l.walked) == skillDirs+1 {
			l.warn(hook.Source{Layer: hook.Skill, File: dir, Dir: dir}, "the search for skills stops here: too many directories", "")
		}
		return
	}
	names, err := l.listing(over, dir)
	if err != nil {
		l.warn(hook.Source{Layer: hook.Skill, File: dir, Dir: dir}, err.Error(), "")
		return
	}
	if slices.Contains(names, skillFile) && l.skill(filepath.Join(dir, skillFile)) || depth == skillDepth {
		return
	}
	for _, name := range names {
		sub := filepath.Join(dir, name)
		info, err := os.Stat(sub)
		isDir := err == nil && info.IsDir() || over.HasDir(sub)
		if isDir && !slices.Contains(notSkills, name) {
			l.search(sub, real, depth+1)
		}
	}
}

// skill reads a SKILL.md, then the hooks.json beside it, and reports whether
// there is one. The first skill of a name wins.
func (l *loader) skill(path string) bool {
	src := hook.Source{Layer: hook.Skill, File: path, Dir: filepath.Dir(path)}
	if file, stands := l.over(src).Stands(path); stands {
		src.Dir = file.Dir
	} else if real, err := filepath.EvalSymlinks(path); err == nil {
		src.Dir = filepath.Dir(real)
	}
	data, ok := l.open(&src)
	if !ok {
		return src.File != ""
	}
	f := ParseFile(path, data, src)
	name := f.Source.Name
	if first, taken := l.skills[name]; taken && name != "" {
		l.add(File{Source: f.Source, Hash: f.Hash, Text: f.Text, Diagnostics: []hook.Diagnostic{{Severity: hook.Note, Pos: hook.Position{File: path},
			Message: "left out: the skill " + name + " is that of " + first}}})
		return true
	}
	l.add(f)
	if name == "" {
		return true
	}
	l.skills[name] = path
	beside := f.Source
	beside.File = filepath.Join(filepath.Dir(path), "hooks.json")
	l.file(beside)
	return true
}
