package rules

import (
	"path"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// pathRule is one path pattern with its anchor.
type pathRule struct {
	grant   bool
	dynamic bool     // relative to the directory of the event
	up      int      // leading ../ of a dynamic pattern
	anchors []string // fixed anchors, absolute
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
		r.fixed("/", s)
		p = p[1:]
	case p == "~" || strings.HasPrefix(p, "~/"):
		r.fixed(s.Home, s)
		p = p[1:]
	case strings.HasPrefix(p, "/"):
		r.fixed(s.Source.Dir, s)
	default:
		r.dynamic = true
		if !s.Grant {
			r.fixed(s.Root, s)
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

func (r *pathRule) fixed(dir string, s *Scope) {
	if dir == "" {
		return
	}
	r.anchors = append(r.anchors, path.Clean(dir))
	if real, ok := s.real(dir); ok {
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
	walk := p.Tree
	if r.literal != "" {
		return !r.grant && (p.Given == r.literal || path.Base(p.Clean) == r.literal)
	}
	clean := r.under(p.Clean, f.Event.Dir, r.anchors, walk) || r.under(p.Clean, f.RealDir(), r.real, walk)
	if clean != r.grant {
		return clean
	}
	return r.under(p.Real, f.RealDir(), r.real, walk) || !r.grant && r.under(p.Real, f.Event.Dir, r.anchors, walk)
}

// under tests name against the pattern below dir, if the rule is relative to
// it, and below each dir.
func (r *pathRule) under(name, dir string, anchors []string, walk bool) bool {
	if r.dynamic && dir != "" && r.below(name, dir, walk) {
		return true
	}
	for _, b := range anchors {
		if r.below(name, b, walk) {
			return true
		}
	}
	return false
}

func (r *pathRule) below(name, dir string, walk bool) bool {
	for range r.up {
		dir = path.Dir(dir)
	}
	rel, ok := relative(name, dir, !r.grant)
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

// relative returns name relative to dir, "" for dir itself; fold ignores
// the letter case of dir.
func relative(name, dir string, fold bool) (string, bool) {
	if dir == "/" {
		return strings.TrimPrefix(name, "/"), strings.HasPrefix(name, "/")
	}
	if len(name) < len(dir) {
		return "", false
	}
	if head := name[:len(dir)]; head != dir && !(fold && strings.EqualFold(head, dir)) {
		return "", false
	}
	if len(name) == len(dir) {
		return "", true
	}
	return name[len(dir)+1:], name[len(dir)] == '/'
}
