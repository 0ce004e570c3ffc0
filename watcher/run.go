package watcher

import (
	"context"
	"path/filepath"
	"slices"
	"time"
)

// run is one Run of a Watcher.
type run struct {
	config
	target target
	settle settle

	feed   *feed           // nil while there are no events
	last   *look           // the look taken last
	looked time.Time       // when that was
	seen   map[string]mark // what the sources looked like to the last Reload
	owed   []string        // changes that Reload has refused
	all    bool            // no Reload has looked at everything yet
	blind  error           // why some directory is not watched
}

func (r *run) close() {
	if r.feed != nil {
		r.feed.stop()
	}
}

// wait waits for what comes first: an event, the time to look, the end.
func (r *run) wait(ctx context.Context) {
	interval := r.recheck
	if r.eventless || r.blind != nil {
		interval = r.poll
	}
	timer := time.NewTimer(time.Until(r.settle.next(r.looked.Add(interval))))
	defer timer.Stop()
	var hints <-chan string
	if r.feed != nil {
		hints = r.feed.hints
	}
	select {
	case <-ctx.Done():
	case name := <-hints:
		r.hint(name)
	case <-timer.C:
		r.check(ctx)
	}
}

// hint notes that something happened at a path, and reports whether the path
// is known. An unknown one is looked at too, but with less haste: names of one
// file may differ (letter case, a directory mounted twice).
func (r *run) hint(name string) (known bool) {
	now, lost := time.Now(), name == "" || r.feed.lost.Swap(false)
	if !lost && !r.last.names[name] && !r.last.listed[filepath.Dir(name)] {
		r.settle.murmur(now)
		return false
	}
	r.settle.touch(now)
	r.settle.witnessed = true
	if lost || r.feed.armed[name] { // a directory that comes back is not watched yet
		r.settle.doubted = true
	}
	return true
}

// overheard notes the events that came during a look, and reports whether one
// was of a source.
func (r *run) overheard() (known bool) {
	for r.feed != nil {
		select {
		case name := <-r.feed.hints:
			known = r.hint(name) || known
		default:
			return known
		}
	}
	return known
}

// check looks, and reloads what has changed and settled.
func (r *run) check(ctx context.Context) {
	before := r.last
	l := r.look(ctx)
	changed := l.changed(r.seen)
	switch now := time.Now(); {
	case ctx.Err() != nil:
	case len(changed) == 0:
		r.settle.done()
	case r.settle.over(now), !r.overheard() && r.settled(before, l, changed):
		r.reload(ctx, l, changed)
	default:
		r.settle.touch(now)
	}
}

// settled reports whether nobody writes: no event came for a while, or, where
// that says too little, two looks found the same. And nothing that changed may
// look as if more was to come.
func (r *run) settled(before, l *look, changed []string) bool {
	heard := r.settle.witnessed && !r.settle.doubted && r.blind == nil
	if !heard && len(l.changed(before.marks)) > 0 {
		return false
	}
	return !slices.ContainsFunc(changed, func(s string) bool { return l.marks[s].unfinished(r.seen[s]) })
}

// reload has the target read what changed up to the look l.
func (r *run) reload(ctx context.Context, l *look, changed []string) {
	if ctx.Err() != nil {
		return
	}
	names := slices.Concat(changed, r.owed)
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { _, ok := l.marks[s]; return !ok })
	if r.all {
		names = nil
	}
	notice := Notice{Kind: Reloaded, Changed: slices.Clone(names)}
	notice.Err = r.target.Reload(ctx, names...)
	if ctx.Err() != nil {
		return
	}
	if notice.Err == nil {
		r.owed, r.all = nil, false
	} else {
		r.owed, notice.Kind = slices.Clone(notice.Changed), Refused
	}
	after := r.look(ctx)
	r.seen = l.since(after)
	r.observe(notice)
	r.settle.done()
	if len(after.changed(r.seen)) > 0 {
		r.settle.touch(time.Now())
	}
}
