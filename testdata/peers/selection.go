package main

import (
	"fmt"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// selectionTracks finds the rules that an event may be about, with Pawl's
// index and with the one made by hand, on events that match nothing. What is
// known of an event is known to both.
func selectionTracks() (mine, byHand *track, err error) {
	policy := newPolicy(manyRules)
	index, err := ruleIndex(policy)
	if err != nil {
		return nil, nil, err
	}
	decide, err := loadIndex(policy)
	if err != nil {
		return nil, nil, err
	}
	var events []event
	var facts []*hook.Facts
	for _, e := range newEvents(policy, tryEvents) {
		if v, err := decide(&e); err != nil || v != engine.None {
			continue
		}
		f := rules.Analyze(e.ready)
		f.Commands()
		f.Paths()
		f.Host()
		events, facts = append(events, e), append(facts, f)
	}
	var found []int32
	mine = &track{name: "selection", step: block, run: func(i int) error {
		found = index.Find(facts[i%len(facts)], found[:0])
		return nil
	}}
	return mine, newTrack(indexName, decide, events, block), nil
}

// ruleIndex makes the index that an engine has of the rules.
func ruleIndex(policy []rule) (*rules.Index, error) {
	keys := make([][]rules.Key, len(policy))
	for i := range policy {
		scope := rules.Scope{Event: hook.PreToolUse, Root: "/srv/checkout"}
		match, when := pawlMatch(&policy[i])
		pattern, diags := rules.Matcher(hook.Text{Value: match}, scope)
		if pattern == nil {
			return nil, fmt.Errorf("%s: %v", match, diags)
		}
		keys[i] = pattern.Keys()
		if when == "" {
			continue
		}
		cond, diags := rules.When(hook.Text{Value: when}, scope)
		if cond == nil {
			return nil, fmt.Errorf("%s: %v", when, diags)
		}
		keys[i] = rules.Narrow(keys[i], cond.Keys())
	}
	return rules.NewIndex(keys, nil), nil
}
