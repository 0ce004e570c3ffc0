package settings

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine/hook"
)

// The line in a message of yaml.v3 is that of the construct around the error,
// or one off, or missing.
var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

// yamlError finds the place of a syntax error and the advice for it.
func yamlError(t *text, data []byte, base int, err error) *hook.Diagnostic {
	const searchable = 256 << 10
	message := yamlMessage(err)
	first := t.pos(base).Line
	line := first
	if m := yamlLine().FindStringSubmatch(err.Error()); m[1] != "" {
		n, _ := strconv.Atoi(m[1])
		line = first + n - 1
	}
	if len(data) <= searchable {
		line = first + failingLine(data, message) - 1
	}
	line = max(first, min(line, len(t.lines)))
	col, advice := trap(t.line(line), message)
	if at, c := openQuote(t, first, line); at > 0 {
		line, col, advice = at, c, "this quote is never closed"
	}
	pos := hook.Position{File: t.file, Line: line, Col: col}
	return &hook.Diagnostic{Severity: hook.Error, Pos: pos, Message: "not valid YAML: " + message, Advice: advice}
}

func yamlMessage(err error) string {
	s := err.Error()
	return s[len(yamlLine().FindString(s)):]
}

// failingLine returns the first line, from 1, with which data fails in the
// way that the whole does. The reader goes from top to bottom: every text
// that ends earlier fails in another way or not at all.
func failingLine(data []byte, message string) int {
	lines := bytes.SplitAfter(data, []byte{'\n'})
	return 1 + sort.Search(len(lines)-1, func(i int) bool {
		return failsWith(bytes.Join(lines[:i+1], nil), message)
	})
}

func failsWith(data []byte, message string) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); err != nil {
			return yamlMessage(err) == message
		}
	}
}

// The patterns of traps are compiled when the first file is broken.
var (
	lineHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:- +)*(?:[^\s"'\[{&*!|>%@` + "`" + `#][^:]*:(?:\s+|$)|"[^"]*":\s+|'[^']*':\s+)?`)
	})
	badEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[^0abtnvfreNLPuUx "/\\\t_]`) })
)

// trap looks at a line that does not parse for text that needs quotes. It
// returns the column of the trouble and what to do.
func trap(line, message string) (col int, advice string) {
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if i := strings.IndexByte(line[:indent], '\t'); i >= 0 {
		return i + 1, "indent with spaces: YAML does not allow tabs"
	}
	at := len(lineHead().FindString(line))
	value := strings.TrimRight(line[at:], " \t")
	if value == "" {
		return indent + 1, "look at the indentation of this line and of the one above"
	}
	if why, ok := leadMeaning[value[0]]; ok {
		return at + 1, "quote it: a value that begins with " + value[:1] + " is " + why + " in YAML; write " + quoted(value)
	}
	switch {
	case value[0] == '{' || value[0] == '[':
		if i := flowLead(value); i > 0 {
			item := flowItem(value[i:])
			return at + i + 1, "quote it: a value that begins with " + item[:1] + " is " + leadMeaning[item[0]] + " in YAML; write " + quoted(item)
		}
		return at + 1, "close the bracket, or quote the whole value"
	case strings.Contains(message, "escape"):
		if loc := badEscape().FindStringIndex(value); loc != nil {
			at += loc[0]
		}
		return at + 1, "use single quotes, or double the backslash"
	case (value[0] == '"' || value[0] == '\'') && strings.Contains(message, "unexpected end of stream"):
		return at + 1, "this quote is never closed"
	case value[0] == '"' || value[0] == '\'':
		return at + 1, "the quotes must end at the end of the value: put the whole value into single quotes"
	case strings.Contains(value, ": "):
		return at + 1 + strings.Index(value, ": "), "quote it: a colon and a space begin a mapping in YAML; write " + quoted(value)
	case strings.Contains(message, "':'"):
		return indent + 1, "a key needs a colon and a space after it"
	}
	return indent + 1, "look at the indentation of this line and of the one above"
}

// openQuote returns the place of a quote that opens a value above line and is
// closed only by one on it, where the text then goes on; 0 if there is none.
func openQuote(t *text, first, line int) (at, col int) {
	quote := ""
	for i := first; i <= line; i++ {
		value := t.line(i)
		if quote != "" {
			if !strings.Contains(value, quote) {
				continue
			}
			if i == line {
				return at, col
			}
			quote = ""
			continue
		}
		head := len(lineHead().FindString(value))
		if value = value[head:]; value == "" || value[0] != '"' && value[0] != '\'' {
			continue
		}
		if strings.Count(strings.ReplaceAll(value, `\"`, ""), value[:1])%2 == 1 {
			quote, at, col = value[:1], i, head+1
		}
	}
	return 0, 0
}

// flowLead returns the offset of the first item of a flow list or mapping
// that begins with a character that means something else in YAML; 0 if none.
func flowLead(value string) int {
	quote := byte(0)
	for i := 1; i < len(value); i++ {
		c := value[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case leadMeaning[c] != "":
			before := strings.TrimRight(value[:i], " \t")
			if strings.IndexByte("[{,:", before[len(before)-1]) >= 0 {
				return i
			}
		}
	}
	return 0
}

// flowItem returns the item of a flow list or mapping that text begins with:
// up to a comma, or the bracket that closes the list.
func flowItem(text string) string {
	depth := 0
	for i, c := range text {
		switch {
		case c == '[' || c == '{' || c == '(':
			depth++
		case depth == 0 && (c == ',' || c == ']' || c == '}'):
			return strings.TrimRight(text[:i], " \t")
		case c == ']' || c == '}' || c == ')':
			depth--
		}
	}
	return strings.TrimRight(text, "]} \t")
}

var leadMeaning = map[byte]string{
	'*': "an alias", '&': "an anchor", '!': "a tag", '%': "a directive",
	'@': "reserved", '`': "reserved",
}

// quoted writes value in single quotes.
func quoted(value string) string { return "'" + strings.ReplaceAll(clip(value), "'", "''") + "'" }
