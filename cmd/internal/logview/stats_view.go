package logview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

// write tells the counts to people.
func (s *stats) write(c *cli.Console, zone *time.Location) {
	s.summary(c, zone)
	if len(s.hooks) == 0 {
		return
	}
	rows := [][]string{{"hook", "fired", "deny", "ask", "allow", "would", "failed", "ran", "p50", "p99", "max", ""}}
	for _, h := range s.sorted() {
		row := []string{cli.Escape(h.id)}
		for _, n := range []int{h.fired(), h.verdicts[hook.Deny], h.verdicts[hook.Ask] + h.verdicts[hook.Defer], h.verdicts[hook.Allow], h.would, h.failed, h.ran} {
			row = append(row, fmt.Sprint(n))
		}
		t := h.took.times()
		rows = append(rows, append(row, took(t.P50), took(t.P99), took(t.Max), cli.Escape(strings.TrimSpace(h.source+" "+h.file))))
	}
	c.Printf("\n")
	writeHooks(c, rows)
}

// summary writes what is true of all decisions.
func (s *stats) summary(c *cli.Console, zone *time.Location) {
	if s.decisions == 0 {
		c.Printf("no decisions\n")
	} else {
		const minute = "2006-01-02 15:04"
		var words []string
		for v, n := range s.verdicts {
			words = append(words, fmt.Sprint(hook.Verdict(v), hard, n))
		}
		slices.Reverse(words)
		t := s.took.times()
		c.Printf("%s\n", c.Paint.Bold(cli.Plural(s.decisions, "decision")))
		say(c, same, s.from.In(zone).Format(minute), "to", s.to.In(zone).Format(minute))
		say(c, same, strings.Join(words, ", "))
		say(c, same, "p50"+hard+took(t.P50)+",", "p99"+hard+took(t.P99)+",", "max"+hard+took(t.Max))
	}
	warn := func(n int, noun, what string) {
		if n > 0 {
			say(c, c.Paint.Yellow, cli.Plural(n, noun), what)
		}
	}
	warn(s.errors, "answer", "without a decision: Pawl itself failed")
	warn(s.missed, "decision", "more that could not be written")
	warn(s.damaged, "line", "of the log that cannot be read")
}

func same(s string) string { return s }

// say writes words at an indent, in lines that fit.
func say(c *cli.Console, paint func(string) string, words ...string) {
	for _, line := range cli.Wrap(strings.Join(words, " "), max(c.Width-2, 0)) {
		c.Printf("  %s\n", paint(strings.ReplaceAll(line, hard, " ")))
	}
}

// hard is a blank where no line ends.
const hard = "\u00a0"

// writeHooks writes a table with a heading: a name, numbers on the right of
// their columns, and a note if there is room for it. Where the lines are too
// long each row is told in words.
func writeHooks(c *cli.Console, rows [][]string) {
	last := len(rows[0]) - 1
	widths := make([]int, last)
	for _, row := range rows {
		for i, cell := range row[:last] {
			widths[i] = max(widths[i], cli.Columns(cell))
		}
	}
	total := 2 * (last - 1)
	for _, w := range widths {
		total += w
	}
	if c.Width > 0 && total > c.Width {
		inWords(c, rows)
		return
	}
	for i, row := range rows {
		paint := c.Paint.Bold
		if i == 0 {
			paint = c.Paint.Dim
		}
		line := paint(cli.Pad(row[0], widths[0]))
		for j, cell := range row[1:last] {
			line += "  " + left(cell, widths[j+1])
		}
		note := row[last]
		if room := c.Width - total - 2; c.Width > 0 && room < 10 {
			note = ""
		} else if c.Width > 0 {
			note = cli.Clip(note, room)
		}
		if note != "" {
			line += "  " + c.Paint.Dim(note)
		}
		c.Printf("%s\n", line)
	}
}

// inWords writes each row as its name and, below, what is not 0.
func inWords(c *cli.Console, rows [][]string) {
	for _, row := range rows[1:] {
		var words []string
		for i, cell := range row[1:] {
			if name := rows[0][i+1]; cell != "0" && name != "" {
				words = append(words, name+hard+cell)
			}
		}
		c.Printf("%s\n", c.Paint.Bold(cli.Clip(row[0], c.Width)))
		say(c, same, strings.Join(words, ", "))
	}
}
