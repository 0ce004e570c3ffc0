package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// A hook that may run gets the keys that belong to its type, nearest to the top
// first; not those of a workspace that nobody trusts, nor of the user in it. One
// that may not run is made with all of them, and so is found good.
func TestTypeSettings(t *testing.T) {
	home, work, managed := t.TempDir(), t.TempDir(), t.TempDir()
	layers := []string{filepath.Join(managed, "managed.yaml"), filepath.Join(home, ".config/pawl/pawl.yaml"), filepath.Join(work, "pawl.yaml")}
	for i, path := range layers {
		put(t, path, fmt.Sprintf("hooks: {PreToolUse: [{hooks: [{type: probe}]}]}\nmcpServers: {s: {command: c%d}}\nwrappers: []\n", i))
	}
	for _, trusted := range []bool{false, true} {
		got := map[hook.Layer][]string{}
		probe := hook.Type{New: func(spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
			for _, s := range deps.Settings {
				got[spec.Source.Layer] = append(got[spec.Source.Layer], fmt.Sprintf("%s %s %v %d", s.Source.Layer, s.Name, s.Value, s.Pos.Line))
			}
			return hook.ActionFunc(func(context.Context, hook.Call) (hook.Result, error) { return hook.Result{}, nil }), nil
		}}
		_, err := engine.Open(t.Context(), work, engine.WithType("probe", probe), engine.WithHome(home), engine.WithManaged(managed),
			engine.WithEnv(func(string) (string, bool) { return "", false }), engine.WithTrust(func(string) bool { return trusted }))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"managed mcpServers map[s:map[command:c0]] 2", "user mcpServers map[s:map[command:c1]] 2", "project mcpServers map[s:map[command:c2]] 2"}
		if !slices.Equal(got[hook.Project], want) {
			t.Errorf("trusted %v: settings of the project's hook %q, want %q", trusted, got[hook.Project], want)
		}
		if !trusted {
			want = want[:1]
		}
		if !slices.Equal(got[hook.Managed], want) {
			t.Errorf("trusted %v: settings %q, want %q", trusted, got[hook.Managed], want)
		}
	}
}

// Close ends what hook types keep, also those of one that fails to.
func TestCloseTypes(t *testing.T) {
	var closed []string
	broken := errors.New("it does not end")
	kind := func(name string, err error) engine.Option {
		return engine.WithType(name, hook.Type{
			New:   func(hook.Spec, hook.Deps) (hook.Action, []hook.Diagnostic) { return nil, nil },
			Close: func(context.Context) error { closed = append(closed, name); return err },
		})
	}
	eng, err := engine.New(settings.Set{}, kind("b", nil), kind("a", broken))
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Close(t.Context()); !errors.Is(err, broken) || !slices.Equal(closed, []string{"a", "b"}) {
		t.Errorf("closed %v, error %v", closed, err)
	}
}
