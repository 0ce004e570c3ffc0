package shell

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine/hook"
)

func (s *scope) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		s.stmt(st)
	}
}

// stmt follows one statement.
func (s *scope) stmt(st *syntax.Stmt) {
	if st == nil || !s.run.walk() {
		return
	}
	if s.nesting > maxNesting {
		s.opaque("nested too deep", 0)
		return
	}
	s.nesting++
	defer func() { s.nesting-- }()
	t := s
	if st.Background || st.Coprocess {
		t = s.fork()
	}
	before := t.stdin
	redirects := t.redirects(st.Redirs)
	t.command(st, redirects)
	t.writes(st, redirects)
	if !keepsInput(st.Cmd) {
		t.stdin = before
	} else if t.stdin != before {
		s.run.rewired = true
	}
}

// keepsInput reports that the redirects of a command are those of the shell
// from then on: `exec < f`.
func keepsInput(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	for i := 0; ok && i < len(call.Args); i++ {
		if word := call.Args[i].Lit(); word != "command" && word != "builtin" {
			return word == "exec"
		}
	}
	return false
}

// command follows the command of a statement, its redirects read already.
func (s *scope) command(st *syntax.Stmt, redirects []hook.Redirect) {
	if call, ok := st.Cmd.(*syntax.CallExpr); ok {
		s.call(st, call, redirects)
		return
	}
	if len(redirects) > 0 {
		if decl, ok := st.Cmd.(*syntax.DeclClause); ok {
			s.declare(st, decl, redirects)
			return
		}
		s.add(hook.Command{Redirects: redirects, Raw: s.slice(int(st.Pos().Offset()), int(st.End().Offset())),
			Offset: s.at(int(st.Pos().Offset())), Dir: s.dir, Wrappers: s.chain})
	}
	switch x := st.Cmd.(type) {
	case nil:
	case *syntax.Block:
		s.stmts(x.Stmts)
	case *syntax.Subshell:
		s.fork().stmts(x.Stmts)
	case *syntax.BinaryCmd:
		if x.Op == syntax.Pipe || x.Op == syntax.PipeAll {
			s.pipeline(st)
		} else {
			s.list(x)
		}
	case *syntax.IfClause:
		s.ifClause(x)
	case *syntax.WhileClause:
		s.branch(s.repeated(x), func(b *scope) {
			b.stmts(x.Cond)
			b.stmts(x.Do)
		})
	case *syntax.ForClause:
		s.loop(x)
	case *syntax.CaseClause:
		s.substitutions(x.Word)
		for _, item := range x.Items {
			for _, p := range item.Patterns {
				s.substitutions(p)
			}
			s.branch(s.fork(), func(b *scope) { b.stmts(item.Stmts) })
		}
	case *syntax.FuncDecl:
		s.define(x)
	case *syntax.DeclClause:
		s.declare(st, x, nil)
	case *syntax.TimeClause:
		s.timed(x)
	case *syntax.CoprocClause:
		s.fork().stmt(x.Stmt)
	case *syntax.ArithmCmd, *syntax.LetClause:
		s.substitutions(x)
		s.evaluated(x)
	case *syntax.TestClause:
		s.substitutions(x)
		s.tests(x)
	case *syntax.TestDecl:
		s.later(func(b *scope) { b.stmt(x.Body) })
	default:
		s.opaque("a command that cannot be read", int(st.Pos().Offset()))
	}
}

// later follows a part that runs at another time: a function, a trap.
func (s *scope) later(f func(*scope)) {
	b := s.blank()
	b.wrote = map[string]bool{}
	f(b)
	s.poisoned(b)
}

// list follows `a && b || c`. What follows && runs only after all before it
// in its row has run, so assignments of the row hold there.
func (s *scope) list(x *syntax.BinaryCmd) {
	var row []*syntax.BinaryCmd // the left spine, last operator first
	for {
		row = append(row, x)
		left, ok := x.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(x.X.Redirs) > 0 || x.X.Negated || left.Op == syntax.Pipe || left.Op == syntax.PipeAll {
			break
		}
		x = left
	}
	s.stmt(x.X)
	for i := len(row) - 1; i >= 0; {
		b := s.fork()
		s.branch(b, func(b *scope) {
			op := row[i].Op
			for b.stmt(row[i].Y); i > 0 && op == syntax.AndStmt && row[i-1].Op == op; {
				i--
				b.stmt(row[i].Y)
			}
		})
		if row[i].Op == syntax.AndStmt {
			s.dir = b.dir // `cd x && y; z`: a failed cd is rare, and then z runs where it did
		}
		i--
	}
}

// pipeline follows `a | b | c`, each in a subshell that reads the one before.
func (s *scope) pipeline(st *syntax.Stmt) {
	var elements []*syntax.Stmt
	for stack := []*syntax.Stmt{st}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		x, ok := top.Cmd.(*syntax.BinaryCmd)
		if ok && (x.Op == syntax.Pipe || x.Op == syntax.PipeAll) && (top == st || len(top.Redirs) == 0) {
			stack = append(stack, x.Y, x.X)
			continue
		}
		elements = append(elements, top)
	}
	for i, e := range elements {
		t := s.fork()
		if i > 0 {
			t.stdin = input{kind: fed, why: "it comes out of a pipe"}
			if text, ok := s.output(elements[i-1]); ok {
				t.stdin = input{kind: typed, text: text}
			}
		}
		if i == len(elements)-1 { // with lastpipe, and in other shells, it is no subshell
			s.branch(t, func(t *scope) { t.stmt(e) })
			break
		}
		t.stmt(e)
	}
}

func (s *scope) ifClause(x *syntax.IfClause) {
	s.stmts(x.Cond)
	for ; x != nil; x = x.Else {
		s.branch(s.fork(), func(b *scope) { b.stmts(x.Then) })
		if x.Else != nil {
			s.branch(s.fork(), func(b *scope) { b.stmts(x.Else.Cond) })
		}
	}
}

// loop follows a for loop: once for each value of its variable where all are
// certain and few, else once with the variable unknown.
func (s *scope) loop(x *syntax.ForClause) {
	iter, ok := x.Loop.(*syntax.WordIter)
	if !ok {
		if c, ok := x.Loop.(*syntax.CStyleLoop); ok && c.Init != nil {
			s.evaluated(c.Init)
		}
		s.branch(s.repeated(x), func(b *scope) {
			b.substitutions(x.Loop)
			b.evaluated(x.Loop)
			b.stmts(x.Do)
		})
		return
	}
	for _, w := range iter.Items {
		s.substitutions(w)
	}
	name := iter.Name.Value
	items := s.words(iter.Items)
	certain := len(items) > 0 && len(items) <= maxUnroll && !x.Select && s.nesting < 8
	for _, w := range items {
		certain = certain && w.known
	}
	if !certain {
		items = items[:0]
		items = append(items, word{})
	}
	if from := []string{}; allArgs(iter.Items, func(w *syntax.Word) bool { return s.counts(w, &from) }) && len(iter.Items) > 0 && !x.Select {
		s.number(name, from...)
	} else {
		s.forget(name)
	}
	for _, item := range items {
		if item.known {
			s.exported(name, item)
		} else {
			s.named(name, int(x.Pos().Offset()))
		}
		s.branch(s.repeated(x), func(b *scope) {
			if certain {
				b.assign(name, []string{item.text})
			}
			b.stmts(x.Do)
		})
	}
}

// timed follows `time cmd`. A word that starts with a dash makes time a
// program.
func (s *scope) timed(x *syntax.TimeClause) {
	if x.Stmt == nil {
		return
	}
	if call, ok := x.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 1 && len(call.Assigns) == 0 &&
		strings.HasPrefix(call.Args[0].Lit(), "-") {
		pos := int(x.Time.Offset())
		redirects := s.redirects(x.Stmt.Redirs)
		s.invoke(invocation{words: append([]word{literal("time", pos)}, s.words(call.Args)...),
			redirects: redirects, end: int(x.Stmt.End().Offset())})
		return
	}
	s.stmt(x.Stmt)
}

// substitutions follows every command that the expansion of a node runs.
func (s *scope) substitutions(node syntax.Node) {
	if node == nil {
		return
	}
	if w, ok := node.(*syntax.Word); ok && (w == nil || len(w.Parts) == 1 && isLit(w.Parts[0])) {
		return
	}
	quoted := 0 // where the last double quotes end
	syntax.Walk(node, func(n syntax.Node) bool {
		var list []*syntax.Stmt
		switch n := n.(type) {
		case *syntax.DblQuoted:
			quoted = max(quoted, int(n.End().Offset()))
			return true
		case *syntax.CmdSubst:
			if n.Backquotes && s.backquoted(n, int(n.Pos().Offset()) < quoted) {
				return false
			}
			list = n.Stmts
		case *syntax.ProcSubst:
			list = n.Stmts
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				s.forget(n.Param.Value)
				s.exported(n.Param.Value, s.one(n.Exp.Word))
			}
			s.parameter(n)
			return true
		case *syntax.ArithmExp:
			s.evaluated(n)
			return true
		default:
			return true
		}
		t := s.fork()
		t.nesting++
		t.stmts(list)
		return false
	})
}

// backquoted follows `…` with backslashes in it: bash drops one level of them
// and reads the rest as a text.
func (s *scope) backquoted(n *syntax.CmdSubst, quoted bool) bool {
	pos := int(n.Pos().Offset())
	raw := s.slice(pos+1, int(n.End().Offset())-1)
	if strings.IndexByte(raw, '\\') < 0 {
		return false
	}
	escaped := "$`\\"
	if quoted {
		escaped += `"`
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) && strings.IndexByte(escaped, raw[i+1]) >= 0 {
			i++
		}
		b.WriteByte(raw[i])
	}
	if s.depth >= maxDepth || !s.run.spend(b.Len()) {
		s.opaque("more shell text within shell text than is followed", pos)
		return true
	}
	t := s.nested(word{text: b.String(), pos: pos + 1}, s.chain)
	t.vars, t.nesting = maps.Clone(s.vars), s.nesting+1
	t.read()
	return true
}

func isLit(p syntax.WordPart) bool {
	_, ok := p.(*syntax.Lit)
	return ok
}

// counts reports that the fields of a word are numbers.
func (s *scope) counts(w *syntax.Word, from *[]string) bool {
	if s.numeric(w, from) {
		return true
	}
	for _, f := range s.words([]*syntax.Word{w}) {
		if !f.known || !isNumber(f.text) {
			return false
		}
	}
	return true
}

// tests follows what a [[ … ]] evaluates.
func (s *scope) tests(x *syntax.TestClause) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			return false
		case *syntax.BinaryTest:
			if n.Op >= syntax.TsEql && n.Op <= syntax.TsGtr {
				s.evaluated(n.X)
				s.evaluated(n.Y)
			}
		case *syntax.UnaryTest:
			if w, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
				s.subscript(s.one(w))
			}
		}
		return true
	})
}
