package engine

import (
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

const wrappersKey = "wrappers"

// wrappers reads the `wrappers:` of the settings. An untrusted workspace may
// not add any: whatever is taken for an option is not taken for a command.
func (b *builder) wrappers() []rules.Wrapper {
	var list []rules.Wrapper
	for _, f := range b.set.Files {
		for _, raw := range f.Raw {
			if raw.Name != wrappersKey {
				continue
			}
			if b.snap.gates.tighten(f.Source) && !f.Trusted {
				b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: hook.Warning, Pos: raw.Pos, Path: raw.Name,
					Message: "wrappers of a workspace that is not trusted are left out", Advice: "pawl trust"})
				continue
			}
			more, diags := rules.ReadWrappers(raw)
			list, b.snap.diags = append(list, more...), append(b.snap.diags, diags...)
		}
	}
	return list
}
