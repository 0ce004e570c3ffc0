package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

func TestLuaPolicies(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pawl.yaml": `policies: [policies/]
hooks:
  PreToolUse:
    - matcher: WebFetch
      hooks: [{type: lua, lua: 'if ev.host ~= "example.com" then return ask("only example.com") end'}]
    - matcher: Write
      hooks: [{type: lua, script: write.lua}]
`,
		"write.lua": `return function(ev) if ev.input.content:find("secret", 1, true) then return deny("a secret") end end`,
		"policies/push.lua": `on("PreToolUse", "Bash(git push *)", function(ev)
  for _, c in ipairs(ev.commands) do
    if c:flag("--force", "-f") then return deny("no force push: " .. c.text) end
  end
  if state.incr("pushes", 1, {ttl = 3600}) > 2 then return ask("third push this hour") end
end)`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(background, filepath.Join(dir, "pawl.yaml"), engine.WithManaged("/nonexistent"), engine.WithHome(dir))
	if err != nil {
		t.Fatal(err)
	}
	fetch := engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "WebFetch", Input: engine.Input("url", "https://evil.test/")}
	write := engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Write", Dir: dir, Input: engine.Input("file_path", "a", "content", "a secret")}
	for i, c := range []struct {
		ev   engine.Event
		want hook.Verdict
		says string
	}{
		{bash("git push -f origin"), hook.Deny, "no force push: git push -f origin"},
		{bash("git push"), hook.None, ""}, {bash("git push"), hook.None, ""}, {bash("git push"), hook.Ask, "third push"},
		{bash("ls"), hook.None, ""}, {fetch, hook.Ask, "only example.com"}, {write, hook.Deny, "a secret"},
	} {
		if dec := e.Dispatch(background, c.ev); dec.Verdict != c.want || !strings.Contains(dec.Reason(), c.says) {
			t.Errorf("%d: %v %q, want %v %q; %+v", i, dec.Verdict, dec.Reason(), c.want, c.says, dec.Steps)
		}
	}
	found := false
	for _, s := range e.Sources() {
		found = found || strings.HasSuffix(s, "push.lua")
	}
	if !found {
		t.Errorf("the sources lack the policy: %q", e.Sources())
	}
}

func TestBrokenLuaPolicyBlocksAndNamesItsLine(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"pawl.yaml": "policies: [a.lua, gone.lua]\n", "a.lua": "on('PreToolUse', 'Bash', function(ev)\n  return deny('x'\nend)"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(background, filepath.Join(dir, "pawl.yaml"), engine.WithManaged("/nonexistent"))
	if err == nil || !strings.Contains(err.Error(), "a.lua:3:") || !strings.Contains(err.Error(), "gone.lua") {
		t.Fatalf("error %v", err)
	}
	if dec := e.Dispatch(background, bash("ls")); dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), ".lua") {
		t.Errorf("%v %q", dec.Verdict, dec.Reason())
	}
}

// TestBrokenLuaPolicyLeavesTheOthers: a file that cannot be loaded blocks what
// can be blocked, and the policies beside it judge on.
func TestBrokenLuaPolicyLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pawl.yaml":      "policies: [policies/]\n",
		"policies/a.lua": "on('PreToolUse', 'Bash', function(ev)\n  return dney('x'\nend)",
		"policies/b.lua": "on('PreToolUse', 'Write', function(ev) return notice('b has seen it') end)\non('PostToolUse', function(ev) return context('b speaks') end)",
		"policies/c.lua": "onn('Stop', function(ev) end)",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(background, filepath.Join(dir, "pawl.yaml"), engine.WithManaged("/nonexistent"))
	for _, want := range []string{"a.lua:3:1: syntax error near \"end\"", "c.lua:1: ", `undefined global "onn" (did you mean "on"?)`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	write := engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Write", Dir: dir, Input: engine.Input("file_path", "a", "content", "x")}
	if dec := e.Dispatch(background, write); dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "a.lua:3") {
		t.Errorf("before a call: %v %q", dec.Verdict, dec.Reason())
	}
	write.Name = engine.PostToolUse
	if dec := e.Dispatch(background, write); dec.Verdict != hook.None || len(dec.Context) != 1 || dec.Context[0] != "b speaks" {
		t.Errorf("after a call: %v %q", dec.Verdict, dec.Context)
	}
	if len(e.Lint()) > 0 {
		t.Errorf("what is loaded has no faults: %v", e.Lint())
	}
}

// BenchmarkLuaHandler: one handler that reads two fields, alone and beside 100
// on other events and tools, which the index leaves out.
func BenchmarkLuaHandler(b *testing.B) {
	for _, others := range []int{0, 100} {
		b.Run(fmt.Sprint(others), func(b *testing.B) {
			dir := b.TempDir()
			text := "on('PreToolUse', 'Bash', function(ev) if ev.tool == 'x' or ev.cwd == '/x' then return deny('x') end end)\n"
			for i := range others {
				where := []string{"'PostToolUse', 'Bash'", "'PreToolUse', 'Edit|Write'", "'Stop'", "'PreToolUse', 'WebFetch'"}[i%4]
				text += fmt.Sprintf("on(%s, function(ev) return deny('%d') end)\n", where, i)
			}
			for name, text := range map[string]string{"pawl.yaml": "policies: [a.lua]\n", "a.lua": text} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			e, err := engine.Open(background, filepath.Join(dir, "pawl.yaml"), engine.WithManaged("/nonexistent"))
			if err != nil {
				b.Fatal(err)
			}
			ev := bash("ls")
			b.ReportAllocs()
			for b.Loop() {
				if dec := e.Dispatch(background, ev); dec.Verdict != hook.None {
					b.Fatal(dec.Reason())
				}
			}
		})
	}
}

// TestLuaCrowd: handlers of one session wait for each other, and that is no
// part of the time which each has.
func TestLuaCrowd(t *testing.T) {
	e := openText(t, `hooks: {PreToolUse: [{hooks: [{type: lua, lua: "local stop = time.now() + 0.025; while time.now() < stop do end; return ask('looked')"}]}]}`)
	var wg sync.WaitGroup
	for range 16 { // 400 ms in all
		wg.Go(func() {
			if dec := e.Dispatch(background, bash("ls")); dec.Verdict != hook.Ask {
				t.Errorf("%v: %+v", dec.Verdict, dec.Steps)
			}
		})
	}
	wg.Wait()
}
