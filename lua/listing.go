package lua

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/pawl-dev/pawl/engine/hook"
)

// listing is a Lua text with the places of its names: the parser's tree knows
// lines only.
type listing struct {
	words    []word
	place    func(line, col int) hook.Position // of a place in the text
	required bool                              // it is not the unit's own
}

// word is a name or literal text.
type word struct {
	text      string
	line, col int
	as        wordKind
}

// wordKind is what a word is.
type wordKind uint8

const (
	aName    wordKind = iota // or return
	aMember                  // behind a dot or a colon, or in brackets
	aLiteral                 // text in quotes
	anyWord                  // the first on its line
)

func newListing(text string, place func(line, col int) hook.Position) *listing {
	l := &listing{place: place}
	text, mark := strings.CutPrefix(text, bom)
	scanner, lexer := parse.NewScanner(strings.NewReader(text), ""), &parse.Lexer{}
	before := 0
	for {
		token, err := scanner.Scan(lexer)
		if err != nil || token.Type == parse.EOF {
			return l
		}
		if token.Type == parse.TIdent || token.Type == parse.TReturn || token.Type == parse.TString {
			w := word{token.Str, token.Pos.Line, token.Pos.Column, aName}
			switch {
			case before == '.' || before == ':' || before == '[' && token.Type == parse.TString:
				w.as = aMember
			case token.Type == parse.TString:
				w.as = aLiteral
			}
			if mark && w.line == 1 {
				w.col += len(bom)
			}
			l.words = append(l.words, w)
		}
		before = token.Type
	}
}

// at is the place of a word: the first on its line or, where a statement goes
// over several lines, below it.
func (l *listing) at(n named) hook.Position {
	for _, w := range l.words {
		if w.line >= n.line && w.text == n.text && w.as == n.as || n.as == anyWord && w.line == n.line {
			return l.place(w.line, w.col)
		}
	}
	return l.place(n.line, 0)
}

// named is a word and the line where the tree has it.
type named struct {
	text string
	line int
	as   wordKind
}

// nameOf is the word that stands for e.
func nameOf(e ast.Expr) named {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return named{e.Value, e.Line(), aName}
	case *ast.StringExpr:
		return named{e.Value, e.Line(), aLiteral}
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return named{key.Value, key.Line(), aMember}
		}
		return nameOf(e.Object)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			return nameOf(e.Func)
		}
		return named{e.Method, e.Line(), aMember}
	case *ast.LogicalOpExpr:
		return nameOf(e.Rhs)
	}
	return named{line: e.Line(), as: anyWord}
}

// settle returns the place in src, a settings file, of a place in the inline
// text of u, and whether it was found there: the text may be escaped or folded.
func (u *unit) settle(src []byte, line, col int) (hook.Position, bool) {
	p := u.pos
	text, lines := strings.Split(u.text, "\n"), strings.Split(string(src), "\n")
	if p.Line < 1 || line < 1 || line > len(text) {
		return p, false
	}
	from := max(p.Col-1, 0)
	if n := len(text); n > 1 && text[n-1] == "" || n > 2 {
		p.Line, from = p.Line+line, 0 // a block, whose first line says so: lua: |
	}
	if p.Line > len(lines) || from > len(lines[p.Line-1]) {
		return u.pos, false
	}
	at := strings.Index(lines[p.Line-1][from:], strings.TrimRight(text[line-1], " \t\r"))
	if at < 0 {
		return u.pos, false
	}
	if p.Col = 0; col > 0 {
		p.Col = from + at + col
	}
	return p, true
}
