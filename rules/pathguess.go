package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pawl-dev/pawl/engine/hook"
)

// bases are the directories that the pattern is relative to.
func (r *pathRule) bases(f *hook.Facts) []string {
	var dirs []string
	if r.dynamic {
		dirs = append(dirs, f.Event.Dir, f.RealDir())
	}
	dirs = append(append(dirs, r.anchors...), r.real...)
	bases := dirs[:0]
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		for range r.up {
			dir = path.Dir(dir)
		}
		bases = append(bases, dir)
	}
	return bases
}

// mayCover reports whether a path of which only a pattern is known may be one
// that the rule covers: it, or a directory above it that the pattern names.
// It errs to the safe side.
func (r *pathRule) mayCover(glob string, f *hook.Facts) bool {
	if len(glob) > maxAutomaton {
		return true
	}
	var covers []*automaton
	if r.literal != "" {
		a := newAutomaton()
		a.directories()
		a.text(strings.ToLower(path.Base(r.literal)))
		covers = append(covers, a)
	} else {
		for _, base := range r.bases(f) {
			covers = append(covers, r.automaton(base))
		}
	}
	for whole := true; strings.ContainsAny(glob, `*?[\\`); glob, whole = path.Dir(glob), false {
		if !whole && path.Base(glob) == "**" {
			continue
		}
		file := globAutomaton(glob)
		if slices.ContainsFunc(covers, func(a *automaton) bool { return meet(file, a) }) {
			return true
		}
	}
	return r.covers(&hook.Path{Clean: glob, Real: glob, Known: true}, f)
}

// automaton accepts what the pattern matches below base.
func (r *pathRule) automaton(base string) *automaton {
	a := newAutomaton()
	a.text(strings.ToLower(strings.TrimSuffix(base, "/")))
	a.one('/')
	if !r.ig.anchored {
		a.directories()
	}
	a.glob(r.low.glob, false)
	return a
}

// reachesInto reports whether the rule names something below the directory
// that p is, so that whoever removes or replaces it touches that too.
func (r *pathRule) reachesInto(p *hook.Path, f *hook.Facts) bool {
	if r.literal != "" || !r.ig.anchored {
		return false
	}
	for _, base := range r.bases(f) {
		if r.above(p.Clean, base) || r.above(p.Real, base) {
			return true
		}
	}
	return false
}

// above reports whether name, a directory, leads to base or from there along
// the pattern.
func (r *pathRule) above(name, base string) bool {
	if name == base || name == "/" || strings.HasPrefix(base, name+"/") {
		return !strings.HasPrefix(r.low.glob, "**")
	}
	rel, ok := relative(name, base, true)
	if !ok {
		return false
	}
	rel = strings.ToLower(rel)
	for i, c := range r.low.glob {
		head := r.low.glob[:i]
		if c == '/' && head != "**" && !strings.HasSuffix(head, "/**") && doublestar.MatchUnvalidated(head, rel) {
			return true
		}
	}
	return false
}
