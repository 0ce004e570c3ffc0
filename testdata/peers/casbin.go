package main

import (
	"fmt"
	"strconv"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"github.com/pawl-dev/pawl/engine"
)

const casbinModel = `
[request_definition]
r = tool, ev

[policy_definition]
p = tool, kind, text, verdict

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = r.tool == p.tool && fits(r.ev, p.kind, p.text)
`

// loadCasbin holds the rules as policy lines, strongest first: the first line
// that fits ends the search, and its last column is the verdict. What a kind
// of rule means is a Go function, as casbin's own keyMatch is.
func loadCasbin(rules []rule) (decider, error) {
	m, err := model.NewModelFromString(casbinModel)
	if err != nil {
		return nil, err
	}
	e, err := casbin.NewEnforcer(m)
	if err != nil {
		return nil, err
	}
	e.AddFunction("fits", casbinFits)
	rules = strongestFirst(rules)
	lines := make([][]string, len(rules))
	for i, r := range rules {
		lines[i] = []string{r.tool, strconv.Itoa(int(r.kind)), r.text, r.verdict.String()}
	}
	if _, err := e.AddPolicies(lines); err != nil {
		return nil, err
	}
	return func(ev *event) (engine.Verdict, error) {
		ok, line, err := e.EnforceEx(ev.Tool, &casbinEvent{ev, ev.host()})
		if err != nil || !ok {
			return engine.None, err
		}
		return verdictNamed(line[len(line)-1])
	}, nil
}

// casbinEvent is an event with what is found of it once.
type casbinEvent struct {
	*event
	at string // host
}

func casbinFits(args ...any) (any, error) {
	ev, isEvent := args[0].(*casbinEvent)
	word, _ := args[1].(string)
	text, _ := args[2].(string)
	k, err := strconv.Atoi(word)
	if !isEvent || err != nil {
		return false, fmt.Errorf("casbin: unexpected arguments %v", args)
	}
	r := rule{kind: kind(k), tool: ev.Tool, text: text}
	return r.fits(ev.event, ev.at), nil
}
