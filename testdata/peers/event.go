package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// event is one call of a tool: what a host has in its hands.
type event struct {
	Tool, Command, Path, URL, Content, Mode string

	ready engine.Event // the same as Pawl's own type
}

// host is the host of the URL; the URLs here have neither user nor port.
func (e *event) host() string {
	_, rest, _ := strings.Cut(e.URL, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// block is how many events make one representative mix, two of which match.
const block = 20

// stream makes deterministic events.
type stream struct {
	rng   *rand.Rand
	rules []rule
}

// newEvents makes n events, a multiple of block. Nine of ten match no rule,
// and half of these nearly do.
func newEvents(rules []rule, n int) []event {
	s := &stream{rand.New(rand.NewPCG(1, uint64(len(rules)))), rules}
	events := make([]event, 0, n)
	for len(events) < n {
		mixed := []event{s.hit(), s.hit()}
		for len(mixed) < block {
			mixed = append(mixed, s.miss(len(mixed)))
		}
		s.rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		events = append(events, mixed...)
	}
	for i := range events {
		events[i].ready = pawlEvent(&events[i])
	}
	return events
}

func (s *stream) pick() *rule { return &s.rules[s.rng.IntN(len(s.rules))] }

// hit makes an event for one rule, or for two.
func (s *stream) hit() event {
	r := s.pick()
	e := event{Tool: r.tool, Mode: "default"}
	switch r.kind {
	case onName:
	case onCommand:
		e.Command = r.text + " now"
		if more := s.pick(); more.kind == onCommandHas {
			e.Command += " " + more.text
		}
	case onPath:
		e.Path = r.text + fmt.Sprintf("/x%d/main.yaml", s.rng.IntN(1000))
	case onHost:
		e.URL = "https://" + r.text + "/v1/items"
	case onDomain:
		e.URL = "https://cdn." + r.text + "/v1/items"
	case onContent:
		e.Path, e.Content = "/srv/out/notes.txt", s.prose()+r.text+"\n"+s.prose()
	case onCommandHas:
		e.Command = "ls -la " + r.text + "/logs"
	}
	return e
}

// miss makes an event that no rule is about; i chooses the tool.
func (s *stream) miss(i int) event {
	e := event{Mode: "default"}
	near := s.rng.IntN(2) == 0
	r := s.rng.IntN(10_000)
	switch i % 9 {
	case 0, 2, 4, 6:
		e.Tool, e.Command = "Bash", s.everyday(r)
		if near {
			e.Command, e.Mode = s.nearly(r)
		}
	case 1, 5:
		e.Tool, e.Path = "Edit", fmt.Sprintf("/srv/checkout/src/pkg%02d/file.go", r%100)
		if near {
			e.Path = fmt.Sprintf("/srv/app-%05d/conf.d/main.yaml", r)
		}
	case 3:
		e.Tool, e.Path, e.Content = "Write", "/srv/out/notes.txt", s.prose()
		if near {
			e.Content += "secret_key\n"
		}
	case 7:
		e.Tool, e.URL = "WebFetch", fmt.Sprintf("https://docs%02d.example.net/page/%d", r%100, r)
		if near {
			e.URL = fmt.Sprintf("https://api.d%05d.example.com.example.net/v1", r)
		}
	case 8:
		e.Tool = fmt.Sprintf("mcp__srv%05d__get", r)
	}
	return e
}

// everyday is a command that agents run all day.
func (s *stream) everyday(r int) string {
	texts := []string{
		"ls -la src/pkg%02d", "git status --short lib%02d", "git diff HEAD lib%02d", "cat docs/page%02d.md", "grep -rn handler src/pkg%02d",
		"docker ps -n %02d", "kubectl get pods -l app=web%02d", "mkdir -p out/pkg%02d", "wc -l src/pkg%02d/main.go", "head -n %02d README.md",
	}
	return fmt.Sprintf(texts[s.rng.IntN(len(texts))], r%100)
}

// nearly is a command that a rule is almost about.
func (s *stream) nearly(r int) (command, mode string) {
	switch s.rng.IntN(3) {
	case 0:
		return fmt.Sprintf("%s app-%05dx now", programs[r%len(programs)], r), "default"
	case 1:
		return fmt.Sprintf("%s other-%05d", programs[r%len(programs)], r), "default"
	}
	return fmt.Sprintf("ls -la prod-%05d/logs", r), "plan"
}

// prose is 50 to 500 bytes of text without a secret.
func (s *stream) prose() string {
	words := strings.Fields("the handler reads its config once and keeps a copy of every key that tests need later on")
	var b strings.Builder
	for size := 50 + s.rng.IntN(450); b.Len() < size; {
		b.WriteString(words[s.rng.IntN(len(words))])
		b.WriteString([]string{" ", " ", " ", "\n"}[s.rng.IntN(4)])
	}
	return b.String()
}
