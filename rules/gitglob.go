package rules

import (
	"strings"
	"sync"
)

// posixClasses are what git's wildmatch knows inside brackets.
var posixClasses = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
		"xdigit": "0-9a-fA-F", "space": " \t\n\v\f\r", "blank": " \t",
		"punct": "!-.:-@\\[-`{-~", "cntrl": "\x00-\x1f\x7f", "print": " -.0-~", "graph": "!-.0-~",
	}
})

// translateGlob turns the wildcards of git into those of doublestar: braces
// are literal, named classes are spelled out, and stars that are no whole
// segment are one.
func translateGlob(p string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '*':
			n := len(p[i:]) - len(strings.TrimLeft(p[i:], "*"))
			b.WriteByte(c)
			if n > 1 && (i == 0 || p[i-1] == '/') && (i+n == len(p) || p[i+n] == '/') {
				b.WriteByte(c)
			}
			i += n - 1
		case '{', '}':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\\':
			if i++; i == len(p) {
				return "", errGlobBad
			}
			b.WriteByte('\\')
			b.WriteByte(p[i])
		case '[':
			end, class, ok := bracket(p[i:])
			if !ok {
				return "", errGlobBad
			}
			b.WriteString(class)
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// bracket reads a class at the start of p and returns the offset of its last
// byte and the class with every member escaped as doublestar needs it. The
// slash is left out of it: no class of git matches one.
func bracket(p string) (end int, class string, ok bool) {
	var b strings.Builder
	b.WriteByte('[')
	i := 1
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		b.WriteByte('^')
		i++
	}
	for first := true; i < len(p); first = false {
		if p[i] == ']' && !first {
			if c := b.String(); c == "[" || c == "[^" {
				b.WriteByte(0) // in no path: matches nothing, or all
			}
			b.WriteByte(']')
			return i, b.String(), true
		}
		if strings.HasPrefix(p[i:], "[:") {
			name, _, found := strings.Cut(p[i+2:], ":]")
			members, known := posixClasses()[name]
			if !found || !known {
				return 0, "", false
			}
			b.WriteString(members)
			i += len(name) + 4
			continue
		}
		lo, n, ok := classByte(p[i:])
		if !ok {
			return 0, "", false
		}
		i += n
		hi := lo
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			if hi, n, ok = classByte(p[i+1:]); !ok {
				return 0, "", false
			}
			i += 1 + n
		}
		writeRange(&b, lo, hi)
	}
	return 0, "", false
}

// classByte reads one member of a class, which may be escaped.
func classByte(p string) (c byte, n int, ok bool) {
	if p[0] != '\\' {
		return p[0], 1, true
	}
	if len(p) == 1 {
		return 0, 0, false
	}
	return p[1], 2, true
}

func writeRange(b *strings.Builder, lo, hi byte) {
	if lo <= '/' && '/' <= hi {
		if lo < '/' {
			writeRange(b, lo, '/'-1)
		}
		if hi > '/' {
			writeRange(b, '/'+1, hi)
		}
		return
	}
	writeMember(b, lo)
	if hi != lo {
		b.WriteByte('-')
		writeMember(b, hi)
	}
}

func writeMember(b *strings.Builder, c byte) {
	if c < 0x80 && !isAlnum(c) {
		b.WriteByte('\\')
	}
	b.WriteByte(c)
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
