package answer

import (
	"bytes"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// plainText returns printed bytes as trimmed, valid text.
func plainText(data []byte) string {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte(byteOrderMark)))
	return strings.ToValidUTF8(string(data), "\ufffd")
}

func notice(res *hook.Result, text string) {
	if text != "" {
		res.Notices = append(res.Notices, text)
	}
}

// joined returns the texts that are not empty, a line each.
func joined(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		if t != "" && b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t)
	}
	return b.String()
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// firstLine returns ": " and the first line of text, or "".
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if line == "" {
		return ""
	}
	return ": " + strings.TrimRight(line, "\r")
}
