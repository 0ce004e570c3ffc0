package engine

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/engine/settings"
)

// The keys by which the guard is found are those of its patterns.
func TestGuardKeysAreThoseOfItsPatterns(t *testing.T) {
	cfg, err := newConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range build(cfg, settings.Set{Root: "/project"}).permissions {
		pattern := r.pattern()
		if keys := pattern.Keys(); !slices.Equal(keys, r.keys) {
			t.Errorf("%s: filed under %v, its pattern has %v", r.spec.Text.Value, r.keys, keys)
		}
	}
}

// A settings file that was loaded from anywhere is guarded too, whatever its
// name.
func TestGuardOfLoadedFiles(t *testing.T) {
	var file settings.File
	file.Source.File = `/odd/[a] {b}!c*\d.yaml`
	e, err := New(settings.Set{Root: "/project", Files: []settings.File{file}})
	if err != nil {
		t.Fatal(err)
	}
	ev := Event{Name: PreToolUse, Tool: "Write", Dir: "/odd", Input: Input("file_path", file.Source.File)}
	if dec := e.Dispatch(t.Context(), ev); dec.Verdict != Ask {
		t.Errorf("%v, want ask", dec.Verdict)
	}
}
