package rules

import (
	"bytes"
	"math/bits"
	"strings"
)

// plainPath is room for an absolute path of an everyday kind, so that none
// needs to be allocated.
type plainPath struct {
	bytes [256]byte
	n     int
}

// set makes p of a name relative to dir, both as they are written. It returns
// false if the path is of no everyday kind (.. and ~, /proc, letters beyond
// ASCII, very long), or if one of its segments is one that b asks about.
func (p *plainPath) set(dir, name string, b *bucket) bool {
	p.n = 0
	if name == "" || name[0] == '~' {
		return false
	}
	if name[0] != '/' && (dir == "" || dir[0] != '/' || !p.add(dir, b)) {
		return false
	}
	return p.add(name, b) && p.n > 0 && !bytes.HasPrefix(p.bytes[:p.n], []byte("/proc/"))
}

// name is the path with a NUL at its end.
func (p *plainPath) name() []byte { return p.bytes[:p.n+1] }

func (p *plainPath) add(text string, b *bucket) bool {
	for text != "" {
		var segment string
		segment, text, _ = strings.Cut(text, "/")
		switch segment {
		case "", ".":
			continue
		case "..":
			return false
		}
		if !p.segment(segment, b) {
			return false
		}
	}
	return true
}

func (p *plainPath) segment(text string, b *bucket) bool {
	var low [64]byte
	if len(text) > len(low) || p.n+2+len(text) > len(p.bytes) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if c == 0 || c >= 0x80 {
			return false
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i] = c
	}
	p.bytes[p.n] = '/'
	p.n += 1 + copy(p.bytes[p.n+1:], text)
	p.bytes[p.n] = 0
	if b == nil {
		return true
	}
	return (b.filter&nameBit(text) == 0 || b.paths[string(low[:len(text)])] == nil) && !b.namesBegin(low[:len(text)])
}

// namesBegin reports that some entry asks about segments that begin like low,
// which is in lower case.
func (b *bucket) namesBegin(low []byte) bool {
	for sizes := b.names.sizes; sizes != 0; sizes &= sizes - 1 {
		n := bits.TrailingZeros64(sizes)
		if n <= len(low) && b.names.entries[string(low[:n])] != nil {
			return true
		}
	}
	return false
}
