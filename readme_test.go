package house_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

var (
	marked  = regexp.MustCompile("(?s)<!-- part of (\\S+) -->\n```\\w*\n(.*?)```")
	seeing  = regexp.MustCompile("(?m)^\\| `(.*)` \\| (deny|ask|none) \\|$")
	link    = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	command = regexp.MustCompile("`(printf [^`]*)`|(?m)^(printf .*)$")
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReadme: what the README and the guides show is what the
// tests of the files run.
func TestReadme(t *testing.T) {
	for doc, least := range map[string]int{"README.md": 4, "docs/embedding.md": 10, "docs/hooks.md": 8} {
		blocks := marked.FindAllStringSubmatch(readFile(t, doc), -1)
		if len(blocks) < least {
			t.Errorf("%s has %d marked blocks", doc, len(blocks))
		}
		for _, b := range blocks {
			if file := readFile(t, b[1]); !contains(file, b[2]) {
				t.Errorf("%s shows what is not in %s:\n%s", doc, b[1], b[2])
			}
		}
	}
	readme := readFile(t, "README.md")
	example := command.FindString(readFile(t, "examples/policy/README.md"))
	if example == "" || !strings.Contains(readme, example) {
		t.Errorf("the README does not show the command of examples/policy: %s", example)
	}
}

// contains reports whether block is a run of whole lines of file, at any
// indentation.
func contains(file, block string) bool {
	lines, want := strings.Split(file, "\n"), strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	for i := range len(lines) - len(want) + 1 {
		indent, ok := strings.CutSuffix(lines[i], want[0])
		for j := 0; ok && j < len(want); j++ {
			ok = lines[i+j] == want[j] || lines[i+j] == indent+want[j]
		}
		if ok && strings.TrimSpace(indent) == "" {
			return true
		}
	}
	return false
}

// TestEmbeddingEvents: the guide says of the events of the example's story
// where they are dispatched, and of no other.
func TestEmbeddingEvents(t *testing.T) {
	guide := readFile(t, "docs/embedding.md")
	_, table, _ := strings.Cut(guide, "## All events")
	table, _, _ = strings.Cut(table, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `([\\w.]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
		if !strings.Contains(m[2], ".") && !strings.Contains(agentSource(t), ") "+m[2]+"(") {
			t.Errorf("%s: the example has no func %s", m[1], m[2])
		}
	}
	shown := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  ([A-Z]\w+)`).FindAllStringSubmatch(readFile(t, "examples/agent/testdata/story.txt"), -1) {
		if _, known := hook.Lookup(hook.EventName(m[1])); known {
			shown[m[1]] = true
		}
	}
	if story := slices.Sorted(maps.Keys(shown)); !slices.Equal(slices.Sorted(slices.Values(listed)), story) {
		t.Errorf("the guide lists %v, the story has %v", listed, story)
	}
}

func agentSource(t *testing.T) string {
	files, err := filepath.Glob("examples/agent/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		all.WriteString(readFile(t, f))
	}
	return all.String()
}

// TestReadmeTable: each row of "What it sees through", by the policy shown.
func TestReadmeTable(t *testing.T) {
	eng, err := engine.Open(t.Context(), "examples/policy/pawl.yaml", engine.WithManaged(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	rows := seeing.FindAllStringSubmatch(readFile(t, "README.md"), -1)
	if len(rows) < 10 {
		t.Fatalf("found %d rows", len(rows))
	}
	for _, r := range rows {
		cmd := strings.ReplaceAll(r[1], `\|`, "|")
		dec := eng.Dispatch(t.Context(), engine.Event{
			Name: engine.PreToolUse, Session: "s", Dir: "/tmp", Tool: "Bash", Input: engine.Input("command", cmd),
		})
		if dec.Verdict.String() != r[2] {
			t.Errorf("%s: decision %s, the README says %s (%s)", cmd, dec.Verdict, r[2], dec.Reason())
		}
	}
}

// TestLinks: every document that is pointed to is there.
func TestLinks(t *testing.T) {
	docs, err := filepath.Glob("*.md")
	if err != nil || len(docs) < 4 {
		t.Fatal(docs, err)
	}
	for _, pattern := range []string{"docs/*.md", "examples/*/README.md", "testdata/*/README.md"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, more...)
	}
	for _, doc := range docs {
		for _, m := range link.FindAllStringSubmatch(readFile(t, doc), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), m[1])); err != nil {
				t.Errorf("%s points to %s: %v", doc, m[1], err)
			}
		}
	}
}
