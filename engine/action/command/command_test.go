package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/action/command"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/enginetest"
	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a project with one hook in it.
type fixture struct {
	opts   command.Options
	deps   hook.Deps
	source hook.Source
}

func newFixture(t testing.TB) *fixture {
	dir := t.TempDir()
	return &fixture{
		opts:   command.Options{Scratch: t.TempDir()},
		deps:   hook.Deps{Root: dir, Home: t.TempDir(), Now: time.Now},
		source: hook.Source{Layer: hook.Project, File: dir + "/.pawl/guard.yaml", Dir: dir},
	}
}

// make returns the action of an entry with these fields: name, value, …
func (f *fixture) make(pairs ...any) (hook.Action, []hook.Diagnostic) {
	spec := hook.Spec{ID: "hooks.PreToolUse[0].hooks[0]", Event: hook.PreToolUse, Type: "command", Source: f.source}
	for i := 0; i < len(pairs); i += 2 {
		spec.Fields = append(spec.Fields, hook.Field{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	return command.Type(f.opts).New(spec, f.deps)
}

func (f *fixture) run(t *testing.T, ev hook.Event, pairs ...any) (hook.Result, error) {
	t.Helper()
	a, diags := f.make(pairs...)
	for _, d := range diags {
		if d.Severity == hook.Error {
			t.Fatal(d)
		}
	}
	return a.Run(t.Context(), call(ev))
}

// print runs text and returns what it prints, which is not JSON.
func (f *fixture) print(t *testing.T, ev hook.Event, text string) string {
	t.Helper()
	res, err := f.run(t, ev, "command", text)
	if err != nil {
		t.Fatal(err)
	}
	return res.Log
}

func call(ev hook.Event) hook.Call {
	return hook.Call{Facts: &hook.Facts{Event: ev}, Hook: &hook.Spec{}, Matched: hook.Match{Tri: hook.Yes}}
}

func bash(t *testing.T, pairs ...any) hook.Event {
	t.Helper()
	return hook.Event{
		Name: hook.PreToolUse, Session: "abc123", Dir: "/", Tool: "Bash", HostTool: "Bash", Input: object(t, pairs...),
		Time: time.Date(2026, 5, 29, 10, 30, 0, 0, time.UTC),
	}
}

func object(t *testing.T, pairs ...any) hook.Object {
	t.Helper()
	o, err := answer.Object(pairs...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
		t.Fatal(err)
	}
}

func wantCause(t *testing.T, err error, cause hook.Cause, blocks bool) {
	t.Helper()
	if n, ok := errors.AsType[*hook.NoVerdict](err); !ok || n.Cause != cause || n.Blocks != blocks {
		t.Errorf("got %+v, want a NoVerdict of cause %s, blocks %v", err, cause, blocks)
	}
}

func TestConformance(t *testing.T) {
	f := newFixture(t)
	for name, fields := range map[string][]any{
		"silent":     {"command", "exit 0"},
		"no reader":  {"command", "exec 0<&-; exit 2"},
		"slow":       {"command", "sleep .06; echo '{}'"},
		"no program": {"command", "no-such-program", "args", []any{}},
		"exec":       {"command", "cat", "args", []any{"-", "${SKILL_DIR}/none"}},
		"wants all":  {"command", `echo "$INPUT_JSON" "$CLAUDE_OUTPUT"; exit 1`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.TestAction(t, func() hook.Action {
				a, _ := f.make(fields...)
				return a
			})
		})
	}
}

func TestFields(t *testing.T) {
	long := strings.Repeat("x", command.MaxText)
	tests := []struct {
		name   string
		fields []any
		want   string // "" is no diagnostic
		sev    hook.Severity
	}{
		{"text", []any{"command", "true"}, "", 0},
		{"all", []any{"command", "true", "shell", "bash", "sandbox", false}, "", 0},
		{"longest", []any{"command", long}, "", 0},
		{"too long", []any{"command", long + "x"}, "32769 bytes, the limit is 32768", hook.Error},
		{"none", nil, `missing "command"`, hook.Error},
		{"empty", []any{"command", ""}, "empty", hook.Error},
		{"NUL", []any{"command", "a\x00b"}, "contains a NUL character", hook.Error},
		{"NUL in an argument", []any{"command", "a", "args", []any{"b", "\x00"}}, "item 1 contains a NUL character", hook.Error},
		{"not a list", []any{"command", "a", "args", "b"}, "expected a list of strings", hook.Error},
		{"another shell", []any{"command", "a", "shell", "zsh"}, `got "zsh"`, hook.Error},
		{"B094 shell beside args", []any{"command", "a", "args", []any{}, "shell", "bash"}, "has no effect beside args", hook.Warning},
		{"spaces beside args", []any{"command", "a b", "args", []any{}}, "the name of one program", hook.Warning},
		{"powershell", []any{"command", "& ${CLAUDE_PROJECT_DIR}/x.ps1", "shell", "powershell"}, "a PowerShell variable", hook.Warning},
		{"sandbox", []any{"command", "a", "sandbox", true}, "", 0},
		{"sandbox with limits", []any{"command", "a", "sandbox", map[string]any{"network": true, "read": []any{"~/x"}, "write": []any{"a", "/b"}}}, "", 0},
		{"sandbox, misspelt", []any{"command", "a", "sandbox", map[string]any{"wirte": []any{"a"}}}, `unknown key "wirte"`, hook.Error},
		{"sandbox, no list", []any{"command", "a", "sandbox", map[string]any{"write": "a"}}, "write: expected a list of paths", hook.Error},
		{"sandbox, no path", []any{"command", "a", "sandbox", map[string]any{"read": []any{"a", 1}}}, "read: expected a list of paths", hook.Error},
		{"sandbox, no truth", []any{"command", "a", "sandbox", map[string]any{"network": "no"}}, "network: expected true or false, got no", hook.Error},
		{"sandbox in words", []any{"command", "a", "sandbox", "yes"}, "expected true or false", hook.Error},
		{"misspelt", []any{"comand", "a", "command", "a"}, `unknown key "comand"`, hook.Warning},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := newFixture(t).make(tt.fields...)
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

func TestAnswers(t *testing.T) {
	ev := bash(t, "command", "ls", "more", strings.Repeat("x", 4<<20))
	tests := []struct {
		name, text string
		verdict    hook.Verdict
		reason     string
		cause      hook.Cause
	}{
		{name: "silence", text: "exit 0"},
		{name: "JSON", text: `echo '{"decision":"block","reason":"no"}'`, verdict: hook.Deny, reason: "no"},
		{name: "exit 2", text: "echo no >&2; exit 2", verdict: hook.Deny, reason: "no"},
		{name: "exit 1", text: "exit 1", cause: hook.CauseExit},
		{name: "broken JSON", text: "echo '{'", cause: hook.CauseAnswer},
		{name: "JSON that was cut", text: `echo '{"decision":"block",'; head -c 9000000 /dev/zero | tr '\0' ' '; echo '"reason":"no"}'`, cause: hook.CauseAnswer},
		{name: "signal", text: "kill -SEGV $$", cause: hook.CauseSignal},
		{name: "B090 unread, exit 2", text: "exit 2", verdict: hook.Deny, reason: "blocked by a hook (exit code 2) that gave no reason"},
		{name: "B094 bash", text: `cat <<< '{"decision":"deny"' && diff <(echo a) <(echo a) && echo ',"reason":"bash"}'`, verdict: hook.Deny, reason: "bash"},
		{name: "B104 heredoc", text: "cat <<'EOF'\n{\"decision\":\"deny\",\"reason\":\"hi\"}\nEOF", verdict: hook.Deny, reason: "hi"},
		{name: "B099 late bytes", text: `{ sleep .5; echo late; } & echo '{}'`},
		{name: "no rc files", text: `[ -z "$FROM_RC" ] || exit 2`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			rc := f.deps.Home + "/rc"
			write(t, rc, "FROM_RC=1")
			f.opts.Environ = func() []string { return append(os.Environ(), "BASH_ENV="+rc, "ENV="+rc, "HOME="+f.deps.Home) }
			res, err := f.run(t, ev, "command", tt.text)
			if tt.cause != "" {
				wantCause(t, err, tt.cause, false)
			} else if err != nil {
				t.Error(err)
			}
			if res.Verdict != tt.verdict || res.Reason != tt.reason {
				t.Errorf("got %v %q", res.Verdict, res.Reason)
			}
		})
	}
}

// saved runs a hook that stores what it gets, and returns stdin, which has to
// be one line, and INPUT_JSON.
func (f *fixture) saved(t *testing.T, c hook.Call) (stdin, variable map[string]any) {
	t.Helper()
	a, _ := f.make("command", `cat > stdin; printf '%s\n' "$INPUT_JSON" > variable`)
	if _, err := a.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	read := func(name string) (m map[string]any) {
		data, err := os.ReadFile(filepath.Join(f.deps.Root, name))
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil || strings.Index(string(data), "\n") != len(data)-1 {
			t.Fatalf("%s: %q, %v", name, data, err)
		}
		return m
	}
	return read("stdin"), read("variable")
}

// A hook reads the names of both seeds, and the input also at the top level,
// but the input cannot pose as the event.
func TestEvent(t *testing.T) {
	ev := bash(t, "command", "ls -la", "cwd", "/spoof", "permission_mode", "plan", "unknown", "?", "extra", "spoof", "prompt", "p")
	ev.More = object(t, "transcript_path", "/t", "unknown", "from the host", "extra", []any{1})
	want := map[string]any{
		"event": "PreToolUse", "hook_event_name": "PreToolUse", "session_id": "abc123", "cwd": "/",
		"timestamp": "2026-05-29T10:30:00Z", "tool_name": "Bash", "tool_input": ev.Input.View(),
		"transcript_path": "/t", "unknown": "from the host", "extra": []any{1.0},
	}
	check := func(name string, got map[string]any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%v, want\n%v", name, got, want)
		}
	}
	f := newFixture(t)
	stdin, variable := f.saved(t, call(ev))
	check("stdin", stdin)
	want["command"], want["prompt"] = "ls -la", "p"
	check("INPUT_JSON", variable)

	c := call(ev)
	c.Matched = hook.Match{Tri: hook.Unknown, Why: `"$X" is not a literal`}
	stdin, variable = f.saved(t, c)
	want["unknown"] = c.Matched.Why
	check("INPUT_JSON of a text not told", variable)
	delete(want, "command")
	delete(want, "prompt")
	check("stdin of a text not told", stdin)
}

func TestVariables(t *testing.T) {
	f := newFixture(t)
	f.opts.Environ = func() []string {
		return append(os.Environ(), "INPUT_JSON=old", "INPUT_JSON_FILE=old", "CLAUDE_OUTPUT=old", "KEPT=yes", "LD_PRELOAD=/none.so", "CDPATH=/")
	}
	names := "CLAUDE_OUTPUT CLAUDE_PROJECT_DIR SKILL_DIR CLAUDE_PLUGIN_ROOT SESSION_ID HOOK_EVENT CWD INPUT_JSON_FILE KEPT LD_PRELOAD CDPATH"
	text := "for n in " + names + `; do printf '%s=%s|' $n "${!n-unset}"; done`
	ev := hook.Event{Name: hook.Stop, Session: "s\x001", Dir: "/", Message: "two\nlines $(x)"}
	root := f.deps.Root
	plugin := t.TempDir()
	tests := []struct {
		name   string
		source hook.Source
		want   string
	}{
		{"project", f.source, "SKILL_DIR=" + root + "/.pawl|CLAUDE_PLUGIN_ROOT=unset|"},
		{"skill", hook.Source{Layer: hook.Skill, File: plugin + "/SKILL.md", Dir: plugin}, "SKILL_DIR=" + plugin + "|CLAUDE_PLUGIN_ROOT=unset|"},
		{"plugin", hook.Source{Layer: hook.Plugin, File: plugin + "/hooks/hooks.json", Dir: plugin}, "SKILL_DIR=" + plugin + "/hooks|CLAUDE_PLUGIN_ROOT=" + plugin + "|"},
		{"session", hook.Source{Layer: hook.Session}, "SKILL_DIR=unset|CLAUDE_PLUGIN_ROOT=unset|"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f.source = tt.source
			want := "CLAUDE_OUTPUT=two\nlines $(x)|CLAUDE_PROJECT_DIR=" + root + "|" + tt.want +
				"SESSION_ID=s\ufffd1|HOOK_EVENT=Stop|CWD=/|INPUT_JSON_FILE=unset|KEPT=yes|LD_PRELOAD=unset|CDPATH=unset|"
			if got := f.print(t, ev, text); got != want {
				t.Errorf("got\n%q, want\n%q", got, want)
			}
		})
	}
}

func TestExecForm(t *testing.T) {
	f := newFixture(t)
	f.deps.Root = filepath.Join(t.TempDir(), "with space ${SKILL_DIR} $(x)")
	write(t, f.deps.Root+"/tools/show", "#!/bin/sh\nprintf '<%s>' \"$@\"\n")
	f.source = hook.Source{Layer: hook.Plugin, Dir: f.deps.Root + "/tools", File: f.deps.Root + "/tools/hooks.json"}
	res, err := f.run(t, bash(t), "command", "${CLAUDE_PLUGIN_ROOT}/show",
		"args", []any{"${CLAUDE_PROJECT_DIR}", "$HOME; ls *", "", "${SKILL_DIR}${NONE}"})
	want := fmt.Sprintf("<%s><$HOME; ls *><><%s/tools${NONE}>", f.deps.Root, f.deps.Root)
	if err != nil || res.Log != want {
		t.Errorf("got %q, %v, want %q", res.Log, err, want)
	}
	if res, err := f.run(t, bash(t), "command", "printenv", "args", []any{"PWD"}); err != nil || res.Log != f.source.Dir {
		t.Errorf("PWD is %q, %v", res.Log, err)
	}
	if res, err := f.run(t, bash(t), "command", "./show", "args", []any{}); err != nil || res.Log != "<>" {
		t.Errorf("no arguments: %q, %v", res.Log, err)
	}
	_, err = f.run(t, bash(t), "command", "printf x", "args", []any{})
	wantCause(t, err, hook.CauseSpawn, false)
}

func TestShells(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	f := newFixture(t)
	for shell, want := range map[string]string{"bash": `"bash": executable file not found`, "powershell": `"powershell": executable file not found`} {
		_, err := f.run(t, bash(t), "command", "exit 0", "shell", shell)
		wantCause(t, err, hook.CauseSpawn, false)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", shell, err, want)
		}
	}
	write(t, dir+"/pwsh", "#!/bin/sh\nprintf '<%s>' \"$@\"\n")
	res, err := f.run(t, bash(t), "command", "Write-Host 'a b'", "shell", "powershell")
	if want := "<-NoProfile><-NonInteractive><-Command><Write-Host 'a b'>"; err != nil || res.Log != want {
		t.Errorf("got %q, %v", res.Log, err)
	}
}

// B092: a guard runs although its directory was deleted.
func TestPlace(t *testing.T) {
	f := newFixture(t)
	root, home, event, skill := f.deps.Root, f.deps.Home, t.TempDir(), t.TempDir()
	gone := filepath.Join(root, "gone")
	inSkill := hook.Source{Layer: hook.Skill, Dir: skill, File: skill + "/SKILL.md"}
	lostSkill := hook.Source{Layer: hook.Skill, Dir: gone, File: gone + "/SKILL.md"}
	tests := []struct {
		name              string
		source            hook.Source
		root, home, event string
		want              string
		moved             bool
	}{
		{"project root", f.source, root, home, event, root, false},
		{"skill", inSkill, root, home, event, skill, false},
		{"plugin", hook.Source{Layer: hook.Plugin, Dir: skill}, root, home, event, skill, false},
		{"root gone", f.source, gone, home, event, event, true},
		{"skill gone", lostSkill, root, home, gone, root, true},
		{"root and event gone", f.source, gone, home, gone, home, true},
		{"all gone", f.source, gone, gone, gone, os.TempDir(), true},
		{"no root", f.source, "", home, event, event, false},
		{"relative event", f.source, gone, home, ".", home, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f.source, f.deps.Root, f.deps.Home = tt.source, tt.root, tt.home
			ev := bash(t)
			ev.Dir = tt.event
			res, err := f.run(t, ev, "command", "pwd -P >&2; exit 2")
			if err != nil || res.Verdict != hook.Deny || res.Reason != tt.want {
				t.Errorf("ran in %q (%v, %v), want %q", res.Reason, res.Verdict, err, tt.want)
			}
			named := len(res.Notices) == 1 && strings.Contains(res.Notices[0], "the hook ran in "+tt.want)
			if named != tt.moved || !tt.moved && len(res.Notices) > 0 {
				t.Errorf("notices %q", res.Notices)
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	f := newFixture(t)
	a, _ := f.make("command", "echo so far >&2; sleep 30; true")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	res, err := a.Run(ctx, call(bash(t)))
	wantCause(t, err, hook.CauseTimeout, false)
	if res.Log != "so far" {
		t.Errorf("log %q", res.Log)
	}
}

// B097: exit code 2 of an asyncRewake hook wakes, whatever the event makes of
// exit code 2; any other code does not.
func TestRewake(t *testing.T) {
	f := newFixture(t)
	for text, want := range map[string]string{
		"echo out; echo tests fail >&2; exit 2": "tests fail",
		"echo from stdout; exit 2":              "from stdout",
		"exit 2":                                "a background hook ended with exit code 2 and said nothing",
		"echo fine >&2; exit 0":                 "",
	} {
		a, _ := f.make("command", text)
		c := call(hook.Event{Name: hook.SessionStart, Session: "s"})
		c.Hook = &hook.Spec{Rewake: true}
		if res, err := a.Run(t.Context(), c); err != nil || res.Wake != want {
			t.Errorf("%s: wakes with %q, %v, want %q", text, res.Wake, err, want)
		}
	}
}
