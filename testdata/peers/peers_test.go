package main

import (
	"fmt"
	"slices"
	"testing"
)

// TestSameVerdicts: nothing is timed before all agree on everything.
func TestSameVerdicts(t *testing.T) {
	for _, n := range sizes {
		rules := newPolicy(n)
		events := newEvents(rules, tryEvents)
		want, err := verdicts(rules, events)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range peers() {
			if !p.takes(n) {
				continue
			}
			t.Run(fmt.Sprintf("%d/%s", n, p.name), func(t *testing.T) {
				d, err := p.load(rules)
				if err != nil {
					t.Fatal(err)
				}
				if err := agree(p.name, d, events, want); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestEveryRuleCounts: an engine that forgets any one rule is found out.
func TestEveryRuleCounts(t *testing.T) {
	rules := newPolicy(2 * len(mix))
	events := newEvents(rules, tryEvents)
	want, err := verdicts(rules, events)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rules {
		for _, load := range []func([]rule) (decider, error){loadLoop, loadIndex} {
			d, err := load(slices.Delete(slices.Clone(rules), i, i+1))
			if err != nil {
				t.Fatal(err)
			}
			if agree("the forgetful", d, events, want) == nil {
				t.Errorf("no event needs rule %s about %s %s", r.id, r.tool, r.text)
			}
		}
	}
}

// BenchmarkDecide is for profiles of one engine; the table compares them.
func BenchmarkDecide(b *testing.B) {
	for _, n := range sizes {
		rules := newPolicy(n)
		events := newEvents(rules, tryEvents)
		for _, p := range peers() {
			if !p.takes(n) {
				continue
			}
			b.Run(fmt.Sprintf("%d/%s", n, p.name), func(b *testing.B) {
				d, err := p.load(rules)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, err := d(&events[i%len(events)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
