//go:build unix

package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// plugin has a rule that denies program, one that allows it, and a command
// that tells where it runs.
func plugin(program string) string {
	return `{"hooks":{"PreToolUse":[
{"matcher":"Bash(` + program + ` *)","hooks":[{"type":"permission","decision":"deny"}]},
{"matcher":"Bash(run *)","hooks":[{"type":"command","command":"echo \"{\\\"reason\\\":\\\"` + program + ` $PWD $CLAUDE_PLUGIN_ROOT\\\",\\\"decision\\\":\\\"ask\\\"}\""}]}]},
"permissions":{"allow":["Bash(free *)"]}}`
}

// pluginFiles has a plugin of each layer that can enable one: m, u, p, l.
func pluginFiles(more ...string) []string {
	return append([]string{
		"managed/managed.yaml", "plugins: [m]\n", "managed/m/hooks/hooks.json", plugin("m"),
		"home/.config/pawl/pawl.yaml", "plugins: [u]\n", "home/.config/pawl/u/hooks/hooks.json", plugin("u"),
		"root/pawl.yaml", "plugins: [p]\n", "root/p/hooks/hooks.json", plugin("p"),
		"root/.pawl/local.yaml", "plugins: [l]\n", "root/l/hooks/hooks.json", plugin("l"),
	}, more...)
}

// ran lists the plugins whose command ran, and whether it ran in its plugin.
func (w *workspace) ran() string {
	w.t.Helper()
	var list []string
	for _, reason := range w.Dispatch(background, engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Bash", Dir: w.root, Input: engine.Input("command", "run x")}).Reasons {
		name, places, _ := strings.Cut(reason, " ")
		dir := map[string]string{"m": "managed/m", "u": "home/.config/pawl/u", "p": "root/p", "l": "root/l"}[name]
		if list = append(list, name); places != w.path(dir)+" "+w.path(dir) {
			w.t.Errorf("%s ran in %q", name, places)
		}
	}
	return strings.Join(list, " ")
}

func (w *workspace) allows(command string) bool {
	ev := engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Bash", Dir: w.root, Input: engine.Input("command", command)}
	return w.Dispatch(background, ev).Verdict == engine.Allow
}

// B168, B171: what a plugin may do is what the layer may that enabled it.
func TestPluginGates(t *testing.T) {
	for _, r := range []struct {
		name, managed, user, project string
		trusted                      bool
		denies, ran                  string
		allows                       bool
	}{
		{"trusted", "", "", "", true, "m u p l", "m u p l", true},
		{"not trusted: what runs is the company's, the workspace's only tighten", "", "", "", false, "m u p l", "m", true},
		{"managed hooks only", "allowManagedHooksOnly: true\n", "", "", true, "m", "m", true},
		{"the company switches all off", "disableAllHooks: true\n", "", "", true, "", "", true},
		{"the user switches all off", "", "disableAllHooks: true\n", "", true, "m", "m", true},
		{"the project switches its own off", "", "", "disableAllHooks: true\n", true, "m u", "m u", true},
	} {
		t.Run(r.name, func(t *testing.T) {
			w := newWorkspace(t, pluginFiles()...)
			w.trusted = r.trusted
			for name, text := range map[string]string{"managed/managed.yaml": r.managed, "home/.config/pawl/pawl.yaml": r.user, "root/pawl.yaml": r.project} {
				w.write(name, text+map[string]string{"managed/managed.yaml": "plugins: [m]\n", "home/.config/pawl/pawl.yaml": "plugins: [u]\n", "root/pawl.yaml": "plugins: [p]\n"}[name])
			}
			w.reload()
			w.expect("denies", strings.ReplaceAll(w.denies("m 1", "u 1", "p 1", "l 1"), " 1", ""), r.denies)
			w.expect("ran", w.ran(), r.ran)
			if got := w.allows("free x"); got != r.allows {
				t.Errorf("allows: %v", got)
			}
		})
	}
}

// An allow of a plugin that an untrusted workspace brings allows nothing.
func TestPluginAllowNeedsTrust(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", "plugins: [p]\n", "root/p/hooks/hooks.json", plugin("p"))
	for _, trusted := range []bool{true, false} {
		w.trusted = trusted
		w.reload()
		if got := w.allows("free x"); got != trusted {
			t.Errorf("trusted %v: allows %v", trusted, got)
		}
	}
}

// B101: copies in plugins stay, each a run of its own; the step names the
// plugin.
func TestPluginCopiesStay(t *testing.T) {
	w := newWorkspace(t, pluginFiles("root/p/hooks/hooks.json", plugin("same"), "root/l/hooks/hooks.json", plugin("same"))...)
	dec := w.Dispatch(background, engine.Event{Name: engine.PreToolUse, Tool: "Bash", Dir: w.root, Input: engine.Input("command", "run x")})
	names := map[string]bool{}
	for _, s := range dec.Steps {
		if s.Type == "command" {
			names[s.Source.String()] = true
		}
	}
	w.expect("sources", fmt.Sprint(slices.Sorted(maps.Keys(names))), "[plugin:l plugin:m plugin:p plugin:u]")
}

// A plugin that is no longer enabled stops at the next reload; one that a
// change brings starts then.
func TestReloadPlugins(t *testing.T) {
	w := newWorkspace(t, pluginFiles()...)
	w.remove("managed/m")
	w.write("managed/managed.yaml", "failClosed: false\n")
	w.remove("root/p")
	w.write("root/pawl.yaml", "plugins: []\n")
	w.write("root/new/.claude-plugin/plugin.json", `{"name":"n","hooks":"./h.json"}`)
	w.write("root/new/h.json", plugin("n"))
	w.write("root/.pawl/local.yaml", "plugins: [l, new]\n")
	w.expect("asked", w.reload(), "policy_settings modified managed/managed.yaml, project_settings modified root/pawl.yaml, local_settings modified root/.pawl/local.yaml, "+
		"plugins removed managed/m/hooks/hooks.json, plugins added root/new/.claude-plugin/plugin.json, plugins added root/new/h.json, plugins removed root/p/hooks/hooks.json")
	w.expect("in force", w.denies("m 1", "u 1", "p 1", "l 1", "n 1"), "u 1 l 1 n 1")
	for _, f := range w.changes[len(w.changes)-1].Files {
		if f.Kept != "" {
			t.Errorf("kept: %v", f)
		}
	}
	w.expect("nothing more", w.reload(), "")

	// A hooks file that is gone while its plugin is enabled takes the guard
	// away, so that nothing is taken over.
	w.remove("root/l")
	if err := w.tryReload(); err == nil || !strings.Contains(err.Error(), `local.yaml:1:11: plugins: "l": no such directory`) {
		t.Errorf("%v", err)
	}
	w.expect("in force", w.denies("l 1"), "l 1")
}

// What the company enables cannot be blocked, and does not go with its files.
func TestReloadManagedPlugin(t *testing.T) {
	w := newWorkspace(t, pluginFiles("managed/m/.claude-plugin/plugin.json", `{"name":"m"}`)...)
	w.block = func(string) bool { return true }
	w.write("managed/m/hooks/hooks.json", plugin("x"))
	w.write("root/p/hooks/hooks.json", plugin("y"))
	w.expect("asked", w.reload(), "plugins modified managed/m/hooks/hooks.json, plugins modified root/p/hooks/hooks.json")
	w.expect("in force", w.denies("m 1", "x 1", "p 1", "y 1"), "x 1 p 1")
	w.remove("managed/m/hooks/hooks.json")
	w.expect("asked", w.reload(), "plugins removed managed/m/hooks/hooks.json")
	w.expect("in force", w.denies("x 1"), "x 1")
	if f := w.changes[len(w.changes)-1].Files; len(f) != 1 || !strings.Contains(f[0].Kept, "managed") || f[0].Source.Authority() != hook.Managed {
		t.Errorf("%+v", f)
	}
}
