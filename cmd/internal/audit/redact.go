package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// sight is how far beyond the part of a text that is shown a secret is told:
// one that starts in that part must show what it is within so many bytes.
const sight = 2 << 10

// Redactor hides secrets. It never changes; any number of goroutines may use
// it.
type Redactor struct{ rules []rule }

type rule struct {
	name   string
	hints  []string // none: always looked for
	regexp func() *regexp.Regexp
}

// NewRedactor returns one with the built-in rules and, after them, own ones:
// RE2 patterns, of which the groups are hidden, or all that matches if there
// are none. It takes no time: a pattern is compiled when it is first needed.
func NewRedactor(own ...string) (*Redactor, error) {
	r := &Redactor{}
	for _, s := range secrets() {
		r.rules = append(r.rules, rule{s.name, s.hints, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s.pattern) })})
	}
	for _, pattern := range own {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("redaction rule %q: %w", pattern, err)
		}
		if re.MatchString("") {
			return nil, fmt.Errorf("redaction rule %q matches the empty text: it would hide nothing, or everything", pattern)
		}
		r.rules = append(r.rules, rule{"secret", nil, func() *regexp.Regexp { return re }})
	}
	return r, nil
}

// Clean returns the first most bytes of text, or a little less, with [name]
// in place of each secret that starts there. Whatever the length of text, it
// looks at no more than most and 2048 bytes.
func (r *Redactor) Clean(text string, most int) string {
	return shown(text, r.find(text[:min(len(text), most+sight)]), most)
}

// shown returns the first most bytes of text with names in place of spans.
func shown(text string, hidden []span, most int) string {
	if len(hidden) == 0 && len(text) <= most {
		return text
	}
	var b strings.Builder
	at := 0
	for _, s := range hidden {
		if s.start >= most {
			break
		}
		b.WriteString(text[at:s.start])
		b.WriteString("[" + s.name + "]")
		at = s.end
	}
	if at < most {
		b.WriteString(text[at:runeEnd(text, at, most)])
	}
	if max(at, most) < len(text) {
		b.WriteString("…")
	}
	return b.String()
}

// runeEnd returns the last offset in text from at to most that splits no
// character.
func runeEnd(text string, at, most int) int {
	if most >= len(text) {
		return len(text)
	}
	for end := most; end >= at && end > most-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return most
}

// span is a part of a text that must not be shown.
type span struct {
	start, end int
	name       string
}

// find returns the secrets in text in order, none touching another.
func (r *Redactor) find(text string) []span {
	if text == "" {
		return nil
	}
	var found []span
	lower := strings.ToLower(text)
	for _, rule := range r.rules {
		if !hinted(lower, rule.hints) {
			continue
		}
		for _, m := range rule.regexp().FindAllStringSubmatchIndex(text, -1) {
			first := 2
			if len(m) == 2 {
				first = 0
			}
			for i := first; i < len(m); i += 2 {
				if m[i] < m[i+1] { // a group that is not part of the match has -1 twice
					found = add(found, span{m[i], m[i+1], rule.name})
				}
			}
		}
	}
	return found
}

func hinted(lower string, hints []string) bool {
	for _, h := range hints {
		if strings.Contains(lower, h) {
			return true
		}
	}
	return len(hints) == 0
}

// add puts s in its place among spans; those that it touches become one with
// it, under the name of the first that was found.
func add(spans []span, s span) []span {
	i := 0
	for i < len(spans) && spans[i].end < s.start {
		i++
	}
	j := i
	for ; j < len(spans) && spans[j].start <= s.end; j++ {
		s = span{min(s.start, spans[j].start), max(s.end, spans[j].end), spans[i].name}
	}
	return slices.Replace(spans, i, j, s)
}
