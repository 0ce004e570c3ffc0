package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

// policy writes text as pawl.yaml and opens it.
func policy(t testing.TB, text string, opts ...engine.Option) (*engine.Engine, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return engine.Open(background, file, append([]engine.Option{engine.WithHome("/home/u"), engine.WithManaged("/nonexistent")}, opts...)...)
}

func mustPolicy(t testing.TB, text string, opts ...engine.Option) *engine.Engine {
	t.Helper()
	e, err := policy(t, text, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// fixedSpec is a declarative hook.
func fixedSpec(id, matcher string, v hook.Verdict) hook.Spec {
	return hook.Spec{ID: id, Event: hook.PreToolUse, Type: "permission", Source: hook.Source{Layer: hook.Project, File: "p", Dir: "/project"},
		Matcher: hook.Text{Value: matcher}, Fields: []hook.Field{{Name: "decision", Value: v.String()}, {Name: "reason", Value: id}}}
}

// Law 5: the decision has a step for every candidate hook, with its place and
// what it said or why it did not run.
func TestLawNothingIsSilent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var specs []hook.Spec
		for i := range rapid.IntRange(0, 8).Draw(t, "hooks") {
			s := fixedSpec(fmt.Sprint("h", i), rapid.SampledFrom([]string{"", "Bash", "Edit", "Bash(rm *)", "Bash(ls *)"}).Draw(t, "matcher"), anyVerdict.Filter(func(v hook.Verdict) bool { return v > hook.None }).Draw(t, "verdict"))
			s.Pos = hook.Position{File: "p", Line: i + 1, Col: 1}
			s.Observe = rapid.Bool().Draw(t, "observe")
			specs = append(specs, s)
		}
		dec := newEngine(specs).Dispatch(background, bash("ls -la"))
		for _, s := range specs {
			fits := s.Matcher.Value == "" || s.Matcher.Value == "Bash" || s.Matcher.Value == "Bash(ls *)"
			steps := slices.DeleteFunc(slices.Clone(dec.Steps), func(x hook.Step) bool { return x.Hook != s.ID })
			if !fits {
				continue
			}
			if len(steps) != 1 || steps[0].Pos != s.Pos || steps[0].Status == hook.NotMatch {
				t.Fatalf("%s (%q): steps %+v", s.ID, s.Matcher.Value, steps)
			}
		}
		if !dec.Proceed() && dec.Reason() == "" {
			t.Fatal("a stop without a reason")
		}
	})
}

// Law 7: what the text cannot tell never loosens.
func TestLawUnknown(t *testing.T) {
	for _, c := range []struct {
		name, policy, command string
		want                  hook.Verdict
	}{
		{"deny asks", "rules: [{name: r, on: PreToolUse, match: 'Bash(rm *)', decision: deny}]", "$X y", hook.Ask},
		{"ask asks", "rules: [{name: r, on: PreToolUse, match: 'Bash(rm *)', decision: ask}]", "$X y", hook.Ask},
		{"allow is nothing", "rules: [{name: r, on: PreToolUse, match: 'Bash(rm *)', decision: allow}]", "$X y", hook.None},
		{"unknown: deny", "rules: [{name: r, on: PreToolUse, match: 'Bash(rm *)', decision: ask, unknown: deny}]", "$X y", hook.Deny},
		{"unknown: skip", "rules: [{name: r, on: PreToolUse, match: 'Bash(rm *)', decision: deny, unknown: skip}]", "$X y", hook.None},
		{"failClosed", "failClosed: true\nrules: [{name: r, on: PreToolUse, match: 'Bash(rm *)', decision: deny}]", "$X y", hook.Deny},
		{"when", "rules: [{name: r, on: PreToolUse, match: Bash, when: 'bash(\"rm *\")', decision: deny}]", "$X y", hook.Ask},
		{"under not", "rules: [{name: r, on: PreToolUse, match: Bash, when: '!bash(\"rm *\")', decision: deny}]", "$X y", hook.Ask},
		{"allow under not", "rules: [{name: r, on: PreToolUse, match: Bash, when: '!bash(\"rm *\")', decision: allow}]", "$X y", hook.None},
		{"permissions deny", "permissions: {deny: ['Bash(rm *)']}", "$X y", hook.Ask},
		{"permissions deny, failClosed", "failClosed: true\npermissions: {deny: ['Bash(rm *)']}", "$X y", hook.Deny},
		{"permissions allow", "permissions: {allow: ['Bash(ls *)']}", "ls; $X y", hook.None},
		{"permissions allow all of it", "permissions: {allow: ['Bash(ls *)', 'Bash(echo *)']}", "ls -l && echo hi", hook.Allow},
		{"allow with a file redirect", "permissions: {allow: ['Bash(echo *)']}", "echo hi > f", hook.None},
		{"allow with /dev/null", "permissions: {allow: ['Bash(echo *)']}", "echo hi >/dev/null 2>&1", hook.Allow},
		{"allow with the redirect granted", "permissions: {allow: ['Bash(echo *)', 'Edit(./f)']}", "echo hi > f", hook.Allow},
		{"allow with a safe assignment", "permissions: {allow: ['Bash(npm test)']}", "NODE_ENV=test npm test", hook.Allow},
		{"allow with another assignment", "permissions: {allow: ['Bash(npm test)']}", "NODE_OPTIONS=--require=./x npm test", hook.None},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := mustPolicy(t, c.policy)
			ev := bash(c.command)
			ev.Dir = t.TempDir()
			dec := e.Dispatch(background, ev)
			if dec.Verdict != c.want {
				t.Errorf("%v, want %v; %+v", dec.Verdict, c.want, dec.Steps)
			}
			if c.want >= hook.Ask && strings.Contains(c.command, "$X") && !strings.Contains(dec.Reason(), "$X") {
				t.Errorf("the reason does not say what cannot be told: %q", dec.Reason())
			}
		})
	}
}

// Law 7: a hook that runs something runs on Unknown and is told so; an Allow
// that it gives is dropped.
func TestUnknownIsToldAndNotAllowed(t *testing.T) {
	told := ""
	s := script("runs", hook.PreToolUse, hook.Project, func(c hook.Call) (hook.Result, error) {
		told = c.Matched.Why
		return hook.Result{Verdict: hook.Allow}, nil
	})
	s.Matcher.Value = "Bash(rm *)"
	dec := open(t, []hook.Spec{s}).Dispatch(background, bash("$X y"))
	if dec.Verdict != hook.None || told == "" || !strings.Contains(dec.Steps[0].Detail, "allow dropped") {
		t.Errorf("%v, told %q, steps %+v", dec.Verdict, told, dec.Steps)
	}
}

// Law 8: the index is only an index.
func TestLawIndexIsOnlyAnIndex(t *testing.T) {
	matchers := []string{"", "*", "Bash", "Edit|Write", "Bash(rm *)", "Bash(ls *)|Write", "mcp__a", "mcp__a__*", "mcp__a__b", "^Note", ".*", "Task", "shell", "run_shell_command", "Edit(src/**)", "Read, Grep"}
	tools := []string{"Bash", "shell", "run_shell_command", "Edit", "write_file", "NotebookEdit", "Task", "Agent", "mcp__a__b", "mcp__ab__c", "Read", "Grep", "Unheard"}
	inputs := []hook.Object{engine.Input("command", "rm -rf x"), engine.Input("command", "ls"), engine.Input("file_path", "/project/src/a.go"), engine.Input()}
	rapid.Check(t, func(t *rapid.T) {
		var specs []hook.Spec
		for i := range rapid.IntRange(0, 12).Draw(t, "hooks") {
			s := fixedSpec(fmt.Sprint("h", i), rapid.SampledFrom(matchers).Draw(t, "matcher"), hook.Ask)
			s.If.Value = rapid.SampledFrom([]string{"", "", "", "Bash(rm *)", "Edit(src/**)"}).Draw(t, "if")
			specs = append(specs, s)
		}
		ev := engine.Event{Name: engine.PreToolUse, Dir: "/project", Tool: rapid.SampledFrom(tools).Draw(t, "tool"), Input: rapid.SampledFrom(inputs).Draw(t, "input")}
		indexed := newEngine(specs).Dispatch(background, ev)
		walked := newEngine(specs, engine.WithTrace()).Dispatch(background, ev)
		if indexed.Verdict != walked.Verdict || !slices.Equal(indexed.Reasons, walked.Reasons) {
			t.Fatalf("index: %v %q, walk: %v %q", indexed.Verdict, indexed.Reasons, walked.Verdict, walked.Reasons)
		}
	})
}

func TestPermissionsAreJudgedOnTheFinalInput(t *testing.T) {
	rewrite := engine.WithHook(engine.PreToolUse, "Bash", func(_ context.Context, _ engine.Call) (engine.Result, error) {
		return engine.Result{Verdict: engine.Allow, Input: engine.Input("command", "git push --force")}, nil
	})
	e := mustPolicy(t, "permissions: {deny: ['Bash(git push --force *)'], allow: ['Bash(ls *)']}", rewrite)
	dec := e.Dispatch(background, bash("ls"))
	if dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "git push --force") {
		t.Errorf("%v %q", dec.Verdict, dec.Reason())
	}
}

// B048, B049, B050: no hook lifts a rule, and no rule lifts a hook.
func TestHooksAndRulesAreOneLattice(t *testing.T) {
	for _, c := range []struct {
		rules string
		hook  hook.Verdict
		want  hook.Verdict
	}{
		{"allow: [Bash]", hook.Deny, hook.Deny},
		{"deny: ['Bash(printf X*)']", hook.Ask, hook.Deny},
		{"ask: ['Bash(printf *)']", hook.Allow, hook.Ask},
		{"ask: ['Bash(git *)']", hook.Allow, hook.Allow},
		{"allow: [Bash]", hook.None, hook.Allow},
	} {
		h := engine.WithHook(engine.PreToolUse, "Bash", func(context.Context, engine.Call) (engine.Result, error) {
			return engine.Result{Verdict: c.hook}, nil
		})
		if dec := mustPolicy(t, "permissions: {"+c.rules+"}", h).Dispatch(background, bash("printf X42")); dec.Verdict != c.want {
			t.Errorf("%s, hook %v: %v, want %v", c.rules, c.hook, dec.Verdict, c.want)
		}
	}
}

// B051: ask stays ask under bypassPermissions, flagged.
func TestAskUnderBypass(t *testing.T) {
	ev := bash("ls")
	ev.Mode = "bypassPermissions"
	if dec := mustPolicy(t, "permissions: {ask: [Bash]}").Dispatch(background, ev); dec.Verdict != hook.Ask || !dec.Bypassed {
		t.Errorf("%v bypassed %v", dec.Verdict, dec.Bypassed)
	}
}

// A broken entry blocks where it would have fired and nowhere else, naming
// its line; its neighbours work.
func TestBrokenEntriesBlockInTheirPlace(t *testing.T) {
	e, err := policy(t, `rules:
  - {name: fine, on: PreToolUse, match: "Bash(git *)", decision: ask}
  - {name: broken, on: PreToolUse, match: WebFetch, when: "host ==", decision: deny}
  - {name: lost, on: UserPromptSubmit, when: "prompt contains 1", decision: deny}
permissions: {allow: ["Bash(ls *)"]}
`)
	if err == nil {
		t.Fatal("no load error")
	}
	fetch := engine.Event{Name: engine.PreToolUse, Tool: "WebFetch", Input: engine.Input("url", "https://x.test/")}
	for _, c := range []struct {
		ev   engine.Event
		want hook.Verdict
		says string
	}{
		{bash("git x"), hook.Ask, ""},
		{bash("ls"), hook.Allow, ""},
		{fetch, hook.Deny, "pawl.yaml:3:"},
		{engine.Event{Name: engine.UserPromptSubmit, Prompt: "hi"}, hook.Deny, "pawl.yaml:4:"},
	} {
		if dec := e.Dispatch(background, c.ev); dec.Verdict != c.want || !strings.Contains(dec.Reason(), c.says) {
			t.Errorf("%s %s: %v %q, want %v naming %q", c.ev.Name, c.ev.Tool, dec.Verdict, dec.Reason(), c.want, c.says)
		}
	}
}

func TestUnreadableFileBlocksWhatCanBeBlocked(t *testing.T) {
	e, err := policy(t, "rules:\n\t- tab")
	if err == nil || e == nil {
		t.Fatalf("engine %v, error %v", e, err)
	}
	if dec := e.Dispatch(background, bash("ls")); dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "pawl.yaml:2:") {
		t.Errorf("%v %q", dec.Verdict, dec.Reason())
	}
	if dec := e.Dispatch(background, engine.Event{Name: engine.Stop}); !dec.Proceed() {
		t.Errorf("a stop is blocked: %q", dec.Reason())
	}
}

func TestTypeThatIsNotLinkedIsAClearError(t *testing.T) {
	_, err := policy(t, "hooks: {PreToolUse: [{hooks: [{type: comand, command: x}]}]}")
	if err == nil || !strings.Contains(err.Error(), `did you mean "command"?`) {
		t.Errorf("error %v", err)
	}
}

func TestReloadIsAllOrNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pawl.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("permissions: {deny: ['Bash(rm *)']}")
	e, err := engine.Open(background, file, engine.WithManaged("/nonexistent"))
	if err != nil {
		t.Fatal(err)
	}
	before := e.Snapshot()
	write("permissions: {deny: ['Bash(ls *)'], oops: [")
	if err := e.Reload(background); err == nil || e.Snapshot() != before {
		t.Fatalf("a broken file was taken: %v", err)
	}
	if dec := e.Dispatch(background, bash("rm x")); dec.Verdict != hook.Deny {
		t.Errorf("the old rules are gone: %v", dec.Verdict)
	}
	write("permissions: {deny: ['Bash(ls *)']}")
	if err := e.Reload(background); err != nil {
		t.Fatal(err)
	}
	if dec := e.Dispatch(background, bash("ls")); dec.Verdict != hook.Deny || e.Snapshot() == before {
		t.Errorf("the new rules are not in force: %v", dec.Verdict)
	}
}

func TestGuardOfPawlsOwnFiles(t *testing.T) {
	e := mustPolicy(t, "{}")
	for _, c := range []struct {
		tool, path string
		want       hook.Verdict
	}{
		{"Write", "/project/pawl.yaml", hook.Ask},
		{"Edit", "/project/.pawl/local.yaml", hook.Ask},
		{"MultiEdit", "/project/sub/../.claude/settings.json", hook.Ask},
		{"write_file", "/home/u/.config/pawl/pawl.yaml", hook.Ask},
		{"Read", "/project/pawl.yaml", hook.None},
		{"Write", "/project/src/pawl.go", hook.None},
	} {
		ev := engine.Event{Name: engine.PreToolUse, Dir: "/project", Tool: c.tool, Input: engine.Input("file_path", c.path, "content", "x")}
		if dec := e.Dispatch(background, ev); dec.Verdict != c.want {
			t.Errorf("%s %s: %v, want %v", c.tool, c.path, dec.Verdict, c.want)
		}
	}
	for command, want := range map[string]hook.Verdict{"pawl trust .": hook.Ask, "cd x && /usr/bin/pawl trust": hook.Ask, "pawl check": hook.None, "echo pawl trust": hook.None,
		"echo x > pawl.yaml": hook.Ask, "cd .pawl && tee local.yaml": hook.Ask, "sed -i s/deny/allow/ sub/pawl.yaml": hook.Ask, "rm -rf .pawl": hook.Ask,
		"sudo cp x ~/.claude/settings.json": hook.Ask, "cat pawl.yaml": hook.None, "grep deny pawl.yaml > out": hook.None, "git add pawl.yaml": hook.None} {
		if dec := e.Dispatch(background, bash(command)); dec.Verdict != want {
			t.Errorf("%s: %v, want %v", command, dec.Verdict, want)
		}
	}
}

// A big input decides in bounded memory: the bytes are shared, not copied.
func TestBigInputIsNotCopied(t *testing.T) {
	e := mustPolicy(t, "rules: [{name: r, on: PreToolUse, match: 'Write(src/**)', when: 'input.content contains \"secret\"', decision: deny}]")
	ev := engine.Event{Name: engine.PreToolUse, Dir: "/project", Tool: "Write",
		Input: engine.Input("file_path", "/project/src/a", "content", strings.Repeat("x", 10<<20))}
	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e.Dispatch(background, ev)
		}
	}).AllocedBytesPerOp()
	if allocated > 1<<20 {
		t.Errorf("%d bytes for one decision on 10 MB", allocated)
	}
}

func TestWrappersOfTheSettings(t *testing.T) {
	e := mustPolicy(t, `wrappers:
  - {name: guarded, flags: "-q --quiet", values: [-c, --config], operands: 1}
  - {name: ls, text: true}
rules:
  - {name: r, on: PreToolUse, match: "Bash(rm *)", decision: deny}
`)
	for command, want := range map[string]hook.Verdict{
		"guarded -q -c f host rm x": hook.Deny, "guarded --config=f host rm x": hook.Deny, "guarded host ls": hook.None,
		"guarded rm x": hook.None, "ls rm x": hook.Deny, "echo guarded h rm x": hook.None,
	} {
		if dec := e.Dispatch(background, bash(command)); dec.Verdict != want {
			t.Errorf("%s: %v, want %v", command, dec.Verdict, want)
		}
	}
	for text, says := range map[string]string{
		"wrappers: {name: x}":                   "expected a list",
		"wrappers: [{name: sudo, flags: x}]":    "known already",
		"wrappers: [{nam: x}]":                  `unknown key "nam"`,
		"wrappers: [{name: x}, {name: x}]":      "twice",
		"wrappers: [{name: x, operands: many}]": "operands",
	} {
		if _, err := policy(t, text); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "pawl.yaml:1:") {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestEventsThatTheTableDoesNotKnow(t *testing.T) {
	e := mustPolicy(t, "hooks: {OurOwn: [{hooks: [{type: permission, decision: deny, reason: no}]}]}")
	if dec := e.Dispatch(background, engine.Event{}); dec.Proceed() || dec.Reason() == "" {
		t.Errorf("an event without a name proceeds: %+v", dec)
	}
	if dec := e.Dispatch(background, engine.Event{Name: "pre_tool_use", Tool: "Bash"}); len(dec.Notices) == 0 || len(dec.Steps) == 0 {
		t.Errorf("nobody is told of a misspelt event: %+v", dec)
	}
	if dec := e.Dispatch(background, engine.Event{Name: "OurOwn"}); dec.Verdict != hook.Deny {
		t.Errorf("a host's own event: %v", dec.Verdict)
	}
	never := func(context.Context, engine.Call) (engine.Result, error) { return engine.Result{}, nil }
	if _, err := policy(t, "{}", engine.WithHook("PreToolUsed", "", never)); err == nil || !strings.Contains(err.Error(), "PreToolUse") {
		t.Errorf("a function hook on a misspelt event: %v", err)
	}
}

// What failed is named with its place, its output and, of a panic, no stack.
func TestFailuresAreNamed(t *testing.T) {
	e := mustPolicy(t, "hooks: {PreToolUse: [{hooks: [{type: command, command: './gone.sh'}]}]}",
		engine.WithHook(engine.PreToolUse, "Bash", func(context.Context, engine.Call) (engine.Result, error) { panic("boom") }))
	dec := e.Dispatch(background, bash("ls"))
	if len(dec.Notices) != 1 || !strings.Contains(dec.Notices[0], "pawl.yaml:1:") || !strings.Contains(dec.Notices[0], "gone.sh") {
		t.Errorf("notices %q", dec.Notices)
	}
	if dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "panic: boom") || strings.Contains(dec.Reason(), "goroutine") || strings.Contains(dec.Reason(), "onFailure") {
		t.Errorf("%v %q", dec.Verdict, dec.Reason())
	}
}

// A condition that is compiled when it is needed has the same faults, found
// where its hook would fire.
func TestLazyConditions(t *testing.T) {
	e := mustPolicy(t, `rules:
  - {name: good, on: PreToolUse, match: Bash, when: 'command contains "prod"', decision: ask}
  - {name: bad, on: PreToolUse, match: WebFetch, when: "host ==", decision: deny}
`, engine.WithLazyConditions())
	fetch := engine.Event{Name: engine.PreToolUse, Tool: "WebFetch", Input: engine.Input("url", "https://x.test/")}
	for _, c := range []struct {
		ev   engine.Event
		want hook.Verdict
		says string
	}{{bash("deploy prod"), hook.Ask, ""}, {bash("ls"), hook.None, ""}, {fetch, hook.Deny, "pawl.yaml:3:"}} {
		if dec := e.Dispatch(background, c.ev); dec.Verdict != c.want || !strings.Contains(dec.Reason(), c.says) {
			t.Errorf("%s: %v %q, want %v %q", c.ev.Tool, dec.Verdict, dec.Reason(), c.want, c.says)
		}
	}
}
