package standard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/standard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is one of a conversation as the endpoint gets it.
type message struct {
	Role, Content string
}

// endpoint is a server of models, in the form of OpenAI's. answer says what
// the model says, as text or as a whole message.
func endpoint(t *testing.T, answer func([]message) string) (url string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Messages []message }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		text := answer(in.Messages)
		if text == "" { // a model that hangs
			<-r.Context().Done()
			return
		}
		if !strings.HasPrefix(text, `{"content"`) && !strings.HasPrefix(text, `{"tool_calls"`) {
			quoted, _ := json.Marshal(text)
			text = fmt.Sprintf(`{"content":%s}`, quoted)
		}
		fmt.Fprintf(w, `{"choices":[{"message":%s}],"usage":{"prompt_tokens":90,"completion_tokens":9}}`, text)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// declare is a models: section with one model at url.
func declare(url string) string {
	return fmt.Sprintf("models: {guard: {provider: openai, base_url: %q, model: small}}\n", url)
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// types is one option for all engines of the tests, as a resident program has it.
var types = sync.OnceValue(func() engine.Option { return standard.Types(standard.Options{}) })

// open makes an engine with all types and without any settings of this machine.
func open(t *testing.T, path string, opts ...engine.Option) *engine.Engine {
	t.Helper()
	all := []engine.Option{types(), engine.WithManaged(t.TempDir()), engine.WithHome(t.TempDir())}
	e, err := engine.Open(t.Context(), path, append(all, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

func write(path string) engine.Event {
	return engine.Event{Name: engine.PreToolUse, Tool: "Write", Input: engine.Input("file_path", path, "content", "x")}
}

func step(t *testing.T, dec engine.Decision, id string) engine.Step {
	t.Helper()
	i := slices.IndexFunc(dec.Steps, func(s engine.Step) bool { return s.Hook == id })
	if i < 0 {
		t.Fatalf("no step of %s in %+v", id, dec.Steps)
	}
	return dec.Steps[i]
}

// All types of Pawl are in the list.
func TestAllTypes(t *testing.T) {
	eng := open(t, put(t, filepath.Join(t.TempDir(), "pawl.yaml"), declare("http://localhost:1")+`
mcpServers: {s: {command: x}}
hooks:
  PreToolUse:
    - hooks:
        - {type: command, command: x}
        - {type: http, url: "http://localhost:1/"}
        - {type: mcp_tool, server: s, tool: x}
        - {type: prompt, prompt: x}
        - {type: prompt, prompt: $ARGUMENTS}
        - {type: agent, prompt: x}
        - {type: permission, decision: ask}
        - {type: expr, when: "true", decision: ask}
        - {type: lua, lua: return nil}
`))
	want := []time.Duration{10 * time.Second, 10 * time.Second, 10 * time.Second, 250 * time.Millisecond, 30 * time.Second, time.Minute}
	for i, h := range eng.Hooks() {
		if h.Spec.Broken != nil {
			t.Errorf("%s: %v", h.Spec.Type, h.Spec.Broken)
		}
		if i < len(want) && h.Spec.Timeout != want[i] {
			t.Errorf("%s has %v, want %v", h.Spec.Type, h.Spec.Timeout, want[i])
		}
	}
	if n := len(eng.Hooks()); n != 9 {
		t.Errorf("%d hooks", n)
	}
}

// The prompts of the second text, with a model that does as it is told.
func TestSeeds(t *testing.T) {
	judge := func(messages []message) string {
		question := messages[len(messages)-1].Content
		for part, reason := range map[string]string{"src/core/": "Core module changes require code review", ".production.": "Production config changes require approval"} {
			asks, event, _ := strings.Cut(question, "\nBEGIN event-")
			if strings.Contains(asks, strings.Trim(part, "/")) && strings.Contains(event, part) {
				return fmt.Sprintf(`{"decision": "block", "reason": %q}`, reason)
			}
		}
		return `{"decision": "approve"}`
	}
	models := put(t, filepath.Join(t.TempDir(), "models.yaml"), declare(endpoint(t, judge)))
	for _, tt := range []struct {
		file, path string
		want       engine.Verdict
		reason     string
	}{
		{"seed2-02-core-review.json", "/proj/src/core/a.go", engine.Deny, "Core module changes require code review"},
		{"seed2-02-core-review.json", "/proj/src/a.go", engine.None, ""},
		{"seed2-08-combined.json", "/proj/src/a.go", engine.None, ""},
		{"seed2-12-security-audit.json", "/proj/db.production.yaml", engine.Deny, "Production config changes require approval"},
		{"seed2-12-security-audit.json", "/proj/db.test.yaml", engine.None, ""},
	} {
		eng := open(t, filepath.Join("../../testdata/seeds", tt.file), engine.WithFiles(models))
		dec := eng.Dispatch(t.Context(), write(tt.path))
		if dec.Verdict != tt.want || dec.Verdict > engine.None && dec.Reason() != tt.reason || dec.Halted {
			t.Errorf("%s, %s: %v %q", tt.file, tt.path, dec.Verdict, dec.Reason())
		}
		asked := slices.ContainsFunc(dec.Steps, func(s engine.Step) bool {
			return s.Type == "prompt" && s.Status == hook.Ran && strings.Contains(s.Detail, "model guard: 1 turn, 90 tokens in, 9 out")
		})
		if !asked {
			t.Errorf("%s: the model was not asked, or the step does not tell: %+v", tt.file, dec.Steps)
		}
	}
}

// One type named prompt: a text that is added, or a question. The file's style
// and the entry's mode say which; a Claude-style block ends the turn.
func TestPromptModes(t *testing.T) {
	url := endpoint(t, func([]message) string { return `{"ok":false,"reason":"no"}` })
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".config/pawl/pawl.yaml"), declare(url))
	for _, tt := range []struct {
		file, text string
		want       engine.Verdict
		halted     bool
		context    string
	}{
		{"pawl.yaml", "{type: prompt, prompt: be careful}", engine.None, false, "be careful"},
		{"pawl.yaml", "{type: prompt, prompt: \"careful?\", mode: evaluate}", engine.Deny, false, ""},
		{"pawl.yaml", "{type: prompt, prompt: $ARGUMENTS}", engine.Deny, false, ""},
		{"pawl.yaml", "{type: prompt, prompt: $ARGUMENTS, mode: inject}", engine.None, false, "$ARGUMENTS"},
		{"pawl.yaml", "{type: prompt, prompt: $ARGUMENTS, continueOnBlock: false}", engine.Deny, true, ""},
		{".claude/settings.json", `{"type":"prompt","prompt":"careful?"}`, engine.Deny, true, ""},
		{".claude/settings.json", `{"type":"prompt","prompt":"careful?","continueOnBlock":true}`, engine.Deny, false, ""},
		{".claude/settings.json", `{"type":"prompt","prompt":"be careful","mode":"inject"}`, engine.None, false, "be careful"},
	} {
		work := t.TempDir()
		text := "hooks: {PreToolUse: [{hooks: [" + tt.text + "]}]}"
		if strings.HasSuffix(tt.file, ".json") {
			text = `{"hooks":{"PreToolUse":[{"hooks":[` + tt.text + `]}]}}`
		}
		put(t, filepath.Join(work, tt.file), text)
		eng := open(t, work, engine.WithHome(dir), engine.WithClaudeSettings(), engine.WithTrust(func(string) bool { return true }))
		dec := eng.Dispatch(t.Context(), write("/a"))
		if dec.Verdict != tt.want || dec.Halted != tt.halted || strings.Join(dec.Context, "") != tt.context {
			t.Errorf("%s %s: %v, halted %v, context %q", tt.file, tt.text, dec.Verdict, dec.Halted, dec.Context)
		}
	}
}

// In a workspace that nobody trusts no model is asked, and none that it
// declares is lent to the hooks of others.
func TestUntrusted(t *testing.T) {
	asked := make(chan bool, 1)
	url := endpoint(t, func([]message) string { asked <- true; return `{"ok":false}` })
	work, managed := t.TempDir(), t.TempDir()
	put(t, filepath.Join(work, "pawl.yaml"), declare(url)+"hooks: {PreToolUse: [{hooks: [{type: prompt, prompt: $ARGUMENTS}, {type: agent, prompt: x}]}]}")
	eng := open(t, work)
	dec := eng.Dispatch(t.Context(), write("/a"))
	for i := range 2 {
		if s := step(t, dec, fmt.Sprintf("hooks.PreToolUse[0].hooks[%d]", i)); s.Status != hook.Gated || !strings.Contains(s.Detail, "not trusted") {
			t.Errorf("%+v", s)
		}
	}
	put(t, filepath.Join(managed, "managed.yaml"), "hooks: {PreToolUse: [{hooks: [{type: prompt, prompt: $ARGUMENTS, model: guard}]}]}")
	eng, err := engine.Open(t.Context(), work, types(), engine.WithManaged(managed), engine.WithHome(t.TempDir()))
	if eng == nil || err == nil || !strings.Contains(err.Error(), "managed.yaml:1:73: hooks.PreToolUse[0].hooks[0].model: there is no model to ask") {
		t.Fatalf("opened with %v", err)
	}
	defer eng.Close(t.Context())
	if dec := eng.Dispatch(t.Context(), write("/a")); dec.Verdict != engine.Deny || len(asked) > 0 {
		t.Errorf("%v, asked %d times", dec.Verdict, len(asked))
	}
}

// A model that fails decides nothing, and says so, unless the entry blocks.
func TestFailures(t *testing.T) {
	hanging := endpoint(t, func([]message) string { return "" })
	babbling := endpoint(t, func([]message) string { return "I would rather not say." })
	for _, tt := range []struct {
		url, fields string
		want        engine.Verdict
		cause       hook.Cause
	}{
		{hanging, "timeout: 50ms", engine.None, hook.CauseTimeout},
		{hanging, "timeout: 50ms, onFailure: block", engine.Deny, hook.CauseTimeout},
		{babbling, "timeout: 10s", engine.None, hook.CauseAnswer},
		{babbling, "onFailure: block", engine.Deny, hook.CauseAnswer},
		{"http://127.0.0.1:1", "onFailure: block", engine.Deny, hook.CauseHTTP},
	} {
		for _, kind := range []string{"prompt", "agent"} {
			policy := declare(tt.url) + fmt.Sprintf("hooks: {PreToolUse: [{hooks: [{type: %s, prompt: $ARGUMENTS, %s}]}]}", kind, tt.fields)
			eng := open(t, put(t, filepath.Join(t.TempDir(), "pawl.yaml"), policy))
			dec := eng.Dispatch(t.Context(), write("/a"))
			s := step(t, dec, "hooks.PreToolUse[0].hooks[0]")
			if dec.Verdict != tt.want || s.Cause != tt.cause || !strings.Contains(s.Detail, "model guard: 1 turn, ") {
				t.Errorf("%s, %s: %v, %s: %s", kind, tt.fields, dec.Verdict, s.Cause, s.Detail)
			}
			if told := strings.Join(append(dec.Notices, dec.Reasons...), " "); !strings.Contains(told, "failed ("+string(tt.cause)+")") {
				t.Errorf("%s, %s: nobody is told: %q", kind, tt.fields, told)
			}
		}
	}
}

// Many sessions at once, and a model that hangs: each is decided in its time.
func TestHangingModel(t *testing.T) {
	url := endpoint(t, func([]message) string { return "" })
	policy := declare(url) + "hooks: {PreToolUse: [{hooks: [{type: prompt, prompt: $ARGUMENTS, timeout: 300ms, onFailure: block}]}]}"
	eng := open(t, put(t, filepath.Join(t.TempDir(), "pawl.yaml"), policy))
	var wg sync.WaitGroup
	decided := make([]engine.Decision, 200)
	for i := range decided {
		wg.Go(func() { decided[i] = eng.Dispatch(t.Context(), write(fmt.Sprintf("/%d", i))) })
	}
	wg.Wait()
	for _, dec := range decided {
		if s := step(t, dec, "hooks.PreToolUse[0].hooks[0]"); dec.Verdict != engine.Deny || s.Cause != hook.CauseTimeout || s.Duration > 5*time.Second {
			t.Fatalf("%v after %v: %s", dec.Verdict, s.Duration, s.Detail)
		}
	}
}

// A hook in the background cannot decide; it wakes the agent with what it has
// against the event.
func TestWake(t *testing.T) {
	url := endpoint(t, func([]message) string { return `{"ok":false,"reason":"the tests fail"}` })
	policy := declare(url) + "hooks: {Stop: [{hooks: [{type: agent, prompt: \"Do the tests pass?\", asyncRewake: true}]}]}"
	woken := make(chan string, 1)
	eng := open(t, put(t, filepath.Join(t.TempDir(), "pawl.yaml"), policy), engine.WithWake(func(session, text string) { woken <- session + ": " + text }))
	if dec := eng.Dispatch(t.Context(), engine.Event{Name: engine.Stop, Session: "s"}); dec.Verdict != engine.None {
		t.Errorf("decided: %v", dec.Verdict)
	}
	if got := <-woken; got != "s: the tests fail" {
		t.Errorf("woken with %q", got)
	}
}

// The model of an agent hook does not get to see what the policy keeps from
// the agent, so that it cannot be talked into telling.
func TestAgentReads(t *testing.T) {
	var results []string
	model := func(messages []message) string {
		if len(messages) == 2 {
			return `{"tool_calls":[{"id":"1","function":{"name":"read","arguments":"{\"path\":\".env\"}"}},
				{"id":"2","function":{"name":"read","arguments":"{\"path\":\"link\"}"}},
				{"id":"3","function":{"name":"grep","arguments":"{\"pattern\":\"secret|open\"}"}},
				{"id":"4","function":{"name":"read","arguments":"{\"path\":\"asked\"}"}},
				{"id":"5","function":{"name":"read","arguments":"{\"path\":\"ruled\"}"}},
				{"id":"6","function":{"name":"read","arguments":"{\"path\":\"hooked\"}"}},
				{"id":"7","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]}`
		}
		for _, m := range messages[3:] {
			results = append(results, m.Content)
		}
		return `{"ok":true}`
	}
	work := t.TempDir()
	put(t, filepath.Join(work, ".env"), "KEY=secret\n")
	put(t, filepath.Join(work, "a.txt"), "open\n")
	for _, name := range []string{"asked", "ruled", "hooked"} {
		put(t, filepath.Join(work, name), "secret\n")
	}
	if err := os.Symlink(".env", filepath.Join(work, "link")); err != nil {
		t.Fatal(err)
	}
	eng := open(t, put(t, filepath.Join(work, "pawl.yaml"), declare(endpoint(t, model))+`
permissions: {deny: ["Read(.env)"], ask: ["Read(./asked)"]}
rules:
  - {name: ruled, on: PreToolUse, match: Read, when: 'path("./ruled")', decision: deny, reason: no}
  - {name: observed, on: PreToolUse, match: Read, decision: deny, mode: observe}
  - {name: other, on: PreToolUse, match: Read, when: 'prompt == "x"', decision: deny}
hooks:
  PreToolUse:
    - {matcher: Read(./hooked), hooks: [{type: permission, decision: ask, reason: sure}]}
    - {matcher: Read, hooks: [{type: prompt, prompt: be careful}, {type: lua, lua: 'return deny("all")'}, {type: command, command: exit 2}]}
  Stop: [{hooks: [{type: agent, prompt: "fine?"}]}]
`))
	dec := eng.Dispatch(t.Context(), engine.Event{Name: engine.Stop})
	if s := step(t, dec, "hooks.Stop[0].hooks[0]"); s.Status != hook.Ran || !strings.Contains(s.Detail, "2 turns, 180 tokens in, 18 out") {
		t.Errorf("%+v", s)
	}
	wants := []string{"may not be read: denied by the rule Read(.env)", "may not be read: denied", "a.txt:1:open", "may not be read: asked for by the rule",
		"may not be read: no", "may not be read: sure", "open"}
	for i, want := range wants {
		if len(results) != len(wants) || !strings.Contains(results[i], want) || strings.Contains(results[i], "secret") {
			t.Fatalf("the model saw %q, want %q", results, wants)
		}
	}
}

// What one engine closes is not that of another which has the same option.
func TestSharedOption(t *testing.T) {
	url := endpoint(t, func([]message) string { return `{"ok":false,"reason":"no"}` })
	file := put(t, filepath.Join(t.TempDir(), "pawl.yaml"), declare(url)+"hooks: {PreToolUse: [{hooks: [{type: prompt, prompt: $ARGUMENTS}]}]}")
	first, second := open(t, file), open(t, file)
	first.Dispatch(t.Context(), write("/a"))
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if dec := second.Dispatch(t.Context(), write("/a")); dec.Verdict != engine.Deny || dec.Reason() != "no" {
		t.Errorf("%v %q", dec.Verdict, dec.Reason())
	}
}

// A host lends a model of its own, which takes the place of a declared one.
func TestLentModel(t *testing.T) {
	lent := hook.ModelFunc(func(context.Context, hook.Request) (hook.Reply, error) {
		return hook.Reply{Turn: hook.Turn{Text: `{"ok":false,"reason":"lent"}`}, End: hook.EndDone}, nil
	})
	policy := declare("http://127.0.0.1:1") + "hooks: {PreToolUse: [{hooks: [{type: prompt, prompt: $ARGUMENTS, model: guard}]}]}"
	eng := open(t, put(t, filepath.Join(t.TempDir(), "pawl.yaml"), policy), engine.WithModel("guard", lent))
	if dec := eng.Dispatch(t.Context(), write("/a")); dec.Verdict != engine.Deny || dec.Reason() != "lent" {
		t.Errorf("%v %q", dec.Verdict, dec.Reason())
	}
	if _, err := engine.Open(t.Context(), t.TempDir(), engine.WithModel("x", nil)); err == nil {
		t.Error("a model that is none is taken")
	}
}
