package settings

import (
	"bytes"
	"unicode/utf8"
)

// marks turns the lines and columns of yaml.v3 into offsets. It counts
// columns in characters, and has more line breaks than an editor.
type marks struct {
	data   []byte
	base   int             // offset of data in the file
	starts []int           // of lines, in data
	wide   map[int][]int32 // offsets of the characters of long lines that are not ASCII
}

func newMarks(data []byte, base int) marks {
	m := marks{data: data, base: base, starts: []int{0}, wide: map[int][]int32{}}
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n':
		case c == '\r' && !bytes.HasPrefix(data[i+1:], []byte{'\n'}):
		case c == 0xc2 && bytes.HasPrefix(data[i:], []byte("\u0085")): // NEL
			i++
		case c == 0xe2 && (bytes.HasPrefix(data[i:], []byte("\u2028")) || bytes.HasPrefix(data[i:], []byte("\u2029"))): // LS, PS
			i += 2
		default:
			continue
		}
		m.starts = append(m.starts, i+1)
	}
	return m
}

// offset returns the offset in the file; one that is out of range is clamped.
func (m *marks) offset(line, col int) int {
	line = max(1, min(line, len(m.starts)))
	start, end := m.starts[line-1], len(m.data)
	if line < len(m.starts) {
		end = m.starts[line]
	}
	return m.base + min(start+m.width(line, m.data[start:end], col-1), end)
}

// width returns how many bytes the first n characters of text take. Long
// lines are indexed once, so that no text makes this quadratic.
func (m *marks) width(line int, text []byte, n int) int {
	const long = 256
	if index, ok := m.wide[line]; ok || len(text) > long {
		if !ok {
			index = characters(text)
			m.wide[line] = index
		}
		if index == nil || n >= len(index) {
			return n
		}
		return int(index[n])
	}
	w := 0
	for ; n > 0 && w < len(text); n-- {
		_, size := utf8.DecodeRune(text[w:])
		w += size
	}
	return w
}

// characters returns the offset of each character, or nil if all are ASCII.
func characters(text []byte) []int32 {
	ascii := true
	for _, c := range text {
		ascii = ascii && c < utf8.RuneSelf
	}
	if ascii {
		return nil
	}
	index := make([]int32, 0, len(text))
	for i := range string(text) {
		index = append(index, int32(i))
	}
	return index
}
