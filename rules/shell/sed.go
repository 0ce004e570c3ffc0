package shell

import "strings"

// sedRow are the options of GNU sed.
var sedRow = Wrapper{
	Flags:    "n r E s u z b debug quiet silent regexp-extended separate unbuffered null-data zero-terminated posix sandbox binary follow-symlinks help version",
	Values:   "e f l expression file line-length",
	Optional: "i in-place",
}

// sed looks for the e command and flag of GNU sed in its scripts.
func (s *scope) sed(args []word) {
	t := s.inner("sed", false)
	t.sure = false
	var scripts, operands []word
	given := false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if len(w.text) < 2 || w.text[0] != '-' {
			operands = append(operands, w)
			continue
		}
		name, value, glued := sedRow.last(w.text)
		if !has(sedRow.Values, name) {
			continue
		}
		if w.text, w.sub = value, nil; !glued {
			if i++; i == len(args) {
				break
			}
			w = args[i]
		}
		switch name {
		case "e", "expression":
			scripts, given = append(scripts, w), true
		case "f", "file":
			given = true
			switch in := s.fileInput(w); {
			case in.kind == typed:
				scripts = append(scripts, in.text)
			case in.kind == fed && s.streamed(w):
				s.opaque("sed runs a script from its input", w.pos)
			}
		}
	}
	if !given && len(operands) > 0 {
		scripts = operands[:1]
	}
	if len(scripts) > 0 {
		w := scripts[0]
		for _, more := range scripts[1:] {
			w.text += "\n" + more.text
		}
		t.sedScript(w)
	}
}

// sedScript follows the commands of a script.
func (s *scope) sedScript(w word) {
	text := w.text
	for i := 0; i < len(text); {
		i = sedAddress(text, i)
		if i >= len(text) {
			return
		}
		c := text[i]
		i++
		switch c {
		case hole[0]:
			s.opaque("sed runs a script that is not known: "+shown(w.src), w.pos)
			return
		case 'e':
			var command string
			if command, i = sedText(text, i); command == "" {
				s.opaque("sed runs the lines that it reads", w.pos)
			} else {
				s.possible(literal(command, w.pos))
			}
		case 'a', 'i', 'c':
			_, i = sedText(text, i)
		case 's', 'y':
			if i >= len(text) {
				return
			}
			sep := text[i]
			i = sedPart(text, sedPart(text, i+1, sep), sep)
			if c == 's' {
				i = s.sedFlags(text, i, w)
			}
		case 'r', 'w', 'R', 'W', '#':
			i = lineEnd(text, i)
		case ':', 'b', 't', 'T', 'v':
			for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
				i++
			}
			for i < len(text) && strings.IndexByte("; \t\n", text[i]) < 0 {
				i++
			}
		}
	}
}

// sedFlags reads the flags behind s/…/…/ and returns the index behind them.
func (s *scope) sedFlags(text string, i int, w word) int {
	for ; i < len(text) && strings.IndexByte("gpiImMew0123456789", text[i]) >= 0; i++ {
		switch text[i] {
		case 'w':
			return lineEnd(text, i)
		case 'e':
			s.opaque("sed runs the text that it makes", w.pos)
		}
	}
	return i
}

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// sedText reads the text of the commands a, i, c and e: to the end of the
// line, or further after a backslash. It returns the index behind it.
func sedText(text string, i int) (string, int) {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if j := i + 1; i < len(text) && text[i] == '\\' {
		for j < len(text) && (text[j] == ' ' || text[j] == '\t') {
			j++
		}
		if j < len(text) && text[j] == '\n' {
			i = j + 1
		}
	}
	var b strings.Builder
	for ; i < len(text) && text[i] != '\n'; i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), i
}

// sedAddress skips blanks, separators, braces and addresses.
func sedAddress(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case strings.IndexByte(" \t\n;{},!~+$0123456789", c) >= 0:
			i++
		case c == '/':
			i = sedPart(text, i+1, '/')
			for i < len(text) && (text[i] == 'I' || text[i] == 'M') {
				i++
			}
		case c == '\\' && i+1 < len(text):
			i = sedPart(text, i+2, text[i+1])
		default:
			return i
		}
	}
	return i
}

// sedPart is the index behind the next separator that is not escaped.
func sedPart(text string, i int, sep byte) int {
	for ; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if text[i] == sep {
			return i + 1
		}
	}
	return len(text)
}
