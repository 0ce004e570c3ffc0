package webhook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// limit is what the settings files allow. A half that no file has says
// nothing; an empty list allows nothing.
type limit struct{ managed, others allowance }

// allowance is the joined list of some files.
type allowance struct {
	items  []string
	places []string // of the lists; none: there is no list
}

// readLimit joins the lists of one name. One that is not a list of strings is
// an error of the hook: nobody knows what it was to keep out.
func readLimit(r *hook.FieldReader, name string, deps hook.Deps) (l limit) {
	for _, s := range deps.Settings {
		if s.Name != name {
			continue
		}
		half := &l.others
		if s.Source.Layer == hook.Managed {
			half = &l.managed
		}
		half.places = append(half.places, s.Pos.String())
		list, ok := s.Value.([]any)
		for _, v := range list {
			text, isText := v.(string)
			half.items, ok = append(half.items, text), ok && isText
		}
		if !ok {
			r.Fail(name, fmt.Sprintf("%s: %s is not a list of strings", s.Pos, name), "")
		}
	}
	return l
}

// excludes returns the places of the lists that keep something out which has
// the items that ok accepts, or "". A managed hook that a managed list allows
// needs no other.
func (l limit) excludes(layer hook.Layer, ok func(item string) bool) string {
	for _, half := range []allowance{l.managed, l.others} {
		if len(half.places) == 0 {
			continue
		}
		if !slices.ContainsFunc(half.items, ok) {
			return strings.Join(half.places, ", ")
		}
		if layer == hook.Managed {
			return ""
		}
	}
	return ""
}
