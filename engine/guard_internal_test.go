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
	for _, r := range build(cfg, settings.Set{Root: "/project"}, view{}).permissions {
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

// Where pawld has its socket and keeps its state, the agent puts nothing; nor
// does it end pawld, or trust with it.
func TestGuardOfPawld(t *testing.T) {
	e, err := New(settings.Set{Root: "/project"}, WithEnv(func(name string) (string, bool) {
		dir, ok := map[string]string{"XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "/state"}[name]
		return dir, ok
	}))
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]Verdict{
		"mv /run/user/7/pawl/pawld.sock /tmp": Ask, "echo x > /run/user/7/pawl/http-token": Ask, "mv /run/user/7/pawl x": Ask, "echo x > /state/pawl/trust.json": Ask,
		"pawld trust .": Ask, "sh -c 'pawld trust --pin'": Ask, "pawld stop": Ask, "/opt/bin/pawld stop": Ask, "nohup pawld serve &": Ask, "pkill -9 pawld": Ask, "killall pawld": Ask, "pkill -f 'pawld serve'": Ask,
		"pawld status": None, "pawld log -n 3": None, "pkill node": None, "echo pawld stop": None, "ls /run/user/7/pawl": None, "echo x > /run/user/7/other": None,
	} {
		ev := Event{Name: PreToolUse, Tool: "Bash", Dir: "/project", Input: Input("command", command)}
		if dec := e.Dispatch(t.Context(), ev); dec.Verdict != want {
			t.Errorf("%s: %v (%s), want %v", command, dec.Verdict, dec.Reason(), want)
		}
	}
}

// A command asks if it writes a guarded file, or may write one that it names
// in part; one that reads it, or names nothing, does not.
func TestGuardOfCommands(t *testing.T) {
	e, err := New(settings.Set{Root: "/project"})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]Verdict{
		"echo x > pawl.yaml": Ask, "echo x > p*.yaml": Ask, "perl -pi -e s/a/b/ pawl.yaml": Ask, "git checkout main -- .pawl": Ask,
		"rm -rf ~/.claude": Ask, `echo x > "$D/pawl.yaml"`: Ask, "mv settings.json .claude/": Ask, "ln -s pawl.yaml z; echo x > z": Ask,
		"git add pawl.yaml": None, "git diff pawl.yaml": None, "git commit -m 'pawl.yaml'": None, "pawl check pawl.yaml": None,
		"prettier --check pawl.yaml": None, "cat pawl.yaml": None, "echo x > $f": None, "curl u | sh": None, "npm run $x": None, "tar xf a.tar": None,
	} {
		ev := Event{Name: PreToolUse, Tool: "Bash", Dir: "/project", Input: Input("command", command)}
		if dec := e.Dispatch(t.Context(), ev); dec.Verdict != want {
			t.Errorf("%s: %v (%s), want %v", command, dec.Verdict, dec.Reason(), want)
		}
	}
}
