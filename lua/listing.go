package lua

import (
	"strings"

	"github.com/yuin/gopher-lua/parse"

	"github.com/pawl-dev/pawl/engine/hook"
)

// listing is a Lua text with the places of its words: the parser's tree knows
// lines only.
type listing struct {
	words    map[word][][2]int                 // line and column, in the order of the text
	place    func(line, col int) hook.Position // of a place in the text
	required bool                              // it is not the unit's own
}

// word is a name, the word return, or a literal text.
type word struct {
	text string
	as   wordKind
}

// wordKind is how a word stands.
type wordKind uint8

const (
	aName    wordKind = iota // or return
	aMember                  // behind a dot or a colon, or in brackets
	aLiteral                 // text in quotes
)

// spot is the place of a word.
type spot struct {
	text      *listing
	line, col int
}

func (p spot) pos() hook.Position { return p.text.place(p.line, p.col) }

func newListing(text string, place func(line, col int) hook.Position) *listing {
	l := &listing{words: map[word][][2]int{}, place: place}
	text, mark := strings.CutPrefix(text, bom)
	scanner, lexer := parse.NewScanner(strings.NewReader(text), ""), &parse.Lexer{}
	before := 0
	for {
		token, err := scanner.Scan(lexer)
		if err != nil || token.Type == parse.EOF {
			return l
		}
		w, at := word{text: token.Str}, [2]int{token.Pos.Line, token.Pos.Column}
		if mark && at[0] == 1 {
			at[1] += len(bom)
		}
		switch literal := token.Type == parse.TString; {
		case before == '.' || before == ':' || before == '[' && literal:
			w.as = aMember
		case literal:
			w.as = aLiteral
		}
		if token.Type == parse.TIdent || token.Type == parse.TReturn || token.Type == parse.TString {
			l.words[w] = append(l.words[w], at)
		}
		before = token.Type
	}
}

// take returns the next place of a word, on the line that the tree has for it
// or below. Whoever reads the tree takes its words in the order of the text.
func (l *listing) take(text string, as wordKind, line int) spot {
	w := word{text, as}
	for len(l.words[w]) > 0 {
		at := l.words[w][0]
		l.words[w] = l.words[w][1:]
		if at[0] >= line {
			return spot{l, at[0], at[1]}
		}
	}
	return spot{l, line, 0}
}

// has reports whether the next place of a word is on a line.
func (l *listing) has(text string, as wordKind, line int) bool {
	for _, at := range l.words[word{text, as}] {
		if at[0] >= line {
			return at[0] == line
		}
	}
	return false
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
