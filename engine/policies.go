package engine

import (
	"context"
	"io/fs"
	"os"
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
		Stands:  b.stands,
	})
}

// read reads a file of Lua and keeps its text. Once the set is made, who looks
// closer at its policies gets what was kept.
func (b *builder) read(path string) ([]byte, error) {
	if b.made.Load() {
		if file := b.texts[path]; file.Text != nil {
			return file.Text, nil
		}
		return settings.ReadFile(path)
	}
	file, stands := b.view.of(b.reading).Stands(path)
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
	b.drift(b.reading, path, file)
	return file.Text, nil
}

// stands reports whether a file of Lua is there whatever the disk has. Of a set
// that is made all files are.
func (b *builder) stands(path string) bool {
	if b.made.Load() {
		return b.texts[path].Text != nil
	}
	file, ok := b.view.of(b.reading).Stands(path)
	return ok && file.Text != nil
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
	files, diags := lua.Files(f.Source, f.Policies, b.view.of(f.Source))
	b.comeSince(f)
	for _, l := range files {
		b.sources[l.Path] = l.Source
		b.snap.sources = append(b.snap.sources, l.Dir)
	}
	for _, p := range f.Policies { // it may come to be, or to hold more
		path := under(f.Source.Dir, p.Value)
		b.snap.sources = append(b.snap.sources, path)
		if info, err := os.Stat(path); err == nil && info.IsDir() && !b.cfg.lazy {
			b.texts[path] = accepted{Stand: hook.Stand{Mode: fs.ModeDir}, source: f.Source}
		}
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
