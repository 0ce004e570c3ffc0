package lua

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Type is the hook type "lua": of the Specs that Load returns, and of
// entries of settings files with either of the fields
//
//	script: policies/rm.lua   a file that returns function(ev) … end
//	lua: "return deny('no')"  the body of such a function, or one expression
//
// State, clock and environment are those of Options.
func (r *Runtime) Type() hook.Type {
	return hook.Type{Pure: true, New: r.newAction}
}

func (r *Runtime) newAction(spec hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
	for _, f := range spec.Fields {
		if h, ok := f.Value.(*handler); ok && f.Name == handlerField {
			return r.action(h), nil
		}
	}
	fields := spec.Read()
	script, text := fields.Text("script"), fields.Text("lua")
	switch {
	case script == "" && text == "":
		fields.Fail("script", `missing "script" or "lua"`, `write script: policies/file.lua or lua: "return deny('why')"`)
	case script != "" && text != "":
		fields.Fail("lua", `both "script" and "lua"`, "keep one")
	}
	diags := fields.Done()
	for _, d := range diags {
		if d.Severity == hook.Error {
			return nil, diags
		}
	}
	u, err := r.entry(spec, script, text)
	if err == nil {
		err = new(trial).run(context.Background(), r, u)
	}
	r.keep(u)
	if err != nil {
		d := r.diagnostic(u, err)
		u.broken = d.Pos
		return nil, append(diags, d)
	}
	if u.path != "" {
		u.text = ""
	}
	return r.action(u.handlers[0]), append(diags, u.diags...)
}

// entry compiles the script or text of an entry. The unit is never nil.
func (r *Runtime) entry(spec hook.Spec, script, text string) (*unit, error) {
	if script != "" {
		path := script
		if !filepath.IsAbs(path) {
			path = filepath.Join(spec.Source.Dir, path)
		}
		u, err := r.compileFile(File{Path: path, Source: spec.Source})
		u.policy, u.spec = false, spec
		return u, err
	}
	u := &unit{name: spec.ID, source: spec.Source, pos: spec.Pos, text: text, spec: spec}
	for _, f := range spec.Fields {
		if f.Name == "lua" {
			u.pos = f.Pos
		}
	}
	chunk, err := parseHandler(text, u.name)
	if err == nil {
		u.proto, err = assemble(chunk, u.name, nil)
	}
	return u, err
}

func (r *Runtime) action(h *handler) hook.Action {
	return hook.ActionFunc(func(ctx context.Context, c hook.Call) (hook.Result, error) { return h.run(ctx, r, c) })
}

// maxPatterns bounds the compiled patterns of ev:matches.
const maxPatterns = 512

// patterns keeps what Options.Pattern has compiled.
type patterns struct {
	mu    sync.RWMutex
	tests map[patternKey]func(*hook.Facts) hook.Match
}

type patternKey struct {
	text, file, dir string
	event           hook.EventName
	layer           hook.Layer
}

// pattern compiles a pattern, or finds it compiled.
func (r *Runtime) pattern(t hook.Text, event hook.EventName, src hook.Source) (func(*hook.Facts) hook.Match, error) {
	if r.opts.Pattern == nil {
		return nil, fmt.Errorf("patterns are not available here")
	}
	key := patternKey{t.Value, src.File, src.Dir, event, src.Layer}
	p := &r.patterns
	p.mu.RLock()
	test, ok := p.tests[key]
	p.mu.RUnlock()
	if ok {
		return test, nil
	}
	test, err := r.opts.Pattern(t, event, src)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tests == nil || len(p.tests) >= maxPatterns {
		p.tests = map[patternKey]func(*hook.Facts) hook.Match{}
	}
	p.tests[key] = test
	return test, nil
}
