package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/engine/policytest"
)

// testView writes results for people, each when it is there. Of a file whose
// tests all pass it writes one line.
type testView struct {
	c       *console
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
	paint := v.c.paint
	switch res.Status {
	case policytest.Passed:
		v.passed++
		if v.verbose {
			v.line(paint.green("PASS "), res)
		}
		return
	case policytest.Failed:
		v.line(paint.red("FAIL "), res)
	default:
		v.line(paint.red("ERROR"), res)
	}
	v.bad = true
	for _, p := range res.Problems {
		account{c: v.c}.para("      ", strings.TrimRight(p, "\n"), paint.bold)
	}
	v.trace(res)
	v.c.out.Flush()
}

// endFile writes the line of a file whose tests all passed.
func (v *testView) endFile() {
	if v.passed > 0 && !v.bad && !v.verbose {
		v.c.printf("%s %s  %s\n", v.c.paint.green("PASS "), escape(v.file), v.c.paint.dim(plural(v.passed, "test")))
	}
}

func (v *testView) line(word string, res policytest.Result) {
	place := res.File
	if res.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, res.Line)
	}
	label := word + " " + escape(place)
	name := escape(res.Name)
	if v.c.width > 0 && columns(label) > v.c.width/2 && name != "" {
		v.c.printf("%s\n", label)
		label = "    "
	}
	if name != "" {
		label += "  "
		label += clip(name, max(v.c.width-columns(label), 0))
	}
	v.c.printf("%s\n", label)
}

// trace writes how the last event of a test was decided, as explain does.
func (v *testView) trace(res policytest.Result) {
	if len(res.Turns) == 0 {
		return
	}
	last := res.Turns[len(res.Turns)-1]
	const margin = "      "
	var text bytes.Buffer
	inner := &console{out: bufio.NewWriter(&text), paint: v.c.paint}
	if v.c.width > 0 {
		inner.width = max(v.c.width-len(margin), 40)
	}
	a := account{c: inner, root: last.Root}
	inner.printf("\n")
	if n := len(res.Turns); n > 1 {
		inner.printf("event %d: ", n)
	}
	a.event(last.Event, "")
	a.shell(last.Event)
	a.steps(last.Decision.Steps)
	a.decision(last.Decision)
	inner.printf("\n")
	inner.out.Flush()
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			line = margin + line
		}
		v.c.printf("%s\n", line)
	}
}

// coverage lists what no test reached.
func (v *testView) coverage(cover policytest.Coverage) {
	if len(cover.Unreached)+len(cover.UnreachedLines) == 0 {
		return
	}
	dir, err := workDir()
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
	v.c.printf("\n")
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
	paint := v.c.paint
	mark := func(n int, noun string, colour func(string) string) string {
		text := fmt.Sprintf("%d %s", n, noun)
		if n == 0 {
			return text
		}
		return colour(text)
	}
	errors := plural(r.Errored, "error")
	if r.Errored > 0 {
		errors = paint.red(errors)
	}
	v.c.printf("%s, %s, %s", mark(r.Passed, "passed", paint.green), mark(r.Failed, "failed", paint.red), errors)
	if coverage && r.Coverage.Total == 0 {
		v.c.printf(", nothing to cover")
	} else if coverage {
		v.c.printf(", coverage %s (%d of %d)", percent(r.Coverage.Percent()), r.Coverage.Reached, r.Coverage.Total)
	}
	if coverage && r.Coverage.Lines > 0 {
		v.c.printf(", Lua %s (%d of %d lines)", percent(r.Coverage.LinePercent()), r.Coverage.LinesReached, r.Coverage.Lines)
	}
	v.c.printf("\n")
}

// percent is rounded down, so that only all is 100%.
func percent(p float64) string {
	return fmt.Sprintf("%.1f%%", math.Floor(p*10)/10)
}
