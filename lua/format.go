package lua

import (
	"fmt"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// stringFormat is string.format with the verbs of Lua 5.1, width and
// precision of two digits.
func stringFormat(L *glua.LState) int {
	s, format, arg := of(L), L.CheckString(1), 1
	var out strings.Builder
	for format != "" {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			i = len(format)
		}
		out.WriteString(format[:i])
		if format = format[i:]; format == "" {
			break
		}
		if strings.HasPrefix(format, "%%") {
			out.WriteByte('%')
			format = format[2:]
			continue
		}
		spec, rest := verb(format)
		if spec == "" {
			L.RaiseError("string.format: invalid conversion %q", clip(format, 8))
		}
		arg++
		out.WriteString(s.formatted(L, spec, arg))
		format = rest
		if out.Len() > maxString {
			s.size(L, out.Len(), "string.format")
		}
	}
	L.Push(s.text(L, out.String(), "string.format"))
	return 1
}

// verb cuts the conversion that format starts with; "" if it is not one.
func verb(format string) (spec, rest string) {
	i := 1
	skip := func(set string, most int) {
		for n := 0; n < most && i < len(format) && strings.IndexByte(set, format[i]) >= 0; n++ {
			i++
		}
	}
	skip("-+ #0", 5)
	skip("0123456789", 2)
	if i < len(format) && format[i] == '.' {
		i++
		skip("0123456789", 2)
	}
	if i >= len(format) || strings.IndexByte("cdiouxXeEfgGqs", format[i]) < 0 {
		return "", ""
	}
	return format[:i+1], format[i+1:]
}

func (s *state) formatted(L *glua.LState, spec string, arg int) string {
	flags, v := spec[:len(spec)-1], spec[len(spec)-1]
	switch v {
	case 'c':
		return fmt.Sprintf(flags+"s", string([]byte{byte(L.CheckNumber(arg))}))
	case 'd', 'i':
		return fmt.Sprintf(flags+"d", int64(L.CheckNumber(arg)))
	case 'o', 'x', 'X':
		return fmt.Sprintf(spec, uint64(int64(L.CheckNumber(arg))))
	case 'u':
		return fmt.Sprintf(flags+"d", uint64(int64(L.CheckNumber(arg))))
	case 'q':
		return quoted(L.CheckString(arg))
	case 's':
		text := s.shownValue(L, L.CheckAny(arg)).String()
		s.size(L, len(text), "string.format")
		if flags == "%" {
			return text
		}
		return padded(flags, text)
	}
	return fmt.Sprintf(spec, float64(L.CheckNumber(arg)))
}

// padded is text under a width and precision that count bytes.
func padded(flags, text string) string {
	width, precision, cut := strings.Cut(strings.TrimLeft(flags[1:], "-+ #0"), ".")
	if n, _ := strconv.Atoi(precision); cut && n < len(text) {
		text = text[:n]
	}
	n, _ := strconv.Atoi(width)
	fill := strings.Repeat(" ", max(0, n-len(text)))
	if strings.Contains(flags, "-") {
		return text + fill
	}
	return fill + text
}

// quoted is text as a Lua string.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\000`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
