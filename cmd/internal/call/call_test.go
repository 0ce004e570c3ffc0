package call_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write makes a file with its directory, and returns its path.
func write(t *testing.T, text string, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPlace: what a place says is its own, whatever this process has.
func TestPlace(t *testing.T) {
	t.Setenv("HOME", "/ours")
	t.Setenv("XDG_STATE_HOME", "/ours/state")
	t.Setenv("CLAUDE_PROJECT_DIR", t.TempDir())
	home := t.TempDir()
	outer := filepath.Join(home, "src", "app")
	write(t, "", outer, "pawl.yaml")
	write(t, "", outer, "lib", "pawl.yaml")
	p := call.Place{Env: []string{"HOME=" + home, "X=first", "X=second"}, Dir: filepath.Join(outer, "lib", "deep")}
	if p.Getenv("X") != "first" || p.Getenv("CLAUDE_PROJECT_DIR") != "" || p.Home() != home {
		t.Errorf("%q, %q, %q", p.Getenv("X"), p.Getenv("CLAUDE_PROJECT_DIR"), p.Home())
	}
	if got, want := p.StateDir(), filepath.Join(home, ".local", "state", "pawl"); got != want {
		t.Errorf("state in %s, want %s", got, want)
	}
	for _, dir := range []string{"", ".", "x", outer, filepath.Join(outer, "gone")} {
		root, unread := p.Workspace(dir)
		if root != outer || (len(unread) > 0) != (dir == "" || dir == "." || dir == "x") {
			t.Errorf("an event in %q is of %s, unread %q", dir, root, unread)
		}
	}
	s, err := p.Setting(outer, call.Policy{Files: []string{"../a.yaml", "/b.yaml"}})
	if want := []string{filepath.Join(outer, "lib", "a.yaml"), "/b.yaml"}; err != nil || !slices.Equal(s.Files(), want) {
		t.Errorf("%q, %v, want %q", s.Files(), err, want)
	}
	p.Dir = ""
	if _, err := p.Setting(outer, call.Policy{Files: []string{"a.yaml"}}); err == nil {
		t.Error("a relative file has a meaning without a directory")
	}
}

// TestSettings: calls share an engine if, and only if, all is the same that it
// is made of.
func TestSettings(t *testing.T) {
	setting := func(root string, p call.Policy, env ...string) call.Setting {
		s, err := call.Place{Env: append(env, "HOME=/h"), Dir: "/d"}.Setting(root, p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := []call.Setting{
		setting("/r", call.Policy{}),
		setting("/s", call.Policy{}),
		setting("/r", call.Policy{Claude: true}),
		setting("/r", call.Policy{Files: []string{"a"}}),
		setting("/r", call.Policy{Files: []string{"a", "b"}}),
		setting("/r", call.Policy{}, "XDG_CONFIG_HOME=/c"),
		setting("/r", call.Policy{}, "XDG_STATE_HOME=/c"),
		setting("/r", call.Policy{}, "XDG_RUNTIME_DIR=/c"),
		setting("/r", call.Policy{}, "TMPDIR=/c"),
		setting("/r", call.Policy{}, "CI=1"),
		setting("/r", call.Policy{}, "CI="),
	}
	for i, a := range all {
		for j, b := range all {
			if (a == b) != (i == j) {
				t.Errorf("%d and %d: %v", i, j, a == b)
			}
		}
	}
	if setting("/r", call.Policy{}, "PWD=/x", "TOKEN=y") != all[0] {
		t.Error("variables that only hooks see make another engine")
	}
}

// An event that does not say where the agent works, from a process that does
// not know where it is itself, is judged by no policy of another place.
func TestNowhere(t *testing.T) {
	c, err := call.New(call.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	o := c.Answer(t.Context(), &call.Desk{Open: func(context.Context, call.Setting, hook.EventName) (*call.Engine, error) {
		t.Error("an engine was opened")
		return nil, errors.New("no engine")
	}}, call.Place{Env: []string{"HOME=" + t.TempDir()}}, []byte(bash))
	if o.Reply.Code != 2 || !strings.Contains(string(o.Reply.Stderr), "it cannot be told where the agent works") {
		t.Errorf("%s, code %d", o.Reply.Stderr, o.Reply.Code)
	}
}

// asks answers one call about a policy.
func asks(t *testing.T, d call.Desk, policy, event string) call.Outcome {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	file := write(t, policy, home, "policy.yaml")
	if d.Open == nil {
		d.Open = func(ctx context.Context, s call.Setting, event hook.EventName) (*call.Engine, error) {
			return s.OpenOnce(ctx, event)
		}
	}
	c, err := call.New(call.Flags{Policy: call.Policy{Files: []string{file}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := call.Until(t.Context(), time.Now().Add(time.Minute))
	defer cancel()
	return c.Answer(ctx, &d, call.Place{Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, Dir: home}, []byte(event))
}

const (
	bash = `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`
	runs = "hooks: {PreToolUse: [{hooks: [{type: command, command: 'touch ~/ran; echo no >&2; exit 2'}]}]}\n"
)

// ran reports whether the hook of runs has run.
func ran() bool {
	_, err := os.Stat(filepath.Join(os.Getenv("HOME"), "ran"))
	return err == nil
}

// TestBegin: it comes before what cannot be done twice, and only then; where it
// fails nothing is done, and the answer blocks.
func TestBegin(t *testing.T) {
	for policy, want := range map[string]engine.SideEffects{
		runs:                           engine.Starts,
		"permissions: {ask: [Bash]}\n": 0,
		"hooks: {PreToolUse: [{hooks: [{type: lua, lua: 'return ask(1)'}]}]}\n": engine.Keeps,
	} {
		var does engine.SideEffects
		ended := 0
		o := asks(t, call.Desk{Begin: func(ctx context.Context, d engine.SideEffects) (context.Context, func(), error) {
			if ran() {
				t.Error("it comes too late")
			}
			does = d
			return ctx, func() { ended++ }, nil
		}}, policy, bash)
		if o.Err != nil || len(o.Reply.Stdout) == 0 || does != want || (ended == 1) != (want != 0) {
			t.Errorf("%s%s, %v, does %b, ended %d times", policy, o.Reply.Stdout, o.Err, does, ended)
		}
		if ran() != (want == engine.Starts) {
			t.Errorf("%sran: %v", policy, ran())
		}
	}
	o := asks(t, call.Desk{Begin: func(context.Context, engine.SideEffects) (context.Context, func(), error) {
		return nil, nil, errors.New("nobody waits")
	}}, runs, bash)
	if o.Reply.Code != 2 || !strings.Contains(string(o.Reply.Stdout), `"deny"`) || !strings.Contains(string(o.Reply.Stderr), "nobody waits") {
		t.Errorf("%s, %s, %d", o.Reply.Stdout, o.Reply.Stderr, o.Reply.Code)
	}
	if ran() {
		t.Error("the hook ran all the same")
	}
}

// TestEnded: what hooks say that were ended by somebody is no decision.
func TestEnded(t *testing.T) {
	o := asks(t, call.Desk{Begin: func(ctx context.Context, _ engine.SideEffects) (context.Context, func(), error) {
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(errors.New("ended by a test"))
		return ctx, func() {}, nil
	}}, "hooks: {PreToolUse: [{hooks: [{type: command, command: 'exit 0'}]}]}\n", bash)
	if o.Err == nil || o.Reply.Code != 2 || !strings.Contains(string(o.Reply.Stderr), "ended by a test") {
		t.Errorf("%v, %s, %d", o.Err, o.Reply.Stderr, o.Reply.Code)
	}
}

// TestPanic: a bug of ours is a failure like others.
func TestPanic(t *testing.T) {
	o := asks(t, call.Desk{Open: func(context.Context, call.Setting, hook.EventName) (*call.Engine, error) { panic("x") }}, "", bash)
	if o.Err == nil || o.Reply.Code != 2 || !strings.Contains(string(o.Reply.Stdout), "panic: x (a bug of pawl)") {
		t.Errorf("%v, %s, %d", o.Err, o.Reply.Stdout, o.Reply.Code)
	}
}

// TestFailOn: a failure is in the words of the agent that asked, and lets go
// where a block means "go on".
func TestFailOn(t *testing.T) {
	for event, code := range map[string]int{
		bash:                               2,
		`{"hook_event_name":"Stop"}`:       0,
		`{"hook_event_name":"SessionEnd"}`: 0,
		`{"hook_event_name":`:              2, // nobody knows which it is
		``:                                 2,
	} {
		c, err := call.New(call.Flags{})
		if err != nil {
			t.Fatal(err)
		}
		o := c.FailOn([]byte(event), errors.New("it was lost"))
		if o.Reply.Code != code || !strings.Contains(string(o.Reply.Stderr), "pawl: it was lost") || !strings.Contains(string(o.Reply.Stdout), "it was lost") {
			t.Errorf("%s: %s, %s, code %d", event, o.Reply.Stdout, o.Reply.Stderr, o.Reply.Code)
		}
	}
}
