package main

import (
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// loadLoop is what a programmer writes first: a loop over the rules.
func loadLoop(rules []rule) (decider, error) {
	rules = strongestFirst(rules)
	return func(e *event) (engine.Verdict, error) {
		host := e.host()
		for i := range rules {
			if rules[i].fits(e, host) {
				return rules[i].verdict, nil
			}
		}
		return engine.None, nil
	}, nil
}

// fits is the meaning of a rule.
func (r *rule) fits(e *event, host string) bool {
	if r.tool != e.Tool {
		return false
	}
	switch r.kind {
	case onCommand:
		return under(e.Command, r.text, ' ')
	case onPath:
		return under(e.Path, r.text, '/')
	case onHost:
		return host == r.text
	case onDomain:
		n := len(host) - len(r.text) - 1
		return n > 0 && host[n] == '.' && host[n+1:] == r.text
	case onContent:
		return strings.Contains(e.Content, r.text)
	case onCommandHas:
		return e.Mode != "plan" && strings.Contains(e.Command, r.text)
	}
	return true
}

// under reports whether text goes on after head with sep.
func under(text, head string, sep byte) bool {
	return len(text) > len(head) && text[len(head)] == sep && text[:len(head)] == head
}
