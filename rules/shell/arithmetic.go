package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bash reads the value of a variable in arithmetic as an expression once more,
// and expands what stands in its subscripts: b='a[$(rm x)]'; ((b)) runs rm.
// So a literal value is followed, and a value that is not known raises doubt
// unless everything that the text ever assigns to the variable is a number;
// what the environment holds is taken for one, operands of the script are not.

// numberNames are parameters that hold numbers.
const numberNames = "? # $ !"

// integerNames are variables whose values are expressions.
const integerNames = "RANDOM SRANDOM SECONDS LINENO OPTIND HISTCMD EPOCHSECONDS BASHPID COMP_POINT COMP_CWORD"

// numbers is what a text assigns, over all its shells and whatever the order.
type numbers struct {
	loose    map[string]bool // variables that may hold something else than a number
	all      bool            // any variable may
	copies   [][2]string     // variables that get the value of another
	integers map[string]bool // variables with the integer attribute
	read     map[string]int  // variables that arithmetic reads, and where
}

func mark(m *map[string]bool, name string) {
	if *m == nil {
		*m = map[string]bool{}
	}
	(*m)[name] = true
}

// settle says, when all is read, which variables in arithmetic are no numbers.
func (r *run) settle() {
	n := &r.numbers
	if len(n.read) == 0 && len(n.integers) == 0 {
		return
	}
	for changed := true; changed; {
		changed = false
		for _, c := range n.copies {
			if !n.loose[c[0]] && !r.holdsNumber(c[1]) {
				mark(&n.loose, c[0])
				changed = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.read)) {
		if !r.holdsNumber(name) {
			r.opaque("arithmetic expands what $"+name+" holds", n.read[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.integers)) {
		if n.loose[name] {
			r.opaque("arithmetic expands what $"+name+" is set to", 0)
		}
	}
}

func (r *run) holdsNumber(name string) bool {
	return !r.numbers.all && !r.numbers.loose[name] && (validName(name) || has(numberNames, name))
}

// number notes that a variable is set to a number that is not known.
func (s *scope) number(name string, from ...string) {
	s.unsure(name)
	for _, f := range from {
		s.run.numbers.copies = append(s.run.numbers.copies, [2]string{name, f})
	}
}

// integer notes the integer attribute.
func (s *scope) integer(name string) { mark(&s.run.numbers.integers, name) }

func isNumber(text string) bool { return strings.Trim(text, "0123456789+-#. \t\n") == "" }

// numeric reports that a word is a number if the variables in from hold one.
func (s *scope) numeric(w *syntax.Word, from *[]string) bool {
	return w == nil || s.numericParts(w.Parts, from)
}

func (s *scope) numericParts(parts []syntax.WordPart, from *[]string) bool {
	for _, p := range parts {
		ok := false
		switch p := p.(type) {
		case *syntax.Lit:
			ok = isNumber(p.Value)
		case *syntax.SglQuoted:
			ok = isNumber(p.Value) && !p.Dollar
		case *syntax.DblQuoted:
			ok = s.numericParts(p.Parts, from)
		case *syntax.ArithmExp:
			ok = true
		case *syntax.ParamExp:
			ok = s.numericParam(p, from)
		case *syntax.CmdSubst:
			ok = s.printsNumber(p.Stmts)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (s *scope) numericParam(p *syntax.ParamExp, from *[]string) bool {
	index, _ := p.Index.(*syntax.Word)
	switch {
	case p.Length:
		return true
	case p.Param == nil || p.Repl != nil || p.Names != 0 || p.NestedParam != nil || len(p.Modifiers) > 0:
		return false
	case p.Excl:
		return index != nil && has("@ *", index.Lit()) && !s.assoc[p.Param.Value] // its indexes
	}
	if p.Exp != nil {
		switch p.Exp.Op {
		case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			if !s.numeric(p.Exp.Word, from) {
				return false
			}
		default:
			return false
		}
	}
	*from = append(*from, p.Param.Value)
	return true
}

// printsNumber reports that the output of commands is a number.
func (s *scope) printsNumber(list []*syntax.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	cmd := list[0].Cmd
	if pipe, ok := cmd.(*syntax.BinaryCmd); ok && pipe.Op == syntax.Pipe {
		cmd = pipe.Y.Cmd
	}
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 {
		return false
	}
	name, args := call.Args[0].Lit(), call.Args[1:]
	if s.run.set[name+"()"] {
		return false
	}
	switch name {
	case "nproc":
		return true
	case "wc":
		return allArgs(args, func(w *syntax.Word) bool {
			return strings.HasPrefix(w.Lit(), "-") && !strings.Contains(w.Lit(), "from")
		})
	case "seq":
		var from []string
		return allArgs(args, func(w *syntax.Word) bool { return s.numeric(w, &from) }) && len(from) == 0
	case "date":
		return len(args) > 0 && strings.HasPrefix(args[0].Lit(), "+%") && strings.Trim(args[0].Lit()[1:], "%sYmdHMSjN") == ""
	case "id":
		return len(args) == 1 && has("-u -g", args[0].Lit())
	case "stat":
		return len(args) == 3 && has("-c%s -c", args[0].Lit()) && has("%s %Y %a %i", args[1].Lit())
	case "grep":
		return len(args) > 1 && len(args) < 4 && strings.HasPrefix(args[0].Lit(), "-") && strings.Contains(args[0].Lit(), "c") &&
			strings.Trim(args[0].Lit(), "-cviEFwx") == "" && (len(args) < 3 || args[2].Lit() != "" && !strings.ContainsAny(args[2].Lit(), "*?["))
	}
	return false
}

func allArgs(args []*syntax.Word, ok func(*syntax.Word) bool) bool {
	for _, w := range args {
		if !ok(w) {
			return false
		}
	}
	return true
}

// evaluated follows the operands of an arithmetic expression.
func (s *scope) evaluated(node syntax.Node) {
	if node == nil {
		return
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			s.operand(n)
			return false
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Assgn || n.Op >= syntax.AddAssgn && n.Op <= syntax.PowAssgn) {
				s.set(w)
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
				s.set(w)
			}
		}
		return true
	})
}

// set notes that arithmetic assigns to w.
func (s *scope) set(w *syntax.Word) {
	name := w.Lit()
	if len(w.Parts) == 1 {
		if p, ok := w.Parts[0].(*syntax.ParamExp); ok && p.Param != nil {
			name = p.Param.Value
		}
	}
	if validName(name) {
		s.number(name)
	}
}

// operand follows one word that is evaluated.
func (s *scope) operand(w *syntax.Word) {
	pos := int(w.Pos().Offset())
	var from []string
	if s.numeric(w, &from) {
		for _, name := range from {
			s.variable(name, pos, 0)
		}
		return
	}
	got := s.one(w)
	if got.known {
		s.expression(got, 0)
		return
	}
	s.opaque("arithmetic expands "+shown(got.src), pos)
}

// variable follows the value that a variable has in arithmetic.
func (s *scope) variable(name string, pos, depth int) {
	values, ok := s.lookup(name)
	if !ok || depth > 6 {
		if s.run.numbers.read == nil {
			s.run.numbers.read = map[string]int{}
		}
		s.run.numbers.read[name] = s.at(pos)
		return
	}
	for _, v := range values {
		s.expression(literal(v, pos), depth+1)
	}
}

// expression follows text that is evaluated as arithmetic.
func (s *scope) expression(w word, depth int) {
	switch {
	case isNumber(w.text) || !s.run.walk():
		return
	case strings.Contains(w.text, hole):
		s.opaque("arithmetic expands "+shown(w.src), w.pos)
		return
	case strings.ContainsAny(w.text, "$`"):
		s.expanded(w)
		s.opaque("arithmetic expands what "+shown(w.src)+" gives", w.pos)
		return
	}
	assigns := strings.Contains(w.text, "=") || strings.Contains(w.text, "++") || strings.Contains(w.text, "--")
	for i := 0; i < len(w.text); {
		end := i
		for end < len(w.text) && (w.text[end] == '_' || plainByte[w.text[end]] && validName("_"+w.text[end:end+1])) {
			end++
		}
		if name := w.text[i:end]; validName(name) && (i == 0 || w.text[i-1] != '#') {
			s.variable(name, w.pos, depth)
			if assigns {
				s.number(name)
			}
		}
		i = max(end, i+1)
	}
}

// expanded follows the substitutions in text that is expanded as if it stood
// in double quotes.
func (s *scope) expanded(w word) {
	if !strings.ContainsAny(w.text, "$`") {
		return
	}
	if s.depth < maxDepth && !nests(w.text) && s.run.spend(len(w.text)) {
		if doc := document(w.text); doc != nil {
			t := s.nested(w, s.chain)
			t.substitutions(doc)
			return
		}
	}
	s.opaque("what is expanded in "+shown(w.src)+" cannot be read", w.pos)
}

// parameter follows what a parameter expansion evaluates or expands again.
func (s *scope) parameter(p *syntax.ParamExp) {
	if p.Param == nil {
		return
	}
	name, pos := p.Param.Value, int(p.Pos().Offset())
	if p.Index != nil && !s.assoc[name] {
		if w, ok := p.Index.(*syntax.Word); !ok || !has("@ *", w.Lit()) {
			s.evaluated(p.Index)
		}
	}
	if p.Slice != nil {
		for _, x := range []syntax.ArithmExpr{p.Slice.Offset, p.Slice.Length} {
			if x != nil {
				s.evaluated(x)
			}
		}
	}
	prompt := p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && p.Exp.Word.Lit() == "P"
	indirect := p.Excl && p.Names == 0 && p.Index == nil
	if !prompt && !indirect {
		return
	}
	values, ok := s.lookup(name)
	if !ok {
		s.opaque("what $"+name+" holds is expanded once more", pos)
	}
	for _, v := range values {
		if prompt {
			s.expanded(literal(v, pos))
		} else {
			s.subscript(literal(v, pos))
		}
	}
}

// subscript follows text that a builtin evaluates as the name of a variable:
// what stands in its subscript is expanded, whatever its quotes.
func (s *scope) subscript(w word) {
	name, inner, ok := strings.Cut(w.text, "[")
	switch {
	case !ok && strings.Contains(w.text, hole):
		s.opaque("the name "+shown(w.src)+" may have a subscript that is expanded", w.pos)
		return
	case !ok:
		return
	}
	if end := strings.LastIndexByte(inner, ']'); end >= 0 {
		inner = inner[:end]
	}
	w.text = inner
	t := *s
	t.sure = false // the builtin may refuse the name
	if strings.ContainsAny(inner, "$`"+hole) || !s.assoc[name] && inner != "@" && inner != "*" {
		t.expression(w, 0)
	}
}
