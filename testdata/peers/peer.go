package main

import "github.com/pawl-dev/pawl/engine"

// decider is an engine with a policy loaded. The op that is timed is one
// call: whatever the engine needs the event to become happens inside. It is
// used by one goroutine at a time.
type decider func(*event) (engine.Verdict, error)

// peer is one engine.
type peer struct {
	name string
	most int // rules it is compared with at most, 0: no bound; beyond it takes too long
	load func([]rule) (decider, error)
}

// The names by which tables find their rows.
const (
	pawlName  = "Pawl"
	readyName = "Pawl, event ready"
	indexName = "Go index, by hand"
	opaName   = "OPA"
	cedarName = "cedar-go"
)

// peers are all engines. The first is the reference for verdicts: it is the
// plainest reading of a rule.
func peers() []peer {
	return []peer{
		{name: "Go loop, by hand", load: loadLoop},
		{name: indexName, load: loadIndex},
		{name: pawlName, load: loadPawl},
		{name: readyName, load: loadReady},
		{name: opaName, load: loadOPA},
		{name: cedarName, most: 1000, load: loadCedar},
		{name: "cel-go", most: 1000, load: loadCEL},
		{name: "casbin", most: 1000, load: loadCasbin},
		{name: "expr", most: 1000, load: loadExpr},
	}
}

func (p *peer) takes(n int) bool { return p.most == 0 || n <= p.most }
