package authorcmd

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/policytest"
)

// testView writes results for people, each when it is there. Of a file whose
// tests all pass it writes one line.
type testView struct {
	c       *cli.Console
	verbose bool
	file    string
	passed  int  // of file
	bad     bool // some test of file did not pass
}

func (v *testView) tell(res policytest.Result) {
	if res.File != v.file {
		v.endFile()
		v.file, v.passed, v.bad = res.File, 0, false
	}
	paint := v.c.Paint
	switch res.Status {
	case policytest.Passed:
		v.passed++
		if v.verbose {
			v.line(paint.Green("PASS "), res)
		}
		return
	case policytest.Failed:
		v.line(paint.Red("FAIL "), res)
	default:
		v.line(paint.Red("ERROR"), res)
	}
	v.bad = true
	for _, p := range res.Problems {
		account{c: v.c}.para("      ", strings.TrimRight(p, "\n"), paint.Bold)
	}
	v.trace(res)
	v.c.Out.Flush()
}

// endFile writes the line of a file whose tests all passed.
func (v *testView) endFile() {
	if v.passed > 0 && !v.bad && !v.verbose {
		v.c.Printf("%s %s  %s\n", v.c.Paint.Green("PASS "), cli.Escape(v.file), v.c.Paint.Dim(cli.Plural(v.passed, "test")))
	}
}

func (v *testView) line(word string, res policytest.Result) {
	place := res.File
	if res.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, res.Line)
	}
	label := word + " " + cli.Escape(place)
	name := cli.Escape(res.Name)
	if v.c.Width > 0 && cli.Columns(label) > v.c.Width/2 && name != "" {
		v.c.Printf("%s\n", label)
		label = "    "
	}
	if name != "" {
		label += "  "
		label += cli.Clip(name, max(v.c.Width-cli.Columns(label), 0))
	}
	v.c.Printf("%s\n", label)
}

// trace writes how the last event of a test was decided, as explain does.
func (v *testView) trace(res policytest.Result) {
	if len(res.Turns) == 0 {
		return
	}
	last := res.Turns[len(res.Turns)-1]
	const margin = "      "
	var text bytes.Buffer
	inner := &cli.Console{Out: bufio.NewWriter(&text), Paint: v.c.Paint}
	if v.c.Width > 0 {
		inner.Width = max(v.c.Width-len(margin), 40)
	}
	a := account{c: inner, root: last.Root}
	inner.Printf("\n")
	if n := len(res.Turns); n > 1 {
		inner.Printf("event %d: ", n)
	}
	a.event(last.Event, "")
	a.shell(last.Event)
	a.steps(last.Decision.Steps)
	if r := last.Recovery; r != nil {
		a.recovery(*r)
	} else {
		a.decision(last.Decision)
	}
	inner.Printf("\n")
	inner.Out.Flush()
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			line = margin + line
		}
		v.c.Printf("%s\n", line)
	}
}

// recovery writes what becomes of a task or subagent.
func (a account) recovery(r policytest.Recovery) {
	a.heading("decision", "")
	text := "  " + a.c.Paint.Bold(r.Word)
	switch r.Word {
	case "retry":
		text += " after " + r.Delay.String()
	case "delegate":
		text += " to " + cli.Escape(r.Agent)
	case "none":
		text += "  " + a.c.Paint.Dim("no callback has an opinion")
	}
	a.c.Printf("%s\n", text)
	if r.Reason != "" {
		a.para("  reason    ", r.Reason, same)
	}
}

// coverage lists what no test reached.
func (v *testView) coverage(cover policytest.Coverage) {
	if len(cover.Unreached)+len(cover.UnreachedLines) == 0 {
		return
	}
	dir, err := cli.WorkDir()
	if err != nil {
		dir = ""
	}
	a := account{c: v.c, root: dir}
	var rows [][2]string
	for _, u := range cover.Unreached {
		pos := u.Pos
		pos.File, pos.Col = a.file(pos.File), 0
		id := u.ID
		if u.Matched {
			id += " (matched, but failed or could not tell)"
		}
		rows = append(rows, [2]string{pos.String(), id})
	}
	if len(rows) > 0 {
		a.heading("fired in no test", "")
		a.rows(rows)
	}
	if len(cover.UnreachedLines) > 0 {
		a.heading("lines that no test ran", "")
		a.rows(lineRows(a, cover.UnreachedLines))
	}
	v.c.Printf("\n")
}

// lineRows lists the lines of each file.
func lineRows(a account, lines []policytest.Lines) (rows [][2]string) {
	file := ""
	for _, l := range lines {
		text := strconv.Itoa(l.From)
		if l.To > l.From {
			text += "-" + strconv.Itoa(l.To)
		}
		if l.File == file {
			rows[len(rows)-1][1] += ", " + text
			continue
		}
		file = l.File
		rows = append(rows, [2]string{a.file(file), text})
	}
	return rows
}

// counts writes the closing line.
func (v *testView) counts(r policytest.Report, coverage bool) {
	paint := v.c.Paint
	mark := func(n int, noun string, colour func(string) string) string {
		text := fmt.Sprintf("%d %s", n, noun)
		if n == 0 {
			return text
		}
		return colour(text)
	}
	errors := cli.Plural(r.Errored, "error")
	if r.Errored > 0 {
		errors = paint.Red(errors)
	}
	v.c.Printf("%s, %s, %s", mark(r.Passed, "passed", paint.Green), mark(r.Failed, "failed", paint.Red), errors)
	if coverage && r.Coverage.Total == 0 {
		v.c.Printf(", nothing to cover")
	} else if coverage {
		v.c.Printf(", coverage %s (%d of %d)", percent(r.Coverage.Percent()), r.Coverage.Reached, r.Coverage.Total)
	}
	if coverage && r.Coverage.Lines > 0 {
		v.c.Printf(", Lua %s (%d of %d lines)", percent(r.Coverage.LinePercent()), r.Coverage.LinesReached, r.Coverage.Lines)
	}
	v.c.Printf("\n")
}

// percent is rounded down, so that only all is 100%.
func percent(p float64) string {
	return fmt.Sprintf("%.1f%%", math.Floor(p*10)/10)
}
