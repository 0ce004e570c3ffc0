package shell

import (
	"strings"
	"unicode/utf8"
)

var ansiByte = map[byte]byte{'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\\': '\\'}

// ansi decodes the backslash escapes of $'…' (quotes true) or of echo -e and
// printf (false: an octal escape of echo has a leading 0).
func ansi(s string, quotes bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		c := s[i+1]
		i += 2
		switch {
		case ansiByte[c] != 0:
			b.WriteByte(ansiByte[c])
		case quotes && strings.IndexByte(`'"?`, c) >= 0:
			b.WriteByte(c)
		case c >= '0' && c <= '7':
			limit := 2
			if !quotes && c == '0' {
				limit = 3
			}
			v, n := digits(s[i:], 8, limit)
			b.WriteByte(byte(v + int(c-'0')<<(3*n)))
			i += n
		case c == 'x':
			v, n := digits(s[i:], 16, 2)
			b.WriteByte(byte(v))
			i += n
		case c == 'u' || c == 'U':
			limit := 4
			if c == 'U' {
				limit = 8
			}
			v, n := digits(s[i:], 16, limit)
			b.Write(utf8.AppendRune(nil, rune(v)))
			i += n
		case c == 'c' && i < len(s) && quotes:
			b.WriteByte(s[i] & 0x1f)
			i++
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return strings.ReplaceAll(b.String(), "\x00", hole)
}

// digits reads at most limit digits in the given base.
func digits(s string, base, limit int) (v, n int) {
	for n < len(s) && n < limit && s[n] >= '0' {
		d := strings.IndexByte("0123456789abcdef", s[n]|0x20)
		if d < 0 || d >= base {
			break
		}
		v = v*base + d
		n++
	}
	return v, n
}
