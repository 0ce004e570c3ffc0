package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// braces expands the braces of a word to the parts of each resulting word;
// false if there are too many.
func (s *scope) braces(w *syntax.Word) ([][]syntax.WordPart, bool) {
	if !syntax.SplitBraces(w) && !hasBraces(w.Parts) {
		return [][]syntax.WordPart{w.Parts}, true
	}
	if s.run.fields <= 0 {
		return nil, false
	}
	out, ok := expand(w.Parts)
	if s.run.fields -= len(out); s.run.fields < 0 {
		return nil, false
	}
	return out, ok
}

func hasBraces(parts []syntax.WordPart) bool {
	for _, p := range parts {
		if _, ok := p.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

func expand(parts []syntax.WordPart) ([][]syntax.WordPart, bool) {
	out := [][]syntax.WordPart{nil}
	for _, p := range parts {
		alternatives := [][]syntax.WordPart{{p}}
		if br, ok := p.(*syntax.BraceExp); ok {
			if alternatives, ok = elements(br); !ok {
				return nil, false
			}
		}
		if len(out)*len(alternatives) > maxFields {
			return nil, false
		}
		next := make([][]syntax.WordPart, 0, len(out)*len(alternatives))
		for _, before := range out {
			for _, a := range alternatives {
				next = append(next, append(before[:len(before):len(before)], a...))
			}
		}
		out = next
	}
	return out, true
}

func elements(br *syntax.BraceExp) (out [][]syntax.WordPart, ok bool) {
	if br.Sequence {
		return sequence(br)
	}
	for _, e := range br.Elems {
		more, ok := expand(e.Parts)
		if !ok || len(out)+len(more) > maxFields {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

func sequence(br *syntax.BraceExp) (out [][]syntax.WordPart, ok bool) {
	from, to := br.Elems[0].Lit(), br.Elems[1].Lit()
	a, err := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	letters := err != nil || err2 != nil
	if letters {
		if len(from) != 1 || len(to) != 1 {
			return nil, false
		}
		a, b = int(from[0]), int(to[0])
	}
	step := 1
	if len(br.Elems) > 2 {
		n, err := strconv.Atoi(br.Elems[2].Lit())
		if err != nil {
			return nil, false
		}
		step = max(n, -n, 1)
	}
	if count := (max(a, b) - min(a, b)) / step; count < 0 || count >= maxFields {
		return nil, false
	}
	for v := a; v >= min(a, b) && v <= max(a, b); {
		text := strconv.Itoa(v)
		if letters {
			text = string(rune(v))
		}
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: text}})
		if b < a {
			v -= step
		} else {
			v += step
		}
	}
	return out, true
}
