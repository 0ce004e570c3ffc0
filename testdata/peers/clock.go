package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/engine"
)

const (
	sample    = 6 * time.Millisecond // aimed at, for one sample of one track
	tryEvents = 1000                 // of a comparison
)

// track is something that is timed beside others. Run does op number i.
type track struct {
	name    string
	run     func(i int) error
	step    int // ops come in whole multiples of it
	ops     int // in one sample
	at      int
	samples []time.Duration
	allocs  float64 // of one op
}

// interleave takes samples of all tracks in turn, so that whatever else the
// machine does touches them alike.
func interleave(tracks []*track, rounds int) error {
	for _, t := range tracks {
		if err := t.calibrate(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	for range rounds {
		for _, t := range tracks {
			d, err := t.take()
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			t.samples = append(t.samples, d)
		}
	}
	for _, t := range tracks {
		if err := t.countAllocs(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// calibrate finds how many ops make a sample.
func (t *track) calibrate() error {
	for t.ops = t.step; ; t.ops *= 2 {
		d, err := t.take()
		if err != nil || d >= sample/2 {
			return err
		}
	}
}

// take times one sample.
func (t *track) take() (time.Duration, error) {
	start := time.Now()
	for range t.ops {
		if err := t.run(t.at); err != nil {
			return 0, err
		}
		t.at++
	}
	return time.Since(start), nil
}

// countAllocs counts over as many ops as one sample has.
func (t *track) countAllocs() error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := t.take(); err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	t.allocs = float64(after.Mallocs-before.Mallocs) / float64(t.ops)
	return nil
}

// median is the nanoseconds of one op.
func (t *track) median() float64 {
	sorted := slices.Sorted(slices.Values(t.samples))
	return float64(sorted[len(sorted)/2]) / float64(t.ops)
}

// result is one cell of a table.
type result struct {
	name   string
	rules  int
	ns     float64
	allocs float64
	load   time.Duration
}

// newTrack times d on events, over and over.
func newTrack(name string, d decider, events []event, step int) *track {
	return &track{name: name, step: step, run: func(i int) error {
		_, err := d(&events[i%len(events)])
		return err
	}}
}

// compare loads n rules into every engine that takes so many, sees that all
// agree, and times them.
func compare(n, rounds int) ([]result, error) {
	rules := newPolicy(n)
	events := newEvents(rules, tryEvents)
	want, err := verdicts(rules, events)
	if err != nil {
		return nil, err
	}
	var tracks []*track
	var results []result
	for _, p := range peers() {
		if !p.takes(n) {
			continue
		}
		start := time.Now()
		d, err := p.load(rules)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		results = append(results, result{name: p.name, rules: n, load: time.Since(start)})
		if err := agree(p.name, d, events, want); err != nil {
			return nil, err
		}
		tracks = append(tracks, newTrack(p.name, d, events, block))
	}
	runtime.GC()
	if err := interleave(tracks, rounds); err != nil {
		return nil, err
	}
	for i, t := range tracks {
		results[i].ns, results[i].allocs = t.median(), t.allocs
	}
	return results, nil
}

// verdicts asks the plain loop, and checks that the stream is what it claims
// to be: two events of each block match, and a larger policy gives every
// verdict.
func verdicts(rules []rule, events []event) ([]engine.Verdict, error) {
	d, err := loadLoop(rules)
	if err != nil {
		return nil, err
	}
	want, hits := make([]engine.Verdict, len(events)), 0
	seen := map[engine.Verdict]bool{}
	for i := range events {
		if want[i], err = d(&events[i]); err != nil {
			return nil, err
		}
		if want[i] != engine.None {
			hits++
		}
		seen[want[i]] = true
	}
	if len(rules) >= len(mix) && len(seen) != 4 {
		return nil, fmt.Errorf("only the verdicts %v occur", seen)
	}
	if hits*block != 2*len(events) {
		return nil, fmt.Errorf("%d of %d events match, want 2 of %d", hits, len(events), block)
	}
	return want, nil
}

// agree reports the first event on which d differs.
func agree(name string, d decider, events []event, want []engine.Verdict) error {
	for i := range events {
		got, err := d(&events[i])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if got != want[i] {
			return fmt.Errorf("%s says %s, the loop %s, on %+v", name, got, want[i], events[i])
		}
	}
	return nil
}
