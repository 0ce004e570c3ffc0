package lua

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// undefinedGlobals finds names that neither the library nor the text defines.
func undefinedGlobals(s *survey) (found []finding) {
	defined := s.defined()
	for _, u := range s.uses {
		v := u.v
		if !v.global || len(v.values) > 0 || slices.Contains(s.library.names, v.name) || len(found) == maxFindings {
			continue
		}
		f := finding{severity: hook.Warning, at: u.at}
		f.message, f.advice = absent{name: v.name}.text(defined)
		if slices.ContainsFunc(s.locals, func(l *variable) bool { return l.name == v.name && l.at.text == u.at.text }) {
			f.advice = "a local of that name is not seen here: it ends with its block"
		}
		if (u.how == called || u.how == indexed) && !v.asked {
			f.severity = hook.Error
		}
		found = append(found, f)
	}
	return found
}

// defined lists all names that the library and the text define.
func (s *survey) defined() []string {
	all := slices.Clone(s.library.names)
	for _, v := range s.globals {
		if len(v.values) > 0 {
			all = append(all, v.name)
		}
	}
	for _, v := range s.locals {
		all = append(all, v.name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// writtenGlobals finds assignments to globals that may not be meant so.
func writtenGlobals(s *survey) (found []finding) {
	top := map[*variable]bool{}
	for _, u := range s.uses {
		top[u.v] = top[u.v] || u.how == written && u.in.outer == nil
	}
	for _, u := range s.uses {
		v := u.v
		switch {
		case !v.global || u.how != written:
		case slices.Contains(s.library.names, v.name):
			found = append(found, finding{hook.Warning, u.at, fmt.Sprintf("this takes the place of %s of the library", v.name), "write local, or take another name"})
		case !top[v]:
			found = append(found, finding{hook.Note, u.at, fmt.Sprintf("%q is a global: \"pawl hook\" forgets it after each event", v.name),
				"write local; what must last goes through state.set"})
		}
	}
	return found
}
