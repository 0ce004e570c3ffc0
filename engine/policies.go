package engine

import (
	"context"
	"io/fs"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/lua"
	"github.com/pawl-dev/pawl/rules"
)

// scripts lends a Lua runtime what it needs of the rest of the engine. It
// costs nothing until a policy is loaded.
func (b *builder) scripts() *lua.Runtime {
	return lua.New(lua.Options{
		Root:    b.set.Root,
		Home:    b.cfg.load.Home,
		Pattern: b.luaPattern,
		Glob:    rules.Glob,
		State:   b.cfg.state,
		Now:     b.cfg.now,
		Env:     b.cfg.env,
		Lines:   b.cfg.lines,
		Read:    b.read,
	})
}

// read reads a file of Lua and keeps its text.
func (b *builder) read(path string) ([]byte, error) {
	file, stands := b.over.Stands(path)
	switch {
	case stands && file.Text == nil:
		return nil, fs.ErrNotExist
	case !stands:
		var err error
		if file.Text, err = settings.ReadFile(path); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.texts[path] = accepted{Stand: file, source: b.reading}
	return file.Text, nil
}

func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// luaPattern compiles what ev:matches(pattern) tests. It may be called later
// and by any goroutine.
func (b *builder) luaPattern(pattern hook.Text, event hook.EventName, src hook.Source) (func(*hook.Facts) hook.Match, error) {
	scope := b.scope(src)
	scope.Event, scope.Pos, scope.Links = event, pattern.Pos, nil
	p, diags := rules.Matcher(pattern, scope)
	for _, d := range diags {
		if d.Severity == hook.Error {
			return nil, d
		}
	}
	return p.Explain, nil
}

// policies adds the hooks that the Lua policies of one settings file register.
func (b *builder) policies(f settings.File) {
	if len(f.Policies) == 0 {
		return
	}
	files, diags := lua.Files(f.Source, f.Policies, b.over)
	for _, l := range files {
		b.sources[l.Path] = l.Source
		b.snap.sources = append(b.snap.sources, l.Dir)
	}
	for _, p := range f.Policies { // it may come to be, or to hold more
		b.snap.sources = append(b.snap.sources, under(f.Source.Dir, p.Value))
	}
	b.snap.diags = append(b.snap.diags, diags...)
	for _, d := range diags {
		if d.Severity == hook.Error {
			b.block(f, "policies", d)
			break
		}
	}
	specs, diags := b.lua.Load(context.Background(), files...)
	b.snap.diags = append(b.snap.diags, diags...)
	for _, s := range specs {
		b.add(s, b.lua.Type(), f.Trusted)
	}
}
