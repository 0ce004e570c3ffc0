package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// lend is what the action of a hook from src gets.
func (b *builder) lend(src hook.Source) hook.Deps {
	deps := b.deps
	if deps.Kept = b.view.held; b.view.pinned(src) {
		deps.Kept = b.view.pins
	}
	if deps.Kept != nil {
		k := &keeper{over: deps.Kept, dir: b.cfg.scratch, now: b.cfg.now}
		deps.Copies = k.copies
	}
	return deps
}

// scriptsOf takes the files that h runs into the set. An engine for one event
// has no use for them, but to tell what differs from what is pinned.
func (b *builder) scriptsOf(h *bound) {
	runs, ok := h.action.(hook.Sourced)
	if !ok || b.cfg.lazy && !b.view.pinned(h.spec.Source) {
		return
	}
	var paths []string
	paths, h.unsure = runs.Files(b.view.of(h.spec.Source))
	for _, path := range paths {
		b.script(path, h.spec)
	}
}

// script takes one file that a hook runs into the set. One that cannot be kept
// runs as it is.
func (b *builder) script(path string, by hook.Spec) {
	b.snap.sources, b.sources[path] = append(b.snap.sources, path), by.Source
	file, known := b.texts[path]
	switch {
	case known && !file.script(): // a settings file, or Lua
		return
	case !known:
		file = b.acceptScript(path, by.Source)
	}
	if !slices.Contains(file.runs, by.ID) {
		file.runs = append(slices.Clip(file.runs), by.ID)
	}
	if file.fault != nil {
		b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: hook.Note, Pos: by.Pos, Path: by.ID,
			Message: fmt.Sprintf("%s %v, so that its changes go unnoticed", path, file.fault)})
	}
	b.texts[path] = file
}

func (b *builder) acceptScript(path string, src hook.Source) accepted {
	file := accepted{source: src}
	if s, stands := b.view.of(src).Stands(path); stands {
		file.Stand = s
		b.drift(src, path, s)
		return file
	}
	text, err := settings.ReadFile(path)
	switch {
	case err == nil:
		file.Text, file.Mode = text, modeOf(path)
	case !errors.Is(err, fs.ErrNotExist):
		file.fault = err
	}
	return file
}
