package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/watcher"
)

// Screen shows what happens, a few lines for each event. Its methods may be
// called concurrently.
type Screen struct {
	Out    io.Writer
	Width  int // columns
	Colour bool
	Dir    string // paths below it are shown from here

	mu     sync.Mutex
	titled bool // a part has begun
}

// maxLine is how much of a text is shown.
const maxLine = 240

const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "32"
	yellow = "33"
	blue   = "36"
)

// Event shows an event and what the hooks made of it.
func (s *Screen) Event(ev engine.Event, dec engine.Decision) {
	s.mu.Lock()
	defer s.mu.Unlock()
	said := s.answers(dec)
	code := bold
	if len(said) == 0 {
		code = dim
	}
	s.row(string(ev.Name), code, s.subject(ev))
	for _, a := range said {
		s.row("", "", a.line(s))
	}
}

// Progress shows what hooks around tasks and subagents decide, and the
// refusal of a change: that event is not the agent's.
func (s *Screen) Progress(p engine.Progress) {
	if !p.Ended {
		return
	}
	phase := p.Step.Type == "task" || p.Step.Type == "subagent"
	decided := phase && p.Step.Detail != "" && p.Step.Detail != "no opinion"
	switch {
	case decided:
		s.Note(string(p.Event), fmt.Sprintf("%s (%s)", p.Step.Detail, short(p.Hook)))
	case p.Event == engine.ConfigChange && p.Step.Verdict == engine.Deny:
		s.Event(engine.Event{Name: p.Event}, engine.Decision{Verdict: engine.Deny, Reasons: []string{"the old policy stays"}, Steps: []engine.Step{p.Step}})
	}
}

// Watched shows what the engine does not tell itself.
func (s *Screen) Watched(n watcher.Notice) {
	if n.Kind == watcher.Polling || n.Kind == watcher.Watching {
		s.Note("watcher", n.Kind.String())
	}
}

// Note shows a line of the host's own.
func (s *Screen) Note(label, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.row(label, blue, s.plain(text, maxLine))
}

// Say shows what an agent says.
func (s *Screen) Say(agent, text string) {
	if text != "" {
		s.Note(agent, text)
	}
}

// Title begins a part.
func (s *Screen) Title(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.titled {
		fmt.Fprintln(s.Out)
	}
	s.titled = true
	for _, line := range wrap(s.plain(text, maxLine), s.Width) {
		fmt.Fprintf(s.Out, "%s\n", s.paint(bold, line))
	}
}

// answer is one thing that hooks said.
type answer struct{ code, word, text string }

func (a answer) line(s *Screen) string {
	if a.text == "" {
		return s.paint(a.code, a.word)
	}
	return s.paint(a.code, a.word+":") + " " + a.text
}

// answers lists what dec says, and by whom.
func (s *Screen) answers(dec engine.Decision) []answer {
	var list []answer
	add := func(code, word string, texts ...string) {
		for _, t := range texts {
			list = append(list, answer{code, word, s.plain(t, maxLine)})
		}
	}
	if dec.Verdict != engine.None {
		add(verdictCode(dec.Verdict), dec.Verdict.String(), strings.TrimSpace(dec.Reason()+deciders(dec)))
	}
	for _, step := range dec.Steps {
		if step.Status == hook.Failed || step.Status == hook.Gated {
			add(red, string(step.Status), short(step.Hook)+": "+step.Detail)
		}
	}
	if !dec.Input.Absent() {
		add(yellow, "rewrite", string(dec.Input.Raw()))
	}
	if dec.Output != nil {
		add(yellow, "output", dec.OutputText())
	}
	if dec.Halted {
		add(red, "halt", dec.StopReason)
	}
	if dec.Retry {
		add(green, "retry", "")
	}
	add(green, "go on", nonEmpty(dec.ContinueReason)...)
	add(green, "context", dec.Context...)
	add(blue, "notice", dec.Notices...)
	return list
}

// deciders names the hooks whose verdict dec is.
func deciders(dec engine.Decision) string {
	var ids []string
	for _, step := range dec.Steps {
		if step.Verdict == dec.Verdict {
			ids = append(ids, short(step.Hook))
		}
	}
	return " (" + strings.Join(ids, ", ") + ")"
}

func verdictCode(v engine.Verdict) string {
	switch v {
	case engine.Deny:
		return red
	case engine.Allow:
		return green
	}
	return yellow
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// short leaves of the id of a Lua handler, a path and a line, the last part.
func short(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// subject is what an event is about, in a few words.
func (s *Screen) subject(ev engine.Event) string {
	about := cmp.Or(ev.Input.Text("command"), ev.Input.Text("file_path"), ev.Input.Text("url"), ev.Input.Text("subagent_type"), ev.Input.Text("tasks"))
	more := ev.More
	id := more.Text("task_id")
	if id != "" {
		id += ":"
	}
	about = cmp.Or(about, ev.Prompt, more.Text("message"), more.Text("tools"), more.Text("summary"), more.Text("error_message"),
		strings.TrimSpace(id+" "+ev.Subject+" "+cmp.Or(more.Text("task_terminal_status"), more.Text("subagent_stop_status"))))
	if ev.Tool != "" {
		about = ev.Tool + " " + about
	}
	if strings.HasPrefix(string(ev.Name), "Task") || strings.HasPrefix(string(ev.Name), "Subagent") || ev.Agent == "" {
		return s.plain(about, maxLine)
	}
	about = "[" + ev.Agent + "] " + about
	return s.plain(about, 60)
}

// plain makes a text one line of at most so many runes that is safe to print.
func (s *Screen) plain(text string, most int) string {
	if s.Dir != "" {
		text = strings.ReplaceAll(text, s.Dir+string(filepath.Separator), "")
	}
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "�"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
