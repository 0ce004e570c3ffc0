package logview

import (
	"encoding/json"
	"io"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/engine/hook"
)

// times are what is told of a spread.
type times struct {
	P50 time.Duration `json:"p50_ns"`
	P99 time.Duration `json:"p99_ns"`
	Max time.Duration `json:"max_ns"`
}

func (s *spread) times() times { return times{s.part(50), s.part(99), s.max} }

// report is stats as JSON.
type report struct {
	Decisions int            `json:"decisions"`
	From      audit.Time     `json:"from,omitzero"`
	To        audit.Time     `json:"to,omitzero"`
	Verdicts  map[string]int `json:"verdicts"`
	Errors    int            `json:"errors"`
	Missed    int            `json:"missed"`
	Damaged   int            `json:"damaged"`
	times
	Hooks []hookReport `json:"hooks"`
}

type hookReport struct {
	ID       string         `json:"id"`
	Source   string         `json:"source"`
	File     string         `json:"file,omitempty"`
	Ran      int            `json:"ran"`
	Fired    int            `json:"fired"`
	Verdicts map[string]int `json:"verdicts"`
	Would    int            `json:"would"`
	Failed   int            `json:"failed"`
	times
}

// encode writes s as one JSON object on one line.
func (s *stats) encode(w io.Writer) error {
	r := report{
		Decisions: s.decisions, From: audit.Time{Time: s.from}, To: audit.Time{Time: s.to}, Verdicts: byWord(s.verdicts),
		Errors: s.errors, Missed: s.missed, Damaged: s.damaged, times: s.took.times(), Hooks: []hookReport{},
	}
	for _, h := range s.sorted() {
		r.Hooks = append(r.Hooks, hookReport{
			ID: h.id, Source: h.source, File: h.file, Ran: h.ran, Fired: h.fired(),
			Verdicts: byWord(h.verdicts), Would: h.would, Failed: h.failed, times: h.took.times(),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

func byWord(counts [hook.Deny + 1]int) map[string]int {
	words := map[string]int{}
	for v, n := range counts {
		words[hook.Verdict(v).String()] = n
	}
	return words
}
