package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine/hook"
)

// invocation is one simple command, as the shell or a wrapper runs it.
type invocation struct {
	words     []word
	function  *function // that the first word names
	declared  bool      // the words of declare, whose variables are followed apart
	assigns   []hook.Assign
	redirects []hook.Redirect
	end       int // of its source text
}

// call follows a simple command: assignments, then words, then what it runs.
func (s *scope) call(st *syntax.Stmt, call *syntax.CallExpr, redirects []hook.Redirect) {
	v := invocation{redirects: redirects, end: end(st, call)}
	for _, a := range call.Args {
		s.substitutions(a)
	}
	v.words = s.words(call.Args)
	for i, a := range call.Assigns {
		s.substitutions(a)
		s.indexes(a)
		v.assigns = append(v.assigns, s.assignment(a))
		if len(v.words) == 0 {
			s.store(a, v.assigns[i].Value)
		}
	}
	if len(v.words) == 0 {
		start := int(st.Pos().Offset())
		s.add(hook.Command{Assigns: v.assigns, Redirects: redirects, Wrappers: s.chain,
			Raw: s.slice(start, v.end), Offset: s.at(start), Dir: s.dir})
	} else {
		for i, a := range call.Assigns {
			s.given(a, v.assigns[i].Value) // eval and functions see the new value
		}
		v.function = s.defined(v.words)
		s.invoke(v)
		s.readHere(st, v.words)
	}
	for i, a := range call.Assigns {
		s.runsValue(a, v.assigns[i])
	}
}

// end is where the source of a call ends, without its terminator and the
// bodies of here-documents.
func end(st *syntax.Stmt, call *syntax.CallExpr) int {
	at := 0
	if len(call.Args)+len(call.Assigns) > 0 {
		at = int(call.End().Offset())
	}
	for _, r := range st.Redirs {
		at = max(at, int(r.Word.End().Offset()))
	}
	return at
}

func (s *scope) assignment(a *syntax.Assign) hook.Assign {
	out := hook.Assign{Value: hook.Word{Known: true}}
	if a.Name != nil {
		out.Name = a.Name.Value
	}
	switch {
	case a.Array != nil || a.Index != nil || a.Append:
		out.Value = hook.Word{Text: s.slice(int(a.Pos().Offset()), int(a.End().Offset()))}
	case a.Value != nil:
		out.Value = s.one(a.Value).export()
	}
	return out
}

// given notes that a variable may have the value of an assignment.
func (s *scope) given(a *syntax.Assign, value hook.Word) {
	var from []string
	name := a.Name.Value
	if a.Naked || a.Array == nil && (value.Known && isNumber(value.Text) || s.numeric(a.Value, &from)) {
		s.number(name, from...)
		return
	}
	if value.Known && (has(integerNames, name) || s.run.numbers.integers[name]) {
		s.expression(literal(value.Text, int(a.Pos().Offset())), 0)
	}
	s.forget(name)
}

// indexes follows the subscripts of an assignment.
func (s *scope) indexes(a *syntax.Assign) {
	if a.Name == nil || s.assoc[a.Name.Value] || has("BASH_ALIASES BASH_CMDS", a.Name.Value) {
		return
	}
	if a.Index != nil {
		s.evaluated(a.Index)
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				s.evaluated(e.Index)
			}
		}
	}
}

// store keeps the value of an assignment that outlives its command.
func (s *scope) store(a *syntax.Assign, value hook.Word) {
	name := a.Name.Value
	switch {
	case a.Append && a.Index == nil && s.appends(a):
	case a.Append || a.Index != nil || a.Naked:
		s.given(a, value)
	case a.Array != nil:
		var values []string
		for _, e := range a.Array.Elems {
			if e.Index != nil || e.Value == nil {
				s.forget(name)
				return
			}
			for _, w := range s.fields(nil, e.Value) {
				if !w.known {
					s.forget(name)
					return
				}
				values = append(values, w.text)
			}
		}
		s.assign(name, values)
	case value.Known && len(value.Text) <= 4096:
		s.assign(name, []string{value.Text})
	default:
		s.given(a, value)
	}
}

// appends keeps the value of A+=text and A+=(words), and reports that it is
// certain.
func (s *scope) appends(a *syntax.Assign) bool {
	name := a.Name.Value
	values, ok := s.lookup(name)
	if !ok || len(values) == 0 || s.run.numbers.integers[name] {
		return false
	}
	values = slices.Clone(values)
	if a.Array == nil {
		w := s.one(a.Value)
		if a.Value == nil || !w.known || len(values[0])+len(w.text) > 4096 {
			return false
		}
		values[0] += w.text
		s.assign(name, values)
		return true
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil || e.Value == nil || len(values) > maxFields {
			return false
		}
		for _, w := range s.fields(nil, e.Value) {
			if !w.known {
				return false
			}
			values = append(values, w.text)
		}
	}
	s.assign(name, values)
	return true
}

// runsValue follows the values of variables that programs run.
func (s *scope) runsValue(a *syntax.Assign, got hook.Assign) {
	switch {
	case has("BASH_ALIASES BASH_CMDS", got.Name):
		s.entries(a)
	case a.Value != nil:
		s.exported(got.Name, s.one(a.Value))
	}
}

// entries follows assignments to tables of the shell.
func (s *scope) entries(a *syntax.Assign) {
	element := func(x syntax.ArithmExpr) string {
		if w, ok := x.(*syntax.Word); ok {
			return s.one(w).text
		}
		return ""
	}
	if a.Value != nil {
		s.table(a.Name.Value, element(a.Index), s.one(a.Value))
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				s.table(a.Name.Value, element(e.Index), s.one(e.Value))
			}
		}
	}
}

// declare follows declare, local, export, readonly, typeset.
func (s *scope) declare(st *syntax.Stmt, d *syntax.DeclClause, redirects []hook.Redirect) {
	pos := int(d.Pos().Offset())
	v := invocation{words: []word{literal(d.Variant.Value, pos)}, redirects: redirects,
		end: max(int(d.End().Offset()), end(st, &syntax.CallExpr{}))}
	odd := d.Variant.Value == "nameref"
	constant := d.Variant.Value == "readonly"
	flags := ""
	v.declared = true
	for _, a := range d.Args {
		s.substitutions(a)
		w := s.declared(a)
		v.words = append(v.words, w)
		if a.Naked && a.Name == nil {
			odd = odd || !has("-x -g -gx -a -xg -r -rx -xr -gr -rg", w.text)
			constant = constant || strings.Contains(w.text, "r")
			if strings.HasPrefix(w.text, "-") && w.known {
				flags += w.text
			} else {
				s.names(d.Variant.Value, []word{w})
			}
		}
	}
	s.invoke(v)
	for _, a := range d.Args {
		if a.Name == nil {
			continue
		}
		s.attributes(a, flags)
		if odd || constant && a.Naked {
			s.given(a, s.assignment(a).Value)
			s.poison(a.Name.Value)
			s.poison(s.assignment(a).Value.Text) // of a name reference
		} else if !a.Naked {
			if s.store(a, s.assignment(a).Value); constant {
				mark(&s.run.constant, a.Name.Value)
			}
		}
		s.runsValue(a, s.assignment(a))
	}
}

// attributes follows what the flags of declare say of a variable.
func (s *scope) attributes(a *syntax.Assign, flags string) {
	name := a.Name.Value
	if strings.Contains(flags, "A") && !strings.Contains(flags, "+") {
		assoc := map[string]bool{name: true}
		for n := range s.assoc {
			assoc[n] = true
		}
		s.assoc = assoc
	} else if s.assoc[name] && !a.Naked {
		s.assoc = nil
	}
	s.indexes(a)
	value := s.assignment(a).Value
	if strings.Contains(flags, "i") {
		s.integer(name)
		if value.Known && !a.Naked {
			s.expression(literal(value.Text, int(a.Pos().Offset())), 0)
		}
	}
	if strings.Contains(flags, "n") && !a.Naked {
		w := s.one(a.Value)
		if s.subscript(w); !w.known {
			s.run.numbers.all = true
		}
		s.number(w.text, name) // what is assigned to one is to the other
	}
}

// declared is an operand of declare as a word.
func (s *scope) declared(a *syntax.Assign) word {
	if a.Naked && a.Name == nil {
		return s.one(a.Value)
	}
	pos := int(a.Pos().Offset())
	text := s.slice(pos, int(a.End().Offset()))
	w := word{text: text, src: text, known: true, pos: pos}
	if a.Value != nil && !a.Append && a.Index == nil {
		value := s.one(a.Value)
		w.known, w.why, w.text = value.known, value.why, a.Name.Value+"="+value.text
	}
	return w
}

func (s *scope) poison(name string) {
	if s.run.poison == nil {
		s.run.poison = map[string]bool{}
	}
	s.run.poison[name] = true
}

// redirects reads the redirects of a statement and sets what it reads.
func (s *scope) redirects(list []*syntax.Redirect) (out []hook.Redirect) {
	for _, r := range list {
		s.substitutions(r.Word)
		if r.Hdoc != nil {
			s.substitutions(r.Hdoc)
		}
		w := s.one(r.Word)
		stdin := r.N == nil || r.N.Value == "0"
		if r.N != nil {
			s.number(strings.Trim(r.N.Value, "{}"))
		}
		access := hook.Writes
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if stdin {
				s.stdin = input{kind: typed, text: s.body(r)}
			}
			continue
		case syntax.WordHdoc:
			if w.text += "\n"; stdin {
				s.stdin = input{kind: typed, text: w}
			}
			continue
		case syntax.RdrIn, syntax.RdrInOut:
			if access = hook.Reads; r.Op == syntax.RdrInOut {
				access |= hook.Writes
			}
			if stdin {
				s.stdin = input{kind: fed, why: "it is read from " + shown(w.src)}
				if p, ok := w.sub.(*syntax.ProcSubst); ok {
					s.stdin = s.produced(p.Stmts, s.stdin)
				}
			}
		case syntax.DplIn:
			if stdin && w.text != "-" {
				s.stdin = input{kind: fed, why: "it is read from " + shown(w.src)}
			}
			continue
		case syntax.DplOut:
			if strings.Trim(strings.TrimSuffix(w.text, "-"), "0123456789") == "" && w.known {
				continue
			}
		}
		out = append(out, hook.Redirect{Op: r.Op.String(), Target: w.export(), Access: access})
	}
	return out
}

// body is the text of a here-document.
func (s *scope) body(r *syntax.Redirect) word {
	if r.Hdoc == nil {
		return literal("", int(r.Pos().Offset()))
	}
	b := fields{scope: s, whole: true, plain: true}
	if quotedDelimiter(r.Word) {
		for _, p := range r.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				b.text(lit.Value)
			}
		}
	} else {
		b.parts(r.Hdoc.Parts, false)
	}
	b.begun = true
	w := b.done()[0]
	if w.pos = int(r.Pos().Offset()); r.Op == syntax.DashHdoc {
		lines := strings.Split(w.text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		w.text = strings.Join(lines, "\n")
	}
	w.src = "a here-document"
	return w
}

func quotedDelimiter(w *syntax.Word) bool {
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || strings.IndexByte(lit.Value, '\\') >= 0 {
			return true
		}
	}
	return false
}

// add lists a command, as run or as possible.
func (s *scope) add(c hook.Command) {
	out := &s.run.out
	if len(out.List)+len(out.Possible) >= maxCommands {
		s.run.opaque("more commands than are followed", c.Offset)
		s.run.walked = maxWalk
		return
	}
	if s.sure {
		out.List = append(out.List, c)
	} else {
		out.Possible = append(out.Possible, c)
	}
}
