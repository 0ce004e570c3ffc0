package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/policytest"
)

// story plays it and returns what the screen shows.
func story(t *testing.T, args ...string) string {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := run(t.Context(), args, strings.NewReader(""), out, func(string) string { return "" }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var label = regexp.MustCompile(`(?m)^  ([A-Z]\w+)\b`)

// eventsIn lists the events that a screen shows, in order.
func eventsIn(screen string) []string {
	var list []string
	for _, m := range label.FindAllStringSubmatch(screen, -1) {
		if _, known := hook.Lookup(hook.EventName(m[1])); known {
			list = append(list, m[1])
		}
	}
	return list
}

// seed are the 20 events that Pawl was first asked for.
const seed = `PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionDenied SessionStart SessionEnd
Stop StopFailure Notification UserPromptSubmit PreCompact PostCompact ConfigChange InstructionsLoaded PostToolBatch
SubagentStart SubagentStop TaskCreated TaskCompleted`

// TestStory: the example plays to its end, always alike, and every event
// occurs in its place.
func TestStory(t *testing.T) {
	screen := story(t, "-width", "80")
	want, err := os.ReadFile("testdata/story.txt")
	if err != nil {
		t.Fatal(err)
	}
	if screen != string(want) {
		t.Errorf("testdata/story.txt is not what the agent shows now; if that is meant: go run . -width 80 > testdata/story.txt\n%s", screen)
	}
	events := eventsIn(screen)
	names := strings.Fields(seed)
	if len(names) != 20 {
		t.Fatalf("%d names", len(names))
	}
	for _, name := range names {
		if !slices.Contains(events, name) {
			t.Errorf("%s does not occur", name)
		}
	}
	if events[0] != "SessionStart" || events[1] != "InstructionsLoaded" || events[len(events)-1] != "SessionEnd" {
		t.Errorf("begins with %v, ends with %s", events[:2], events[len(events)-1])
	}
	inOrder(t, events)
}

// inOrder checks what each event must come after.
func inOrder(t *testing.T, events []string) {
	t.Helper()
	after := map[string][]string{ // one of them is the event before
		"PostToolBatch":      {"PostToolUse", "PostToolUseFailure", "PermissionDenied"},
		"PermissionRequest":  {"PreToolUse"},
		"Notification":       {"PermissionRequest"},
		"PermissionDenied":   {"PreToolUse", "Notification"},
		"PostToolUseFailure": {"PreToolUse", "PermissionRequest", "Notification"},
		"PostCompact":        {"PreCompact"},
		"ConfigChange":       {"Stop", "ConfigChange"},
		"SubagentStart":      {"PreToolUse", "SubagentStop"},
		"TaskCreated":        {"PreToolUse", "TaskCompleted"},
	}
	open := map[string]int{}
	for i, name := range events {
		if before, ok := after[name]; ok && (i == 0 || !slices.Contains(before, events[i-1])) {
			t.Errorf("event %d: %s comes after %s", i, name, events[max(0, i-1)])
		}
		switch name {
		case "TaskCreated", "SubagentStart":
			open[name]++
		case "SubagentStop", "TaskCompleted":
			if begin := map[string]string{"SubagentStop": "SubagentStart", "TaskCompleted": "TaskCreated"}[name]; open[begin] == 0 {
				t.Errorf("event %d: %s before any %s", i, name, begin)
			}
		}
	}
}

// TestPolicyIsClean: nothing is odd in the policy that the example shows.
func TestPolicyIsClean(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("workspace")); err != nil {
		t.Fatal(err)
	}
	eng, err := engine.Open(t.Context(), dir, engine.WithHome(dir), engine.WithManaged(filepath.Join(dir, "none")), engine.WithTrust(func(string) bool { return true }))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(eng.Diagnostics(), eng.Lint()...) {
		t.Error(d)
	}
}

// TestPolicyTests: what the policy is meant to say to tasks and subagents.
func TestPolicyTests(t *testing.T) {
	report, err := policytest.Run(t.Context(), []string{"workspace/pawl_test.yaml"}, policytest.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range report.Results {
		if res.Status != policytest.Passed {
			t.Errorf("%s:%d: %s", res.File, res.Line, strings.Join(res.Problems, "\n"))
		}
	}
	for _, u := range report.Coverage.Unreached {
		if strings.HasPrefix(u.ID, "tasks") || strings.HasPrefix(u.ID, "subagents") {
			t.Errorf("%s: no test reaches %s", u.Pos, u.ID)
		}
	}
}

// TestPersonSaysYes: what a person allows is done.
func TestPersonSaysYes(t *testing.T) {
	screen := story(t, "-width", "100", "-ask", "yes")
	if !strings.Contains(screen, "PostToolUseFailure WebFetch https://prices.example/") {
		t.Errorf("the page that a person allowed was not fetched:\n%s", screen)
	}
}

// TestScreen: lines keep to the width, colours add nothing but colours, and
// nothing steers the terminal.
func TestScreen(t *testing.T) {
	plain := story(t, "-width", "40")
	for line := range strings.Lines(plain) {
		if n := cells(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if strings.Contains(plain, "\n\n    ") {
		t.Errorf("an empty line below a label:\n%s", plain)
	}
	colour := regexp.MustCompile("\x1b\\[[0-9;]*m")
	painted := story(t, "-width", "40", "-colour", "always")
	if !colour.MatchString(painted) || colour.ReplaceAllString(painted, "") != plain {
		t.Errorf("without its colours, the painted screen is another:\n%s", painted)
	}
	var out strings.Builder
	s := &Screen{Out: &out, Width: 80}
	s.Say("main", "a\x1b[2Jb\nc\u202ed")
	if got := out.String(); got != "  main               a [2Jb c d\n" {
		t.Errorf("%q", got)
	}
}

// TestEndpoint: a model behind HTTP is asked as the protocol wants, its calls
// go through the policy, and a busy one is asked again where a hook says so.
func TestEndpoint(t *testing.T) {
	replies := []string{
		"", // busy
		`{"choices":[{"message":{"content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"rm -rf x\"}"}}]}}]}`,
		`{"choices":[{"message":{"content":"I may not."}}]}`,
	}
	var asked []map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("%s, %v: %v", r.URL, r.Header, err)
		}
		reply := replies[len(asked)]
		asked = append(asked, body)
		if reply == "" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, reply)
	}))
	defer server.Close()
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	policy := "rules:\n  - {on: PreToolUse, match: Bash(rm *), decision: deny, reason: use trash-put}\n" +
		"hooks: {StopFailure: [{matcher: overloaded, hooks: [{type: lua, lua: return retry()}]}]}\n"
	if err := os.WriteFile(filepath.Join(dir, "pawl.yaml"), []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	env := func(name string) string { return map[string]string{"AGENT_API_KEY": "key"}[name] }
	args := []string{"-model", "m", "-endpoint", server.URL + "/v1/", "-dir", dir, "-trust", "clean", "up"}
	if err := run(t.Context(), args, strings.NewReader(""), out, env); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 3 {
		t.Fatalf("asked %d times", len(asked))
	}
	messages := asked[2]["messages"].([]any)
	last := messages[len(messages)-1].(map[string]any)
	if last["role"] != "tool" || last["tool_call_id"] != "c1" || last["content"] != "denied: use trash-put" {
		t.Errorf("the model is told %v", last)
	}
	if tools := asked[0]["tools"].([]any); len(tools) != 7 {
		t.Errorf("%d tools", len(tools))
	}
}

// TestEndpointErrors: what an endpoint says wrong is an error that says so.
func TestEndpointErrors(t *testing.T) {
	for body, want := range map[string]string{"{": "the answer of the model: ", `{"choices":[]}`: "has no choices", "401": "401 Unauthorized"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if body == "401" {
				w.WriteHeader(http.StatusUnauthorized)
			}
			fmt.Fprint(w, body)
		}))
		_, err := (&Chat{URL: server.URL, Name: "m", Client: server.Client()}).Next(t.Context(), Request{})
		server.Close()
		if err == nil || !strings.Contains(err.Error(), want) || errors.As(err, new(*Overloaded)) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

// TestConsole: only a y is a yes; the end of the input is a no.
func TestConsole(t *testing.T) {
	var out strings.Builder
	person, err := asked("console", &Screen{Out: &out, Width: 80}, bufio.NewScanner(strings.NewReader("y\nn\n\nYes\n")))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false, true, false} {
		if got := person("Bash ls?"); got != want {
			t.Errorf("answer %d: %t", i, got)
		}
	}
	if _, err := asked("maybe", nil, nil); err == nil {
		t.Error("-ask maybe is taken")
	}
}
