package rules

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// pathTest asks whether the event touches a path of its rules: for a guard
// any path, for a grant all of them.
type pathTest struct {
	rules  []*pathRule
	access hook.Access // any of these
	grant  bool
	named  bool // Scope.Named
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
		return t.guess(p, f)
	}
	hit := slices.ContainsFunc(t.rules, func(r *pathRule) bool { return r.covers(p, f) })
	if !hit && p.Tree && !t.grant && p.Access&t.access&hook.Writes != 0 && (p.Known || !t.named) {
		hit = slices.ContainsFunc(t.rules, func(r *pathRule) bool { return r.reachesInto(p, f) })
	}
	switch {
	case p.Known:
		return hook.TriOf(hit)
	case t.grant, hit:
		return hook.Unknown
	}
	return hook.No
}

// guess judges a path that has no certain name.
func (t *pathTest) guess(p *hook.Path, f *hook.Facts) hook.Tri {
	glob := p.Glob
	switch {
	case t.grant, glob == "" && !t.named:
		return hook.Unknown
	case glob == "":
		return hook.No
	case t.named:
		glob = someChild(glob)
	}
	if slices.ContainsFunc(t.rules, func(r *pathRule) bool { return r.mayCover(glob, f) }) {
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
