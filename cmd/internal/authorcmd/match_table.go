package authorcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxTable  = 64 << 20 // bytes of a table
	maxReason = 300      // columns
	maxRow    = 2 << 20  // bytes of one line: a command of 256 KiB, all of it escaped, and more
)

// caseTable answers the rows of a table of commands and patterns.
type caseTable struct {
	match   *matchCall
	c       *cli.Console
	name    string
	pattern string // of rows without a column for it
	columns map[string]int
	line    int

	answers [3]int // by hook.Tri
	wrong   int    // what runs or cannot be told answered no, data answered yes
	unsure  int    // decidable rows answered unknown
	broken  int    // rows whose pattern cannot be read
	folded  int    // unsafe-unknown rows answered yes
}

// commandEscapes are all that is escaped in the column command.
var commandEscapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\0`, "\x00")

// read answers the rows line by line.
func (t *caseTable) read(in io.Reader) error {
	limit := &io.LimitedReader{R: in, N: maxTable + 1}
	lines := bufio.NewScanner(limit)
	lines.Buffer(make([]byte, 64<<10), maxRow)
	for lines.Scan() {
		t.line++
		line := strings.TrimSuffix(lines.Text(), "\r")
		switch {
		case limit.N <= 0:
			return t.fault("the table is larger than 64 MiB")
		case t.columns == nil:
			if err := t.header(strings.TrimPrefix(line, "\ufeff")); err != nil {
				return err
			}
		case line != "":
			if err := t.row(strings.Split(line, "\t")); err != nil {
				return err
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		t.line++
		return t.fault("the line is longer than 2 MiB")
	case err != nil:
		return err
	case t.columns == nil:
		return t.fault("the table has no header line")
	}
	return nil
}

// fault is a mistake in the table.
func (t *caseTable) fault(format string, args ...any) error {
	return cli.Usagef("%s:%d: %s", t.name, max(t.line, 1), fmt.Sprintf(format, args...))
}

func (t *caseTable) header(line string) error {
	t.columns = map[string]int{}
	for i, name := range strings.Split(line, "\t") {
		if _, twice := t.columns[name]; twice {
			return t.fault("two columns are named %q", name)
		}
		t.columns[name] = i
	}
	need := []string{"command", "pattern"}
	if t.pattern != "" {
		need = need[:1]
	}
	for _, name := range need {
		if _, ok := t.columns[name]; !ok {
			return t.fault("no column is named %q; the first line names the columns", name)
		}
	}
	return nil
}

// cell is the value of a column in one row, "" if there is none.
func (t *caseTable) cell(row []string, name string) string {
	if i, ok := t.columns[name]; ok && i < len(row) {
		return row[i]
	}
	return ""
}

// expectations are the values of the column expected.
var expectations = []string{"no", "unsafe-unknown", "yes"} // in the order of hook.Tri

func (t *caseTable) row(row []string) error {
	if len(row) <= t.columns["command"] {
		return t.fault("the row has no column command")
	}
	id, pattern, expected := t.cell(row, "id"), t.cell(row, "pattern"), t.cell(row, "expected")
	if id == "" {
		id = strconv.Itoa(t.line)
	}
	if pattern == "" {
		pattern = t.pattern
	}
	if expected == "unknown" {
		expected = "unsafe-unknown"
	}
	want := slices.Index(expectations, expected)
	if expected != "" && want < 0 {
		return t.fault("expected %q: it is yes, no or unsafe-unknown", expected)
	}
	answer, _, _, err := t.match.ask(pattern, commandEscapes.Replace(t.cell(row, "command")))
	if err != nil {
		answer.Tri, answer.Why = hook.Unknown, "the pattern cannot be read: "+err.Error()
		t.broken++
	}
	t.answers[answer.Tri]++
	if expected != "" {
		t.judge(answer.Tri, hook.Tri(want))
	}
	if !t.match.failed || expected != "" && hook.Tri(want) != answer.Tri {
		t.c.Printf("%s\t%s\t%s\n", cli.Escape(id), triWord(answer.Tri), cli.Clip(cli.Escape(answer.Why), maxReason))
	}
	return nil
}

// judge counts an answer that differs from what is expected.
func (t *caseTable) judge(got, want hook.Tri) {
	switch {
	case got == want:
	case got == hook.Unknown:
		t.unsure++
	case want == hook.Unknown && got == hook.Yes:
		t.folded++
	default:
		t.wrong++
	}
}

func (t *caseTable) summary() string {
	n := t.answers[hook.Yes] + t.answers[hook.No] + t.answers[hook.Unknown]
	s := fmt.Sprintf("%s: %d yes, %d no, %d unknown", cli.Plural(n, "row"), t.answers[hook.Yes], t.answers[hook.No], t.answers[hook.Unknown])
	if _, ok := t.columns["expected"]; ok {
		s += fmt.Sprintf("; %d wrong, %d unknown where it can be told, %d yes where it was thought unknown", t.wrong, t.unsure, t.folded)
	}
	if t.broken > 0 {
		s += fmt.Sprintf("; %d with a pattern that cannot be read", t.broken)
	}
	return s
}
