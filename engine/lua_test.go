package engine_test

import (
	"os"
	"path/filepath"
	"strings"
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
