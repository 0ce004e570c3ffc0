package house_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
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

// TestReadme: what the README shows is what the tests of the files run.
func TestReadme(t *testing.T) {
	readme := readFile(t, "README.md")
	blocks := marked.FindAllStringSubmatch(readme, -1)
	if len(blocks) < 4 {
		t.Fatalf("found %d marked blocks", len(blocks))
	}
	for _, b := range blocks {
		if file := readFile(t, b[1]); !contains(file, b[2]) {
			t.Errorf("the README shows what is not in %s:\n%s", b[1], b[2])
		}
	}
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
