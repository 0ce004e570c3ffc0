package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Public reports about other hook systems, by the number of the list that the
// tests in all packages refer to.

// logged returns a policy whose hooks write a word each to a file, and a func
// that returns what was written.
func logged(t *testing.T, hooks string) (*engine.Engine, func() string) {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	eng := mustPolicy(t, strings.ReplaceAll(hooks, "$T", dir), engine.WithTrust(func(string) bool { return true }))
	return eng, func() string {
		data, _ := os.ReadFile(log)
		return strings.TrimSpace(strings.ReplaceAll(string(data), "\n", " "))
	}
}

// tool is a call of a tool that matches nothing special.
func tool(name engine.EventName, tool, field, value string) engine.Event {
	return engine.Event{Name: name, Session: "s", Dir: "/project", Tool: tool, Input: engine.Input(field, value)}
}

// B002: a group that does not match is neither started nor told of.
func TestOthersTools(t *testing.T) {
	eng, log := logged(t, `hooks: {PostToolUse: [{matcher: Bash, hooks: [{type: command, command: 'echo ran >> $T/log; exit 1'}]}]}`)
	for _, name := range []string{"Read", "Glob"} {
		if dec := eng.Dispatch(background, tool(engine.PostToolUse, name, "file_path", "a")); len(dec.Steps)+len(dec.Notices) > 0 {
			t.Errorf("%s: %+v", name, dec)
		}
	}
	dec := eng.Dispatch(background, tool(engine.PostToolUse, "Bash", "command", "ls"))
	if log() != "ran" || len(dec.Steps) != 1 || len(dec.Notices) != 1 {
		t.Errorf("log %q, %+v", log(), dec)
	}
}

// B018, B019: a hook on one event changes no other, and a call that failed is
// another event than one that did not.
func TestEventsApart(t *testing.T) {
	eng, log := logged(t, `hooks:
  PreToolUse: [{matcher: "", hooks: [{type: command, command: 'echo pre >> $T/log'}]}]
  PostToolUse: [{matcher: "", hooks: [{type: command, command: 'echo post >> $T/log'}]}]
  PostToolUseFailure: [{matcher: "", hooks: [{type: command, command: 'echo failed >> $T/log'}]}]
  Stop: [{hooks: [{type: command, command: 'echo stop >> $T/log'}]}]`)
	for _, name := range []engine.EventName{engine.PreToolUse, engine.PostToolUse, engine.PreToolUse, engine.PostToolUseFailure} {
		eng.Dispatch(background, tool(name, "Write", "file_path", "a"))
	}
	eng.Dispatch(background, engine.Event{Name: engine.Stop, Session: "s", Dir: "/project"})
	if log() != "pre post pre failed stop" {
		t.Errorf("%q", log())
	}
}

// B067, B068: whatever the way a hook runs, and however many there are, each
// gets the whole event and a line break.
func TestWholeEventForAll(t *testing.T) {
	const body = `'cat > $T/%d'%s`
	var hooks []string
	for i, way := range []string{"", "", "", ", async: true", ", asyncRewake: true"} {
		hooks = append(hooks, fmt.Sprintf("{type: command, command: "+body+"}", i, way))
	}
	dir := t.TempDir()
	text := strings.ReplaceAll("hooks: {PreToolUse: [{matcher: Write, hooks: ["+strings.Join(hooks, ", ")+"]}]}", "$T", dir)
	eng := mustPolicy(t, text, engine.WithTrust(func(string) bool { return true }))
	content := strings.Repeat("0123456789", 30_000)
	eng.Dispatch(background, tool(engine.PreToolUse, "Write", "content", content))
	if err := eng.Close(background); err != nil {
		t.Fatal(err)
	}
	first := read(t, filepath.Join(dir, "0"))
	if !strings.HasSuffix(first, "}\n") || strings.Count(first, "\n") != 1 || !strings.Contains(first, content) {
		t.Errorf("%d bytes, not the whole event on one line", len(first))
	}
	for i := range hooks {
		if got := read(t, filepath.Join(dir, fmt.Sprint(i))); got != first {
			t.Errorf("hook %d: %d bytes, the first had %d", i, len(got), len(first))
		}
	}
}

// B076: a text of 10,000 characters is whole; a longer one is in a file, and
// the context says where and how long it is. No character is cut in two.
func TestLongContext(t *testing.T) {
	eng := mustPolicy(t, `hooks: {SessionStart: [{hooks: [{type: command, command: 'cat $FILE'}]}]}`,
		engine.WithTrust(func(string) bool { return true }), engine.WithScratch(t.TempDir()))
	file := filepath.Join(t.TempDir(), "long")
	t.Setenv("FILE", file)
	for _, n := range []int{10_000, 10_001, 40_000} {
		whole := strings.Repeat("é😀", n/2) + strings.Repeat("x", n%2)
		put(t, file, whole)
		dec := eng.Dispatch(background, engine.Event{Name: engine.SessionStart, Session: "s", Subject: "startup"})
		got := strings.Join(dec.Context, "")
		if n == 10_000 {
			if got != whole {
				t.Errorf("%d characters came as %d bytes", n, len(got))
			}
			continue
		}
		_, path, _ := strings.Cut(got, "whole text: ")
		path, _, _ = strings.Cut(path, "]")
		if !strings.Contains(got, fmt.Sprintf("of %d characters", n)) || !strings.HasPrefix(whole, got[:strings.IndexByte(got, '\n')]) || read(t, path) != whole {
			t.Errorf("%d characters: %q", n, got[max(0, len(got)-300):])
		}
	}
}

// B079: a number is seconds, for every type.
func TestTimeoutUnits(t *testing.T) {
	for _, entry := range []string{`type: command, command: x`, `type: prompt, prompt: x`, `type: lua, lua: return nil`, `type: permission, decision: deny`} {
		for value, want := range map[string]string{"1": "", `"5s"`: "", "0.5": "", "0": "expected a timeout greater than 0", "-1": "expected a timeout greater than 0", "soon": "expected"} {
			_, err := policy(t, "hooks: {PreToolUse: [{hooks: [{"+entry+", timeout: "+value+"}]}]}")
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s, timeout: %s: %v", entry, value, err)
			}
		}
	}
	eng := mustPolicy(t, `hooks: {PreToolUse: [{hooks: [{type: command, command: 'sleep 0.1'}, {type: command, command: 'sleep 30', timeout: 0.2}]}]}`,
		engine.WithTrust(func(string) bool { return true }))
	dec := eng.Dispatch(background, bash("ls"))
	if len(dec.Steps) != 2 || dec.Steps[0].Status != hook.Ran || dec.Steps[1].Cause != hook.CauseTimeout || dec.Steps[1].Duration > 20*time.Second {
		t.Errorf("%+v", dec.Steps)
	}
}

// B148: what recurses in a condition meets no input that is nested deeper than
// events may be, and a failed condition of a guard blocks.
func TestDeepInput(t *testing.T) {
	const deep = 100_000
	if _, err := answer.Payload([]byte(`{"a":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `}`)); err == nil {
		t.Error("an input nested 100,000 deep is an event")
	}
	levels := answer.MaxDepth - 2
	input, err := answer.Payload([]byte(`{"a":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	ev := tool(engine.PreToolUse, "Write", "x", "")
	ev.Input = input
	for _, name := range []string{"flatten", "mean", "median", "min", "max"} {
		text := fmt.Sprintf("rules: [{name: r, on: PreToolUse, when: '%s(input.a) != 1', decision: deny}]", name)
		eng, err := policy(t, text)
		if err != nil && strings.Contains(err.Error(), "unknown name "+name) {
			continue // those that recurse are not there
		}
		dec := eng.Dispatch(background, ev)
		if err != nil || slices.ContainsFunc(dec.Steps, func(x hook.Step) bool { return x.Cause == hook.CausePanic }) {
			t.Errorf("%s: %v, %+v", name, err, dec)
		}
	}
}

// B188: hooks whose `if` does not fit start no process and take no memory.
func TestIfStartsNothing(t *testing.T) {
	var hooks []string
	for i := range 10 {
		hooks = append(hooks, fmt.Sprintf("{type: command, command: 'echo ran >> $T/log', if: 'Bash(prog%d *)'}", i))
	}
	eng, log := logged(t, "hooks: {PreToolUse: [{matcher: Bash, hooks: ["+strings.Join(hooks, ", ")+"]}]}")
	ev := bash("ls -la")
	eng.Dispatch(background, ev)
	least := 1.0
	for range 20 { // others may allocate meanwhile
		least = min(least, testing.AllocsPerRun(100, func() { eng.Dispatch(background, ev) }))
	}
	if least > 0 || log() != "" {
		t.Errorf("%v allocations an event, log %q", least, log())
	}
	if eng.Dispatch(background, bash("prog7 x")); log() != "ran" {
		t.Errorf("log %q", log())
	}
}

// B191: a very large input is held once, and encoded once for all hooks.
func TestLargeInputOnce(t *testing.T) {
	eng := mustPolicy(t, `
hooks:
  PreToolUse:
    - matcher: Write
      hooks:
        - {type: lua, lua: 'if #ev.input.content > 100 and ev.file_path == "x" then return deny("lua") end'}
        - {type: command, command: 'wc -c > $OUT'}
        - {type: command, command: 'wc -c >> $OUT'}
rules:
  - {name: path, on: PreToolUse, match: 'Write(//project/secret/**)', decision: deny}
  - {name: text, on: PreToolUse, match: Write, when: 'input.content contains "needle"', decision: ask}
`, engine.WithTrust(func(string) bool { return true }))
	out := filepath.Join(t.TempDir(), "sizes")
	t.Setenv("OUT", out)
	const size = 20 << 20
	raw, err := json.Marshal(map[string]string{"file_path": "/project/secret/x", "content": strings.Repeat("a", size)})
	if err != nil {
		t.Fatal(err)
	}
	input, err := answer.Payload(raw)
	if err != nil {
		t.Fatal(err)
	}
	ev := tool(engine.PreToolUse, "Write", "x", "")
	ev.Input = input
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	dec := eng.Dispatch(background, ev)
	runtime.ReadMemStats(&after)
	if dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "path") {
		t.Errorf("%v: %s", dec.Verdict, dec.Reason())
	}
	sizes := strings.Fields(read(t, out))
	if len(sizes) != 2 || sizes[0] != sizes[1] || slices.Contains(sizes, "0") {
		t.Errorf("the commands read %v bytes", sizes)
	}
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 8*size>>20 {
		t.Errorf("deciding on %d MiB took %d MiB", size>>20, made)
	}
}
