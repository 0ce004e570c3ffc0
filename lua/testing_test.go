package lua

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// runTests runs the text of a test file and returns "name: outcome" lines.
func runTests(t *testing.T, text string, world TestWorld) (lines []string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x_test.lua")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opts := options(filepath.Dir(path))
	opts.Read = os.ReadFile
	err = New(opts).Test(t.Context(), path, func() (TestWorld, error) { return world, nil }, func(res TestResult) {
		outcome := "passed"
		switch {
		case res.Broken != nil:
			first, _, _ := strings.Cut(res.Broken.Error(), "\n")
			outcome = "broken: " + first
		case res.Failed != "":
			outcome = "failed: " + res.Failed
		}
		lines = append(lines, fmt.Sprintf("%d %s: %s", res.Line, res.Name, outcome))
	})
	return lines, err
}

func TestTesting(t *testing.T) {
	var sent []string
	world := TestWorld{
		Dispatch: func(_ context.Context, event []byte) ([]byte, error) {
			if sent = append(sent, string(event)); strings.Contains(string(event), "nonsense") {
				return nil, errors.New("not an event")
			}
			return []byte(`{"decision":"deny","reasons":["a","b"],"updated_input":null}`), nil
		},
		Kept: func(name string) []byte { return map[string][]byte{"n": []byte(`[1, 2]`)}[name] },
	}
	got, err := runTests(t, `
local seen = 0
test("passes", function()
  seen = seen + 1
  local d = dispatch{tool = "Bash", input = {command = "ls"}}
  expect(d.decision == "deny" and #d.reasons == 2)
  assert(kept("n")[2] == 2 and kept("m") == nil)
end)
test("is alone", function() expect(seen == 0); expect(expect(7) == 7) end)
test("fails", function() expect(nil, "why") end)
test("fails with its line", function()
  expect(seen ==
    1)
end)
test("fails though caught", function() pcall(expect, false) error("later") end)
test("breaks", function() dispatch{tool = "nonsense"} end)
test("nests", function() test("x", function() end) end)
test("registers", function() on("Stop", function() end) end)
test("keeps state", function() state.set("x", 1) end)
`, world)
	want := []string{
		`3 passes: passed`,
		`9 is alone: passed`,
		`10 fails: failed: line 10: why`,
		`11 fails with its line: failed: line 12: not so: expect(seen ==`,
		`15 fails though caught: failed: not as expected`,
		`16 breaks: broken: x_test.lua:16: dispatch: not an event`,
		`17 nests: broken: x_test.lua:17: test: only at the top level of the file`,
		`18 registers: broken: x_test.lua:18: on: only while a policy file is loaded`,
		`19 keeps state: broken: x_test.lua:19: state.set: only while an event is handled`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(sent) != 2 || sent[0] != `{"tool":"Bash","input":{"command":"ls"}}` {
		t.Errorf("sent %s", sent)
	}
}

func TestTestingRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"local x = 1":                            "no tests",
		"local = 1":                              "x_test.lua:1:7: syntax error",
		"dispatch{}":                             "dispatch: only inside a test",
		"expect(true)":                           "expect: only inside a test",
		"test('x')":                              "function expected",
		"while true do end":                      "stopped after 1s",
		"for i = 1, 2000 do test('x', type) end": "more than 1000 tests",
	} {
		if got, err := runTests(t, text, TestWorld{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v, want %s", text, got, err, want)
		}
	}
}

// TestLines: each line with a statement is told when the file is read, and
// each that runs when it does.
func TestLines(t *testing.T) {
	told := map[string]bool{}
	opts := options("/p")
	opts.Read = func(path string) ([]byte, error) {
		return map[string][]byte{
			"/p/a.lua": []byte("on('Stop', function(ev)\n  if ev.tool == 'x' then\n    return deny('no')\n  elseif ev.prompt == 'y' then return nil\n  end\n\n  for _ = 1, 2 do\n    local f = function()\n      return 1 end f()\n  end\nend)\n"),
		}[path], nil
	}
	opts.Lines = func(path string, line int, ran bool) {
		at := fmt.Sprintf("%s:%d", path, line)
		told[at] = told[at] || ran
	}
	r := New(opts)
	specs, diags := r.Load(t.Context(), File{Path: "/p/a.lua"})
	if len(specs) != 1 || len(diags) > 0 {
		t.Fatal(specs, diags)
	}
	for line, ran := range map[int]bool{1: true, 2: false, 3: false, 4: false, 7: false, 8: false, 9: false} {
		if got, ok := told[fmt.Sprintf("/p/a.lua:%d", line)]; !ok || got != ran {
			t.Errorf("loaded: line %d: %v %v", line, got, ok)
		}
	}
	action, diags := r.Type().New(specs[0], hook.Deps{})
	if action == nil {
		t.Fatal(diags)
	}
	if _, err := action.Run(t.Context(), call(hook.Event{Name: hook.Stop, Session: "s"})); err != nil {
		t.Fatal(err)
	}
	for line, ran := range map[int]bool{2: true, 3: false, 7: true, 8: true, 9: true} {
		if got := told[fmt.Sprintf("/p/a.lua:%d", line)]; got != ran {
			t.Errorf("run: line %d: %v", line, got)
		}
	}
	if n := len(slices.Collect(maps.Keys(told))); n != 7 {
		t.Errorf("%d lines: %v", n, told)
	}
}
