package lua

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TypeName is the name of the hook type.
const TypeName = "lua"

// handlerField is the field of a Spec that holds its *handler.
const handlerField = "handler"

// unit is a policy file, or the text of one hook.
type unit struct {
	name     string // as messages show it
	path     string // absolute, "" for inline text
	dir      string // what require may read below
	source   hook.Source
	pos      hook.Position // of the entry, for inline text
	text     string        // that text; of a file while it is loaded
	spec     hook.Spec     // of an entry
	requires []string      // files that it required, absolute
	broken   hook.Position // where running it has failed
	proto    *glua.FunctionProto
	policy   bool // it registers handlers with on; else it returns one function
	handlers []*handler
	diags    []hook.Diagnostic // what is odd in what it registers
}

// handler is one function of a unit: the index-th that it registers.
type handler struct {
	unit  *unit
	index int
	spec  hook.Spec
	point point // of a callback; it handles no event
}

func (u *unit) where() string { return u.name }

// where names h in messages.
func (h *handler) where() string {
	if h.spec.Pos.Line > 0 {
		return fmt.Sprintf("%s:%d", h.unit.name, h.spec.Pos.Line)
	}
	return h.unit.name
}

// module is a file that require returns the value of.
type module struct {
	path  string
	proto *glua.FunctionProto
}

// fault is an error at a place of a Lua text.
type fault struct {
	name      string // of the unit
	line, col int
	msg       string
	advice    string // what to write instead, or ""
	word      string // in the line, that msg is about, or ""
	trace     string // Lua traceback, or ""
	cause     hook.Cause
}

func (f *fault) Error() string {
	s := f.msg + parenthesized(f.advice)
	if place := (hook.Position{File: f.name, Line: f.line, Col: f.col}).String(); place != "" {
		s = place + ": " + s
	}
	if f.trace != "" {
		s += "\n" + f.trace
	}
	return s
}

// diagnostic is err, which concerns u, with the place to mend.
func (r *Runtime) diagnostic(u *unit, err error) hook.Diagnostic {
	d := hook.Diagnostic{Severity: hook.Error, Pos: u.pos, Message: err.Error(), Path: u.name}
	if u.path != "" {
		d.Pos, d.Path = hook.Position{File: u.path}, ""
	}
	f, ok := errors.AsType[*fault](err)
	if !ok {
		return d
	}
	d.Message, d.Advice = f.msg, f.advice
	if pos, ok := r.settled(u, f); ok {
		d.Pos = pos
	} else {
		short := *f
		short.trace, short.advice = "", ""
		d.Message = short.Error()
	}
	if f.trace != "" {
		d.Message, d.Advice = d.Message+parenthesized(d.Advice)+"\n"+f.trace, ""
	}
	return d
}

// settled is the place of f in a file; it is not ok for another than that of u.
func (r *Runtime) settled(u *unit, f *fault) (hook.Position, bool) {
	switch {
	case f.name != u.name:
		return u.pos, false
	case u.path != "":
		pos := hook.Position{File: u.path, Line: f.line, Col: f.col}
		if lines := strings.SplitN(u.text, "\n", f.line+1); pos.Col == 0 && f.word != "" && f.line <= len(lines) {
			pos.Col = strings.Index(lines[f.line-1], f.word) + 1
		}
		return pos, true
	}
	src, _ := r.opts.Read(u.pos.File)
	return u.settle(src, f.line, f.col)
}

// compileFile reads and compiles a policy file. The unit is never nil.
func (r *Runtime) compileFile(f File) (*unit, error) {
	u := &unit{name: shown(r.opts.Root, f.Path), path: f.Path, dir: f.Dir, source: f.Source, policy: true}
	if u.dir == "" {
		u.dir = filepath.Dir(f.Path)
	}
	var err error
	u.proto, u.text, err = r.compilePath(f.Path, u.name)
	return u, err
}

// compilePath compiles a file and returns its text too.
func (r *Runtime) compilePath(path, name string) (proto *glua.FunctionProto, text string, err error) {
	r.mu.Lock()
	r.sources = append(r.sources, path)
	r.mu.Unlock()
	data, err := r.opts.Read(path)
	if err != nil {
		return nil, "", &fault{name: name, msg: plain(err).Error()}
	}
	text = string(data)
	chunk, err := parseText(text, name)
	if err != nil {
		return nil, text, err
	}
	proto, err = assemble(chunk, name, r.marker(path))
	return proto, text, err
}

// compile makes a prototype of a Lua text. Errors are *fault.
func compile(text, name string) (*glua.FunctionProto, error) {
	chunk, err := parseText(text, name)
	if err != nil {
		return nil, err
	}
	return assemble(chunk, name, nil)
}

// parseHandler reads the text of one hook: the body of a function of ev, or
// one expression. The chunk returns that function.
func parseHandler(text, name string) ([]ast.Stmt, error) {
	chunk, err := parseText("return "+text, name)
	if err != nil || len(chunk) != 1 {
		if chunk, err = parseText(text, name); err != nil {
			return nil, err
		}
	}
	fn := &ast.FunctionExpr{ParList: &ast.ParList{Names: []string{"ev"}}, Stmts: chunk}
	fn.SetLine(1)
	fn.SetLastLine(strings.Count(text, "\n") + 1)
	ret := &ast.ReturnStmt{Exprs: []ast.Expr{fn}}
	ret.SetLine(1)
	return []ast.Stmt{ret}, nil
}

// assemble caps what chunk can do and compiles it; mark is as for harden.
func assemble(chunk []ast.Stmt, name string, mark func(int) ast.Stmt) (proto *glua.FunctionProto, err error) {
	defer func() {
		if p := recover(); p != nil {
			proto, err = nil, &fault{name: name, msg: fmt.Sprintf("cannot be compiled: %v", p)}
		}
	}()
	chunk, f := harden(chunk, mark)
	if f != nil {
		f.name = name
		return nil, f
	}
	proto, err = glua.Compile(chunk, name)
	if e, ok := errors.AsType[*glua.CompileError](err); ok {
		return nil, &fault{name: name, line: e.Line, msg: e.Message}
	}
	return proto, err
}

// clip is s cut to about n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
