package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// script is a model that says what it was told to, to each agent its own.
type script struct {
	mu    sync.Mutex
	lines map[string][]func() (Reply, error)
}

// Next says the next line of the agent.
func (s *script) Next(_ context.Context, r Request) (Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines[r.Agent]
	if len(lines) == 0 {
		return Reply{}, fmt.Errorf("the script has no line left for %s", r.Agent)
	}
	s.lines[r.Agent] = lines[1:]
	return lines[0]()
}

func say(text string) func() (Reply, error) {
	return func() (Reply, error) { return Reply{Text: text}, nil }
}

func breaks(err error) func() (Reply, error) {
	return func() (Reply, error) { return Reply{}, err }
}

// use calls tools: a name and its input, in turn.
func use(text string, calls ...any) func() (Reply, error) {
	return func() (Reply, error) {
		r := Reply{Text: text}
		for i := 0; i < len(calls); i += 2 {
			input, err := json.Marshal(calls[i+1])
			if err != nil {
				return Reply{}, err
			}
			r.Calls = append(r.Calls, ToolCall{ID: fmt.Sprintf("call-%d", i/2+1), Name: calls[i].(string), Input: input})
		}
		return r, nil
	}
}

type in map[string]string

func newScript() *script {
	busy := &Overloaded{errors.New("529")}
	return &script{lines: map[string][]func() (Reply, error){
		"main": {
			use("I look at it first.", "Read", in{"file_path": "cart.txt"}, "WebFetch", in{"url": "https://rounding.example/"}),
			use("", "Bash", in{"command": "rm -f cart.bak"}, "Edit", in{"file_path": "cart.txt", "old_string": "total 1.999", "new_string": "total 2.00"}),
			use("", "Edit", in{"file_path": "cart.txt", "old_string": "total  1.999", "new_string": "total  2.00"}),
			say("It is rounded now."),
			use("I test it.", "Bash", in{"command": "npm test"}),
			say("It is rounded, and tested."),

			use("", "Bash", in{"command": "git push --force origin main"}, "WebFetch", in{"url": "https://prices.example/"}),
			use("", "Bash", in{"command": "cd .. && sudo rm -rf workspace"}, "Write", in{"file_path": "NOTES.md", "content": "The total is rounded."}),
			say("I may not push; the rest is done."),

			breaks(busy),
			use("I make a plan.", "Plan", in{"tasks": "prices: fetch the prices\nsums: sum up the cart < prices\nship: publish the cart < sums\ntell: tell the team < ship"}),
			use("", "Agent", in{"subagent_type": "scout", "prompt": "review the cart"}),
			say("All is done, and reviewed."),
		},
		"task prices": {breaks(errors.New("connection reset")), say("apple 0.333, pear 0.5")},
		"task sums":   {say("2.00"), say("2.00, rounded half up")},
		"task ship":   {breaks(errors.New("the registry is down"))},
		"task tell":   {say("told")},
		"scout":       {breaks(errors.New("lost the way")), breaks(errors.New("lost it again"))},
		"reviewer":    {use("", "Bash", in{"command": "cat cart.txt"}), say("the total is right"), say("cart.txt: the total is right")},
	}}
}
