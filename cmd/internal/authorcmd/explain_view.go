package authorcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

// account writes for people what was decided about an event, and why.
type account struct {
	c    *cli.Console
	root string // file names are shown relative to it
}

// heading writes a section title.
func (a account) heading(title, note string) {
	a.c.Printf("\n%s", a.c.Paint.Bold(title))
	if note != "" {
		a.c.Printf("  %s", a.c.Paint.Dim(note))
	}
	a.c.Printf("\n")
}

// para writes text at an indent, wrapped and escaped; label stands before its
// first line.
func (a account) para(label, text string, paint func(string) string) {
	room := a.c.Width
	if room > 0 {
		room = max(room-cli.Columns(label), 20)
	}
	margin := strings.Repeat(" ", cli.Columns(label))
	for i, line := range cli.Wrap(cli.EscapeLines(text), room) {
		if i > 0 {
			label = margin
		}
		if line = strings.TrimRight(line, " "); line == "" {
			label = strings.TrimRight(label, " ")
		}
		a.c.Printf("%s%s\n", label, paint(line))
	}
}

func same(s string) string { return s }

// maxShown is the most of one input value that is shown, in bytes.
const maxShown = 600

// event writes what was asked.
func (a account) event(ev hook.Event, dialect string) {
	title := string(ev.Name)
	if subject := ev.MatchSubject(); subject != "" {
		title += "  " + subject
	}
	if ev.HostTool != "" && ev.HostTool != ev.Tool {
		title += " (" + ev.HostTool + ")"
	}
	a.c.Printf("%s", a.c.Paint.Bold(cli.Escape(title)))
	if dialect != "" {
		a.c.Printf("  %s", a.c.Paint.Dim("as "+dialect+" says it"))
	}
	a.c.Printf("\n")
	var rows [][2]string
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, [2]string{name, value})
		}
	}
	for _, m := range ev.Input.Members() {
		value := ev.Input.Text(m.Name)
		if value == "" {
			value = string(m.Raw)
		}
		add(cli.Clip(m.Name, 20), value)
	}
	add("prompt", ev.Prompt)
	add("message", ev.Message)
	add("cwd", ev.Dir)
	add("mode", ev.Mode)
	add("agent", ev.Agent)
	a.rows(rows)
}

// rows writes names and values in two columns.
func (a account) rows(rows [][2]string) {
	left := 0
	for _, r := range rows {
		left = max(left, cli.Columns(cli.Escape(r[0])))
	}
	for _, r := range rows {
		value := r[1]
		if len(value) > maxShown {
			value = strings.ToValidUTF8(value[:maxShown], "") + fmt.Sprintf("… (%d bytes)", len(r[1]))
		}
		a.para("  "+cli.Pad(cli.Escape(r[0]), left)+"  ", value, same)
	}
}

// commands writes what the shell text of the event really runs, if that says
// more than the text.
func (a account) commands(f *hook.Facts) {
	runs := f.Commands()
	if len(runs.List) == 0 && len(runs.Unknown) == 0 {
		return
	}
	if len(runs.List) == 1 && len(runs.Unknown) == 0 && runs.List[0].Text == f.Event.Input.Text("command") {
		return
	}
	a.heading("runs", "")
	for _, cmd := range runs.List {
		text := commandLine(cmd)
		if len(cmd.Wrappers) > 0 {
			text += "   (by " + strings.Join(cmd.Wrappers, ", ") + ")"
		}
		if text != "" {
			a.para("  ", text, same)
		}
	}
	for _, doubt := range runs.Unknown {
		a.para("  ? ", doubt.Reason, a.c.Paint.Yellow)
	}
}

// commandLine writes a command with quotes where a word holds blanks; of one
// that runs no program its assignments or redirects.
func commandLine(cmd hook.Command) string {
	if len(cmd.Argv) == 0 {
		return strings.TrimSpace(cmd.Raw)
	}
	words := make([]string, len(cmd.Argv))
	for i, w := range cmd.Argv {
		words[i] = w.Text
		if w.Known && (w.Text == "" || strings.ContainsAny(w.Text, " \t\n")) {
			words[i] = cli.QuoteShell(w.Text)
		}
	}
	return strings.Join(words, " ")
}

// stepGroups are the sections that steps are told in.
var stepGroups = []struct {
	title    string
	statuses []hook.Status
}{
	{"hooks that match", []hook.Status{hook.Ran, hook.Failed, hook.Observed, hook.Started, hook.Gated}},
	{"hooks that were skipped", []hook.Status{hook.Skipped}},
	{"hooks that do not match", []hook.Status{hook.NotMatch}},
	{"problems of the settings", []hook.Status{hook.Problem}},
}

// steps writes every hook that was considered.
func (a account) steps(steps []hook.Step) {
	for i, g := range stepGroups {
		var in []hook.Step
		for _, s := range steps {
			if slices.Contains(g.statuses, statusOf(s)) && !a.told(in, s) {
				in = append(in, s)
			}
		}
		if len(in) > 0 && g.statuses[0] == hook.Skipped {
			a.heading(g.title, "")
			a.skipped(in)
		} else if len(in) > 0 {
			a.heading(g.title, "")
			a.table(in)
		} else if i == 0 {
			a.heading(g.title, "none")
		}
	}
}

// statusOf is the status of a step, but for a fixed decision that is nothing
// because the text cannot tell whether it applies: that one was skipped.
func statusOf(s hook.Step) hook.Status {
	declarative := s.Type == "expr" || s.Type == "permission" || s.Type == "rule"
	if declarative && s.Status == hook.Ran && s.Verdict == hook.None && !strings.Contains(s.Detail, " dropped: ") {
		return hook.Skipped
	}
	return s.Status
}

// skipped writes the names of the hooks that were skipped for the same
// reason, and the reason once.
func (a account) skipped(steps []hook.Step) {
	var order []string
	names := map[string][]string{}
	for _, s := range steps {
		why := s.Detail
		if s.Status == hook.Ran {
			why = "cannot tell: " + why
		}
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], stepName(s))
	}
	for _, why := range order {
		a.para("  skipped  ", strings.Join(names[why], ", "), same)
		if why != "" {
			a.para("           ", why, a.c.Paint.Dim)
		}
	}
}

// told reports whether a step would read like the last of steps: the parts of
// a builtin guard do.
func (a account) told(steps []hook.Step, s hook.Step) bool {
	if len(steps) == 0 {
		return false
	}
	last := steps[len(steps)-1]
	return stepName(last) == stepName(s) && a.place(last) == a.place(s) && stepWord(last) == stepWord(s) && stepWhy(last) == stepWhy(s)
}

// table writes one line a step, in columns, with the reason below. Where the
// lines are too long the place and the time go below too.
func (a account) table(steps []hook.Step) {
	var word, id, place, took int
	for _, s := range steps {
		word, id = max(word, cli.Columns(stepWord(s))), max(id, cli.Columns(stepName(s)))
		place, took = max(place, cli.Columns(a.place(s))), max(took, cli.Columns(duration(s.Duration)))
	}
	narrow := a.c.Width > 0 && word+id+place+took+8 > a.c.Width
	margin := strings.Repeat(" ", word+4)
	for _, s := range steps {
		head := a.c.Paint.Verdict(stepVerdict(s), cli.Pad(stepWord(s), word))
		facts := strings.TrimRight(cli.Pad(a.place(s), place)+"  "+fmt.Sprintf("%*s", took, duration(s.Duration)), " ")
		if narrow {
			a.c.Printf("  %s  %s\n", head, stepName(s))
			if facts = strings.TrimLeft(facts, " "); facts != "" {
				a.c.Printf("%s%s\n", margin, a.c.Paint.Dim(facts))
			}
		} else {
			line := "  " + head + "  " + cli.Pad(stepName(s), id) + "  " + a.c.Paint.Dim(facts)
			a.c.Printf("%s\n", strings.TrimRight(line, " "))
		}
		if why := stepWhy(s); why != "" {
			a.para(margin, why, a.c.Paint.Dim)
		}
	}
}

// stepWord is the verdict of a hook that answered, else its status.
func stepWord(s hook.Step) string {
	switch s.Status {
	case hook.Ran:
		if s.Verdict == hook.None {
			return "none"
		}
		return s.Verdict.String()
	case hook.NotMatch:
		return "-"
	case hook.Failed:
		if s.Verdict > hook.None {
			return s.Verdict.String()
		}
	}
	return string(s.Status)
}

func stepVerdict(s hook.Step) hook.Verdict {
	if s.Status == hook.Failed && s.Verdict == hook.None {
		return hook.Ask
	}
	return s.Verdict
}

func stepName(s hook.Step) string {
	if s.Source.Layer == hook.Project || s.Source.String() == "" {
		return cli.Escape(s.Hook)
	}
	return cli.Escape(s.Hook + " (" + s.Source.String() + ")")
}

func stepWhy(s hook.Step) string {
	var parts []string
	if s.Status == hook.Failed {
		parts = append(parts, "gave no verdict ("+string(s.Cause)+")")
	}
	if s.Status == hook.Observed {
		parts = append(parts, "would "+s.Would.String())
	}
	if s.Again {
		parts = append(parts, "ran again on the rewritten input")
	}
	if s.Detail != "" && (s.Status != hook.NotMatch || s.Detail != "does not match") {
		parts = append(parts, s.Detail)
	}
	return strings.Join(parts, ": ")
}

// place returns file:line of a step, the file relative to the root.
func (a account) place(s hook.Step) string {
	p := s.Pos
	p.Col = 0
	if p.File == "" {
		p.File = s.Source.File
	}
	p.File = a.file(p.File)
	return cli.Escape(p.String())
}

func (a account) file(name string) string {
	rel, err := filepath.Rel(a.root, name)
	if name == "" || err != nil || strings.HasPrefix(rel, "..") {
		return name
	}
	return rel
}

// duration rounds d to three digits.
func duration(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 10*time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// decision writes the merged answer.
func (a account) decision(d hook.Decision) {
	p := a.c.Paint
	word := d.Verdict.String()
	if d.Halted {
		word += ", and the agent ends its run"
	}
	a.heading("decision", "")
	a.c.Printf("  %s", p.Verdict(d.Verdict, p.Bold(word)))
	if d.Verdict == hook.None && !d.Halted {
		a.c.Printf("  %s", p.Dim("no hook has an opinion"))
	}
	a.c.Printf("\n")
	say := func(label, text string) {
		if text != "" {
			a.para("  "+cli.Pad(label, 9)+" ", text, same)
		}
	}
	for _, r := range d.Reasons {
		say("reason", r)
	}
	say("stop", d.StopReason)
	for _, text := range d.Context {
		say("context", text)
	}
	for _, text := range d.Notices {
		say("notice", text)
	}
	say("input", string(d.Input.Raw()))
	say("output", string(d.Output))
	say("go on", d.ContinueReason)
	if d.Retry {
		say("retry", "the agent may try again")
	}
	if d.Bypassed {
		say("note", "the agent asks nobody in this mode (bypassPermissions)")
	}
}
