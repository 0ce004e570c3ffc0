package watcher

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// ear is a notifier that a test speaks for.
type ear struct {
	events chan fsnotify.Event
	errors chan error

	mu     sync.Mutex
	dirs   map[string]bool
	refuse func(dir string) error // what add answers; nil is always nil
	adding func(dir string)       // runs before a directory is added for the first time
}

func newEar() *ear {
	return &ear{events: make(chan fsnotify.Event), errors: make(chan error), dirs: map[string]bool{}}
}

func (e *ear) open() (notifier, error) {
	return notifier{e.add, e.remove, e.close, e.events, e.errors}, nil
}

func (e *ear) add(dir string) error {
	e.mu.Lock()
	refuse, adding, known := e.refuse, e.adding, e.dirs[dir]
	e.mu.Unlock()
	if refuse != nil {
		if err := refuse(dir); err != nil {
			return err
		}
	}
	if adding != nil && !known {
		adding(dir)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dirs[dir] = true
	return nil
}

func (e *ear) remove(dir string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.dirs, dir)
	return nil
}

// watched returns the directories that are watched, sorted.
func (e *ear) watched() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.dirs))
}

func (e *ear) close() error {
	close(e.errors)
	close(e.events)
	return nil
}

func (e *ear) hears(path string) { e.events <- fsnotify.Event{Name: path, Op: fsnotify.Write} }

func (e *ear) answer(refuse func(string) error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refuse = refuse
}

// from makes a Watcher listen to open.
func from(open func() (notifier, error)) Option {
	return func(c *config) error {
		c.open = open
		return nil
	}
}

// notices is an observer that keeps what it is told.
type notices chan Notice

func (n notices) option() Option { return WithObserver(func(x Notice) { n <- x }) }

// put writes in place or fails.
func put(t testing.TB, path, text string) {
	t.Helper()
	if err := write(path, text); err != nil {
		t.Fatal(err)
	}
}
