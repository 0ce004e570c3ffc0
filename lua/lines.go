package lua

import (
	"strconv"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// fnLine is a global with a name that no script can write: (line)(n) tells
// Options.Lines that the n-th of the marked lines runs.
const fnLine = "(line)"

// marked is a line of a policy file.
type marked struct {
	path string
	line int
}

// marker returns what makes the marks of a file; nil if nobody wants them.
func (r *Runtime) marker(path string) func(line int) ast.Stmt {
	if r.opts.Lines == nil {
		return nil
	}
	return func(line int) ast.Stmt {
		r.mu.Lock()
		n := len(r.marked)
		r.marked = append(r.marked, marked{path, line})
		r.mu.Unlock()
		r.opts.Lines(path, line, false)
		number := at(&ast.NumberExpr{Value: strconv.Itoa(n)}, line)
		return at(&ast.FuncCallStmt{Expr: invoke(fnLine, line, number)}, line)
	}
}

// openLines makes the global that marks call.
func (s *state) openLines() {
	tell := s.runtime.opts.Lines
	if tell == nil {
		return
	}
	s.library.RawSetString(fnLine, s.L.NewFunction(func(L *glua.LState) int {
		r := s.runtime
		r.mu.Lock()
		m := r.marked[L.CheckInt(1)]
		r.mu.Unlock()
		tell(m.path, m.line, true)
		return 0
	}))
}
