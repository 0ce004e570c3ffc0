package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/action/agent"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/enginetest"
	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a model that gives one reply after the other, the last one again
// and again, and remembers what it was asked.
type script struct {
	replies []hook.Reply
	mu      sync.Mutex
	asked   []hook.Request
}

func (s *script) Complete(ctx context.Context, r hook.Request) (hook.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Turns = slices.Clone(r.Turns)
	s.asked = append(s.asked, r)
	if ctx.Err() != nil {
		return hook.Reply{}, hook.OutOfTime(ctx, time.Now())
	}
	return s.replies[min(len(s.asked), len(s.replies))-1], nil
}

func says(text string) hook.Reply {
	return hook.Reply{Turn: hook.Turn{Text: text}, End: hook.EndDone, Usage: hook.Usage{In: 100, Out: 10}}
}

// calls is a turn with calls: tool, input, …
func calls(t *testing.T, pairs ...string) hook.Reply {
	t.Helper()
	r := hook.Reply{End: hook.EndTools, Usage: hook.Usage{In: 100, Out: 10}}
	for i := 0; i < len(pairs); i += 2 {
		input, err := answer.Payload([]byte(pairs[i+1]))
		if err != nil && pairs[i+1] != "" {
			t.Fatal(err)
		}
		r.Calls = append(r.Calls, hook.ToolCall{ID: fmt.Sprintf("c%d", i/2), Name: pairs[i], Input: input})
	}
	return r
}

func entry(pairs ...any) hook.Spec {
	s := hook.Spec{ID: "hooks.Stop[0].hooks[0]", Event: hook.Stop, Type: "agent"}
	for i := 0; i < len(pairs); i += 2 {
		s.Fields = append(s.Fields, hook.Field{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	return s
}

func run(t *testing.T, m hook.Model, opts agent.Options, deps hook.Deps, pairs ...any) (hook.Result, error) {
	t.Helper()
	deps.Models = map[string]hook.Model{"default": m}
	spec := entry(append([]any{"prompt", "Do the tests pass?"}, pairs...)...)
	a, diags := agent.Type(opts).New(spec, deps)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	c := hook.Call{Facts: hook.NewFacts(hook.Event{Name: hook.Stop, Session: "s"}, &hook.Finder{}), Hook: &spec, Matched: hook.Match{Tri: hook.Yes}}
	return a.Run(t.Context(), c)
}

func TestConformance(t *testing.T) {
	for name, replies := range map[string][]hook.Reply{
		"approves": {says(`{"ok":true}`)},
		"looks":    {calls(t, "glob", `{"pattern":"*"}`), says(`{"ok":false,"reason":"x"}`)},
		"for ever": {calls(t, "glob", `{"pattern":"*"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			enginetest.TestAction(t, func() hook.Action {
				deps := hook.Deps{Root: root, Models: map[string]hook.Model{"default": &script{replies: replies}}}
				a, _ := agent.Type(agent.Options{}).New(entry("prompt", "fine?"), deps)
				return a
			})
		})
	}
}

// echo is a tool of the host.
func echo(used *[]string) agent.Tool {
	return agent.Tool{ToolSpec: hook.ToolSpec{Name: "echo", About: "repeats", Schema: []byte(`{"type":"object"}`)},
		Run: func(_ context.Context, u agent.Use) (string, error) {
			text := u.Input.Text("text")
			*used = append(*used, u.Call.Facts.Event.Session+" "+text)
			if text == "fail" {
				return "", errors.New("it failed")
			}
			return text, nil
		}}
}

// A run is a conversation: what the model calls is run, and it hears what came
// of each call.
func TestConversation(t *testing.T) {
	var used []string
	m := &script{replies: []hook.Reply{
		calls(t, "echo", `{"text":"one"}`, "echo", `{"text":"fail"}`, "none", `{}`, "echo", ""),
		calls(t, "echo", `{"text":"`+strings.Repeat("x", 20<<10)+`"}`),
		says(`{"decision":"block","reason":"tests fail"}`),
	}}
	res, err := run(t, m, agent.Options{Tools: []agent.Tool{echo(&used)}}, hook.Deps{})
	if err != nil || res.Verdict != hook.Deny || res.Reason != "tests fail" || res.Halt {
		t.Errorf("got %+v, %v", res, err)
	}
	if cost := res.Diagnostics[0].Message; cost != "model default: 3 turns, 300 tokens in, 30 out" {
		t.Errorf("cost %q", cost)
	}
	if len(used) != 3 || used[0] != "s one" {
		t.Errorf("used %.100q", used)
	}
	first, last := m.asked[0], m.asked[2]
	if len(first.Turns) != 1 || len(last.Turns) != 5 || len(first.Tools) != 1 || !strings.Contains(first.System, "tools to look things up") {
		t.Fatalf("asked %+v", m.asked)
	}
	if got := last.Turns[1].Calls; len(got) != 4 {
		t.Errorf("the model's own turn: %+v", got)
	}
	var told []string
	for _, r := range last.Turns[2].Results {
		told = append(told, fmt.Sprintf("%s %s %v", r.ID, r.Text, r.Failed))
	}
	want := []string{"c0 one false", "c1 it failed true", `c2 there is no tool "none" true`, "c3 the input of echo is not a JSON object true"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if long := last.Turns[4].Results[0].Text; len(long) != 16<<10 || !strings.HasSuffix(long, "[cut: the rest is not shown]") {
		t.Errorf("a result of %d bytes: …%s", len(long), long[max(0, len(long)-40):])
	}
}

// The limits hold whatever the model wants.
func TestLimits(t *testing.T) {
	var used []string
	opts := agent.Options{Tools: []agent.Tool{echo(&used)}}
	more := calls(t, "echo", `{"text":"x"}`)
	uncounted := calls(t, "echo", `{"text":"`+strings.Repeat("y", 8000)+`"}`)
	uncounted.Usage = hook.Usage{}
	for name, tt := range map[string]struct {
		replies []hook.Reply
		fields  []any
		turns   int
		fault   string // "" is an answer
		blocks  bool
	}{
		"8 turns":                     {[]hook.Reply{more}, nil, 8, "no answer within 8 turns", false},
		"3 turns":                     {[]hook.Reply{more}, []any{"maxTurns", 3}, 3, "no answer within 3 turns", false},
		"echo-agent's name of it":     {[]hook.Reply{more}, []any{"max_iterations", 2, "name", "checker"}, 2, "no answer within 2 turns", false},
		"answers with the last":       {[]hook.Reply{more, more, says(`{"ok":true}`)}, []any{"maxTurns", 3}, 3, "", false},
		"tokens as counted":           {[]hook.Reply{more}, []any{"tokenBudget", 1000}, 6, "the tokenBudget of 1000 is used up: 660 after 6 turns", false},
		"tokens as estimated":         {[]hook.Reply{uncounted}, []any{"tokenBudget", 6000}, 1, "the tokenBudget of 6000 is used up", false},
		"a question that is too much": {[]hook.Reply{more}, []any{"tokenBudget", 100}, 0, "too large for the tokenBudget of 100", true},
		"cut":                         {[]hook.Reply{{Turn: more.Turn, End: hook.EndCut}}, nil, 1, "was cut off", false},
		"refused":                     {[]hook.Reply{{Turn: hook.Turn{Text: "no"}, End: hook.EndRefused}}, nil, 1, "would not answer", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{replies: tt.replies}
			res, err := run(t, m, opts, hook.Deps{}, tt.fields...)
			n, failed := errors.AsType[*hook.NoVerdict](err)
			if failed != (tt.fault != "") || failed && (n.Blocks != tt.blocks || !strings.Contains(n.Error(), tt.fault)) {
				t.Errorf("got %v, want %q", err, tt.fault)
			}
			if len(m.asked) != tt.turns {
				t.Errorf("%d turns, want %d", len(m.asked), tt.turns)
			}
			s := "s"
			if tt.turns == 1 {
				s = ""
			}
			if tt.turns > 0 && !strings.Contains(res.Diagnostics[0].Message, fmt.Sprintf(": %d turn%s, ", tt.turns, s)) {
				t.Errorf("cost %v", res.Diagnostics)
			}
		})
	}
}

// Before its last turn the model hears that it is; with one turn alone there
// are no tools.
func TestLastTurn(t *testing.T) {
	var used []string
	opts := agent.Options{Tools: []agent.Tool{echo(&used)}}
	m := &script{replies: []hook.Reply{calls(t, "echo", `{}`), says(`{"ok":true}`)}}
	if _, err := run(t, m, opts, hook.Deps{}, "maxTurns", 2); err != nil || !strings.Contains(m.asked[1].Turns[2].Text, "answer now") {
		t.Errorf("asked %+v, %v", m.asked, err)
	}
	m = &script{replies: []hook.Reply{says(`{"ok":true}`)}}
	if _, err := run(t, m, opts, hook.Deps{}, "maxTurns", 1); err != nil || len(m.asked[0].Tools) > 0 {
		t.Errorf("asked %+v, %v", m.asked, err)
	}
}

// More calls in one turn than are run are told to be so.
func TestManyCalls(t *testing.T) {
	var used, pairs []string
	for range 10 {
		pairs = append(pairs, "echo", `{"text":"x"}`)
	}
	m := &script{replies: []hook.Reply{calls(t, pairs...), says(`{"ok":true}`)}}
	if _, err := run(t, m, agent.Options{Tools: []agent.Tool{echo(&used)}}, hook.Deps{}); err != nil {
		t.Fatal(err)
	}
	results := m.asked[1].Turns[2].Results
	if len(used) != 8 || len(results) != 10 || !results[9].Failed || results[7].Failed {
		t.Errorf("%d were run; results %+v", len(used), results)
	}
}

// A tool that hangs ends with the hook.
func TestDeadline(t *testing.T) {
	hang := agent.Tool{ToolSpec: hook.ToolSpec{Name: "hang"}, Run: func(ctx context.Context, _ agent.Use) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}
	m := &script{replies: []hook.Reply{calls(t, "hang", `{}`)}}
	spec := entry("prompt", "x")
	a, _ := agent.Type(agent.Options{Tools: []agent.Tool{hang}}).New(spec, hook.Deps{Models: map[string]hook.Model{"default": m}})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	c := hook.Call{Facts: hook.NewFacts(hook.Event{Name: hook.Stop}, &hook.Finder{}), Hook: &spec}
	res, err := a.Run(ctx, c)
	if n := hook.AsNoVerdict(err); n.Cause != hook.CauseTimeout || len(m.asked) != 1 || len(res.Diagnostics) != 1 {
		t.Errorf("got %+v, %v after %d turns", res, err, len(m.asked))
	}
}

func TestFields(t *testing.T) {
	for name, tt := range map[string]struct {
		fields []any
		want   string
		sev    hook.Severity
	}{
		"all":             {[]any{"prompt", "x", "model", "m", "tools", []any{"read"}, "maxTurns", 50, "tokenBudget", 1, "mayAllow", false}, "", 0},
		"echo-agent":      {[]any{"name", "checker", "task", "run the tests", "max_iterations", 3}, "", 0},
		"no text":         {[]any{"name", "checker"}, `missing "prompt"`, hook.Error},
		"empty task":      {[]any{"task", ""}, "empty", hook.Error},
		"too many turns":  {[]any{"prompt", "x", "maxTurns", 51}, "expected 1 to 50, got 51", hook.Error},
		"negative":        {[]any{"prompt", "x", "tokenBudget", -1}, "expected 1 to 20000000, got -1", hook.Error},
		"not a number":    {[]any{"prompt", "x", "maxTurns", "3"}, "expected a whole number", hook.Error},
		"no such tool":    {[]any{"prompt", "x", "tools", []any{"reed"}}, `there is no tool "reed"`, hook.Error},
		"continueOnBlock": {[]any{"prompt", "x", "continueOnBlock", true}, `unknown key "continueOnBlock"`, hook.Warning},
		"no such model":   {[]any{"prompt", "x", "model", "n"}, `there is no model "n"`, hook.Error},
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{}
			_, diags := agent.Type(agent.Options{}).New(entry(tt.fields...), hook.Deps{Models: map[string]hook.Model{"default": m, "m": m}})
			switch {
			case tt.want == "" && len(diags) > 0:
				t.Errorf("unexpected: %v", diags)
			case tt.want == "":
			case len(diags) != 1 || diags[0].Severity != tt.sev || !strings.Contains(diags[0].Message, tt.want):
				t.Errorf("got %v, want %q", diags, tt.want)
			}
		})
	}
}
