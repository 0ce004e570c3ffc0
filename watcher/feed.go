package watcher

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// notifier tells what happens in directories, until it is closed.
type notifier struct {
	add, remove func(dir string) error
	close       func() error // closes the channels too
	events      <-chan fsnotify.Event
	errors      <-chan error
}

// system is the notifier of the operating system.
func system() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return notifier{}, err
	}
	return notifier{w.Add, w.Remove, w.Close, w.Events, w.Errors}, nil
}

// maxHints is how many names wait while the target reloads. When there are
// more, all sources are looked at.
const maxHints = 256

// feed hands on what a notifier tells. A goroutine of its own receives: fsnotify
// may wait for that with its lock held, which add, remove and close wait for.
type feed struct {
	notifier
	armed map[string]bool // what is watched

	hints chan string // names of what changed; "" is anything
	lost  atomic.Bool // a hint did not fit
	ended chan struct{}
}

func newFeed(n notifier) *feed {
	f := &feed{notifier: n, armed: map[string]bool{}, hints: make(chan string, maxHints), ended: make(chan struct{})}
	go f.pump()
	return f
}

// pump ends when the notifier is closed.
func (f *feed) pump() {
	defer close(f.ended)
	errs := f.errors
	for {
		select {
		case e, ok := <-f.events:
			if !ok {
				return
			}
			f.hint(e.Name)
		case _, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			// Events were lost (ErrEventOverflow), or it cannot be told which.
			f.hint("")
		}
	}
}

func (f *feed) hint(name string) {
	select {
	case f.hints <- name:
		return
	default:
		f.lost.Store(true)
	}
	select {
	case f.hints <- "": // the others may all have been taken by now
	default:
	}
}

// stop ends the watching and the goroutine.
func (f *feed) stop() {
	f.close()
	<-f.ended
}

// arm watches dirs, also those that it watches already: another directory may
// have taken the place of one. The errors are of those that cannot be watched;
// one that is not there any more is not in the map.
func (f *feed) arm(dirs map[string]bool) map[string]error {
	state := make(map[string]error, len(dirs))
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		err := f.add(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			delete(f.armed, dir)
			continue
		}
		f.armed[dir] = f.armed[dir] || err == nil
		if err != nil {
			err = fmt.Errorf("watch %s: %w", dir, err)
		}
		state[dir] = err
	}
	return state
}

// keep ends the watching of all but dirs.
func (f *feed) keep(dirs map[string]bool) {
	for dir := range f.armed {
		if !dirs[dir] {
			_ = f.remove(dir) // of one that is gone there is nothing to end
			delete(f.armed, dir)
		}
	}
}
