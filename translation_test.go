package house_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	heading = regexp.MustCompile(`(?m)^(#+) .*$`)
	inline  = regexp.MustCompile("`[^`\n]+`")
	target  = regexp.MustCompile(`\]\(([^)]+)\)`)
	tableOf = regexp.MustCompile(`(?m)^\|.*\|$`)
)

// section is what a translation must keep of a part between two headings.
type section struct {
	level        int
	code         []string // fenced blocks, to the letter
	words, links []string // sorted
	rows         int
}

func sections(text string) []section {
	var all []section
	blocks := fenced.FindAllString(text, -1)
	text = fenced.ReplaceAllString(text, "\x00")
	starts := heading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		body := text[m[0]:end]
		n := strings.Count(body, "\x00")
		s := section{level: m[3] - m[2], code: blocks[:n], words: inline.FindAllString(body, -1), rows: len(tableOf.FindAllString(body, -1))}
		blocks = blocks[n:]
		for _, l := range target.FindAllStringSubmatch(body, -1) {
			if l[1] != "README.md" && l[1] != "README.zh.md" {
				s.links = append(s.links, l[1])
			}
		}
		slices.Sort(s.words)
		slices.Sort(s.links)
		all = append(all, s)
	}
	return all
}

// TestTranslation: README.zh.md has the sections of README.md, with the same
// code, commands, links and rows of tables. Whoever changes one changes both.
func TestTranslation(t *testing.T) {
	english, chinese := readFile(t, "README.md"), readFile(t, "README.zh.md")
	titles := heading.FindAllString(fenced.ReplaceAllString(english, ""), -1)
	want, got := sections(english), sections(chinese)
	if len(want) != len(got) || len(want) < 8 {
		t.Fatalf("README.md has %d sections, README.zh.md has %d", len(want), len(got))
	}
	for i, w := range want {
		g := got[i]
		if w.level != g.level || w.rows != g.rows {
			t.Errorf("%s: level %d and %d rows, the translation has level %d and %d rows", titles[i], w.level, w.rows, g.level, g.rows)
		}
		for what, pair := range map[string][2][]string{"code": {w.code, g.code}, "words": {w.words, g.words}, "links": {w.links, g.links}} {
			for _, s := range missing(pair[0], pair[1]) {
				t.Errorf("%s: README.zh.md lacks the %s %s", titles[i], what, s)
			}
			for _, s := range missing(pair[1], pair[0]) {
				t.Errorf("%s: README.zh.md has the %s %s, README.md has not", titles[i], what, s)
			}
		}
	}
}

// missing returns what is oftener in want than in got.
func missing(want, got []string) []string {
	left := slices.Clone(got)
	var lost []string
	for _, w := range want {
		if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			lost = append(lost, w)
		}
	}
	return lost
}
