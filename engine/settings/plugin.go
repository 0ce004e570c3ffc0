package settings

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// PluginSwitch is one entry of enabledPlugins.
type PluginSwitch struct {
	ID hook.Text // name@marketplace
	On bool
}

// guards reads a list of names of files. What one of them guards is unknown,
// so that a bad item breaks the file.
func (d *decoder) guards(n *node, what, advice string) (names []hook.Text) {
	switch bad := d.own(n); {
	case bad != nil:
		d.Broken = true
	case n.kind == nullNode:
	case n.kind != listNode:
		d.want(n, what, advice)
		d.Broken = true
	default:
		for _, item := range n.items {
			var t hook.Text
			if d.filled(item, &t) != nil {
				d.Broken = true
				continue
			}
			names = append(names, t)
		}
	}
	return names
}

// plugins reads the list of plugin directories. In files that agents share
// with us the key is theirs.
func (d *decoder) plugins(m member) {
	if !d.inPlugin(m) && !d.shared() {
		d.Plugins = d.guards(m.value, "a list of directories", "write [plugins/lint]")
	}
}

// inPlugin warns of a key that has no effect in the files of a plugin.
func (d *decoder) inPlugin(m member) bool {
	if d.Source.Layer != hook.Plugin {
		return false
	}
	d.report(hook.Warning, m.pos, m.name, "has no effect in a plugin", "")
	return true
}

// enabled reads enabledPlugins: which plugins of Claude Code are on. Its file
// is mostly another's, so that a value that cannot be read is no more than
// told.
func (d *decoder) enabled(m member) {
	n := m.value
	if d.inPlugin(m) || n.kind == nullNode {
		return
	}
	if n.kind != mapNode {
		d.report(hook.Warning, n.pos, n.path(), "expected a mapping from name@marketplace to true or false, got "+n.describe(), "")
		return
	}
	d.own(n)
	for _, p := range n.members {
		switch v := p.value; {
		case v.kind == boolNode && (v.text == "true" || v.text == "false"):
			d.Enabled = append(d.Enabled, PluginSwitch{hook.Text{Value: p.name, Pos: p.pos}, v.text == "true"})
		case v.kind == listNode: // versions that will do
			d.Enabled = append(d.Enabled, PluginSwitch{hook.Text{Value: p.name, Pos: p.pos}, true})
		default:
			d.report(hook.Warning, v.pos, v.path(), "turns nothing on or off: expected true or false, got "+v.describe(), "")
		}
	}
}

const (
	manifestFile = ".claude-plugin/plugin.json"
	pluginHooks  = "hooks/hooks.json"
)

// manifest reads a plugin.json: the name of the plugin, and its hooks, which
// are a path, an event map, or a list of these. It returns the paths, which
// are relative to the plugin.
func (d *decoder) manifest() (files []hook.Text) {
	root, bad := readJSON(d.text, d.text.start())
	switch {
	case bad != nil:
		d.lost(*bad)
		return nil
	case root == nil || root.kind != mapNode:
		d.lost(hook.Diagnostic{Pos: d.text.pos(0), Message: "expected a mapping with name and hooks"})
		return nil
	}
	for _, f := range root.faults {
		d.Broken = d.Broken || f.key == "hooks"
		d.report(hook.Error, f.pos, f.key, f.message, f.advice)
	}
	if name := root.textOf("name"); name != "" {
		d.Source.Name = name
	}
	n := root.get("hooks")
	if n == nil {
		return nil
	}
	parts := []*node{n}
	if n.kind == listNode {
		parts = n.items
	}
	for _, part := range parts {
		switch part.kind {
		case textNode:
			files = d.manifestPath(files, part)
		default: // hooks says what it wants
			if wrapped := part.get("hooks"); wrapped != nil {
				part = wrapped
			}
			d.hooks(part)
		}
	}
	return files
}

// manifestPath adds a path that stays in the plugin.
func (d *decoder) manifestPath(files []hook.Text, n *node) []hook.Text {
	path := filepath.Clean(filepath.FromSlash(strings.TrimPrefix(n.text, "${CLAUDE_PLUGIN_ROOT}/")))
	if !filepath.IsLocal(path) {
		d.lost(hook.Diagnostic{Pos: n.pos, Path: n.path(), Message: fmt.Sprintf("%q is not in the plugin", clip(n.text)), Advice: "write ./hooks/hooks.json"})
		return files
	}
	if slices.ContainsFunc(files, func(t hook.Text) bool { return t.Value == path }) {
		return files
	}
	return append(files, hook.Text{Value: path, Pos: n.pos})
}
