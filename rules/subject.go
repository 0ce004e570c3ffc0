package rules

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// MayFit is false if no event whose subject is known by these names can match,
// whatever else it holds. hostName is the host's own name of a tool. It looks
// at nothing else and does not allocate, so that an index can ask it first.
func (p *Pattern) MayFit(subject, hostName string) bool {
	for i := range p.terms {
		if p.terms[i].mayFit(subject, hostName) {
			return true
		}
	}
	return false
}

func (t *term) mayFit(subject, hostName string) bool {
	if w, ok := t.test.(*wordTest); ok {
		return w.match(subject) != hook.No || w.host && w.match(hostName) != hook.No
	}
	return t.subjects == nil || slices.Contains(t.subjects, subject) || slices.Contains(t.subjects, hostName)
}
