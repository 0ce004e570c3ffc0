package watcher

import (
	"context"
	"errors"
	"time"
)

// maxRounds is how often a look is repeated because it led to directories
// that were not watched when it began.
const maxRounds = 8

// look first watches, then looks, so that whatever changes later makes an
// event. At the end it watches the directories that the look led to.
func (r *run) look(ctx context.Context) *look {
	sources, dirs := r.target.Sources(), r.last.dirs
	for round := 1; ; round++ {
		state := r.arm(dirs)
		l := takeLook(ctx, sources)
		blind, again := reasons(l.dirs, state)
		if again && round < maxRounds && ctx.Err() == nil {
			dirs, r.settle.doubted = l.dirs, true
			continue
		}
		if r.feed != nil {
			r.feed.keep(l.dirs)
		}
		r.last, r.looked = l, time.Now()
		if ctx.Err() == nil {
			r.see(blind)
		}
		return l
	}
}

var errFast = errors.New("directories change faster than they can be watched")

// reasons returns why some of dirs is not watched, and whether to try again.
func reasons(dirs map[string]bool, state map[string]error) (blind error, again bool) {
	for dir := range dirs {
		err, ok := state[dir]
		if !ok {
			return errFast, true
		}
		if err != nil && (blind == nil || err.Error() < blind.Error()) {
			blind = err
		}
	}
	return blind, false
}

// arm watches dirs, if there are events to be had.
func (r *run) arm(dirs map[string]bool) map[string]error {
	var failed error
	if r.feed == nil && !r.eventless {
		n, err := r.open()
		if err == nil {
			r.feed = newFeed(n)
		}
		failed = err
	}
	if r.feed != nil {
		return r.feed.arm(dirs)
	}
	state := make(map[string]error, len(dirs))
	for dir := range dirs {
		state[dir] = failed
	}
	return state
}

// see notes whether all is watched, and says so when that changes.
func (r *run) see(blind error) {
	was := r.blind
	r.blind = blind
	switch {
	case was == nil && blind != nil:
		r.observe(Notice{Kind: Polling, Err: blind})
	case was != nil && blind == nil:
		r.observe(Notice{Kind: Watching})
	}
}
