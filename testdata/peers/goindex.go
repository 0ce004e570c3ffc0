package main

import (
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// index is what can be had: a probe or two for each kind of rule. Where
// several rules have the same key the strongest is kept.
type index struct {
	tools    map[string]*rule
	commands levels
	dirs     levels
	hosts    map[string]*rule
	domains  map[string]*rule
	contents literals
	texts    literals // in commands
}

// levels finds rules by the first words of a command or path.
type levels struct {
	rules map[string]*rule
	sep   byte
	deep  uint64 // bit n: some key has n words
}

func loadIndex(rules []rule) (decider, error) {
	x := &index{
		tools: map[string]*rule{}, hosts: map[string]*rule{}, domains: map[string]*rule{},
		commands: levels{map[string]*rule{}, ' ', 0}, dirs: levels{map[string]*rule{}, '/', 0},
	}
	for _, r := range strongestFirst(rules) {
		switch r.kind {
		case onName:
			add(x.tools, r.tool, &r)
		case onCommand:
			x.commands.add(&r)
		case onPath:
			x.dirs.add(&r)
		case onHost:
			add(x.hosts, r.text, &r)
		case onDomain:
			add(x.domains, r.text, &r)
		case onContent:
			x.contents.rules = append(x.contents.rules, r)
		case onCommandHas:
			x.texts.rules = append(x.texts.rules, r)
		}
	}
	x.contents.index()
	x.texts.index()
	return func(e *event) (engine.Verdict, error) { return x.decide(e), nil }, nil
}

func add(m map[string]*rule, key string, r *rule) {
	if m[key] == nil {
		m[key] = r
	}
}

func (x *index) decide(e *event) engine.Verdict {
	switch e.Tool {
	case "Bash":
		v := x.commands.find(e.Command)
		if v < engine.Deny && e.Mode != "plan" {
			v = max(v, x.texts.find(e.Command))
		}
		return v
	case "Edit":
		return x.dirs.find(e.Path)
	case "Write":
		return x.contents.find(e.Content)
	case "WebFetch":
		return x.fetch(e.host())
	}
	return verdictOf(x.tools[e.Tool])
}

func (x *index) fetch(host string) engine.Verdict {
	v := verdictOf(x.hosts[host])
	for len(x.domains) > 0 {
		_, rest, ok := strings.Cut(host, ".")
		if !ok {
			break
		}
		host = rest
		v = max(v, verdictOf(x.domains[host]))
	}
	return v
}

func verdictOf(r *rule) engine.Verdict {
	if r == nil {
		return engine.None
	}
	return r.verdict
}

func (l *levels) add(r *rule) {
	add(l.rules, r.text, r)
	l.deep |= 1 << (1 + strings.Count(r.text, string(l.sep)))
}

// find tries each number of leading words that some rule has.
func (l *levels) find(text string) engine.Verdict {
	v, n := engine.None, 1
	for i := 0; i < len(text) && l.deep>>n != 0; i++ {
		if text[i] != l.sep {
			continue
		}
		if l.deep&(1<<n) != 0 {
			v = max(v, verdictOf(l.rules[text[:i]]))
		}
		n++
	}
	return v
}
