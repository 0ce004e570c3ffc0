package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	labels = 21 // columns
	narrow = 60 // columns: below that, a label has a line of its own
)

// row writes a label and beside it a text, over as many lines as it takes.
func (s *Screen) row(label, code, text string) {
	indent := labels
	if s.Width < narrow {
		indent = 4
		if label != "" {
			fmt.Fprintf(s.Out, "  %s\n", s.paint(code, label))
			label = ""
			if text == "" {
				return
			}
		}
	}
	for i, line := range wrap(text, s.Width-indent) {
		left := strings.Repeat(" ", indent)
		if i == 0 && label != "" {
			left = "  " + s.paint(code, label) + strings.Repeat(" ", max(1, indent-2-cells(label)))
		}
		fmt.Fprintf(s.Out, "%s\n", strings.TrimRight(left+line, " "))
	}
}

func (s *Screen) paint(code, text string) string {
	if !s.Colour || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// wrap breaks text at blanks into lines of at most n columns; a word that is
// longer is broken.
func wrap(text string, n int) []string {
	n = max(n, 16)
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		for {
			last := &lines[len(lines)-1]
			switch {
			case *last == "" && cells(word) > n:
				runes := []rune(word)
				*last, word = string(runes[:n]), string(runes[n:])
				lines = append(lines, "")
				continue
			case *last == "":
				*last = word
			case cells(*last)+1+cells(word) > n:
				lines = append(lines, "")
				continue
			default:
				*last += " " + word
			}
			break
		}
	}
	return lines
}

// cells are the columns that s takes, without its colours.
func cells(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			i += strings.IndexByte(s[i:], 'm') + 1
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
	}
	return n
}
