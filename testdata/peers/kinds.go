package main

import (
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// The two policies of the table by kind of event.
const (
	fewRules  = 10
	manyRules = 1000
)

// The rows of that table. All but the last are of events that match nothing.
const (
	unnamed  = "a tool that no rule names"
	noMatch  = "all without a match"
	matching = "all with a match"
)

var kindsOfEvents = []string{unnamed, "Bash", "Edit", "Write", "WebFetch", "MCP", noMatch, matching}

// kindRow is the cost of one kind of event.
type kindRow struct {
	kind              string
	few, pawl, byHand result // Pawl with few and with many rules, the index with many
}

// perKind times Dispatch and the index on one kind of event at a time.
func perKind(rounds int) ([]kindRow, error) {
	var tracks []*track
	for _, c := range []struct {
		n    int
		name string
		load func([]rule) (decider, error)
	}{{fewRules, readyName, loadReady}, {manyRules, readyName, loadReady}, {manyRules, indexName, loadIndex}} {
		rules := newPolicy(c.n)
		d, err := c.load(rules)
		if err != nil {
			return nil, err
		}
		groups, err := byKind(rules, newEvents(rules, tryEvents))
		if err != nil {
			return nil, err
		}
		for _, kind := range kindsOfEvents {
			tracks = append(tracks, newTrack(c.name, d, groups[kind], 1))
		}
	}
	if err := interleave(tracks, rounds); err != nil {
		return nil, err
	}
	rows := make([]kindRow, len(kindsOfEvents))
	for i, kind := range kindsOfEvents {
		n := len(kindsOfEvents)
		rows[i] = kindRow{kind, tracks[i].result(fewRules), tracks[n+i].result(manyRules), tracks[2*n+i].result(manyRules)}
	}
	return rows, nil
}

func byKind(rules []rule, events []event) (map[string][]event, error) {
	want, err := verdicts(rules, events)
	if err != nil {
		return nil, err
	}
	idle := event{Tool: "TodoWrite", Mode: "default"}
	idle.ready = pawlEvent(&idle)
	groups := map[string][]event{unnamed: {idle}}
	add := func(kind string, e event) { groups[kind] = append(groups[kind], e) }
	for i, e := range events {
		kind := e.Tool
		if strings.HasPrefix(kind, "mcp__") {
			kind = "MCP"
		}
		if want[i] != engine.None {
			add(matching, e)
			continue
		}
		add(kind, e)
		add(noMatch, e)
	}
	return groups, nil
}
