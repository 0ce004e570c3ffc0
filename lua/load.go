package lua

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// trial runs units for the first time, outside any session, in a state that
// serves as long as nothing went wrong in it.
type trial struct{ s *state }

// run runs u once and keeps what it registers.
func (t *trial) run(ctx context.Context, r *Runtime, u *unit) error {
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	if t.s == nil {
		t.s = r.newState("")
		t.s.trial = true
	}
	s := t.s
	s.begin(ctx, loadLimit)
	defer func() {
		if !s.end() {
			t.s = nil
		}
	}()
	in, err := s.load(u)
	s.finished = true
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for i, reg := range in.registered {
		spec := reg.spec
		if seen[spec.ID]++; seen[spec.ID] > 1 {
			spec.ID = fmt.Sprintf("%s#%d", spec.ID, seen[spec.ID])
		}
		u.handlers = append(u.handlers, &handler{unit: u, index: i, spec: spec, point: reg.point})
		if u.policy && reg.point == (point{}) {
			u.odd(spec)
		}
	}
	return nil
}

// idle is the warning about a policy that registers nothing, unless it is
// there for others to require.
func (r *Runtime) idle(u *unit) []hook.Diagnostic {
	if len(u.handlers) > 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.modules[u.path] != nil {
		return nil
	}
	return []hook.Diagnostic{{Severity: hook.Warning, Pos: hook.Position{File: u.path, Line: 1},
		Message: "registers no handler", Advice: `call on("PreToolUse", …, function(ev) … end)`}}
}

// instance returns u as it was run in s, and runs it at first use. It must
// register what it did when it was loaded.
func (s *state) instance(u *unit) (*instance, error) {
	if in, ok := s.instances[u]; ok {
		return in, nil
	}
	in, err := s.load(u)
	if err != nil {
		s.dirty = true
		return nil, err
	}
	if len(in.registered) != len(u.handlers) {
		return nil, &fault{name: u.name, msg: fmt.Sprintf("registered %d handlers in this session and %d when it was loaded: "+
			"what a policy registers must not depend on anything", len(in.registered), len(u.handlers))}
	}
	for i, h := range u.handlers {
		if reg := in.registered[i]; h.point != reg.point || !same(h.spec, reg.spec) {
			return nil, &fault{name: u.name, line: reg.spec.Pos.Line, msg: "registers another handler in this session than when the file was loaded: " +
				"what a policy registers must not depend on anything"}
		}
	}
	s.instances[u] = in
	return in, nil
}

// same compares what two runs registered in one place.
func same(a, b hook.Spec) bool {
	a.ID, b.ID = "", ""
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// load runs the top level of u in s.
func (s *state) load(u *unit) (*instance, error) {
	in := &instance{unit: u, env: s.environment(), modules: map[string]glua.LValue{}}
	s.current, s.loading = in, true
	defer func() { s.loading = false }()
	values, err := s.call(s.pushChunk(u.proto, in.env), u)
	if err != nil {
		return nil, err
	}
	if u.policy {
		return in, nil
	}
	fn, ok := glua.LValue(glua.LNil), len(values) == 1
	if ok {
		fn = values[0]
	}
	f, ok := fn.(*glua.LFunction)
	if !ok || f.IsG {
		return nil, &fault{name: u.name, msg: "must return one function(ev): a file that calls on(…) belongs under policies:"}
	}
	in.registered = []registration{{fn: f}}
	return in, nil
}

// pushChunk pushes a compiled chunk and the functions that it is hardened
// for, and returns their number.
func (s *state) pushChunk(proto *glua.FunctionProto, env *glua.LTable) int {
	fn := s.L.NewFunctionFromProto(proto)
	fn.Env = env
	s.L.Push(fn)
	for _, f := range s.grown {
		s.L.Push(f)
	}
	return len(s.grown)
}

// require is require(name): a file of the policy's directory, run once in
// each policy that wants it, with its globals.
func require(L *glua.LState) int {
	s, name := of(L), L.CheckString(1)
	in := s.current
	rel := relative(name)
	if v, ok := in.modules[rel]; ok {
		if v == nil {
			L.RaiseError("require: %q is being loaded: files that need each other", name)
		}
		L.Push(v)
		return 1
	}
	if !s.loading {
		L.RaiseError("require: %q was not loaded with the file: call require at its top level", name)
	}
	m, err := s.runtime.module(in.unit.dir, rel, s.trial)
	if err != nil {
		L.RaiseError("require: %q: %s", clip(name, 80), err.Error())
	}
	if s.trial {
		in.unit.requires = append(in.unit.requires, m.path)
	}
	in.modules[rel] = nil
	n := s.pushChunk(m.proto, in.env)
	L.Call(n, 1)
	v := L.Get(-1)
	if v == glua.LNil {
		v = glua.LTrue
		L.Pop(1)
		L.Push(v)
	}
	in.modules[rel] = v
	return 1
}

// relative is the file that require(name) means, without its suffix.
func relative(name string) string {
	return strings.ReplaceAll(strings.TrimSuffix(name, ".lua"), ".", "/")
}

// requiredPath is the file of a relative name below dir.
func (r *Runtime) requiredPath(dir, rel string) (string, error) {
	if dir == "" {
		return "", fmt.Errorf("inline Lua has no directory")
	}
	if !filepath.IsLocal(rel) || strings.ContainsAny(rel, "\\\x00") || rel == "." {
		return "", fmt.Errorf("only files below the directory of the policy")
	}
	path := filepath.Join(dir, filepath.FromSlash(rel)+".lua")
	if r.opts.Stands(path) {
		return path, nil
	}
	return path, inside(dir, path)
}

// module returns a compiled file of dir. Only a trial reads it.
func (r *Runtime) module(dir, rel string, trial bool) (*module, error) {
	path, err := r.requiredPath(dir, rel)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	m, ok := r.modules[path]
	r.mu.Unlock()
	if ok {
		return m, nil
	}
	if !trial {
		return nil, fmt.Errorf("not loaded when the policy was: what a policy requires must not depend on anything")
	}
	proto, _, err := r.compilePath(path, shown(r.opts.Root, path))
	if err != nil {
		return nil, err
	}
	m = &module{path, proto}
	r.mu.Lock()
	r.modules[path] = m
	r.mu.Unlock()
	return m, nil
}

// inside refuses a path that does not lead to a file below dir.
func inside(dir, path string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return plain(err)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("no such file below %s", filepath.Base(dir))
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("only files below the directory of the policy")
	}
	return nil
}
