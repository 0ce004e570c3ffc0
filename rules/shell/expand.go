package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func trimBlanks(text string) string { return strings.Trim(text, " \t") }

// certain is the certain value of a variable or positional parameter.
func (s *scope) certain(name string) ([]string, bool) {
	if name == "*" {
		name = positional
	}
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 {
		return s.lookup(name)
	}
	values, ok := s.lookup(positional)
	if !ok || n > len(values) {
		return []string{""}, ok
	}
	return values[n-1:][:1], true
}

// operated is the value of ${NAME…} with an operation on a certain value.
func (b *fields) operated(x *syntax.ParamExp, value string) (string, bool) {
	rest := *x
	switch {
	case x.Excl:
		if rest.Excl = false; !plainParam(&rest) || !validName(value) {
			return "", false
		}
		values, ok := b.scope.lookup(value)
		if !ok || len(values) == 0 {
			return "", false
		}
		return values[0], true
	case x.Exp != nil:
		if rest.Exp = nil; plainParam(&rest) {
			return b.edited(x.Exp, value)
		}
	case x.Repl != nil:
		if rest.Repl = nil; plainParam(&rest) {
			return b.substituted(x.Repl, value)
		}
	case x.Slice != nil:
		if rest.Slice = nil; plainParam(&rest) {
			return sliced(x.Slice, value)
		}
	}
	return "", false
}

// edited is the value behind # % ^ , and the defaults.
func (b *fields) edited(e *syntax.Expansion, value string) (string, bool) {
	arg, ok := b.plainText(e.Word)
	if !ok {
		return "", false
	}
	switch e.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return strings.TrimPrefix(value, arg), true
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return strings.TrimSuffix(value, arg), true
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.ErrorUnset:
		return value, true
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull, syntax.ErrorUnsetOrNull:
		return value, value != ""
	case syntax.AlternateUnset:
		return arg, true
	case syntax.AlternateUnsetOrNull:
		return arg, value != ""
	case syntax.UpperAll:
		return strings.ToUpper(value), arg == "" && ascii(value)
	case syntax.LowerAll:
		return strings.ToLower(value), arg == "" && ascii(value)
	}
	return "", false
}

func (b *fields) substituted(r *syntax.Replace, value string) (string, bool) {
	from, ok := b.plainText(r.Orig)
	to, sure := b.plainText(r.With)
	if !ok || !sure || from == "" || b.scope.run.set[foldsCase] || strings.IndexByte("#%/", from[0]) >= 0 || strings.Contains(to, "&") {
		return "", false
	}
	if r.All {
		return strings.ReplaceAll(value, from, to), true
	}
	return strings.Replace(value, from, to, 1), true
}

func sliced(cut *syntax.Slice, value string) (string, bool) {
	number := func(x syntax.ArithmExpr, otherwise int) (int, bool) {
		if x == nil {
			return otherwise, true
		}
		w, ok := x.(*syntax.Word)
		if !ok {
			return 0, false
		}
		n, err := strconv.Atoi(w.Lit())
		return n, err == nil && n >= 0 && (w.Lit() == "0" || w.Lit()[0] != '0')
	}
	from, ok := number(cut.Offset, 0)
	n, sure := number(cut.Length, len(value))
	if !ok || !sure || !ascii(value) {
		return "", false
	}
	from = min(from, len(value))
	return value[from:min(len(value), from+n)], true
}

// plainText is a word of which each character stands for itself, also as a
// pattern.
func (b *fields) plainText(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", true
	}
	got := b.scope.one(w)
	return got.text, got.known && !strings.ContainsAny(got.text, `*?[]()|!@+\~`)
}

func ascii(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 }) < 0
}
