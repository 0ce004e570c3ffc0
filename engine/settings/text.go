package settings

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/pawl-dev/pawl/engine/hook"
)

// text is the bytes of a settings file with the offsets of its lines.
type text struct {
	file  string
	data  []byte
	lines []int // offset of the first byte of each line
}

func newText(file string, data []byte) *text {
	t := &text{file: file, data: data, lines: make([]int, 1, 1+bytes.Count(data, []byte{'\n'}))}
	for i, c := range data {
		if c == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// pos turns an offset in bytes into a line and column.
func (t *text) pos(off int) hook.Position {
	off = max(0, min(off, len(t.data)))
	line := sort.SearchInts(t.lines, off+1)
	return hook.Position{File: t.file, Line: line, Col: off - t.lines[line-1] + 1}
}

// line returns line number n, from 1, without its line break.
func (t *text) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	rest := t.data[t.lines[n-1]:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return string(bytes.TrimSuffix(rest, []byte{'\r'}))
}

// broken is the Diagnostic of a text that cannot be read.
func (t *text) broken(off int, message, advice string) *hook.Diagnostic {
	return &hook.Diagnostic{Severity: hook.Error, Pos: t.pos(off), Message: message, Advice: advice}
}

func (t *text) tooMany(off int) *hook.Diagnostic {
	return t.broken(off, fmt.Sprintf("more than %d values", maxNodes), "split the file")
}
