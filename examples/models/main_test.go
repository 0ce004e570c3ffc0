package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/model"
)

// answers is a model that knows the questions of the policy.
func answers(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct{ Content []map[string]any }
		Tools    []struct{ Name string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("X-Api-Key") != "secret" {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	question := fmt.Sprint(in.Messages[0].Content[0]["text"])
	say := func(block string) {
		fmt.Fprintf(w, `{"content":[%s],"stop_reason":"end_turn","usage":{"input_tokens":200,"output_tokens":20}}`, block)
	}
	answer := func(text string) {
		quoted, _ := json.Marshal(text)
		say(fmt.Sprintf(`{"type":"text","text":%s}`, quoted))
	}
	switch {
	case strings.Contains(question, "hunter2"):
		answer(`{"decision": "block", "reason": "a password; read it from the environment"}`)
	case len(in.Tools) == 0:
		answer(`{"decision": "approve"}`)
	case len(in.Messages) == 1:
		say(`{"type":"tool_use","id":"1","name":"grep","input":{"pattern":"dark mode","path":"."}}`)
	default:
		found := fmt.Sprint(in.Messages[2].Content[0]["content"])
		answer(fmt.Sprintf(`{"ok": false, "reason": "CHANGES.md is missing; dark mode is named in %s"}`, strings.SplitN(found, ":", 2)[0]))
	}
}

func TestDecide(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(answers))
	defer server.Close()
	clients := model.New(model.Options{})
	defer clients.Close(t.Context())
	lent, err := clients.Providers()["anthropic"](hook.ModelSpec{Name: "default", Model: "m", BaseURL: server.URL, KeyEnv: "KEY",
		Env: func(string) (string, bool) { return "secret", true }})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	events := []engine.Event{
		{Name: engine.PreToolUse, Tool: "Write", Input: engine.Input("file_path", "a.py", "content", `PASSWORD = "hunter2"`)},
		{Name: engine.PreToolUse, Tool: "Write", Input: engine.Input("file_path", "a.py", "content", `PASSWORD = os.environ["PASSWORD"]`)},
		{Name: engine.Stop, Message: "Added dark mode."},
	}
	if err := decide(t.Context(), &out, events, engine.WithModel("default", lent)); err != nil {
		t.Fatal(err)
	}
	want := `PreToolUse: deny a password; read it from the environment
  prompt ran: the tool is Write; model default: 1 turn, 200 tokens in, 20 out
PreToolUse: none` + " " + `
  prompt ran: the tool is Write; model default: 1 turn, 200 tokens in, 20 out
Stop: deny CHANGES.md is missing; dark mode is named in main.go
  agent ran: model default: 2 turns, 400 tokens in, 40 out
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
