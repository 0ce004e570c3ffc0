package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine/hook"
)

// A hole stands in a word's text for what is known only when it runs. Bytes
// of the text itself that look like one are read as one, which is safe.
const (
	hole     = "\x01" // may be anything
	mildHole = "\x02" // unknown, but without meaning to a shell ($HOME, $?, arithmetic)
	holes    = hole + mildHole
)

// word is one field of a command.
type word struct {
	text  string // its value, with holes
	src   string // as written
	why   string // why it is not known
	known bool
	moved bool // see hook.Word
	bare  bool // no quotes: may be an alias
	pos   int  // in the text of its scope
	sub   syntax.Node
}

func literal(text string, pos int) word {
	return word{text: text, src: text, known: true, pos: pos}
}

// unknown is a word of which nothing is known.
func unknown(src, why string, pos int) word {
	return word{text: hole, src: src, why: why, pos: pos}
}

// export is w as other packages see it.
func (w word) export() hook.Word {
	if w.known {
		return hook.Word{Text: returned(w.text), Known: true}
	}
	prefix, suffix := w.text, ""
	if i := strings.IndexAny(w.text, holes+"*?["); i >= 0 {
		prefix, suffix = w.text[:i], w.text[strings.LastIndexAny(w.text, holes+"*?[]")+1:]
	}
	return hook.Word{Text: visible(w.src), Prefix: prefix, Suffix: suffix, Moved: w.moved}
}

// visible shows the holes of a text within a text.
func visible(src string) string {
	src = returned(src)
	if !strings.ContainsAny(src, holes) {
		return src
	}
	return strings.NewReplacer(hole, "$…", mildHole, "$…").Replace(src)
}

// split cuts the value of an option at blanks, as env -S does.
func (w word) split() []word {
	var out []word
	p := syntax.NewParser()
	err := p.Words(&depthReader{text: w.text}, func(x *syntax.Word) bool {
		b := fields{}
		b.parts(x.Parts, false)
		for _, f := range b.done() {
			f.pos, f.src = w.pos, f.text
			out = append(out, f)
		}
		return len(out) < maxFields
	})
	if err != nil || len(out) == 0 {
		return []word{unknown(w.src, "the option "+w.src+" cannot be split", w.pos)}
	}
	return out
}

// join is the text of a command: its words with one space between.
func join(argv []hook.Word) string {
	n := len(argv)
	for i := range argv {
		n += min(len(argv[i].Text), maxText)
	}
	var b strings.Builder
	b.Grow(n)
	for i, w := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if !w.Known && len(w.Text) > maxShown {
			b.WriteString(w.Text[:maxShown] + "…")
			continue
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// words resolves the words of a command to its fields: quotes removed,
// braces expanded, variables with a certain value filled in.
func (s *scope) words(in []*syntax.Word) []word {
	out := make([]word, 0, len(in))
	for _, w := range in {
		out = s.fields(out, w)
	}
	return out
}

func (s *scope) fields(out []word, w *syntax.Word) []word {
	if !s.run.walk() {
		return out
	}
	pos, end := int(w.Pos().Offset()), int(w.End().Offset())
	src := s.slice(pos, end)
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && simple(lit.Value) {
			return append(out, word{text: lit.Value, src: src, known: true, bare: true, pos: pos})
		}
	}
	variants, ok := s.braces(w)
	if !ok {
		return append(out, unknown(src, "too many brace expansions", pos))
	}
	for _, parts := range variants {
		b := fields{scope: s}
		b.parts(parts, false)
		for _, f := range b.done() {
			f.pos, f.src = pos, src
			if len(variants) > 1 && f.known {
				f.src = f.text
			}
			if len(parts) == 1 {
				f.sub = parts[0]
			}
			out = append(out, f)
		}
	}
	return out
}

// simple reports that a literal has no character with a meaning of its own.
func simple(lit string) bool {
	return lit != "" && lit[0] != '~' && !strings.ContainsAny(lit, "\\{*?["+holes)
}

// one resolves a word that is never split: an assignment, a redirect target,
// a here-document.
func (s *scope) one(w *syntax.Word) word {
	if w == nil || len(w.Parts) == 0 {
		return literal("", 0)
	}
	pos := int(w.Pos().Offset())
	b := fields{scope: s, whole: true}
	b.parts(w.Parts, false)
	f := word{known: true}
	if out := b.done(); len(out) > 0 {
		f = out[0]
	}
	f.pos, f.src = pos, s.slice(pos, int(w.End().Offset()))
	if len(w.Parts) == 1 {
		f.sub = w.Parts[0]
	}
	return f
}
