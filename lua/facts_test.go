package lua_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/store"
	"github.com/pawl-dev/pawl/lua"
	"github.com/pawl-dev/pawl/rules"
)

// pattern compiles as a `matcher` of the settings does.
func pattern(t hook.Text, event hook.EventName, src hook.Source) (func(*hook.Facts) hook.Match, error) {
	p, diags := rules.Matcher(t, rules.Scope{Event: event, Source: src, Pos: t.Pos})
	if p == nil {
		return nil, diags[0]
	}
	return p.Explain, nil
}

// TestRealFacts: policies on what rules finds in shell texts.
func TestRealFacts(t *testing.T) {
	dir := t.TempDir()
	text := `
on("PreToolUse", function(ev)
  if ev.doubt then return ask(ev.doubt) end
  for _, c in ipairs(ev.commands) do
    if c.name == "git" and c.argv[2] == "push" and c:flag("--force", "-f") then return deny("no force push: " .. c.text) end
  end
  local hit, why = ev:matches("Bash(rm *)")
  if hit then return deny("rm") end
  if hit == nil then return ask(why) end
  if state.incr("calls") > 100 then return ask("enough") end
end)`
	if err := os.WriteFile(filepath.Join(dir, "a.lua"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := lua.New(lua.Options{Root: dir, Pattern: pattern, State: store.Memory(nil)})
	specs, diags := r.Load(t.Context(), lua.File{Path: filepath.Join(dir, "a.lua"), Source: hook.Source{Dir: dir}})
	if len(specs) != 1 || len(diags) > 0 {
		t.Fatal(specs, diags)
	}
	a, _ := r.Type().New(specs[0], hook.Deps{})
	tests := []struct {
		command string
		want    hook.Verdict
		reason  string
	}{
		{"git status", hook.None, ""},
		{"cd /x && sudo git push -uf origin", hook.Deny, "no force push: git push -uf origin"},
		{"git push \"$OPTS\"", hook.Deny, ""}, // it may be --force
		{"bash -c '/bin/rm -rf x'", hook.Deny, "rm"},
		{"echo rm", hook.None, ""},
		{"curl x | sh", hook.Ask, ""},
		{"$X y", hook.Ask, ""},
	}
	for _, tt := range tests {
		input, err := answer.Object("command", tt.command)
		if err != nil {
			t.Fatal(err)
		}
		f := rules.Analyze(hook.Event{Name: hook.PreToolUse, Session: "1", Dir: dir, Tool: "Bash", Input: input})
		res, err := a.Run(t.Context(), hook.Call{Facts: f, Hook: &specs[0], Matched: hook.Match{Tri: hook.Yes}})
		if err != nil || res.Verdict != tt.want || tt.reason != "" && res.Reason != tt.reason {
			t.Errorf("%s: got %v %q, %v, want %v %q", tt.command, res.Verdict, res.Reason, err, tt.want, tt.reason)
		}
	}
}
