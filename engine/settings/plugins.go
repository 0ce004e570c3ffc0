package settings

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine/hook"
)

// plugin is one that a settings file enables.
type plugin struct {
	file int       // that enables it: an index
	at   hook.Text // the entry that does
	key  string    // plugins or enabledPlugins
	dir  string
}

// plugins reads the plugins that the files read so far enable. Each is a layer
// of its own, and what it may do is what the layer that enabled it may.
func (l *loader) plugins() {
	on := l.switches()
	for i := range len(l.files) { // not those that are added here
		dir := l.files[i].Source.Dir
		for _, at := range l.files[i].Plugins {
			path := at.Value
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			l.listed(plugin{i, at, "plugins", filepath.Clean(path)})
		}
		for _, s := range l.files[i].Enabled {
			if by, is := on[s.ID.Value]; is && by == i {
				l.installed(plugin{i, s.ID, "enabledPlugins", ""})
			}
		}
	}
}

// listed reads a plugin of a `plugins:` list. If it is not there, a File stands
// in for it: what it guards is not known.
func (l *loader) listed(p plugin) {
	if !l.once(p) {
		return
	}
	found, hooks := l.plugin(p)
	if hooks {
		return
	}
	if found {
		l.tell(p, hook.Warning, "the plugin brings no hooks", "")
		return
	}
	message, advice := fmt.Sprintf("neither %s nor %s is in it", pluginHooks, manifestFile), ""
	if !l.isDir(p) {
		message, advice = "no such directory", "relative paths start at "+l.files[p.file].Source.Dir
	}
	l.add(File{Source: l.source(p, ""), Broken: true, Diagnostics: []hook.Diagnostic{p.diagnostic(hook.Error, message, advice)}})
}

func (p plugin) diagnostic(sev hook.Severity, message, advice string) hook.Diagnostic {
	return hook.Diagnostic{Severity: sev, Pos: p.at.Pos, Path: p.key, Message: fmt.Sprintf("%q: %s", p.at.Value, message), Advice: advice}
}

// tell adds to what is told of the file that enables p.
func (l *loader) tell(p plugin, sev hook.Severity, message, advice string) {
	f := &l.files[p.file]
	f.Diagnostics = append(f.Diagnostics, p.diagnostic(sev, message, advice))
}

// source is that of a file of p, named from the directory of p.
func (l *loader) source(p plugin, file string) hook.Source {
	return hook.Source{Layer: hook.Plugin, By: l.files[p.file].Source.Layer, Name: filepath.Base(p.dir), Dir: p.dir,
		File: filepath.Join(p.dir, filepath.FromSlash(file)), Style: hook.Claude}
}

// once reports whether the directory of p is not loaded yet.
func (l *loader) once(p plugin) bool {
	l.looked[p.dir] = true
	real, err := filepath.EvalSymlinks(p.dir)
	if err != nil || l.over(l.source(p, "")).HasDir(p.dir) {
		real = p.dir
	}
	if l.plugged[real] {
		l.tell(p, hook.Note, "this plugin is enabled already: it is loaded once", "")
		return false
	}
	l.plugged[real] = true
	return true
}

func (l *loader) isDir(p plugin) bool {
	info, err := os.Stat(p.dir)
	return err == nil && info.IsDir() || l.over(l.source(p, "")).HasDir(p.dir)
}

// plugin reads the files of p: its manifest, hooks/hooks.json, and what the
// manifest names. It reports whether there is a plugin, and whether it brings
// hooks.
func (l *loader) plugin(p plugin) (found, hooks bool) {
	src, at := l.source(p, manifestFile), len(l.files)
	data, ok := l.open(&src)
	f := File{Source: l.source(p, "")}
	var named []hook.Text
	if ok {
		f = parseAs(src.File, data, src, func(d *decoder) { named = d.manifest() })
	}
	if first, taken := l.names[f.Source.Name]; taken {
		note := p.diagnostic(hook.Note, "left out: the plugin "+f.Source.Name+" is that in "+first, "")
		l.add(File{Source: f.Source, Hash: f.Hash, Text: f.Text, Diagnostics: []hook.Diagnostic{note}})
		return true, true
	}
	l.names[f.Source.Name] = p.dir
	if ok {
		l.add(f)
	}
	if !l.hookFiles(f.Source, at, named) {
		return src.File != "", ok && l.files[at].Broken || len(f.Specs) > 0
	}
	if len(f.Specs) > 0 {
		d := &l.files[at].Diagnostics
		*d = append(*d, hook.Diagnostic{Severity: hook.Warning, Pos: f.Specs[0].Pos, Path: "hooks",
			Message: "the plugin has hooks here and in files: all of them count", Advice: "keep them in one place"})
	}
	return true, true
}

// hookFiles reads hooks/hooks.json and what the manifest, which is file at,
// names besides; each once. It reports whether there is any.
func (l *loader) hookFiles(src hook.Source, at int, named []hook.Text) (any bool) {
	there := map[string]bool{}
	for _, t := range append([]hook.Text{{Value: filepath.FromSlash(pluginHooks)}}, named...) {
		if _, tried := there[t.Value]; !tried {
			src.File = filepath.Join(src.Dir, t.Value)
			there[t.Value] = l.file(src)
		}
		any = any || there[t.Value]
		if !there[t.Value] && t.Pos.Line > 0 {
			f := &l.files[at]
			f.Broken = true
			f.Diagnostics = append(f.Diagnostics, hook.Diagnostic{Severity: hook.Error, Pos: t.Pos, Path: "hooks",
				Message: fmt.Sprintf("%q: no such file", t.Value), Advice: "relative paths start at " + src.Dir})
		}
	}
	return any
}
