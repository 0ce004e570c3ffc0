package settings

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// switches settles enabledPlugins: for each plugin of Claude Code that is on,
// the file that answers for it. The nearer file wins, and the managed layer
// over all. Of several that turn a plugin on the farthest answers: it has more
// trust.
func (l *loader) switches() map[string]int {
	on, fixed := map[string]int{}, map[string]bool{}
	for i, f := range l.files {
		if len(f.Enabled) > 0 && !l.opts.Claude {
			l.unread(i)
			continue
		}
		for _, s := range f.Enabled {
			id, managed := s.ID.Value, f.Source.Layer == hook.Managed
			by, is := on[id]
			switch {
			case fixed[id] && !managed:
			case s.On && !is:
				on[id] = i
			case !s.On && is && !l.turnsOff(i, by):
				l.tell(plugin{i, s.ID, "enabledPlugins", ""}, hook.Warning, "stays on: the workspace, which turns it off, is not trusted", "pawl trust")
			case !s.On:
				delete(on, id)
			}
			fixed[id] = fixed[id] || managed
		}
	}
	return on
}

// turnsOff reports whether file i may turn off what file by has turned on. A
// workspace that is not trusted may not take a guard of the user away.
func (l *loader) turnsOff(i, by int) bool {
	f := &l.files[i]
	return !f.Source.Workspace() || f.Trusted || l.files[by].Source.Workspace() || l.opts.Trusts != nil && l.opts.Trusts(l.root)
}

// unread tells that enabledPlugins of file i has no effect; loudly where it was
// written for Pawl.
func (l *loader) unread(i int) {
	sev := hook.Warning
	if l.files[i].Source.Style == hook.Claude {
		sev = hook.Note
	}
	l.tell(plugin{i, l.files[i].Enabled[0].ID, "enabledPlugins", ""}, sev,
		"has no effect: the settings of Claude Code are not read", "give --claude-settings, or list directories under plugins")
}

// installed reads a plugin of Claude Code that is on.
func (l *loader) installed(p plugin) {
	if strings.HasSuffix(p.at.Value, "@builtin") {
		return // of the program itself
	}
	p.dir = installPath(l.installedPlugins(l.files[p.file].Source.Layer), p.at.Value, l.root)
	switch {
	case p.dir == "":
		l.tell(p, hook.Warning, "the plugin is not installed for this workspace", "install it, or remove the entry")
	case !l.once(p):
	case !l.isDir(p):
		l.tell(p, hook.Warning, "the plugin is not there any more: "+p.dir, "install it, or remove the entry")
	default:
		l.plugin(p)
	}
}

// installedPlugins reads Claude Code's list of them, at its first use. What
// stands in for it depends on who wants to know.
func (l *loader) installedPlugins(by hook.Layer) *node {
	if list := l.shelf[by.Workspace()]; list != nil {
		return list
	}
	list := &node{}
	l.shelf[by.Workspace()] = list
	if l.opts.Home == "" {
		return list
	}
	dir := filepath.Join(l.opts.Home, ".claude", "plugins")
	src := hook.Source{Layer: hook.Plugin, By: by, Dir: dir, File: filepath.Join(dir, "installed_plugins.json"), Style: hook.Claude}
	data, _, err := l.read(src)
	switch {
	case errors.Is(err, errAbsent):
	case err != nil:
		l.unreadable(src, err)
	default:
		l.add(parseAs(src.File, data, src, func(d *decoder) { *list = *d.installed() }))
	}
	return list
}

// installed reads the text of that list. Without it nobody knows what the
// plugins that are on would guard.
func (d *decoder) installed() *node {
	root, bad := readJSON(d.text, d.text.start())
	switch {
	case bad != nil:
		d.lost(*bad)
	case root == nil || root.get("plugins") == nil || root.faulty:
		d.lost(hook.Diagnostic{Pos: d.text.pos(0), Message: "not a list of plugins as Claude Code writes it"})
	default:
		return root.get("plugins")
	}
	return &node{}
}

// installPath is the directory of a plugin, "" if it is not installed for the
// workspace root. Version 1 of the list has one installation of each plugin,
// version 2 a list of them.
func installPath(plugins *node, id, root string) string {
	entry := plugins.get(id)
	if entry == nil {
		return ""
	}
	all := entry.items
	if entry.kind == mapNode {
		all = []*node{entry}
	}
	for _, project := range []string{root, ""} {
		i := slices.IndexFunc(all, func(n *node) bool {
			return n.textOf("projectPath") == project && filepath.IsAbs(n.textOf("installPath"))
		})
		if i >= 0 {
			return filepath.Clean(all[i].textOf("installPath"))
		}
	}
	return ""
}
