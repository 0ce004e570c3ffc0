package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// pathRule is one path pattern with its anchor.
type pathRule struct {
	grant   bool
	dynamic bool     // relative to the directory of the event
	up      int      // leading ../ of a dynamic pattern
	bases   []string // fixed anchors, absolute
	real    []string // the same with symlinks resolved
	ig, low ignore   // the pattern, and its lower case for guards
	literal string   // a pattern that cannot be read guards this very name
}

// compilePath reads a path pattern: gitignore syntax, anchored by //, ~/, /,
// ./ or nothing. Where it cannot be read, the rule of a guard that is
// returned beside the error still covers that exact name.
func compilePath(text string, s *Scope) (*pathRule, error) {
	r := &pathRule{grant: s.Grant}
	p := text
	switch {
	case strings.HasPrefix(p, "//"):
		r.fixed("/")
		p = p[1:]
	case p == "~" || strings.HasPrefix(p, "~/"):
		r.fixed(s.Home)
		p = p[1:]
	case strings.HasPrefix(p, "/"):
		r.fixed(s.Source.Dir)
	default:
		r.dynamic = true
		if !s.Grant {
			r.fixed(s.Root)
		}
		p = r.relative(p)
	}
	if p == "" {
		p = "/**"
	}
	ig, err := parseIgnore(p)
	if err != nil {
		r.literal = strings.TrimPrefix(text, "./")
		return r, err
	}
	// A guard on a single directory holds at any depth.
	if name, ok := strings.CutSuffix(p, "/**"); ok && r.dynamic && !s.Grant && p == text && name != "" && !strings.Contains(name, "/") {
		ig.glob = "**/" + ig.glob
		ig.plain = false
	}
	r.ig, r.low = ig, ig.lower()
	return r, nil
}

func (r *pathRule) fixed(dir string) {
	if dir == "" {
		return
	}
	r.bases = append(r.bases, path.Clean(dir))
	if real, ok := resolveLinks(dir, ""); ok {
		r.real = append(r.real, real)
	}
}

// relative removes a leading ./ and ../, which gitignore does not know; what
// follows is anchored.
func (r *pathRule) relative(p string) string {
	dotted := false
	for {
		if rest, ok := strings.CutPrefix(p, "./"); ok {
			p, dotted = rest, true
		} else if rest, ok := strings.CutPrefix(p, "../"); ok {
			p, dotted = rest, true
			r.up++
		} else {
			break
		}
	}
	if dotted {
		p = "/" + strings.TrimLeft(p, "/")
	}
	return p
}

// covers reports whether the rule covers p: for a guard the path as written
// or as resolved, for a grant both.
func (r *pathRule) covers(p *hook.Path, f *hook.Facts) bool {
	walk := p.Command < 0 && slices.Contains(walkTools, f.Event.Tool)
	if r.literal != "" {
		return !r.grant && (p.Given == r.literal || path.Base(p.Clean) == r.literal)
	}
	clean := r.under(p.Clean, f.Event.Dir, r.bases, walk) || r.under(p.Clean, realDir(f), r.real, walk)
	if clean != r.grant {
		return clean
	}
	return r.under(p.Real, realDir(f), r.real, walk) || !r.grant && r.under(p.Real, f.Event.Dir, r.bases, walk)
}

func realDir(f *hook.Facts) string {
	if f.RealDir == nil {
		return f.Event.Dir
	}
	return f.RealDir()
}

// under tests name against the pattern below dir, if the rule is relative to
// it, and below each base.
func (r *pathRule) under(name, dir string, bases []string, walk bool) bool {
	if r.dynamic && dir != "" && r.below(name, dir, walk) {
		return true
	}
	for _, b := range bases {
		if r.below(name, b, walk) {
			return true
		}
	}
	return false
}

func (r *pathRule) below(name, base string, walk bool) bool {
	for range r.up {
		base = path.Dir(base)
	}
	rel, ok := relative(name, base, !r.grant)
	if !ok {
		return false
	}
	if r.test(rel, !r.grant) {
		return true
	}
	if !walk {
		return false
	}
	// A walk through a directory touches what is in it, at any depth.
	child := strings.TrimPrefix(rel+"/\x01", "/")
	if r.grant {
		return r.test(child, false) && r.test(child+"/\x01/\x01", false)
	}
	return r.test(child, false)
}

func (r *pathRule) test(rel string, isDir bool) bool {
	return r.ig.match(rel, isDir) || !r.grant && r.low.match(strings.ToLower(rel), isDir)
}

// relative returns name relative to base, "" for base itself; fold ignores
// the letter case of base.
func relative(name, base string, fold bool) (string, bool) {
	if base == "/" {
		return strings.TrimPrefix(name, "/"), strings.HasPrefix(name, "/")
	}
	if len(name) < len(base) {
		return "", false
	}
	if head := name[:len(base)]; head != base && !(fold && strings.EqualFold(head, base)) {
		return "", false
	}
	if len(name) == len(base) {
		return "", true
	}
	return name[len(base)+1:], name[len(base)] == '/'
}

// pathTest asks whether the event touches a path of its rules: for a guard
// any path, for a grant all of them.
type pathTest struct {
	rules  []*pathRule
	access hook.Access // any of these
	grant  bool
}

func (t *pathTest) eval(f *hook.Facts, why *string) hook.Tri {
	paths := f.Paths()
	best, seen := hook.No, false
	if t.grant {
		best = hook.Yes
	}
	for i := range paths {
		p := &paths[i]
		if p.Access&t.access == 0 {
			continue
		}
		one := t.one(p, f)
		switch {
		case !seen, t.grant && one < best, !t.grant && one > best:
			best = one
			say(why, explainPath(p, one))
		}
		seen = true
	}
	if !seen {
		say(why, "touches no such path")
		return hook.No
	}
	return best
}

func (t *pathTest) one(p *hook.Path, f *hook.Facts) hook.Tri {
	if p.Clean == "" {
		return hook.Unknown
	}
	hit := slices.ContainsFunc(t.rules, func(r *pathRule) bool { return r.covers(p, f) })
	switch {
	case p.Known:
		return hook.TriOf(hit)
	case t.grant, hit:
		return hook.Unknown
	}
	return hook.No
}

func explainPath(p *hook.Path, t hook.Tri) string {
	switch {
	case t == hook.Unknown:
		return p.Reason
	case p.Real != p.Clean && p.Real != "":
		return p.Clean + " (" + p.Real + ")"
	}
	return p.Clean
}
