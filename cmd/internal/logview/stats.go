package logview

import (
	"cmp"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/engine/hook"
)

// maxHooks is how many hooks are counted one by one; the rest are one row.
const maxHooks = 1000

// stats counts decisions and what the hooks had to do with them.
type stats struct {
	decisions int
	from, to  time.Time
	verdicts  [hook.Deny + 1]int
	errors    int // answers without a decision
	missed    int
	damaged   int
	took      spread
	hooks     map[hookKey]*counts
}

// hookKey is a hook: an id may be that of another in another file.
type hookKey struct{ id, source, file string }

// counts is what one hook did.
type counts struct {
	hookKey
	ran      int
	verdicts [hook.Deny + 1]int
	would    int // of an observed hook: times that it would have said something
	failed   int
	took     spread
}

func newStats() *stats { return &stats{hooks: map[hookKey]*counts{}} }

func (s *stats) add(line *audit.Line) {
	r := &line.Record
	if s.decisions == 0 || r.Time.Before(s.from) {
		s.from = r.Time.Time
	}
	if r.Time.After(s.to) {
		s.to = r.Time.Time
	}
	s.decisions++
	v, _ := hook.ParseVerdict(r.Verdict)
	s.verdicts[v]++
	s.missed += r.Missed
	if r.Error != "" {
		s.errors++
	}
	s.took.add(r.Duration)
	for i := range r.Hooks {
		s.counts(&r.Hooks[i]).add(&r.Hooks[i])
	}
}

func (s *stats) counts(h *audit.Run) *counts {
	key := hookKey{h.ID, h.Source, h.File}
	if s.hooks[key] == nil && len(s.hooks) >= maxHooks {
		key = hookKey{id: "all others"}
	}
	c := s.hooks[key]
	if c == nil {
		c = &counts{hookKey: key}
		s.hooks[key] = c
	}
	return c
}

func (c *counts) add(h *audit.Run) {
	v, _ := hook.ParseVerdict(h.Verdict)
	c.ran++
	c.verdicts[v]++
	if observed(*h) {
		c.would++
	}
	if h.Cause != "" {
		c.failed++
	}
	c.took.add(h.Duration)
}

// fired is how often the hook said something.
func (c *counts) fired() int { return c.ran - c.verdicts[hook.None] + c.would }

// sorted returns the hooks, those that fired most first.
func (s *stats) sorted() []*counts {
	var all []*counts
	for _, c := range s.hooks {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *counts) int {
		return cmp.Or(cmp.Compare(b.fired(), a.fired()), cmp.Compare(b.ran, a.ran), cmp.Compare(a.id, b.id), cmp.Compare(a.file, b.file), cmp.Compare(a.source, b.source))
	})
	return all
}
