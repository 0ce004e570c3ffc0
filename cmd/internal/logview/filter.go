package logview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/engine/hook"
)

// filter says which records are wanted: those that fit all that is set.
type filter struct {
	session string // or its beginning
	event   string
	tool    string
	verdict string
	hook    string // that ran
	since   time.Time
}

func (f *filter) wants(r *audit.Record) bool {
	return strings.HasPrefix(r.Session, f.session) &&
		(f.event == "" || strings.EqualFold(r.Event, f.event)) &&
		(f.tool == "" || strings.EqualFold(r.Tool, hook.CanonicalTool(f.tool))) &&
		(f.verdict == "" || r.Verdict == f.verdict) &&
		(f.hook == "" || slices.ContainsFunc(r.Hooks, f.names)) &&
		!r.Time.Before(f.since)
}

// names reports whether h is the hook asked for, a rule perhaps by its name
// alone.
func (f *filter) names(h audit.Run) bool { return h.ID == f.hook || h.ID == "rules."+f.hook }

func (f *filter) setVerdict(word string) error {
	if _, ok := hook.ParseVerdict(word); !ok {
		return fmt.Errorf("expected none, allow, ask, defer or deny, got %q", word)
	}
	f.verdict = word
	return nil
}

// layouts are the ways to name a point of time; what is left of a date is that
// of today.
var layouts = []string{time.RFC3339, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly}

// setSince reads how long ago, or when.
func (f *filter) setSince(text string, now time.Time) error {
	if ago, ok := ago(text); ok {
		f.since = now.Add(-ago)
		return nil
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			f.since = t
			return nil
		}
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			year, month, day := now.Date()
			f.since = time.Date(year, month, day, t.Hour(), t.Minute(), t.Second(), 0, now.Location())
			return nil
		}
	}
	return fmt.Errorf("expected a time such as 1h, 7d, 15:04, 2006-01-02 or 2006-01-02T15:04:05Z, got %q", text)
}

// ago reads a duration above 0; d is a day.
func ago(text string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil && n > 0 && n < 100_000
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}
