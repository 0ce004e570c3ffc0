package shell

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

type caseRow struct {
	id, command, pattern, expected, why string
	debatable                           bool
}

func readCases(t testing.TB, name string) []caseRow {
	t.Helper()
	b, err := os.ReadFile("../../testdata/cases/" + name)
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\0`, "\x00")
	var out []caseRow
	for line := range strings.SplitSeq(strings.TrimRight(string(b), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if f[0] == "id" {
			continue
		}
		pattern := strings.TrimSuffix(strings.TrimPrefix(f[2], "Bash("), ")")
		out = append(out, caseRow{f[0], unescape.Replace(f[1]), pattern, f[3], f[4], f[6] == "yes"})
	}
	return out
}

var expectedTri = map[string]hook.Tri{"no": hook.No, "unsafe-unknown": hook.Unknown, "yes": hook.Yes}

// The bar: what runs is never called data, what cannot be told is never
// called data, data is never called run; and rows that are not debatable are
// exact, but for at most 2 % of the decidable ones answered unknown.
func TestCases(t *testing.T) {
	decidable, unsure := 0, 0
	for _, row := range readCases(t, "commands.tsv") {
		want := expectedTri[row.expected]
		got, _, why := CompileGlob(row.pattern).Match(Parse(row.command, Options{}), false)
		if want != hook.Unknown && !row.debatable {
			decidable++
		}
		if got == want || row.debatable && (got == hook.Unknown || want == hook.Unknown && got == hook.Yes) {
			continue
		}
		if got == hook.Unknown {
			unsure++
			continue
		}
		t.Errorf("%s: %.100q %s: got %v (%s), want %v: %s", row.id, row.command, row.pattern, got, why, want, row.why)
	}
	if unsure*100 > decidable*2 {
		t.Errorf("%d of %d decidable rows are unknown", unsure, decidable)
	}
}

func TestNeighbours(t *testing.T) {
	for _, row := range readCases(t, "neighbours.tsv") {
		if got, _, why := CompileGlob(row.pattern).Match(Parse(row.command, Options{}), false); got != expectedTri[row.expected] {
			t.Errorf("%s: %q %s: got %v (%s), want %s", row.id, row.command, row.pattern, got, why, row.expected)
		}
	}
}
