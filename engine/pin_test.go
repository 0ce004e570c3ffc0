//go:build unix

package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// pin pins all that w brings now.
func (w *workspace) pin() {
	w.t.Helper()
	w.pins = nothingPinned
	eng, err := w.open(engine.WithClaudeSettings())
	if err != nil {
		w.t.Fatal(err)
	}
	files, err := eng.Pinnable()
	if err != nil {
		w.t.Fatal(err)
	}
	trust, err := settings.OpenTrust(w.path("state"))
	if err == nil {
		err = trust.Pin(w.root, files)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.pins = trust.Pins
}

// fullWorkspace has a hook file of each kind; all of them deny the words that
// they are named after.
func fullWorkspace(t *testing.T, more ...string) *workspace {
	w := newWorkspace(t, append([]string{
		"managed/managed.yaml", denying("managed"), "home/.config/pawl/pawl.yaml", denying("user"),
		"root/pawl.yaml", "policies: [policies, empty]\nplugins: [plugin]\n" + denying("project") +
			strings.Replace(running(`"$CLAUDE_PROJECT_DIR"/hooks/guard.sh`), "matcher: Bash", "matcher: Bash(script *)|Bash(other *)", 1) + "permissions: {allow: [Bash(free *)]}\n",
		"root/.pawl/more.yaml", denying("more"), "root/.pawl/local.yaml", denying("local"), "root/echo-agent.yaml", denying("echo"),
		"root/.claude/settings.json", `{"permissions":{"deny":["Bash(claude *)"]},"enabledPlugins":{"b@m":true}}`,
		"home/.claude/plugins/installed_plugins.json", `{"version":1,"plugins":{"b@m":{"installPath":"ROOT/cache/b"}}}`, "cache/b/hooks/hooks.json", plugin("cached"),
		"root/policies/p.lua", "local word = require('lib/words')\non('PreToolUse', 'Bash', function(ev) if ev.command:sub(1, #word) == word then return deny('lua') end end)\n",
		"root/policies/lib/words.lua", "return 'lua '\n",
		"root/plugin/.claude-plugin/plugin.json", `{"name":"lint","hooks":"./h.json"}`, "root/plugin/h.json", plugin("plugin"),
		"root/skills/deep/s/SKILL.md", skillDenying("skill"), "root/empty/README", "",
	}, more...)...)
	w.write("home/.claude/plugins/installed_plugins.json", `{"version":1,"plugins":{"b@m":{"installPath":"`+w.path("cache/b")+`"}}}`)
	w.script("root/hooks/guard.sh", "#!/bin/bash\n. \"$(dirname \"$0\")/words.sh\"\ncase $(cat) in *'\"command\":\"'$word' '*) exit 2;; esac\n")
	w.write("root/hooks/words.sh", "word=script\n")
	return w
}

var probes = []string{"managed", "user", "project", "more", "local", "echo", "claude", "cached", "lua", "plugin", "skill", "script", "free", "other"}

// probe lists the verdicts on the probes by an engine as the hook command
// makes it, or by a resident one.
func (w *workspace) probe(lazy bool, probes ...string) string {
	w.t.Helper()
	opts := []engine.Option{engine.WithClaudeSettings()}
	if lazy {
		opts = append(opts, engine.WithLazyConditions())
	}
	eng, err := w.open(opts...)
	if eng == nil {
		w.t.Fatal(err)
	}
	var list []string
	for _, p := range probes {
		dec := eng.Dispatch(background, engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Bash", Dir: w.root, Input: engine.Input("command", p+" 1")})
		list = append(list, p+" "+dec.Verdict.String())
		if dec.Verdict != engine.None && dec.Verdict != engine.Allow && dec.Verdict != engine.Deny {
			w.t.Logf("%s: %v", p, dec.Reasons)
		}
	}
	return strings.Join(list, ", ")
}

// edits are what may come in the place of a file of a workspace.
var edits = map[string]func(w *workspace, path string, r *rand.Rand) error{
	"nothing": func(w *workspace, path string, _ *rand.Rand) error { return nil },
	"empty":   func(w *workspace, path string, _ *rand.Rand) error { return os.WriteFile(path, nil, 0o600) },
	"garbage": func(w *workspace, path string, _ *rand.Rand) error { return os.WriteFile(path, []byte("{[\x00"), 0) },
	"loosen": func(w *workspace, path string, _ *rand.Rand) error {
		return os.WriteFile(path, []byte(loosening(path)), 0o700)
	},
	"pipe":     func(w *workspace, path string, _ *rand.Rand) error { return syscall.Mkfifo(path, 0o700) },
	"dir":      func(w *workspace, path string, _ *rand.Rand) error { return os.Mkdir(path, 0o700) },
	"dangling": func(w *workspace, path string, _ *rand.Rand) error { return os.Symlink("nothing", path) },
	"link": func(w *workspace, path string, r *rand.Rand) error {
		return os.Symlink(w.path(workspaceFiles[r.IntN(len(workspaceFiles))]), path)
	},
}

// workspaceFiles are files and directories of a full workspace, and such as
// may come.
var workspaceFiles = strings.Fields(`root/pawl.yaml root/.pawl root/.pawl/more.yaml root/.pawl/local.yaml root/.pawl/new.yaml root/.pawl/a.yml root/echo-agent.yaml
root/.claude root/.claude/settings.json root/.claude/settings.local.json root/policies root/policies/p.lua root/policies/a.lua root/policies/lib root/policies/lib/words.lua root/empty root/empty/x.lua
root/plugin root/plugin/h.json root/plugin/hooks/hooks.json root/plugin/.claude-plugin/plugin.json root/skills root/skills/deep root/skills/deep/SKILL.md root/skills/deep/s root/skills/deep/s/SKILL.md
root/skills/deep/s/hooks.json root/skills/a/SKILL.md root/.agents/skills/s/SKILL.md root/hooks root/hooks/guard.sh root/hooks/words.sh root/hooks/cat cache/b cache/b/hooks/hooks.json cache/b/.claude-plugin/plugin.json`)

// loosening is a hook file that switches off and allows what it can.
func loosening(path string) string {
	switch filepath.Ext(path) {
	case ".json":
		return `{"disableAllHooks":true,"permissions":{"allow":["Bash"]},"enabledPlugins":{"b@m":false}}`
	case ".lua":
		return "on('PreToolUse', 'Bash', function(ev) return allow('free') end)\n"
	case ".sh":
		return "echo '{\"decision\":\"approve\"}'; exit 0\n"
	case ".md":
		return skillDenying("other")
	}
	return "disableAllHooks: true\npermissions: {allow: [Bash], deny: [Bash(other *)]}\n" + running("echo '{\"decision\":\"approve\"}'")
}

// clear makes room for a new file: what an edit before this one left may be in
// the way.
func (w *workspace) clear(name string) {
	w.t.Helper()
	for dir := filepath.Dir(name); dir != "root" && dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(w.path(dir)); err == nil && !info.IsDir() {
			if err := os.Remove(w.path(dir)); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.remove(name)
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o700); err != nil {
		w.t.Fatal(err)
	}
}

// B172: with everything pinned no edit of the workspace changes any decision; without
// pins most of these do.
func TestPinnedWorkspacesDoNotChange(t *testing.T) {
	const inForce = "managed deny, user deny, project deny, more deny, local deny, echo deny, claude deny, cached deny, lua deny, plugin deny, skill deny, script deny, free allow, other none"
	kinds := append(slices.Sorted(maps.Keys(edits)), "loosen", "loosen")
	var loose atomic.Int32
	const seeds = 24
	t.Run("edits", func(t *testing.T) {
		for seed := range seeds {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				w := fullWorkspace(t)
				w.pin()
				w.expect("at first", w.probe(seed%2 == 0, probes...), inForce)
				names := []string{}
				for range 1 + r.IntN(6) {
					path, kind := workspaceFiles[r.IntN(len(workspaceFiles))], kinds[r.IntN(len(kinds))]
					names = append(names, kind+" "+path)
					w.clear(path)
					if err := edits[kind](w, w.path(path), r); err != nil {
						t.Fatal(err)
					}
				}
				w.expect(fmt.Sprint(names), w.probe(seed%2 == 0, probes...), inForce)
				w.pins = nothingPinned
				if w.probe(true, "project", "more", "plugin", "skill", "lua", "free") != "project deny, more deny, plugin deny, skill deny, lua deny, free allow" {
					loose.Add(1)
				}
			})
		}
	})
	if loose.Load() < seeds/2 {
		t.Errorf("the edits change something in %d of %d cases only", loose.Load(), seeds)
	}
}

func nothingPinned(string) (*hook.Overlay, error) { return nil, nil }

// A decision tells what differs from what is pinned: each time in its steps,
// and to the user when a session starts.
func TestPinsTellWhatDiffers(t *testing.T) {
	w := fullWorkspace(t)
	w.pin()
	w.write("root/pawl.yaml", "")
	w.write("root/hooks/words.sh", "word=other\n")
	w.write("root/policies/new.lua", "")
	w.write("root/.pawl/new.yaml", denying("other"))
	w.write("root/.claude/settings.local.json", "{}")
	w.write("root/skills/new/SKILL.md", skillDenying("other"))
	w.remove("root/policies/lib")
	w.remove("root/plugin")
	w.write("home/.config/pawl/pawl.yaml", denying("you")) // is the user's own
	want := []string{
		"root/.claude/settings.local.json: has come since the workspace was pinned: it has no effect",
		"root/.pawl/new.yaml: has come since the workspace was pinned: it has no effect",
		"root/hooks/words.sh: has changed since it was pinned: what it was then stays in force",
		"root/pawl.yaml: has changed since it was pinned: what it was then stays in force",
		"root/plugin/.claude-plugin/plugin.json: is gone since it was pinned: it stays in force",
		"root/plugin/h.json: is gone since it was pinned: it stays in force",
		"root/policies/lib/words.lua: is gone since it was pinned: it stays in force",
		"root/policies/new.lua: has come since the workspace was pinned: it has no effect",
		"root/skills/new/SKILL.md: has come since the workspace was pinned: it has no effect",
	}
	for _, opts := range [][]engine.Option{{}, {engine.WithLazyConditions()}} {
		eng, err := w.open(append(opts, engine.WithClaudeSettings())...)
		if err != nil {
			t.Fatal(err)
		}
		dec := eng.Dispatch(background, engine.Event{Name: engine.SessionStart, Session: "s", Dir: w.root})
		var notices, steps []string
		for _, n := range dec.Notices {
			notices = append(notices, strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(n, filepath.Dir(w.root)+"/", ""), "pawl: warning: "), " (pawl trust --pin)"))
		}
		for _, s := range eng.Dispatch(background, engine.Event{Name: engine.Notification, Session: "s", Dir: w.root}).Steps {
			if s.Status == hook.Problem {
				steps = append(steps, strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(s.Detail, filepath.Dir(w.root)+"/", ""), "warning: "), " (pawl trust --pin)"))
			}
		}
		slices.Sort(notices)
		slices.Sort(steps)
		if !slices.Equal(notices, want) || !slices.Equal(steps, want) {
			t.Errorf("notices:\n%s\nsteps:\n%s\nwant:\n%s", strings.Join(notices, "\n"), strings.Join(steps, "\n"), strings.Join(want, "\n"))
		}
	}
}

// If what is pinned cannot be read, nothing of the workspace runs or allows,
// what the pinned hooks may have guarded is blocked, and that is loud.
func TestPinsThatCannotBeRead(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", denying("a")+running("touch ran")+"permissions: {allow: [Bash(free *)]}\n")
	w.pins = func(string) (*hook.Overlay, error) { return nil, errors.New("the pins are torn") }
	eng, err := w.open()
	if _, ok := errors.AsType[*engine.LoadError](err); !ok || eng == nil || err.Error() != "the pins are torn" {
		t.Fatalf("%v", err)
	}
	before := w.Engine
	w.Engine = eng
	w.expect("denies", w.denies("a 1", "free 1"), "a 1 free 1")
	w.write("root/pawl.yaml", "disableAllHooks: true\n")
	if w.Engine, err = w.open(); err == nil {
		t.Error("the pins are read")
	}
	w.expect("denies", w.denies("a 1"), "a 1")
	w.remove("root/pawl.yaml")
	if w.Engine, err = w.open(); err == nil {
		t.Error("the pins are read")
	}
	w.expect("denies", w.denies("a 1"), "a 1")
	if _, err := os.Stat(w.path("root/ran")); err == nil || w.allows("free 1") {
		t.Errorf("something ran, or was allowed: %v", err)
	}
	for _, event := range []hook.EventName{engine.SessionStart, engine.UserPromptSubmit} {
		if n := eng.Dispatch(background, engine.Event{Name: event, Session: "s"}).Notices; len(n) == 0 || !strings.Contains(n[0], "the pins are torn") {
			t.Errorf("%s: %q", event, n)
		}
	}
	w.Engine = before
	if err := w.tryReload(); err == nil || !strings.Contains(err.Error(), "the pins are torn") {
		t.Errorf("reload: %v", err)
	}
	w.expect("the set before stays", w.denies("a 1"), "a 1")
}

// A reload takes nothing of a pinned workspace but new pins, and what is not
// the workspace's.
func TestReloadPinned(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", denying("a")+running("bash guard.sh"), "root/guard.sh", guarding("b"), "home/.config/pawl/pawl.yaml", denying("u"))
	w.pin()
	w.expect("pinned", w.reload(), "")
	w.write("root/pawl.yaml", denying("c"))
	w.write("root/guard.sh", guarding("d"))
	w.write("home/.config/pawl/pawl.yaml", denying("v"))
	w.block = func(name string) bool { return strings.HasPrefix(name, "root/") }
	w.expect("the user's", w.reload(), "user_settings modified home/.config/pawl/pawl.yaml")
	w.expect("in force", w.denies("a 1", "b 1", "c 1", "d 1", "u 1", "v 1"), "a 1 b 1 v 1")

	w.write("root/pawl.yaml", denying("c")+running("bash guard.sh"))
	w.pin()
	w.expect("pinned anew", w.reload(), "project_settings modified root/guard.sh, project_settings modified root/pawl.yaml")
	w.expect("a block does not keep it out", w.denies("a 1", "b 1", "c 1", "d 1"), "c 1 d 1")
	for _, f := range w.changes[len(w.changes)-1].Files {
		if f.Kept != "" {
			t.Errorf("%v", f)
		}
	}
	w.pins = nothingPinned
	w.block = func(string) bool { return false }
	w.write("root/guard.sh", guarding("e"))
	w.expect("not pinned", w.reload(), "project_settings modified root/guard.sh")
	w.expect("in force", w.denies("c 1", "d 1", "e 1"), "c 1 e 1")
}

// A program that is too large to be kept runs while it is what it was, and
// blocks once it is not.
func TestPinnedPrograms(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", strings.Replace(running("./guard"), "{type", "{timeout: 300s, type", 1)) // of a busy machine
	large := "#!/bin/bash\nexit 0\n" + strings.Repeat("# filler\n", 1<<19)
	w.script("root/guard", large)
	w.pin()
	w.reload()
	w.expect("as it was", w.denies("a 1"), "")
	w.script("root/guard", large+"#")
	dec := w.decide("a 1")
	if dec.Verdict != engine.Deny || !strings.Contains(dec.Reason(), "root/guard is not as it was accepted: it has changed since, and it was too large to be kept (pawl trust --pin)") {
		t.Errorf("%v %v", dec.Verdict, dec.Reasons)
	}
}

// A skill behind a link keeps its directory.
func TestPinnedSkillBehindALink(t *testing.T) {
	text := strings.Replace(skillDenying("a"), "{type: permission, decision: deny}", "{type: command, command: 'bash guard.sh'}", 1)
	w := newWorkspace(t, "root/shared/s/SKILL.md", text, "root/shared/s/guard.sh", guarding("a"), "root/skills/x", "", "root/evil/guard.sh", "exit 0\n")
	if err := os.Symlink("../shared/s", w.path("root/skills/s")); err != nil {
		t.Fatal(err)
	}
	w.pin()
	w.reload()
	w.expect("pinned", w.denies("a 1"), "a 1")
	w.remove("root/skills/s")
	if err := os.Symlink("../evil", w.path("root/skills/s")); err != nil {
		t.Fatal(err)
	}
	w.remove("root/shared/s/SKILL.md")
	w.reload()
	w.expect("the link leads elsewhere", w.denies("a 1"), "a 1")
}

func TestPinnable(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("bash guard.sh"))
	for _, r := range []struct {
		want   string
		change func() error
	}{
		{"guard.sh cannot be pinned: is a named pipe", func() error { return syscall.Mkfifo(w.path("root/guard.sh"), 0o600) }},
		{"what is broken cannot be pinned: error: " + w.path("root/pawl.yaml") + ":1:8: ", func() error { return os.WriteFile(w.path("root/pawl.yaml"), []byte("rules: [{"), 0o600) }},
	} {
		if err := r.change(); err != nil {
			t.Fatal(err)
		}
		eng, _ := w.open() // broken or not
		if _, err := eng.Pinnable(); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%v, want %s", err, r.want)
		}
	}
}
