package answer

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// body is what stdout holds: an object, an object with other text before it,
// plain text, something broken, or nothing.
type body struct {
	object hook.Object  // absent if there is none
	noise  string       // text before object
	plain  string       // all of it, unless it is nothing but object
	broken *SyntaxError // it starts as JSON and is not one object, or is ambiguous
}

// readBody sorts data. Only text that starts with a brace must be JSON; an
// array, a string or a number is plain text.
func readBody(data []byte, truncated bool) body {
	text := trimStart(data)
	switch {
	case len(text) == 0:
		return body{}
	case text[0] != '{':
		return readNoisy(data, nil, truncated)
	case truncated:
		return body{broken: syntaxError(data, len(data), "cut after %d bytes, the most a hook may print", len(data))}
	}
	object, err := parse(data, answerNames)
	if err == nil {
		return body{object: object}
	}
	broken, _ := errors.AsType[*SyntaxError](err)
	if broken.Ambiguous {
		return body{broken: broken}
	}
	return readNoisy(data, broken, false)
}

// readNoisy looks for one final object in data that is more than that.
func readNoisy(data []byte, broken *SyntaxError, truncated bool) body {
	b := body{broken: broken}
	if broken == nil {
		b.plain = plainText(data)
	}
	start := lastObject(data)
	if start < 0 || truncated {
		if looksUTF16(data) {
			b.broken = syntaxError(data, 0, "the text is UTF-16, write UTF-8")
		}
		return b
	}
	object, err := parse(data[start:], answerNames)
	if err == nil {
		b.object, b.noise = object, firstOf(plainText(data[:start]), "text")
		return b
	}
	if e, _ := errors.AsType[*SyntaxError](err); e.Ambiguous {
		b.broken = syntaxError(data, start+e.Offset, "%s", e.Msg)
		b.broken.Ambiguous = true
	}
	return b
}

// lastObject returns where the object that ends data would have to start, or
// -1. It goes backwards once: in JSON a quote is escaped if an odd number of
// backslashes stands before it, and braces count outside of strings.
func lastObject(data []byte) int {
	data = bytes.TrimRight(data, blanks)
	if len(data) == 0 || data[len(data)-1] != '}' {
		return -1
	}
	depth, quoted := 0, false
	for i := len(data) - 1; i >= 0; i-- {
		switch c := data[i]; {
		case c == '"':
			slashes := 0
			for i > 0 && data[i-1] == '\\' {
				slashes++
				i--
			}
			if slashes%2 == 0 {
				quoted = !quoted
			}
		case quoted:
		case c == '}':
			depth++
		case c == '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func looksUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
}

// lastLine returns the last line of text that is not blank, without the
// colours of a terminal.
func lastLine(text string) string {
	text = strings.TrimSpace(escapes().ReplaceAllString(text, ""))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// escapes are the sequences that colour a terminal or set its title.
var escapes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)`)
})
