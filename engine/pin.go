package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// Pinnable returns the files that the workspace brings, for
// [settings.Trust.Pin]: settings, policies, and the scripts that hooks run, of
// which an engine WithLazyConditions does not know. The error is for what is
// broken, which would block for as long as it is pinned, and for a file that
// cannot be read.
func (e *Engine) Pinnable() ([]settings.Pinned, error) {
	s := e.current.Load()
	for _, p := range s.problems {
		if p.severity == hook.Error && p.step.Source.Workspace() {
			return nil, fmt.Errorf("what is broken cannot be pinned: %s", p.step.Detail)
		}
	}
	var list []settings.Pinned
	for _, path := range slices.Sorted(maps.Keys(s.texts)) {
		file := s.texts[path]
		if !file.source.Workspace() {
			continue
		}
		if file.fault != nil && !errors.Is(file.fault, settings.ErrTooLarge) {
			return nil, fmt.Errorf("%s cannot be pinned: %w", path, file.fault)
		}
		if file.fault != nil {
			sum, err := settings.Digest(path)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be pinned: %w", path, err)
			}
			file.Sum, file.Mode = sum, modeOf(path)
		}
		list = append(list, settings.Pinned{Path: path, Stand: file.Stand})
	}
	return list, nil
}
