package lua

import (
	"github.com/yuin/gopher-lua/ast"
)

// survey is what the texts of a unit name, each name resolved to a variable.
type survey struct {
	library   *catalog
	globals   map[string]*variable
	locals    []*variable
	names     map[*ast.IdentExpr]*variable
	functions map[*ast.FunctionExpr]*routine
	uses      []use
	calls     []callSite
	members   []member
	stores    []member // t.x = …
	odd       []oddity
	sites     map[*ast.FuncCallExpr]callSite
	callers   map[*variable][]*ast.FuncCallExpr
	sayings   map[any][]saying // of functions and variables
	spots     map[ast.Expr]spot
}

// variable is a local, a parameter, or a global with all texts of its unit.
type variable struct {
	name   string
	global bool
	at     spot       // where it is declared; of a global, first given a value
	values []ast.Expr // that it is given; nil is one that cannot be told
	items  []ast.Expr // that it gets as a list
	of     *routine   // whose parameter it is
	index  int        // of the parameter
	each   ast.Expr   // list whose items it goes through
	asked  bool       // the text asks whether it is there
	kind   string     // see kindOf
	kinded bool

	escapes bool // its value is read, and not only called
}

// routine is a function of the text.
type routine struct {
	expr    *ast.FunctionExpr
	outer   *routine
	types   []string   // of the parameters, where they are known
	returns []returned // all values of all its returns
	events  []string   // that it handles
	points  []point    // at which it is called back
	async   bool
	rewake  bool
	owner   *variable // the one that holds it and nothing else
}

// returned is one value of a return.
type returned struct {
	expr ast.Expr
	at   spot // of the return
}

// role is how a name stands in a text.
type role uint8

const (
	read role = iota
	called
	indexed
	written
)

// use is one place where a variable is named.
type use struct {
	v   *variable
	how role
	at  spot
	in  *routine
}

// member is t.x, t:x() or t["x"].
type member struct {
	object ast.Expr
	name   string
	how    role
	method bool // t:x()
	at     spot
	in     *routine
}

// oddity is an expression whose operator or place lints look at.
type oddity struct {
	expr  ast.Expr
	place oddPlace
	at    spot
}

// oddPlace is where an oddity stands.
type oddPlace uint8

const (
	over      oddPlace = iota // for x in expr
	from                      // for i = expr, #list
	asked                     // if expr, while expr
	added                     // an operand of +
	subscript                 // list[expr]
)

// callSite is one call; dropped is one whose values nobody gets.
type callSite struct {
	expr    *ast.FuncCallExpr
	at      spot
	dropped bool
	in      *routine
}

func newSurvey(library *catalog) *survey {
	return &survey{library: library, globals: map[string]*variable{}, names: map[*ast.IdentExpr]*variable{}, functions: map[*ast.FunctionExpr]*routine{},
		sites: map[*ast.FuncCallExpr]callSite{}, callers: map[*variable][]*ast.FuncCallExpr{}, sayings: map[any][]saying{}, spots: map[ast.Expr]spot{}}
}

// read adds a text. main is the function that its top level is; it returns
// what a require or an entry gets.
func (s *survey) read(chunk []ast.Stmt, text *listing) (main *routine) {
	main = &routine{expr: &ast.FunctionExpr{ParList: &ast.ParList{}}}
	w := &walker{s: s, text: text, in: main}
	w.block(chunk)
	return main
}
