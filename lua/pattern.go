package lua

import (
	"errors"
	"fmt"
	"strings"
)

const (
	maxCaptures = 32
	maxDeep     = 200 // items of a pattern that wait for one another

	openCapture     = -1
	positionCapture = -2
)

var (
	errDeep      = errors.New("pattern too complex")
	errPercent   = errors.New("malformed pattern (ends with '%')")
	errSet       = errors.New("malformed pattern (missing ']')")
	errCapture   = errors.New("invalid capture index")
	errCaptures  = errors.New("too many captures")
	errUnclosed  = errors.New("unfinished capture")
	errClose     = errors.New("invalid pattern capture")
	errBalance   = errors.New("missing arguments to '%b'")
	errFrontier  = errors.New("missing '[' after '%f' in pattern")
	errNoPattern = errors.New("malformed pattern")
)

// matcher matches one Lua pattern: the algorithm of Lua 5.1, with frontiers,
// and with a tick for each of its steps.
type matcher struct {
	src, pat string
	tick     func(n int) // may panic to end the match
	level    int
	capture  [maxCaptures]struct{ start, length int }
	deep     int
}

// fail ends a match with an error of the pattern.
func (m *matcher) fail(err error) { panic(patternError{err}) }

type patternError struct{ error }

// at matches pat from p on at s and returns the end of the match, or -1.
func (m *matcher) at(s, p int) int {
	if m.deep++; m.deep > maxDeep {
		m.fail(errDeep)
	}
	end := m.run(s, p)
	m.deep--
	return end
}

func (m *matcher) run(s, p int) int {
	for {
		m.tick(1)
		if p == len(m.pat) {
			return s
		}
		switch m.pat[p] {
		case '(':
			if p+1 < len(m.pat) && m.pat[p+1] == ')' {
				return m.open(s, p+2, positionCapture)
			}
			return m.open(s, p+1, openCapture)
		case ')':
			return m.close(s, p+1)
		case '$':
			if p+1 == len(m.pat) {
				if s == len(m.src) {
					return s
				}
				return -1
			}
		case '%':
			next, end, special := m.special(s, p)
			if special {
				if next < 0 {
					return -1
				}
				s, p = next, end
				continue
			}
		}
		end := m.class(p)
		suffix := byte(0)
		if end < len(m.pat) {
			suffix = m.pat[end]
		}
		switch suffix {
		case '?':
			if m.single(s, p, end) {
				if r := m.at(s+1, end+1); r >= 0 {
					return r
				}
			}
			p = end + 1
		case '*':
			return m.greedy(s, p, end)
		case '+':
			if !m.single(s, p, end) {
				return -1
			}
			return m.greedy(s+1, p, end)
		case '-':
			return m.lazy(s, p, end)
		default:
			if !m.single(s, p, end) {
				return -1
			}
			s, p = s+1, end
		}
	}
}

// special matches %b, %f and %1; next is -1 where it does not fit.
func (m *matcher) special(s, p int) (next, end int, special bool) {
	if p+1 >= len(m.pat) {
		m.fail(errPercent)
	}
	switch c := m.pat[p+1]; {
	case c == 'b':
		return m.balance(s, p+2), p + 4, true
	case c == 'f':
		if p += 2; p >= len(m.pat) || m.pat[p] != '[' {
			m.fail(errFrontier)
		}
		end = m.class(p)
		if m.inSet(m.byteAt(s-1), p, end-1) || !m.inSet(m.byteAt(s), p, end-1) {
			return -1, end, true
		}
		return s, end, true
	case '0' <= c && c <= '9':
		i := int(c - '1')
		if i < 0 || i >= m.level || m.capture[i].length == openCapture {
			m.fail(errCapture)
		}
		text := m.src[m.capture[i].start:]
		if n := m.capture[i].length; n >= 0 {
			text = text[:n]
		} else {
			text = ""
		}
		m.tick(len(text) / 16)
		if strings.HasPrefix(m.src[s:], text) {
			return s + len(text), p + 2, true
		}
		return -1, 0, true
	}
	return 0, 0, false
}

// byteAt is the byte at s; 0 before the start and after the end.
func (m *matcher) byteAt(s int) byte {
	if s < 0 || s >= len(m.src) {
		return 0
	}
	return m.src[s]
}

func (m *matcher) balance(s, p int) int {
	if p+1 >= len(m.pat) {
		m.fail(errBalance)
	}
	if s >= len(m.src) || m.src[s] != m.pat[p] {
		return -1
	}
	open, shut, depth := m.pat[p], m.pat[p+1], 1
	for i := s + 1; i < len(m.src); i++ {
		m.tick(1)
		switch c := m.src[i]; {
		case c == shut:
			if depth--; depth == 0 {
				return i + 1
			}
		case c == open:
			depth++
		}
	}
	return -1
}

func (m *matcher) greedy(s, p, end int) int {
	i := 0
	for m.single(s+i, p, end) {
		m.tick(1)
		i++
	}
	for ; i >= 0; i-- {
		if r := m.at(s+i, end+1); r >= 0 {
			return r
		}
	}
	return -1
}

func (m *matcher) lazy(s, p, end int) int {
	for {
		if r := m.at(s, end+1); r >= 0 {
			return r
		}
		if !m.single(s, p, end) {
			return -1
		}
		s++
	}
}

func (m *matcher) open(s, p, kind int) int {
	if m.level >= maxCaptures {
		m.fail(errCaptures)
	}
	m.capture[m.level].start, m.capture[m.level].length = s, kind
	m.level++
	r := m.at(s, p)
	if r < 0 {
		m.level--
	}
	return r
}

func (m *matcher) close(s, p int) int {
	for i := m.level - 1; i >= 0; i-- {
		if m.capture[i].length != openCapture {
			continue
		}
		m.capture[i].length = s - m.capture[i].start
		r := m.at(s, p)
		if r < 0 {
			m.capture[i].length = openCapture
		}
		return r
	}
	m.fail(errClose)
	return -1
}

// class returns the end of the single class that starts at p.
func (m *matcher) class(p int) int {
	end := m.classEnd(p)
	m.tick((end - p) / 16)
	return end
}

func (m *matcher) classEnd(p int) int {
	c := m.pat[p]
	p++
	switch c {
	case '%':
		if p >= len(m.pat) {
			m.fail(errPercent)
		}
		m.known(m.pat[p])
		return p + 1
	case '[':
		if p < len(m.pat) && m.pat[p] == '^' {
			p++
		}
		for first := true; first || m.setByte(p) != ']'; first = false {
			if m.setByte(p) == '%' {
				p++
				m.known(m.setByte(p))
			}
			p++
		}
		return p + 1
	}
	return p
}

func (m *matcher) setByte(p int) byte {
	if p >= len(m.pat) {
		m.fail(errSet)
	}
	return m.pat[p]
}

// known refuses a letter that no class has: a rule that never fits helps
// nobody.
func (m *matcher) known(c byte) {
	if letter(c) && c != '_' && !strings.ContainsRune("acdglpsuwxz", rune(c|0x20)) {
		m.fail(fmt.Errorf("%w (there is no class '%%%c')", errNoPattern, c))
	}
}

func (m *matcher) single(s, p, end int) bool {
	if s >= len(m.src) {
		return false
	}
	c := m.src[s]
	switch m.pat[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pat[p+1])
	case '[':
		return m.inSet(c, p, end-1)
	}
	return m.pat[p] == c
}

// inSet reports whether c is in the set from '[' at p to ']' at end.
func (m *matcher) inSet(c byte, p, end int) bool {
	m.tick((end - p) / 16)
	in := true
	if m.pat[p+1] == '^' {
		in = false
		p++
	}
	for p++; p < end; p++ {
		switch {
		case m.pat[p] == '%':
			p++
			if inClass(c, m.pat[p]) {
				return in
			}
		case p+2 < end && m.pat[p+1] == '-':
			if m.pat[p] <= c && c <= m.pat[p+2] {
				return in
			}
			p += 2
		case m.pat[p] == c:
			return in
		}
	}
	return !in
}

func inClass(c, class byte) bool {
	var in bool
	switch class | 0x20 {
	case 'a':
		in = alpha(c)
	case 'c':
		in = c < ' ' || c == 0x7f
	case 'd':
		in = digit(c)
	case 'g':
		in = '!' <= c && c <= '~'
	case 'l':
		in = 'a' <= c && c <= 'z'
	case 'p':
		in = '!' <= c && c <= '~' && !alpha(c) && !digit(c)
	case 's':
		in = c == ' ' || '\t' <= c && c <= '\r'
	case 'u':
		in = 'A' <= c && c <= 'Z'
	case 'w':
		in = alpha(c) || digit(c)
	case 'x':
		in = digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
	case 'z':
		in = c == 0
	default:
		return class == c
	}
	if !alpha(class) { // "%$" and the like stand for themselves
		return class == c
	}
	return in != (class < 'a')
}

func alpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool { return '0' <= c && c <= '9' }

// find returns the first match at or after init: its bounds, or -1.
func (m *matcher) find(init int) (start, end int) {
	pat, anchored := strings.CutPrefix(m.pat, "^")
	m.pat = pat
	defer func() {
		if anchored {
			m.pat = "^" + pat
		}
	}()
	for s := init; s <= len(m.src); s++ {
		m.level, m.deep = 0, 0
		if e := m.at(s, 0); e >= 0 {
			m.finished()
			return s, e
		}
		if anchored {
			break
		}
	}
	return -1, -1
}

func (m *matcher) finished() {
	for i := range m.level {
		if m.capture[i].length == openCapture {
			m.fail(errUnclosed)
		}
	}
}

// literal reports whether the pattern stands for itself.
func literal(pattern string) bool { return !strings.ContainsAny(pattern, "^$*+?.([%-") }
