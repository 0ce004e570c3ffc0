package watcher

import (
	"fmt"
	"time"
)

// Option changes one default of a Watcher.
type Option func(*config) error

// config is what a Watcher is made with; it does not change afterwards.
type config struct {
	quiet, ceiling time.Duration
	poll, recheck  time.Duration
	eventless      bool
	observe        func(Notice)
	open           func() (notifier, error)
}

func defaults() config {
	return config{
		quiet:   100 * time.Millisecond,
		ceiling: 2 * time.Second,
		poll:    time.Second,
		recheck: 10 * time.Second,
		observe: func(Notice) {},
		open:    system,
	}
}

// WithSettle says how long nothing must happen before a change is taken, and
// after how long it is taken all the same. The default is 100 ms and 2 s.
func WithSettle(quiet, ceiling time.Duration) Option {
	return func(c *config) error {
		if quiet <= 0 || ceiling < quiet {
			return fmt.Errorf("watcher: settle time of %v, at most %v: expected the first above 0 and the second not below it", quiet, ceiling)
		}
		c.quiet, c.ceiling = quiet, ceiling
		return nil
	}
}

// WithPoll sets the interval of looks where not every directory can be
// watched. The default is 1 s; a look at 1,000 small files takes some 20 ms.
func WithPoll(every time.Duration) Option {
	return func(c *config) error {
		c.poll = every
		return positive("poll", every)
	}
}

// WithRecheck sets the interval of looks that are taken although nothing was
// heard: network file systems do not tell what others change. The default is
// 10 s.
func WithRecheck(every time.Duration) Option {
	return func(c *config) error {
		c.recheck = every
		return positive("recheck", every)
	}
}

func positive(what string, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("watcher: %s interval of %v: expected more than 0", what, d)
	}
	return nil
}

// WithoutEvents makes the watcher poll and ask the system for no events.
func WithoutEvents() Option {
	return func(c *config) error {
		c.eventless = true
		return nil
	}
}

// WithObserver makes Run tell observe what happened. It is called by the
// goroutine of Run, which waits for it.
func WithObserver(observe func(Notice)) Option {
	return func(c *config) error {
		if observe == nil {
			return fmt.Errorf("watcher: no observer: leave the option out")
		}
		c.observe = observe
		return nil
	}
}
