package engine

import (
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/lua"
)

// view is what a set is made of instead of what is on disk.
type view struct {
	over  *hook.Overlay // files that a reload does not take; nil for none
	held  *hook.Overlay // those of them that hooks run
	pins  *hook.Overlay // all files of the workspace, or nil
	fault error         // why what is pinned cannot be read
}

// of is what stands in for files that src brings.
func (v view) of(src hook.Source) *hook.Overlay {
	if v.pinned(src) {
		return v.pins
	}
	return v.over
}

// pinned reports whether what src brings is pinned.
func (v view) pinned(src hook.Source) bool { return v.pins != nil && src.Workspace() }

// read reads the settings by v, to which it adds what is pinned now.
func (c *config) read(v view) (settings.Set, view, error) {
	opts := c.load
	if len(opts.Files) == 0 {
		v.pins, v.fault = c.pins(opts.Workspace)
	}
	if v.fault != nil {
		opts.Trusts = nil
	}
	opts.Overlay, opts.Pins = v.over, v.pins
	set, err := settings.Load(opts)
	return set, v, err
}

// drift tells of a file that is another than the one pinned.
func (b *builder) drift(src hook.Source, path string, file hook.Stand) {
	if !b.view.pinned(src) || file.Mode.IsDir() || file.Sum != "" {
		return
	}
	if d, differs := settings.Drift(path, file); differs {
		b.snap.diags = append(b.snap.diags, d)
	}
}

// comeSince tells of the policies of f that were not there when the workspace
// was pinned.
func (b *builder) comeSince(f settings.File) {
	if !b.view.pinned(f.Source) {
		return
	}
	files, _ := lua.Files(f.Source, f.Policies, b.view.pins)
	now, _ := lua.Files(f.Source, f.Policies, nil)
	for _, l := range now {
		if !slices.ContainsFunc(files, func(o lua.File) bool { return o.Path == l.Path }) {
			b.drift(f.Source, filepath.Clean(l.Path), hook.Stand{})
		}
	}
}
