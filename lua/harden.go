package lua

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// What the machine does not count or cap by itself goes through functions of
// ours. They are locals of the chunk with names that no script can write.
const (
	fnConcat = "(concat)" // (concat)(a, b, …) is a .. b .. …
	fnStore  = "(store)"  // (store)(t, k, v) is t[k] = v
	fnGrow   = "(memory)" // (memory)(n) charges n bytes of constructors
	fnBuilt  = "(built)"  // (built)(t) charges the items of a new table
	fnKey    = "(key)"    // { [(key)(k)] = v } charges the list that reaches to k
	fnValues = "(values)" // return (values)(f()) is no tail call: those have no end, and each is in the traceback
)

// grownNames is the order in which a chunk gets those functions.
func grownNames() []string { return []string{fnConcat, fnStore, fnGrow, fnBuilt, fnKey, fnValues} }

const (
	maxTree    = 1000  // nesting of the parsed tree: a + b + c nests to the left
	maxOperand = 50    // operands of one (concat), which all need a register
	maxItems   = 25000 // of one constructor: the compiler miscounts beyond
	maxLiteral = 10000 // names and literals of one function: the compiler compares each with all

	costTable    = 512 // bytes: an empty table that gets its first keys
	costField    = 64
	costFunction = 256
)

// hardener rewrites a parsed chunk so that all that grows is charged.
type hardener struct {
	depth int
	cost  int                     // of the constructors of the current block
	main  bool                    // outside all functions
	named int                     // names and literals of the current function
	mark  func(line int) ast.Stmt // stands before each statement, or is nil
}

// harden returns chunk as a chunk that is called with the functions of
// grownNames. mark makes what stands before each statement; it may be nil.
func harden(chunk []ast.Stmt, mark func(line int) ast.Stmt) (out []ast.Stmt, err *fault) {
	defer func() {
		if p := recover(); p != nil {
			f, ok := p.(*fault)
			if !ok {
				panic(p)
			}
			out, err = nil, f
		}
	}()
	h := &hardener{main: true, mark: mark}
	body := h.block(chunk)
	dots := at(&ast.Comma3Expr{}, 1)
	names := &ast.LocalAssignStmt{Names: grownNames(), Exprs: []ast.Expr{dots}}
	names.SetLine(1)
	return append([]ast.Stmt{names}, body...), nil
}

func at[N ast.PositionHolder](n N, line int) N {
	n.SetLine(line)
	n.SetLastLine(line)
	return n
}

func (h *hardener) fail(n ast.PositionHolder, format string, args ...any) {
	panic(&fault{line: n.Line(), msg: fmt.Sprintf(format, args...)})
}

// enter counts a level of the tree; call what it returns when it is left.
func (h *hardener) enter(n ast.PositionHolder) func() {
	if h.depth++; h.depth > maxTree {
		h.fail(n, "an expression or block of more than %d levels", maxTree)
	}
	return func() { h.depth-- }
}

// block rewrites a block and lets it start by charging what its own
// statements construct; a label charges it again for those who jump to it.
func (h *hardener) block(stmts []ast.Stmt, before ...ast.Expr) []ast.Stmt {
	if len(stmts) == 0 && len(before) == 0 {
		return stmts
	}
	outer := h.cost
	h.cost = 0
	for i := range before { // the condition of a loop is evaluated with each round
		h.expr(&before[i])
	}
	out := make([]ast.Stmt, 0, len(stmts)+1)
	for _, s := range stmts {
		if _, label := s.(*ast.LabelStmt); h.mark != nil && !label && s.Line() > 0 {
			out = append(out, h.mark(s.Line())) // a label has to stay the end of its block
		}
		out = append(out, h.stmt(s))
	}
	if h.cost > 0 {
		out = h.charge(out)
	}
	h.cost = outer
	return out
}

func (h *hardener) charge(stmts []ast.Stmt) []ast.Stmt {
	line := 1
	if len(stmts) > 0 {
		line = stmts[0].Line()
	}
	out := []ast.Stmt{h.chargeStmt(line)}
	for i, s := range stmts {
		out = append(out, s)
		if _, ok := s.(*ast.LabelStmt); ok && i < len(stmts)-1 {
			if _, more := stmts[i+1].(*ast.LabelStmt); !more {
				out = append(out, h.chargeStmt(s.Line()))
			}
		}
	}
	return out
}

func (h *hardener) chargeStmt(line int) ast.Stmt {
	n := at(&ast.NumberExpr{Value: strconv.Itoa(h.cost)}, line)
	return at(&ast.FuncCallStmt{Expr: invoke(fnGrow, line, n)}, line)
}

// invoke is a call of one of our functions for exactly one value.
func invoke(name string, line int, args ...ast.Expr) *ast.FuncCallExpr {
	fn := at(&ast.IdentExpr{Value: name}, line)
	return at(&ast.FuncCallExpr{Func: fn, Args: args, AdjustRet: true}, line)
}

func (h *hardener) stmt(s ast.Stmt) ast.Stmt {
	defer h.enter(s)()
	switch s := s.(type) {
	case *ast.AssignStmt:
		return h.assign(s)
	case *ast.LocalAssignStmt:
		h.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		h.expr(&s.Expr)
	case *ast.DoBlockStmt:
		s.Stmts = h.block(s.Stmts)
	case *ast.WhileStmt:
		box := []ast.Expr{s.Condition}
		s.Stmts = h.block(s.Stmts, box...)
		s.Condition = box[0]
	case *ast.RepeatStmt:
		box := []ast.Expr{s.Condition}
		s.Stmts = h.block(s.Stmts, box...)
		s.Condition = box[0]
	case *ast.IfStmt:
		h.expr(&s.Condition)
		s.Then, s.Else = h.block(s.Then), h.block(s.Else)
	case *ast.NumberForStmt:
		h.expr(&s.Init)
		h.expr(&s.Limit)
		if s.Step != nil {
			h.expr(&s.Step)
		}
		s.Stmts = h.block(s.Stmts)
	case *ast.GenericForStmt:
		h.exprs(s.Exprs)
		s.Stmts = h.block(s.Stmts)
	case *ast.FuncDefStmt:
		h.funcDef(s)
	case *ast.ReturnStmt:
		h.exprs(s.Exprs)
		if len(s.Exprs) == 1 {
			if c, ok := s.Exprs[0].(*ast.FuncCallExpr); ok && !c.AdjustRet {
				v := invoke(fnValues, c.Line(), c)
				v.AdjustRet = false
				s.Exprs[0] = v
			}
		}
	}
	return s
}

func (h *hardener) funcDef(s *ast.FuncDefStmt) {
	h.cost += costTable // function t.f(): a key of t
	if s.Name.Func != nil {
		h.expr(&s.Name.Func)
	}
	if s.Name.Receiver != nil {
		h.expr(&s.Name.Receiver)
	}
	h.function(s.Func)
}

func (h *hardener) function(f *ast.FunctionExpr) {
	h.cost += costFunction
	main, named := h.main, h.named
	h.main, h.named = false, 0
	f.Stmts = h.block(f.Stmts)
	h.main, h.named = main, named
}

func (h *hardener) exprs(list []ast.Expr) {
	for i := range list {
		h.expr(&list[i])
	}
}

func (h *hardener) expr(p *ast.Expr) {
	defer h.enter(*p)()
	switch e := (*p).(type) {
	case *ast.NumberExpr:
		h.number(e)
		h.name(e)
	case *ast.StringExpr, *ast.IdentExpr:
		h.name(e)
	case *ast.Comma3Expr:
		if h.main {
			h.fail(e, "cannot use '...' outside a function")
		}
	case *ast.AttrGetExpr:
		h.expr(&e.Object)
		h.expr(&e.Key)
	case *ast.TableExpr:
		*p = h.table(e)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			h.expr(&e.Func)
		}
		if e.Receiver != nil {
			h.name(e) // the method
			h.expr(&e.Receiver)
		}
		h.exprs(e.Args)
	case *ast.LogicalOpExpr:
		h.expr(&e.Lhs)
		h.expr(&e.Rhs)
	case *ast.RelationalOpExpr:
		h.expr(&e.Lhs)
		h.expr(&e.Rhs)
	case *ast.ArithmeticOpExpr:
		h.expr(&e.Lhs)
		h.expr(&e.Rhs)
	case *ast.UnaryMinusOpExpr:
		h.expr(&e.Expr)
	case *ast.UnaryNotOpExpr:
		h.expr(&e.Expr)
	case *ast.UnaryLenOpExpr:
		h.expr(&e.Expr)
	case *ast.StringConcatOpExpr:
		*p = h.concat(e)
	case *ast.FunctionExpr:
		h.function(e)
	}
}

// name counts what the compiler may have to look for among all others.
func (h *hardener) name(n ast.PositionHolder) {
	if h.named++; h.named > maxLiteral {
		h.fail(n, "a function with more than %d names and literals; read a long list from one text: for w in text:gmatch(\"%%S+\") do", maxLiteral)
	}
}

// number refuses what the compiler would silently read as not-a-number.
func (h *hardener) number(e *ast.NumberExpr) {
	text := strings.ToLower(e.Value)
	_, err := strconv.ParseFloat(text, 64)
	if strings.HasPrefix(text, "0x") {
		_, err = strconv.ParseUint(text[2:], 16, 53)
	}
	if err != nil {
		h.fail(e, "malformed number %q", e.Value)
	}
}

// concat makes one call of a chain of `..`, which leans to the right.
func (h *hardener) concat(e *ast.StringConcatOpExpr) ast.Expr {
	line := e.Line()
	var operands []ast.Expr
	var rest ast.Expr = e
	for {
		c, ok := rest.(*ast.StringConcatOpExpr)
		if !ok || len(operands) == maxOperand-1 {
			break
		}
		operands, rest = append(operands, c.Lhs), c.Rhs
	}
	operands = append(operands, rest)
	h.exprs(operands)
	for i, o := range operands { // f() .. g() takes one value of each
		operands[i] = single(o)
	}
	return invoke(fnConcat, line, operands...)
}

// single adjusts the last value of an argument list to one.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

func (h *hardener) table(e *ast.TableExpr) ast.Expr {
	items := 0
	h.cost += costTable + costField*len(e.Fields)
	for _, f := range e.Fields {
		if f.Key != nil {
			h.expr(&f.Key)
			if _, name := f.Key.(*ast.StringExpr); !name {
				f.Key = invoke(fnKey, e.Line(), single(f.Key))
			}
		} else if items++; items > maxItems {
			h.fail(e, "a table constructor of more than %d items", maxItems)
		}
		h.expr(&f.Value)
	}
	if n := len(e.Fields); n > 0 && e.Fields[n-1].Key == nil && spreads(e.Fields[n-1].Value) {
		return invoke(fnBuilt, e.Line(), e)
	}
	return e
}

func spreads(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}

// assign makes calls of (store) of assignments to fields. Where there are
// several targets all expressions are evaluated before the first is set.
func (h *hardener) assign(s *ast.AssignStmt) ast.Stmt {
	line, fields := s.Line(), false
	for i := range s.Lhs {
		if a, ok := s.Lhs[i].(*ast.AttrGetExpr); ok {
			fields = true
			h.expr(&a.Object)
			h.expr(&a.Key)
		} else {
			h.name(s.Lhs[i])
		}
	}
	h.exprs(s.Rhs)
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 && fields {
		a := s.Lhs[0].(*ast.AttrGetExpr)
		return store(line, a.Object, a.Key, single(s.Rhs[0]))
	}
	if !fields && !clobbers(s) {
		return s
	}
	block := at(&ast.DoBlockStmt{}, line)
	values := at(&ast.LocalAssignStmt{Exprs: s.Rhs}, line)
	var sets []ast.Stmt
	for i, target := range s.Lhs {
		object, key, value := fmt.Sprintf("(t%d)", i), fmt.Sprintf("(k%d)", i), fmt.Sprintf("(v%d)", i)
		values.Names = append(values.Names, value)
		a, ok := target.(*ast.AttrGetExpr)
		if !ok {
			sets = append(sets, at(&ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{ident(value, line)}}, line))
			continue
		}
		place := &ast.LocalAssignStmt{Names: []string{object, key}, Exprs: []ast.Expr{single(a.Object), single(a.Key)}}
		block.Stmts = append(block.Stmts, at(place, line))
		sets = append(sets, store(line, ident(object, line), ident(key, line), ident(value, line)))
	}
	block.Stmts = append(append(block.Stmts, values), sets...)
	return block
}

// clobbers reports whether the compiler may get s wrong: it puts the function
// of a call for one value into the parameter that is assigned to before it
// has read the arguments. The last call of a list is safe if it is not for
// one value.
func clobbers(s *ast.AssignStmt) bool {
	for i, e := range s.Rhs {
		if _, ok := e.(*ast.LogicalOpExpr); ok {
			return true
		}
		c, ok := e.(*ast.FuncCallExpr)
		if !ok {
			continue
		}
		if i == len(s.Rhs)-1 && len(s.Rhs) == len(s.Lhs) {
			c.AdjustRet = false // one value is all that there is room for
		}
		if i < len(s.Rhs)-1 || c.AdjustRet {
			return true
		}
	}
	return false
}

func ident(name string, line int) ast.Expr { return at(&ast.IdentExpr{Value: name}, line) }

func store(line int, args ...ast.Expr) ast.Stmt {
	c := invoke(fnStore, line, args...)
	c.AdjustRet = false
	return at(&ast.FuncCallStmt{Expr: c}, line)
}
