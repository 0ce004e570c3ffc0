package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fields builds the fields that one word expands to.
type fields struct {
	scope *scope // nil: no variables
	whole bool   // no splitting, no globs
	plain bool   // the body of a here-document: quotes are ordinary
	cur   strings.Builder
	why   string
	begun bool // the current field exists, though it may be empty
	quote bool
	glob  bool
	moved bool // ~ or $PWD in it is not that of the environment
	out   []word
}

func (b *fields) done() []word {
	b.flush()
	return b.out
}

func (b *fields) flush() {
	if !b.begun && b.cur.Len() == 0 {
		return
	}
	w := word{text: b.cur.String(), why: b.why, bare: !b.quote, moved: b.moved}
	if b.glob && !b.whole && w.why == "" {
		w.why = "it is a file name pattern"
	}
	w.known = w.why == ""
	b.out = append(b.out, w)
	b.cur.Reset()
	b.why, b.begun, b.quote, b.glob, b.moved = "", false, false, false, false
}

func (b *fields) hole(mark, why string) {
	b.cur.WriteString(mark)
	if b.why == "" {
		b.why = why
	}
}

func (b *fields) parts(parts []syntax.WordPart, quoted bool) {
	for i, part := range parts {
		switch x := part.(type) {
		case *syntax.Lit:
			if quoted {
				b.quoted(x.Value)
			} else {
				b.lit(x.Value, i == 0 && !b.plain && len(b.out) == 0 && b.cur.Len() == 0)
			}
		case *syntax.SglQuoted:
			b.begun, b.quote = true, true
			if x.Dollar {
				b.text(ansi(x.Value, true))
			} else {
				b.text(x.Value)
			}
		case *syntax.DblQuoted:
			b.begun, b.quote = true, true
			b.parts(x.Parts, true)
		case *syntax.ParamExp:
			b.param(x, quoted)
		case *syntax.CmdSubst:
			b.begun = b.begun || quoted
			b.hole(hole, "a command substitution gives its text")
		case *syntax.ArithmExp:
			b.hole(mildHole, "it is computed")
		case *syntax.ProcSubst:
			b.hole(mildHole, "it is a process substitution")
		case *syntax.ExtGlob:
			b.cur.WriteString("*")
			b.glob = true
		default:
			b.hole(hole, "it cannot be read")
		}
	}
}

// text adds literal text; a hole byte in it counts as a hole.
func (b *fields) text(s string) {
	b.cur.WriteString(s)
	if b.why == "" && strings.ContainsAny(s, holes) {
		b.why = "it has a control character"
	}
}

// quoted adds text from within double quotes.
func (b *fields) quoted(lit string) {
	if strings.IndexByte(lit, '\\') < 0 {
		b.text(lit)
		return
	}
	for i := 0; i < len(lit); i++ {
		if lit[i] == '\\' && i+1 < len(lit) && strings.IndexByte("$`\"\\\n", lit[i+1]) >= 0 {
			if i++; lit[i] == '\n' {
				continue
			}
		}
		b.cur.WriteByte(lit[i])
	}
	b.text("")
}

// lit adds unquoted text.
func (b *fields) lit(lit string, first bool) {
	if b.plain {
		b.hdoc(lit)
		return
	}
	if first && strings.HasPrefix(lit, "~") {
		dir, _, _ := strings.Cut(lit, "/")
		b.moved = b.scope != nil && b.scope.run.set["HOME"]
		b.hole(mildHole, dir+" is a home directory")
		lit = lit[len(dir):]
	}
	for i := 0; i < len(lit); i++ {
		switch c := lit[i]; c {
		case '\\':
			if i+1 < len(lit) {
				i++
				if lit[i] != '\n' {
					b.quote = true
					b.cur.WriteByte(lit[i])
				}
			}
			continue
		case '*', '?':
			b.glob = true
		case '[':
			b.glob = b.glob || strings.IndexByte(lit[i:], ']') > 0
		case hole[0]:
			b.why = "it is filled in when it runs"
		case mildHole[0]:
			b.why = "it is filled in when it runs"
		}
		b.cur.WriteByte(lit[i])
	}
}

// hdoc adds text of an unquoted here-document.
func (b *fields) hdoc(lit string) {
	for i := 0; i < len(lit); i++ {
		if lit[i] == '\\' && i+1 < len(lit) && strings.IndexByte("$`\\\n", lit[i+1]) >= 0 {
			if i++; lit[i] == '\n' {
				continue
			}
		}
		b.cur.WriteByte(lit[i])
	}
}

// mildNames are variables whose values no agent fills with shell syntax.
const mildNames = "HOME PWD OLDPWD USER LOGNAME UID EUID PPID HOSTNAME RANDOM SECONDS LINENO SHLVL TMPDIR ? # $ !"

func (b *fields) param(x *syntax.ParamExp, quoted bool) {
	name := ""
	if x.Param != nil {
		name = x.Param.Value
	}
	values, join, ok := b.value(x, name)
	if !ok {
		if quoted && (name != "@" || len(values) > 0) {
			b.begun = true
		}
		b.moved = b.moved || b.scope != nil && (b.scope.run.set[name] || name == "PWD" && b.scope.dir != here)
		mark := hole
		if has(mildNames, name) && plainParam(x) && (b.scope == nil || !b.scope.run.set[name]) {
			mark = mildHole
		}
		b.hole(mark, "$"+name+" is not a literal")
		return
	}
	if quoted && join {
		b.begun = true
		b.text(strings.Join(values, " "))
		return
	}
	for i, v := range values {
		if i > 0 && !b.whole {
			b.flush()
		} else if i > 0 {
			b.cur.WriteByte(' ')
		}
		if quoted || b.whole || b.plain {
			b.begun = b.begun || quoted
			b.text(v)
			continue
		}
		b.unquoted(v)
	}
}

// unquoted adds the value of an unquoted variable: split at blanks, its
// pattern characters alive.
func (b *fields) unquoted(v string) {
	for i, f := range strings.FieldsFunc(v, blank) {
		if i > 0 || blank(rune(v[0])) {
			b.flush()
		}
		b.glob = b.glob || strings.ContainsAny(f, "*?[")
		b.text(f)
	}
	if v != "" && blank(rune(v[len(v)-1])) {
		b.flush()
	}
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func plainParam(x *syntax.ParamExp) bool {
	return x.Flags == nil && !x.Excl && !x.Length && !x.Width && !x.IsSet && x.NestedParam == nil &&
		x.Index == nil && x.Slice == nil && x.Repl == nil && x.Names == 0 && x.Exp == nil && len(x.Modifiers) == 0
}

// value is the certain value of a parameter; join: its elements form one word.
func (b *fields) value(x *syntax.ParamExp, name string) (values []string, join, ok bool) {
	if b.scope == nil {
		return nil, false, false
	}
	v, ok := b.scope.certain(name)
	if !ok {
		return nil, false, false
	}
	if name == "@" || name == "*" {
		return v, name == "*", plainParam(x)
	}
	if index, isWord := x.Index.(*syntax.Word); isWord && x.Index != nil {
		rest := *x
		rest.Index = nil
		switch lit := index.Lit(); {
		case !plainParam(&rest):
			return nil, false, false
		case lit == "@":
			return v, false, true
		case lit == "*":
			return v, true, true
		case len(lit) == 1 && lit[0] >= '0' && int(lit[0]-'0') < len(v):
			return v[lit[0]-'0':][:1], false, true
		}
		return nil, false, false
	}
	if len(v) == 0 {
		return nil, false, false
	}
	if !plainParam(x) {
		value, ok := b.operated(x, v[0])
		return []string{value}, false, ok
	}
	return v[:1], false, true
}
