package mcptool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/engine/action/mcptool"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/enginetest"
	"github.com/pawl-dev/pawl/engine/hook"
)

// fixture is one type with its servers.
type fixture struct {
	kind   hook.Type
	deps   hook.Deps
	spec   hook.Spec
	starts string // file with a line for each start of a program
}

func newFixture(t testing.TB, opts mcptool.Options) *fixture {
	f := &fixture{
		kind:   mcptool.New(opts),
		starts: filepath.Join(t.TempDir(), "starts"),
		spec:   hook.Spec{ID: "hooks.PreToolUse[0].hooks[0]", Event: hook.PreToolUse, Type: "mcp_tool"},
	}
	env := map[string]string{"TOKEN": "t0p"}
	f.deps = hook.Deps{Root: t.TempDir(), Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	t.Cleanup(func() { f.kind.Close(context.Background()) })
	return f
}

// program declares a server that is this program.
func (f *fixture) program(t testing.TB, mode string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f.declare("s", map[string]any{"command": self, "env": map[string]any{
		"MODE": mode, "STARTS": f.starts, "GORACE": "atexit_sleep_ms=0", "PAWL_MARK": mark(t),
	}})
}

func (f *fixture) declare(name string, server any) {
	f.deps.Settings = append(f.deps.Settings, hook.Setting{
		Field: hook.Field{Name: "mcpServers", Value: map[string]any{name: server}, Pos: hook.Position{File: "pawl.yaml", Line: 7, Col: 3}},
	})
}

// started is how many programs were started.
func (f *fixture) started() int {
	data, _ := os.ReadFile(f.starts)
	return bytes.Count(data, []byte("\n"))
}

func (f *fixture) make(pairs ...any) (hook.Action, []hook.Diagnostic) {
	spec := f.spec
	spec.Fields = nil
	for i := 0; i < len(pairs); i += 2 {
		spec.Fields = append(spec.Fields, hook.Field{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	return f.kind.New(spec, f.deps)
}

// call calls one tool of the server s.
func (f *fixture) call(ctx context.Context, t testing.TB, tool string, input map[string]any) (hook.Result, error) {
	t.Helper()
	a, diags := f.make("server", "s", "tool", tool, "input", input)
	for _, d := range diags {
		t.Fatal(d)
	}
	return a.Run(ctx, f.event(f.spec.Event))
}

func (f *fixture) event(name hook.EventName) hook.Call {
	input, err := answer.Object("file_path", "/a b", "n", 12, "edits", []any{"x", map[string]any{"y": true}})
	if err != nil {
		panic(err)
	}
	return hook.Call{Facts: &hook.Facts{Event: hook.Event{Name: name, Tool: "Write", Session: "s1", Input: input}},
		Hook: &f.spec, Matched: hook.Match{Tri: hook.Yes}}
}

func wantCause(t testing.TB, err error, cause hook.Cause, text string) {
	t.Helper()
	if n, ok := errors.AsType[*hook.NoVerdict](err); !ok || n.Cause != cause || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want a NoVerdict of cause %s with %q", err, cause, text)
	}
}

func mark(t testing.TB) string { return fmt.Sprintf("%s/%d", t.Name(), os.Getpid()) }

// marked are the processes that carry the mark of t.
func marked(t testing.TB) (pids []int) {
	procs, _ := os.ReadDir("/proc")
	for _, p := range procs {
		env, err := os.ReadFile("/proc/" + p.Name() + "/environ")
		if pid, _ := strconv.Atoi(p.Name()); err == nil && pid > 0 && bytes.Contains(env, []byte("PAWL_MARK="+mark(t)+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// noneLeft waits until no process carries the mark of t.
func noneLeft(t testing.TB) {
	t.Helper()
	until(t, func() bool { return len(marked(t)) == 0 })
}

// until waits until something holds.
func until(t testing.TB, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.After(5 * time.Second); !holds(); {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("waited for too long; processes %v", marked(t))
		}
	}
}

// overHTTP serves newServer at a URL. It comes before the fixture, which says
// goodbye to it.
func overHTTP(t testing.TB) string {
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, nil))
	t.Cleanup(server.Close)
	return server.URL
}

// Answers are read like the stdout of a command, over both transports.
func TestAnswers(t *testing.T) {
	say := func(text string) map[string]any { return map[string]any{"text": text} }
	for _, transport := range []string{"stdio", "http"} {
		url := overHTTP(t)
		f := newFixture(t, mcptool.Options{})
		if transport == "stdio" {
			f.program(t, "good")
		} else {
			f.declare("s", map[string]any{"type": "http", "url": url})
		}
		for _, tt := range []struct {
			name, tool string
			input      map[string]any
			event      hook.EventName
			want       hook.Verdict
			reason     string
			context    string
			cause      hook.Cause
		}{
			{name: "deny", tool: "say", input: say(`{"decision":"block","reason":"no"}`), want: hook.Deny, reason: "no"},
			{name: "allow", tool: "say", input: say(`{"decision":"approve"}`), want: hook.Allow},
			{name: "silence", tool: "say", input: say("")},
			{name: "plain text", tool: "say", input: say("hello")},
			{name: "plain text as context", tool: "say", input: say("hello"), event: hook.SessionStart, context: "hello"},
			{name: "several parts", tool: "parts", event: hook.SessionStart, context: "one\ntwo"},
			{name: "structured", tool: "structured", want: hook.Deny, reason: "structured"},
			{name: "structured and stricter", tool: "both", want: hook.Deny, reason: "structured"},
			{name: "structured and as strict", tool: "same", want: hook.Deny, reason: "text"},
			{name: "a picture", tool: "picture", cause: hook.CauseError},
			{name: "nothing", tool: "nothing"},
			{name: "half a JSON", tool: "say", input: say(`{"decision":`), cause: hook.CauseAnswer},
			{name: "an error that allows", tool: "fail", cause: hook.CauseError},
			{name: "no such tool", tool: "nope", cause: hook.CauseError},
			{name: "too large", tool: "large", cause: map[string]hook.Cause{"stdio": hook.CauseError, "http": hook.CauseHTTP}[transport]},
			{name: "after that", tool: "say", input: say(`{"decision":"block","reason":"no"}`), want: hook.Deny, reason: "no"},
		} {
			t.Run(transport+"/"+tt.name, func(t *testing.T) {
				if f.spec.Event = tt.event; tt.event == "" {
					f.spec.Event = hook.PreToolUse
				}
				res, err := f.call(t.Context(), t, tt.tool, tt.input)
				if res.Verdict != tt.want || res.Reason != tt.reason || strings.Join(res.Context, "|") != tt.context {
					t.Errorf("verdict %s %q, context %q", res.Verdict, res.Reason, res.Context)
				}
				if tt.cause == "" && err != nil {
					t.Error(err)
				} else if tt.cause != "" {
					wantCause(t, err, tt.cause, "")
				}
			})
		}
	}
}

// The input reaches the tool with the types of the event.
func TestInput(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	res, err := f.call(t.Context(), t, "echo", map[string]any{
		"path": "${tool_input.file_path}", "n": "${tool_input.n}", "flag": "${tool_input.edits.1.y}", "all": "${tool_input}",
		"text": "n=${tool_input.n}, ${tool_input.none}.", "none": "${tool_input.none}", "list": []any{"${session_id}", 1.5, nil}, "own": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	wanted := `{"path":"/a b","n":12,"flag":true,"all":{"file_path":"/a b","n":12,"edits":["x",{"y":true}]},` +
		`"text":"n=12, .","list":["s1",1.5,null],"own":true}`
	if err := errors.Join(json.Unmarshal([]byte(strings.TrimPrefix(res.Log, "got ")), &got), json.Unmarshal([]byte(wanted), &want)); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the tool got %s, want %s (%v)", res.Log, wanted, err)
	}
}

// All hooks share one connection, also calls at the same time.
func TestShared(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			text := fmt.Sprintf(`{"decision":"block","reason":"%d"}`, i)
			res, err := f.call(t.Context(), t, "say", map[string]any{"text": text})
			if err != nil || res.Reason != strconv.Itoa(i) {
				t.Errorf("%d: %q, %v", i, res.Reason, err)
			}
		})
	}
	wg.Wait()
	if f.started() != 1 {
		t.Errorf("started %d times", f.started())
	}
}

// A host lends the servers that it has itself; one that the settings declare is
// not asked of it.
func TestLend(t *testing.T) {
	f := newFixture(t, mcptool.Options{Lend: func(ctx context.Context, server, tool string, input json.RawMessage) (string, error) {
		switch tool {
		case "fails":
			return `{"decision":"approve"}`, errors.New("not connected")
		case "hangs":
			<-ctx.Done()
			return "", ctx.Err()
		}
		return fmt.Sprintf(`{"decision":"block","reason":"%s %s %s"}`, server, tool, bytes.ReplaceAll(input, []byte(`"`), []byte("'"))), nil
	}})
	f.program(t, "good")
	run := func(ctx context.Context, server, tool string) (hook.Result, error) {
		a, diags := f.make("server", server, "tool", tool, "arguments", map[string]any{"n": "${tool_input.n}"})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		return a.Run(ctx, f.event(hook.PreToolUse))
	}
	if res, err := run(t.Context(), "lent", "t"); err != nil || res.Reason != "lent t {'n':12}" {
		t.Errorf("%+v, %v", res, err)
	}
	_, err := run(t.Context(), "lent", "fails")
	wantCause(t, err, hook.CauseError, "not connected")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = run(ctx, "lent", "hangs")
	wantCause(t, err, hook.CauseTimeout, "")
	if res, err := run(t.Context(), "s", "echo"); err != nil || res.Log != `got {"n":12}` {
		t.Errorf("%+v, %v", res, err)
	}
}

// asyncRewake: a denial wakes the agent.
func TestRewake(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	f.spec.Rewake = true
	res, err := f.call(t.Context(), t, "structured", nil)
	if err != nil || res.Wake != "structured" || res.Verdict != hook.None {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestConformance(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	for _, tool := range []string{"echo", "structured", "fail"} {
		t.Run(tool, func(t *testing.T) {
			enginetest.TestAction(t, func() hook.Action {
				a, _ := f.make("server", "s", "tool", tool, "input", map[string]any{"all": "${tool_input}", "text": "${session_id} ${cwd}"})
				return a
			})
		})
	}
}
