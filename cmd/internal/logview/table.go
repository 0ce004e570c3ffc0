package logview

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

// table writes decisions for people: a line each, and below it what made it.
type table struct {
	c    *cli.Console
	zone *time.Location
}

const (
	// narrow is the width below which the subject gets a line of its own.
	narrow = 80
	// Cells of a line, and of all that stands before the subject.
	whatColumn = 23 // event and tool
	tookColumn = 8
	before     = len("01-02 15:04:05  allow  ") + whatColumn + 2 + tookColumn + 2
)

func (t *table) add(line *audit.Line) {
	r := &line.Record
	verdict, _ := hook.ParseVerdict(r.Verdict)
	word := t.c.Paint.Verdict(verdict, cli.Pad(cli.Escape(r.Verdict), 5))
	what := cli.Escape(strings.TrimSpace(r.Event + " " + r.Tool))
	if t.c.Width > 0 && t.c.Width < narrow {
		indent := len("15:04:05  ")
		t.c.Printf("%s  %s  %s\n", r.Time.In(t.zone).Format(time.TimeOnly), word, t.fit(what, indent+7))
		if r.Subject != "" {
			t.below(indent, r.Subject, t.c.Paint.Bold)
		}
		t.details(indent, r)
		return
	}
	if t.c.Width > 0 {
		what = cli.Clip(what, whatColumn)
	}
	what = cli.Pad(what, whatColumn)
	subject := t.c.Paint.Bold(t.fit(cli.Escape(r.Subject), before))
	text := r.Time.In(t.zone).Format("01-02 15:04:05") + "  " + word + "  " + what + "  " + left(took(r.Duration), tookColumn) + "  " + subject
	t.c.Printf("%s\n", strings.TrimRight(text, " "))
	t.details(len("01-02 15:04:05  allow  "), r)
}

// fit shortens text to what is left of the width beside used cells.
func (t *table) fit(text string, used int) string {
	if t.c.Width == 0 {
		return text
	}
	return cli.Clip(text, max(t.c.Width-used, 1))
}

// below writes a text at an indent.
func (t *table) below(indent int, text string, paint func(string) string) {
	t.c.Printf("%s%s\n", strings.Repeat(" ", indent), paint(t.fit(cli.Escape(text), indent)))
}

// details writes what the line has no room for.
func (t *table) details(indent int, r *audit.Record) {
	say := func(text string) { t.below(indent, text, t.c.Paint.Dim) }
	if r.Missed > 0 {
		say(cli.Plural(r.Missed, "decision") + " before this one could not be written")
	}
	if r.Rewritten != "" {
		say("rewritten: " + r.Rewritten)
	}
	if text := because(r); text != "" {
		say(text)
	}
	if r.Halted {
		say("the agent ends its run")
	}
	if r.Error != "" {
		say("no decision: " + r.Error)
	}
	for _, h := range r.Hooks {
		if h.Cause != "" {
			say(h.ID + " failed: " + h.Cause)
		}
		if observed(h) {
			say(h.ID + " would say " + h.Would)
		}
	}
}

// observed reports whether h would have said something, if it counted.
func observed(h audit.Run) bool { return h.Would != "" && h.Would != hook.None.String() }

// because names the hooks that said the verdict, and the reasons.
func because(r *audit.Record) string {
	var ids []string
	for _, h := range r.Hooks {
		if h.Verdict == r.Verdict && r.Verdict != hook.None.String() && !slices.Contains(ids, h.ID) {
			ids = append(ids, h.ID)
		}
	}
	text := strings.Join(ids, ", ")
	if len(r.Reasons) > 0 {
		text = strings.TrimPrefix(text+": ", ": ") + strings.Join(r.Reasons, " / ")
	}
	return text
}

// left pads text with blanks in front of it.
func left(text string, cells int) string {
	return strings.Repeat(" ", max(cells-cli.Columns(text), 0)) + text
}

// took rounds d to three digits.
func took(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
