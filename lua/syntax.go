package lua

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

const bom = "\ufeff" // with which some editors begin a file

// parseText parses a Lua text. The error is a *fault.
func parseText(text, name string) ([]ast.Stmt, error) {
	text = strings.TrimPrefix(text, bom)
	if f := scan(text); f != nil {
		f.name = name
		return nil, f
	}
	chunk, err := parse.Parse(strings.NewReader(text), name)
	if err == nil {
		return chunk, nil
	}
	f := &fault{name: name, msg: strings.TrimSpace(err.Error())}
	if e, ok := errors.AsType[*parse.Error](err); ok {
		f.locate(e, strings.Split(text, "\n"))
	}
	return nil, f
}

// locate says where and what an error of the parser is.
func (f *fault) locate(e *parse.Error, lines []string) {
	f.line, f.col, f.msg = e.Pos.Line, e.Pos.Column, strings.Replace(e.Message, "Invalid", "invalid", 1)
	switch {
	case f.line == parse.EOF:
		for f.line = len(lines); f.line > 1 && strings.TrimSpace(lines[f.line-1]) == ""; {
			f.line--
		}
		f.col, f.msg, f.advice = 0, f.msg+" at the end of the text", "an end, a bracket or a quote is missing"
	case f.col == 0 && f.line > 1: // the line break has been read
		f.line--
		f.col = max(len(lines[f.line-1]), 1)
	case e.Token != "":
		f.msg = fmt.Sprintf("%s near %q", f.msg, clip(e.Token, 40))
		// The parser complains when it has read the token.
		if f.line <= len(lines) && f.col <= len(lines[f.line-1]) && strings.HasSuffix(lines[f.line-1][:f.col], e.Token) {
			f.col -= len(e.Token) - 1
			f.advice = inLua(e.Token, lines[f.line-1][:f.col-1])
		}
	}
}

// inLua is how Lua writes what stands behind before and is not Lua.
func inLua(token, before string) string {
	words := strings.Fields(before)
	switch {
	case token == ")" && len(words) > 0 && words[len(words)-1] == "end":
		return "one end is missing: each function, then and do has its own"
	case token == "!":
		return "write ~= for unequal, not for no"
	case token == "&":
		return "write and"
	case token == "|":
		return "write or"
	case token == "=" && len(words) > 0 && (words[0] == "if" || words[0] == "elseif" || words[0] == "while"):
		return "write == to compare"
	case token == "+" || token == "-":
		return "write x = x + 1"
	case token == "{":
		return "a block begins with then, do or the parameters, and ends with end"
	}
	return ""
}
