//go:build unix

package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// workspace is an engine on real files, and what its ConfigChange hook saw.
type workspace struct {
	*engine.Engine
	t                  *testing.T
	root, home, manage string
	scratch            string
	pins               func(root string) (*hook.Overlay, error)
	block              func(path string) bool
	trusted            bool
	asked              []hook.Event
	changes            []engine.Change
}

// newWorkspace makes one of files, whose names start with root, home or
// managed, and all of which are sound.
func newWorkspace(t *testing.T, files ...string) *workspace {
	t.Helper()
	w := newWorkspaceWith(t, nil, files...)
	if d := w.Diagnostics(); slices.ContainsFunc(d, func(d hook.Diagnostic) bool { return d.Severity == hook.Error }) {
		t.Fatal(d)
	}
	return w
}

func newWorkspaceWith(t *testing.T, opts []engine.Option, files ...string) *workspace {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{t: t, root: dir + "/root", home: dir + "/home", manage: dir + "/managed", scratch: dir + "/scratch", trusted: true, block: func(string) bool { return false }}
	for i := 0; i < len(files); i += 2 {
		w.write(files[i], files[i+1])
	}
	if err := os.MkdirAll(w.root, 0o700); err != nil {
		t.Fatal(err)
	}
	w.pins = nothingPinned
	w.Engine, err = w.open(append(opts,
		engine.WithChanges(func(c engine.Change) { w.changes = append(w.changes, c) }),
		engine.WithHook(engine.ConfigChange, "", func(_ context.Context, c engine.Call) (engine.Result, error) {
			w.asked = append(w.asked, c.Facts.Event)
			if w.block(w.name(c.Facts.Event.More.Text("file_path"))) {
				return engine.Result{Verdict: engine.Deny, Reason: "not now"}, nil
			}
			return engine.Result{}, nil
		}))...)
	if w.Engine == nil {
		t.Fatal(err)
	}
	return w
}

// open opens the workspace once more.
func (w *workspace) open(opts ...engine.Option) (*engine.Engine, error) {
	return engine.Open(background, w.root, append(opts, engine.WithHome(w.home), engine.WithManaged(w.manage), engine.WithScratch(w.scratch),
		engine.WithTrust(func(string) bool { return w.trusted }),
		engine.WithPins(func(root string) (*hook.Overlay, error) { return w.pins(root) }))...)
}

func (w *workspace) path(name string) string { return filepath.Join(filepath.Dir(w.root), name) }

func (w *workspace) name(path string) string {
	rel, err := filepath.Rel(filepath.Dir(w.root), path)
	if err != nil {
		w.t.Fatal(err)
	}
	return rel
}

func (w *workspace) write(name, text string) {
	w.t.Helper()
	path := w.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// reload reloads without an error, and returns what was asked.
func (w *workspace) reload(changed ...string) (asked string) {
	w.t.Helper()
	if err := w.tryReload(changed...); err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, ev := range w.asked {
		names = append(names, ev.MatchSubject()+" "+ev.More.Text("change")+" "+w.name(ev.More.Text("file_path")))
	}
	return strings.Join(names, ", ")
}

func (w *workspace) tryReload(changed ...string) error {
	w.asked = nil
	paths := make([]string, len(changed))
	for i, name := range changed {
		paths[i] = w.path(name)
	}
	return w.Reload(background, paths...)
}

// denies lists those of commands that are denied.
func (w *workspace) denies(commands ...string) string {
	var list []string
	for _, c := range commands {
		if !w.Dispatch(background, engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Bash", Dir: w.root, Input: engine.Input("command", c)}).Proceed() {
			list = append(list, c)
		}
	}
	return strings.Join(list, " ")
}

func (w *workspace) expect(what, got, want string) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// denying is a policy that denies each program.
func denying(programs ...string) string {
	var b strings.Builder
	b.WriteString("rules:\n")
	for _, p := range programs {
		b.WriteString("  - {name: no-" + p + ", on: PreToolUse, match: Bash(" + p + " *), decision: deny}\n")
	}
	return b.String()
}

func denyingLua(program string) string {
	return "on('PreToolUse', 'Bash(" + program + " *)', function(ev) return deny('no') end)\n"
}

func TestReloadTakesWhatChanged(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", denying("a", "b"), "root/.pawl/more.yaml", denying("x"))
	before := w.Snapshot()
	w.expect("nothing changed", w.reload(), "")
	if w.Snapshot() != before || len(w.changes) > 0 {
		t.Errorf("a reload of nothing: %v", w.changes)
	}
	w.write("root/pawl.yaml", strings.Replace(denying("a", "c"), "decision: deny}", "decision: deny, reason: other}", 1))
	w.expect("asked", w.reload(), "project_settings modified root/pawl.yaml")
	w.expect("in force", w.denies("a", "b", "c", "x"), "a c x")
	c := w.changes[0]
	if want := []engine.FileChange{{Path: w.path("root/pawl.yaml"), Source: c.Files[0].Source, Kind: engine.FileModified,
		Added: []string{"rules.no-c"}, Removed: []string{"rules.no-b"}, Changed: []string{"rules.no-a"}}}; !reflect.DeepEqual(c.Files, want) || c.Err != nil || c.Snapshot != w.Snapshot() {
		t.Errorf("%+v", c)
	}
	w.expect("told", c.Files[0].Summary(), "added: rules.no-c; removed: rules.no-b; changed: rules.no-a")
	if ev := w.asked[0]; ev.More.Text("config_path") != w.path("root/pawl.yaml") || ev.More.Text("summary") != c.Files[0].Summary() {
		t.Errorf("%s", ev.JSON())
	}
	w.write("root/.pawl/new.yaml", denying("y"))
	w.remove("root/.pawl/more.yaml")
	w.expect("asked", w.reload(), "project_settings removed root/.pawl/more.yaml, project_settings added root/.pawl/new.yaml")
	w.expect("in force", w.denies("a", "x", "y"), "a y")
}

// What stands in for a file that blocks as a whole is no hook that was added.
func TestReloadCountsNoStandIn(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", denying("a"))
	w.write("root/pawl.yaml", "rulez: 1\n")
	if err := w.Reload(t.Context()); err == nil {
		t.Error("a broken policy is taken")
	}
	w.expect("told", w.changes[0].Files[0].Summary(), "removed: rules.no-a")
}

// A blocked change stays out, also through later reloads, until the file is
// another one.
func TestReloadBlocked(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", denying("a"), "root/.pawl/one.yaml", denying("b"))
	w.block = func(name string) bool { return name == "root/pawl.yaml" }
	w.write("root/pawl.yaml", denying("c"))
	w.write("root/.pawl/one.yaml", denying("d"))
	w.expect("asked", w.reload(), "project_settings modified root/.pawl/one.yaml, project_settings modified root/pawl.yaml")
	w.expect("in force", w.denies("a", "b", "c", "d"), "a d")
	if f := w.changes[0].Files; len(f) != 2 || f[0].Kept != "" || f[1].Kept != "not now" || !strings.Contains(f[1].String(), "stays in force: not now") {
		t.Errorf("%+v", f)
	}
	w.write("root/.pawl/one.yaml", denying("e"))
	w.expect("asked once", w.reload(), "project_settings modified root/.pawl/one.yaml")
	w.expect("in force", w.denies("a", "c", "e"), "a e")

	w.write("root/pawl.yaml", denying("f"))
	w.expect("asked again", w.reload(), "project_settings modified root/pawl.yaml")
	w.expect("in force", w.denies("a", "c", "f"), "a")
	if k := w.Kept(); len(k) != 1 || k[0].Path != w.path("root/pawl.yaml") || k[0].Kept != "not now" {
		t.Errorf("kept: %+v", k)
	}
	w.write("root/pawl.yaml", denying("a"))
	w.expect("back", w.reload(), "")
	if k := w.Kept(); len(k) > 0 {
		t.Errorf("kept: %+v", k)
	}
	w.block = func(string) bool { return false }
	w.write("root/pawl.yaml", denying("f"))
	w.expect("allowed now", w.reload(), "project_settings modified root/pawl.yaml")
	w.expect("in force", w.denies("a", "c", "f"), "f")
}

func TestReloadBlockedComingAndGoing(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", "policies: [lua]\n"+denying("a"), "root/.pawl/one.yaml", denying("b"),
		"root/lua/p.lua", denyingLua("c"), "root/skills/s/SKILL.md", skillDenying("d"))
	w.block = func(string) bool { return true }
	w.remove("root/pawl.yaml")
	w.remove("root/.pawl")
	w.remove("root/lua")
	w.remove("root/skills")
	w.expect("asked", w.reload(), "project_settings removed root/.pawl/one.yaml, project_settings removed root/lua/p.lua, "+
		"project_settings removed root/pawl.yaml, skills removed root/skills/s/SKILL.md")
	w.expect("in force", w.denies("a", "b", "c", "d"), "a b c d")
	w.write("root/.pawl/two.yaml", denying("e"))
	w.write("root/lua/q.lua", denyingLua("f"))
	w.expect("asked", w.reload(), "project_settings added root/.pawl/two.yaml, project_settings added root/lua/q.lua")
	w.expect("in force", w.denies("a", "b", "c", "d", "e", "f"), "a b c d")
	w.block = func(string) bool { return false }
	w.expect("nothing is another than what was refused", w.reload(), "")
	w.write("root/pawl.yaml", denying("g"))
	w.expect("asked", w.reload(), "project_settings removed root/lua/p.lua, project_settings modified root/pawl.yaml")
	w.expect("in force", w.denies("a", "b", "c", "d", "e", "f", "g"), "b d g")
}

func skillDenying(program string) string {
	return "---\nname: s\ndescription: a skill\nhooks:\n  PreToolUse:\n    - matcher: Bash(" + program + " *)\n      hooks:\n        - {type: permission, decision: deny}\n---\ntext\n"
}

// B124: a managed file that is gone does not take its rules along.
func TestReloadManaged(t *testing.T) {
	w := newWorkspace(t, "managed/managed.yaml", denying("a"), "managed/managed.d/x.yaml", denying("b"))
	w.block = func(string) bool { return true }
	w.write("managed/managed.yaml", denying("c"))
	w.remove("managed/managed.d/x.yaml")
	w.expect("asked", w.reload(), "policy_settings removed managed/managed.d/x.yaml, policy_settings modified managed/managed.yaml")
	w.expect("a managed change cannot be blocked, and no managed file just goes", w.denies("a", "b", "c"), "b c")
}

// A file that has not been named is not taken: somebody may be writing it.
func TestReloadTakesSettledFilesOnly(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", denying("a"), "root/.pawl/one.yaml", denying("b"), "root/.pawl/gone.yaml", denying("c"))
	w.write("root/pawl.yaml", denying("d"))
	w.write("root/.pawl/one.yaml", "rules: [{")
	w.write("root/.pawl/new.yaml", denying("e"))
	w.remove("root/.pawl/gone.yaml")
	w.expect("asked", w.reload("root/pawl.yaml"), "project_settings modified root/pawl.yaml")
	w.expect("in force", w.denies("a", "b", "c", "d", "e"), "b c d")
	w.expect("a directory: what came and went", w.reload("root/.pawl"), "project_settings removed root/.pawl/gone.yaml, project_settings added root/.pawl/new.yaml")
	w.expect("in force", w.denies("b", "c", "d", "e"), "b d e")
	w.write("root/.pawl/one.yaml", denying("f"))
	w.expect("asked", w.reload("root/.pawl/one.yaml"), "project_settings modified root/.pawl/one.yaml")
	w.expect("in force", w.denies("b", "d", "e", "f"), "d e f")
}

// B128: what was in force before stays, all of it, until it is mended.
func TestReloadRefusesWhatIsBroken(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", "policies: [lua]\n"+denying("a"), "root/lua/p.lua", denyingLua("b"))
	for _, c := range []struct{ name, text, want string }{
		{"root/pawl.yaml", "rules:\n  - {name: x, on: PreToolUse, match: Bash(a *), decision: dny}\n", "pawl.yaml:2:59: "},
		{"root/pawl.yaml", "", "pawl.yaml: has become empty"},
		{"root/pawl.yaml", " \n\n", "pawl.yaml: has become empty"},
		{"root/pawl.yaml", "\x00\xff", "pawl.yaml:1:"},
		{"root/lua/p.lua", "on('PreToolUse', function(ev) retrn deny('x') end)", "p.lua:1:"},
		{"root/lua/p.lua", "", "p.lua: has become empty"},
	} {
		before, err := os.ReadFile(w.path(c.name))
		if err != nil {
			t.Fatal(err)
		}
		w.write(c.name, c.text)
		for range 2 { // it is told each time
			err := w.tryReload()
			if _, ok := errors.AsType[*engine.LoadError](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %q: %v, want %s", c.name, c.text, err, c.want)
			}
			if len(w.asked) > 0 {
				t.Errorf("%q: asked about what is broken", c.text)
			}
			w.expect("in force", w.denies("a", "b"), "a b")
			if last := w.changes[len(w.changes)-1]; last.Err == nil || last.Snapshot != w.Snapshot() {
				t.Errorf("%+v", last)
			}
		}
		w.write(c.name, string(before))
		w.expect("mended", w.reload(), "")
	}
	for _, f := range []func() error{
		func() error { return os.Mkdir(w.path("root/pawl.yaml"), 0o700) },
		func() error { return os.Symlink("nowhere", w.path("root/pawl.yaml")) },
	} {
		w.remove("root/pawl.yaml")
		if err := f(); err != nil {
			t.Fatal(err)
		}
		if err := w.tryReload(); err == nil || !strings.Contains(err.Error(), "pawl.yaml: is a ") {
			t.Errorf("%v", err)
		}
		w.expect("in force", w.denies("a", "b"), "a b")
	}
}

// A host may want what a new engine would say: what is broken blocks, its
// neighbours change, and what was refused or emptied stays as it was.
func TestReloadTakesWhatIsBroken(t *testing.T) {
	w := newWorkspaceWith(t, []engine.Option{engine.WithBrokenInForce()},
		"root/pawl.yaml", "{}\n", "root/.pawl/one.yaml", denying("b"), "root/.pawl/two.yaml", denying("c"), "root/.pawl/kept.yaml", denying("d"))
	w.block = func(name string) bool { return name == "root/.pawl/kept.yaml" }
	w.remove("root/.pawl/kept.yaml")
	w.write("root/.pawl/one.yaml", "")
	w.write("root/.pawl/two.yaml", denying("e"))
	w.reload()
	w.expect("an empty file costs its neighbours nothing", w.denies("b 1", "c 1", "d 1", "e 1", "x"), "b 1 d 1 e 1")
	for name, text := range map[string]string{"root/pawl.yaml": "rules: [", "root/.pawl/new.yaml": "\xff"} {
		w.write(name, text)
		w.reload()
		if dec := w.decide("x"); dec.Verdict != engine.Deny || !strings.Contains(dec.Reason(), w.path(name)+":1:") {
			t.Errorf("%s: %v %q", name, dec.Verdict, dec.Reasons)
		}
		if len(w.Diagnostics()) == 0 {
			t.Error("nothing is told of it")
		}
		w.remove(name)
		w.reload()
		w.expect("mended", w.denies("b 1", "c 1", "d 1", "e 1", "x"), "b 1 d 1 e 1")
	}
	w.write("root/.pawl/one.yaml", "rules: [{name: one, on: PreToolUse, match: Bash(x *), decision: dny}]\n")
	w.write("root/.pawl/two.yaml", denying("f"))
	w.reload()
	w.expect("a broken entry blocks where it would have fired", w.denies("b 1", "d 1", "e 1", "f 1", "x 1"), "d 1 f 1 x 1")
}

// What is broken from the start can be mended: it does not block that, and a
// hook that does is asked.
func TestReloadMends(t *testing.T) {
	for _, text := range []string{"rules: [", "hooks: {ConfigChange: [{hooks: [{type: comand, command: x}]}]}\n", "policies: [nowhere.lua]\n"} {
		w := newWorkspaceWith(t, nil, "root/.pawl/one.yaml", denying("a"), "root/pawl.yaml", text)
		w.block = func(string) bool { return true }
		w.write("root/.pawl/one.yaml", denying("b"))
		w.reload()
		w.block = func(string) bool { return false }
		w.write("root/pawl.yaml", denying("c"))
		w.reload()
		w.expect("mended", w.denies("a 1", "b 1", "c 1", "x"), "a 1 c 1")
		if len(w.Diagnostics()) > 0 {
			t.Errorf("%q: %v", text, w.Diagnostics())
		}
	}
}

// B129: the hooks of an event that runs are those that it began with, also for
// the input that one of them writes after a reload.
func TestReloadDuringAnEvent(t *testing.T) {
	for command, want := range map[string]hook.Verdict{"a 1": engine.Deny, "b 1": engine.None} {
		var w *workspace
		opts := []engine.Option{engine.WithHook(engine.PreToolUse, "Bash(x)", func(context.Context, engine.Call) (engine.Result, error) {
			w.write("root/pawl.yaml", denying("b"))
			w.expect("asked", w.reload(), "project_settings modified root/pawl.yaml")
			return engine.Result{Input: engine.Input("command", command)}, nil
		})}
		w = newWorkspaceWith(t, opts, "root/pawl.yaml", denying("a"))
		if dec := w.decide("x"); dec.Verdict != want {
			t.Errorf("%s: %v %q, want the old rules alone", command, dec.Verdict, dec.Reasons)
		}
		w.expect("the next one", w.denies("a 1", "b 1"), "b 1")
	}
}

// What hooks remember survives a reload.
func TestReloadKeepsState(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", `policies: [lua]
hooks:
  PreToolUse:
    - hooks:
        - {type: permission, decision: deny, once: true}
`, "root/lua/p.lua", "on('PreToolUse', function(ev) if state.incr('n') > 1 then return deny('second') end end)")
	w.expect("once", w.denies("x"), "x")
	w.expect("once", w.denies("x"), "")
	before := w.Snapshot()
	w.write("root/lua/q.lua", denyingLua("z"))
	w.expect("asked", w.reload(), "project_settings added root/lua/q.lua")
	if w.Snapshot() == before {
		t.Error("the set with another Lua policy has the same name")
	}
	w.expect("the count goes on", w.denies("x"), "x")
}

// A session that begins when the files of a policy are gone runs what was
// loaded.
func TestSessionsNeedNoFilesOfPolicies(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", "policies: [lua]\n", "root/lua/p.lua", "local word = require('lib.word')\n"+
		"on('PreToolUse', 'Bash', function(ev) if ev.command == word then return deny('no') end end)\n", "root/lua/lib/word.lua", "return 'a 1'\n")
	w.remove("root/lua")
	w.expect("in force", w.denies("a 1", "b 1"), "a 1")
}

func TestReloadSeesTrust(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", "permissions: {allow: [\"Bash(ls *)\"]}\n")
	ls := engine.Event{Name: engine.PreToolUse, Tool: "Bash", Dir: w.root, Input: engine.Input("command", "ls")}
	for _, trusted := range []bool{true, false, true} {
		w.trusted = trusted
		w.expect("no file changed", w.reload(), "")
		if got := w.Dispatch(background, ls).Verdict == engine.Allow; got != trusted {
			t.Errorf("trusted %v, allowed %v", trusted, got)
		}
	}
}
