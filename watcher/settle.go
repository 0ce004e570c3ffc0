package watcher

import "time"

// settle says when to look after something happened.
type settle struct {
	quiet, ceiling time.Duration

	due   time.Time // of the next look; zero: nothing happened
	limit time.Time // when waiting for a change to finish ends; zero: none is known
	// Silence means that nobody writes if events told of the change (witnessed)
	// and came from all places where it may go on (not doubted).
	witnessed, doubted bool
}

// touch notes at now that a source changes.
func (s *settle) touch(now time.Time) {
	if s.limit.IsZero() {
		s.limit = now.Add(s.ceiling)
	}
	s.due = now.Add(s.quiet)
	if s.due.After(s.limit) {
		s.due = s.limit
	}
}

// murmur notes at now an event that names no source. It is looked at without
// haste, and others wait for no such event to end.
func (s *settle) murmur(now time.Time) {
	if s.due.IsZero() {
		s.due = now.Add(s.ceiling)
	}
}

// over reports whether the wait has lasted as long as it may.
func (s *settle) over(now time.Time) bool { return !s.limit.IsZero() && !now.Before(s.limit) }

// next is when to look, if a look is due at regular anyway. It is not taken
// before its time while a change settles.
func (s *settle) next(regular time.Time) time.Time {
	if s.limit.IsZero() && (s.due.IsZero() || regular.Before(s.due)) {
		return regular
	}
	return s.due
}

func (s *settle) done() { *s = settle{quiet: s.quiet, ceiling: s.ceiling} }
