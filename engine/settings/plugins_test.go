package settings

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	oneHook = `{"hooks":[{"type":"permission","decision":"deny"}]}`
	stop    = `{"description":"d","hooks":{"Stop":[` + oneHook + `]}}`
)

func manifest(name, more string) string { return `{"name":"` + name + `"` + more + `}` }

func TestPluginDirectories(t *testing.T) {
	root := tree(t, map[string]string{
		"etc/managed.yaml":                          "plugins: [plugins/m]\n",
		"etc/plugins/m/hooks/hooks.json":            stop,
		"home/.config/pawl/pawl.yaml":               "plugins: [u]\n",
		"home/.config/pawl/u/hooks/hooks.json":      stop,
		"p/pawl.yaml":                               "plugins:\n- plugins/a\n- plugins/b/\n- ROOT/c\n",
		"p/plugins/a/.claude-plugin/plugin.json":    manifest("lint", ""),
		"p/plugins/a/hooks/hooks.json":              stop,
		"p/plugins/b/hooks/hooks.json":              `{"Stop":[` + oneHook + `],"disableAllHooks":true,"permissions":{"deny":["Bash(a)"]},"modules":["./x.js"]}`,
		"c/.claude-plugin/plugin.json":              manifest("c", `,"hooks":{"Stop":[`+oneHook+`]}`),
		"p/.pawl/local.yaml":                        "plugins: [plugins/l]\n",
		"p/plugins/l/.claude-plugin/plugin.json":    manifest("l", `,"hooks":["./more.json","./hooks/hooks.json",{"hooks":{"PreToolUse":[`+oneHook+`]}}]`),
		"p/plugins/l/hooks/hooks.json":              stop,
		"p/plugins/l/more.json":                     stop,
		"p/echo-agent.yaml":                         "plugins: {theirs: true}\n",
		"p/skills/s/SKILL.md":                       skill("s", skillHook),
		"p/plugins/nobody-enables/hooks/hooks.json": stop,
	})
	rewrite(t, root, "p/pawl.yaml")
	opts := Options{Workspace: filepath.Join(root, "p"), Home: filepath.Join(root, "home"), Managed: filepath.Join(root, "etc")}
	same(t, loaded(t, root, opts), `
managed etc/managed.yaml in "etc" trusted
user home/.config/pawl/pawl.yaml in "home/.config/pawl"
project p/pawl.yaml in "p"
project p/echo-agent.yaml in "p"
local p/.pawl/local.yaml in "p"
plugin:m etc/plugins/m/hooks/hooks.json in "etc/plugins/m" by managed hooks.Stop[0].hooks[0] trusted
plugin:u home/.config/pawl/u/hooks/hooks.json in "home/.config/pawl/u" by user hooks.Stop[0].hooks[0]
plugin:lint p/plugins/a/.claude-plugin/plugin.json in "p/plugins/a" by project
plugin:lint p/plugins/a/hooks/hooks.json in "p/plugins/a" by project hooks.Stop[0].hooks[0]
plugin:b p/plugins/b/hooks/hooks.json in "p/plugins/b" by project Stop[0].hooks[0]
  warning: p/plugins/b/hooks/hooks.json:1:63: disableAllHooks: has no effect in a plugin
plugin:c c/.claude-plugin/plugin.json in "c" by project hooks.Stop[0].hooks[0]
plugin:l p/plugins/l/.claude-plugin/plugin.json in "p/plugins/l" by local hooks[2].hooks.PreToolUse[0].hooks[0]
  warning: p/plugins/l/.claude-plugin/plugin.json:1:91: hooks: the plugin has hooks here and in files: all of them count (keep them in one place)
plugin:l p/plugins/l/hooks/hooks.json in "p/plugins/l" by local hooks.Stop[0].hooks[0]
plugin:l p/plugins/l/more.json in "p/plugins/l" by local hooks.Stop[0].hooks[0]
skill:s p/skills/s/SKILL.md in "p/skills/s" hooks.Stop[0].hooks[0]
`)
	for _, want := range []string{"c", "c/.claude-plugin/plugin.json", "p/plugins/a", "p/plugins/a/hooks/hooks.json", "p/plugins/l/more.json"} {
		if set, _ := Load(opts); !slices.Contains(set.Sources(), filepath.Join(root, want)) {
			t.Errorf("%s is not a source", want)
		}
	}
}

// rewrite puts the directory of the tree in the place of ROOT.
func rewrite(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(root, name)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "ROOT", root)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What is wrong with one plugin is told where it is enabled, or in its
// manifest, and costs no other.
func TestPluginFaults(t *testing.T) {
	root := tree(t, map[string]string{
		"p/pawl.yaml":                          "plugins: [none, empty, file, lint, again, link, bare, torn, lost, out, dup, nohooks, ROOT/p/lint]\n",
		"p/empty/README":                       "",
		"p/file":                               "",
		"p/lint/hooks/hooks.json":              stop,
		"p/again/.claude-plugin/plugin.json":   manifest("lint", `,"hooks":{"Stop":[`+oneHook+`]}`),
		"p/link":                               "->lint",
		"p/bare/.claude-plugin/plugin.json":    manifest("bare", ""),
		"p/torn/.claude-plugin/plugin.json":    `{"name":"x",`,
		"p/torn/hooks/hooks.json":              stop,
		"p/lost/.claude-plugin/plugin.json":    manifest("lost", `,"hooks":"./hooks.json"`),
		"p/out/.claude-plugin/plugin.json":     manifest("out", `,"hooks":["../lint/hooks/hooks.json","/etc/passwd","${CLAUDE_PLUGIN_ROOT}/h.json"]`),
		"p/out/h.json":                         stop,
		"p/dup/.claude-plugin/plugin.json":     manifest("dup", `,"hooks":"./hooks/linked.json"`),
		"p/dup/hooks/hooks.json":               stop,
		"p/dup/hooks/linked.json":              "->hooks.json",
		"p/nohooks/.claude-plugin/plugin.json": manifest("nohooks", `,"hooks":5`),
	})
	rewrite(t, root, "p/pawl.yaml")
	same(t, loaded(t, root, Options{Workspace: filepath.Join(root, "p")}), `
project p/pawl.yaml in "p"
  note: p/pawl.yaml:1:43: plugins: "link": this plugin is enabled already: it is loaded once
  warning: p/pawl.yaml:1:49: plugins: "bare": the plugin brings no hooks
  note: p/pawl.yaml:1:86: plugins: "p/lint": this plugin is enabled already: it is loaded once
plugin:none p/none in "p/none" by project BROKEN
  error: p/pawl.yaml:1:11: plugins: "none": no such directory (relative paths start at p)
plugin:empty p/empty in "p/empty" by project BROKEN
  error: p/pawl.yaml:1:17: plugins: "empty": neither hooks/hooks.json nor .claude-plugin/plugin.json is in it
plugin:file p/file in "p/file" by project BROKEN
  error: p/pawl.yaml:1:24: plugins: "file": no such directory (relative paths start at p)
plugin:lint p/lint/hooks/hooks.json in "p/lint" by project hooks.Stop[0].hooks[0]
plugin:lint p/again/.claude-plugin/plugin.json in "p/again" by project
  note: p/pawl.yaml:1:36: plugins: "again": left out: the plugin lint is that in p/lint
plugin:bare p/bare/.claude-plugin/plugin.json in "p/bare" by project
plugin:torn p/torn/.claude-plugin/plugin.json in "p/torn" by project BROKEN
  error: p/torn/.claude-plugin/plugin.json:1:13: not valid JSON: the text ends in the middle of a value
plugin:torn p/torn/hooks/hooks.json in "p/torn" by project hooks.Stop[0].hooks[0]
plugin:lost p/lost/.claude-plugin/plugin.json in "p/lost" by project BROKEN
  error: p/lost/.claude-plugin/plugin.json:1:24: hooks: "hooks.json": no such file (relative paths start at p/lost)
plugin:out p/out/.claude-plugin/plugin.json in "p/out" by project BROKEN
  error: p/out/.claude-plugin/plugin.json:1:24: hooks[0]: "../lint/hooks/hooks.json" is not in the plugin (write ./hooks/hooks.json)
  error: p/out/.claude-plugin/plugin.json:1:51: hooks[1]: "/etc/passwd" is not in the plugin (write ./hooks/hooks.json)
plugin:out p/out/h.json in "p/out" by project hooks.Stop[0].hooks[0]
plugin:dup p/dup/.claude-plugin/plugin.json in "p/dup" by project
plugin:dup p/dup/hooks/hooks.json in "p/dup" by project hooks.Stop[0].hooks[0]
  note: p/dup/hooks/linked.json: is p/dup/hooks/hooks.json: it is loaded once, as the plugin:dup layer
plugin:nohooks p/nohooks/.claude-plugin/plugin.json in "p/nohooks" by project BROKEN
  error: p/nohooks/.claude-plugin/plugin.json:1:27: hooks: expected a mapping from events to lists, got the number 5
`)
}

const (
	shelf1 = `{"version":1,"plugins":{"a@m":{"version":"1","installPath":"ROOT/cache/a"},"b@m":{"installPath":"ROOT/cache/b"},
"c@m":{"installPath":"ROOT/cache/c"},"gone@m":{"installPath":"ROOT/cache/gone"},"bad@m":{"installPath":"relative"}}}`
	shelf2 = `{"version":2,"plugins":{"a@m":[{"scope":"user","installPath":"ROOT/cache/a"}],
"b@m":[{"scope":"user","installPath":"ROOT/cache/c"},{"scope":"project","projectPath":"ROOT/p","installPath":"ROOT/cache/b"}],
"c@m":[{"scope":"local","projectPath":"ROOT/other","installPath":"ROOT/cache/c"}],"gone@m":[{"installPath":"ROOT/cache/gone"}],"bad@m":[]}}`
)

// claudeTree has three installed plugins and the settings that enable them.
func claudeTree(t *testing.T, shelf string, files map[string]string) (root string, opts Options) {
	all := map[string]string{
		"home/.claude/plugins/installed_plugins.json": shelf,
		"cache/a/.claude-plugin/plugin.json":          manifest("a", ""),
		"cache/a/hooks/hooks.json":                    stop,
		"cache/b/hooks/hooks.json":                    stop,
		"cache/c/.claude-plugin/plugin.json":          manifest("c", ""), // many plugins have no hooks
		"p/file":                                      "",
	}
	maps.Copy(all, files)
	root = tree(t, all)
	rewrite(t, root, "home/.claude/plugins/installed_plugins.json")
	return root, Options{Workspace: filepath.Join(root, "p"), Home: filepath.Join(root, "home"), Managed: filepath.Join(root, "etc"), Claude: true}
}

func enabled(entries string) string { return `{"enabledPlugins":{` + entries + `}}` }

// Both shapes of the list say the same; only what is on and installed here is
// read.
func TestEnabledPlugins(t *testing.T) {
	for name, shelf := range map[string]string{"version 1": shelf1, "version 2": shelf2} {
		t.Run(name, func(t *testing.T) {
			root, opts := claudeTree(t, shelf, map[string]string{
				"home/.claude/settings.json": enabled(`"a@m":true,"b@m":["^1.0"],"gone@m":true,"bad@m":true,"none@m":true,"x@builtin":true,"off@m":false,"odd@m":1`),
			})
			same(t, loaded(t, root, opts), `
user home/.claude/settings.json in "home/.claude" claude
  warning: home/.claude/settings.json:1:126: enabledPlugins.odd@m: turns nothing on or off: expected true or false, got the number 1
  warning: home/.claude/settings.json:1:46: enabledPlugins: "gone@m": the plugin is not there any more: cache/gone (install it, or remove the entry)
  warning: home/.claude/settings.json:1:60: enabledPlugins: "bad@m": the plugin is not installed for this workspace (install it, or remove the entry)
  warning: home/.claude/settings.json:1:73: enabledPlugins: "none@m": the plugin is not installed for this workspace (install it, or remove the entry)
plugin home/.claude/plugins/installed_plugins.json in "home/.claude/plugins" by user
plugin:a cache/a/.claude-plugin/plugin.json in "cache/a" by user
plugin:a cache/a/hooks/hooks.json in "cache/a" by user hooks.Stop[0].hooks[0]
plugin:b cache/b/hooks/hooks.json in "cache/b" by user hooks.Stop[0].hooks[0]
`)
			opts.Claude = false
			if got := loaded(t, root, opts); got != "" {
				t.Errorf("without the settings of Claude Code: %s", got)
			}
		})
	}
}

// Of a plugin that is installed for this project alone and for all, this
// project's counts; one of another project is not there.
func TestInstalledForAProject(t *testing.T) {
	root, opts := claudeTree(t, shelf2, map[string]string{"p/.claude/settings.json": enabled(`"b@m":true,"c@m":true`)})
	same(t, loaded(t, root, opts), `
project p/.claude/settings.json in "p" claude
  warning: p/.claude/settings.json:1:31: enabledPlugins: "c@m": the plugin is not installed for this workspace (install it, or remove the entry)
plugin home/.claude/plugins/installed_plugins.json in "home/.claude/plugins" by project
plugin:b cache/b/hooks/hooks.json in "cache/b" by project hooks.Stop[0].hooks[0]
`)
}

// Who turns a plugin on answers for it: the nearer file wins, the managed one
// over all, and a workspace that is not trusted takes nothing away.
func TestWhoEnablesAPlugin(t *testing.T) {
	for _, r := range []struct{ managed, user, project, local, trusted, untrusted string }{
		{"", "true", "", "", "user", "user"},
		{"", "true", "true", "", "user", "user"},
		{"", "", "true", "", "project", "project"},
		{"", "", "false", "true", "local", "local"},
		{"", "false", "true", "", "project", "project"},
		{"", "true", "false", "", "off", "user"},
		{"", "true", "false", "true", "local", "user"},
		{"", "true", "", "false", "off", "user"},
		{"", "", "true", "false", "off", "off"},
		{"true", "false", "false", "false", "managed", "managed"},
		{"false", "true", "true", "", "off", "off"},
		{"true", "true", "", "", "managed", "managed"},
	} {
		files := map[string]string{}
		for name, on := range map[string]string{"etc/managed.yaml": r.managed, "home/.claude/settings.json": r.user,
			"p/.claude/settings.json": r.project, "p/.claude/settings.local.json": r.local} {
			if on != "" {
				files[name] = enabled(`"b@m":` + on)
			}
		}
		_, opts := claudeTree(t, shelf1, files)
		for trusted, want := range map[bool]string{true: r.trusted, false: r.untrusted} {
			opts.Trusts = func(string) bool { return trusted }
			set, err := Load(opts)
			if err != nil {
				t.Fatal(err)
			}
			got := "off"
			for _, f := range set.Files {
				if f.Source.Name == "b" {
					got = f.Source.By.String()
				}
			}
			if got != want {
				t.Errorf("%+v, trusted %v: %s, want %s", r, trusted, got, want)
			}
		}
	}
}

// A list that cannot be read takes guards away: that is no empty list.
func TestInstalledPluginsFaults(t *testing.T) {
	for _, text := range []string{"", "[]", "{}", `{"plugins":{"b@m":{}},"plugins":{}}`, `{"plugins":`} {
		_, opts := claudeTree(t, text, map[string]string{"home/.claude/settings.json": enabled(`"b@m":true`)})
		set, err := Load(opts)
		if err != nil {
			t.Fatal(err)
		}
		if last := set.Files[len(set.Files)-1]; !last.Broken || len(last.Diagnostics) != 1 {
			t.Errorf("%q: %+v", text, last)
		}
	}
}

// In files for Pawl alone enabledPlugins needs the settings of Claude Code,
// which is said.
func TestEnabledPluginsUnread(t *testing.T) {
	root := tree(t, map[string]string{"etc/managed.yaml": enabled(`"a@m":true`), "p/settings.json": enabled(`"a@m":true`)})
	same(t, loaded(t, root, Options{Files: []string{filepath.Join(root, "p/settings.json")}}), `
managed etc/managed.yaml in "etc" trusted
  warning: etc/managed.yaml:1:20: enabledPlugins: "a@m": has no effect: the settings of Claude Code are not read (give --claude-settings, or list directories under plugins)
project p/settings.json in "p" claude trusted
  note: p/settings.json:1:20: enabledPlugins: "a@m": has no effect: the settings of Claude Code are not read (give --claude-settings, or list directories under plugins)
`)
}

// Plugins of a file that somebody named are trusted as that file is.
func TestPluginsOfNamedFiles(t *testing.T) {
	root := tree(t, map[string]string{"p/x.yaml": "plugins: [lint]\n", "p/lint/hooks/hooks.json": stop})
	same(t, loaded(t, root, Options{Files: []string{filepath.Join(root, "p/x.yaml")}}), `
project p/x.yaml in "p" trusted
plugin:lint p/lint/hooks/hooks.json in "p/lint" by project hooks.Stop[0].hooks[0] trusted
`)
}
