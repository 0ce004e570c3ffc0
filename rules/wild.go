package rules

import (
	"fmt"
	"regexp"
	"strings"
)

// wild is a glob over any string, as in the shell's [[ s == p ]]: * any run
// of characters, ? one, [a-z] a class, {a,b} alternatives, \ escapes. A slash
// is nothing special. It takes linear time.
type wild struct{ re *regexp.Regexp }

func (w wild) match(s string) bool { return w.re.MatchString(s) }

// compileWild compiles a glob of at most 256 bytes and 8 brace groups.
func compileWild(p string) (wild, error) {
	if len(p) > maxGlob {
		return wild{}, errGlobLong
	}
	if strings.Count(p, "{") > maxBraces {
		return wild{}, fmt.Errorf("more than %d brace groups", maxBraces)
	}
	var b strings.Builder
	b.WriteString(`\A(?s:`)
	depth := 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '*':
			b.WriteString(".*")
		case c == '?':
			b.WriteByte('.')
		case c == '{':
			depth++
			b.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
		case c == ',' && depth > 0:
			b.WriteByte('|')
		case c == '[':
			end, class, ok := bracket(p[i:])
			if !ok {
				return wild{}, errGlobBad
			}
			b.WriteString(class)
			i += end
		default:
			if c == '\\' {
				if i++; i == len(p) {
					return wild{}, errGlobBad
				}
				c = p[i]
			}
			if c < 0x80 {
				b.WriteString(regexp.QuoteMeta(string(rune(c))))
			} else {
				b.WriteByte(c)
			}
		}
	}
	if depth > 0 {
		return wild{}, fmt.Errorf("a { without }")
	}
	re, err := regexp.Compile(b.String() + `)\z`)
	if err != nil {
		return wild{}, errGlobBad
	}
	return wild{re}, nil
}

// Glob reports whether text fits pattern, in which * stands for any
// characters; it is what glob(pattern, text) does in a condition.
func Glob(pattern, text string) (bool, error) {
	w, err := compileWild(pattern)
	return err == nil && w.match(text), err
}
