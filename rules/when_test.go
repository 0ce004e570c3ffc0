package rules

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// object makes an Object from Go values for tests; the raw bytes are not used.
func object(view map[string]any) hook.Object { return hook.NewObject([]byte("{}"), nil, view) }

func toolEvent(tool string, input map[string]any) hook.Event {
	return hook.Event{Name: hook.PreToolUse, Tool: tool, Dir: "/p", Input: object(input)}
}

func TestWhen(t *testing.T) {
	big := make([]any, 3000)
	for i := range big {
		big[i] = i
	}
	ev := toolEvent("Deploy", map[string]any{"n": 3, "f": 3.0, "s": "prod-eu", "list": []any{"a", "b"}, "o": map[string]any{"k": 1}, "yes": true, "big": big})
	ev.Mode = "plan"
	f := Analyze(ev)
	for _, c := range []struct{ when, want string }{
		{`tool == "Deploy" && permission_mode != "default"`, "yes"},
		{`input.s contains "prod"`, "yes"},
		{`input.n == 3`, "yes"},       // B153
		{`input.f == 3`, "yes"},       // B153
		{`input.n in [1,2,3]`, "yes"}, // B153
		{`input.missing > 3`, "no"},   // B151, where DESIGN wins
		{`input.missing != 3`, "no"},  // a missing field makes any comparison false
		{`input.missing == input.gone`, "no"},
		{`input.missing == nil`, "yes"},
		{`input.s != nil`, "yes"},
		{`input.s > 3`, "no"},
		{`input.s > 3 || input.n == 3`, "yes"}, // only that comparison is false
		{`!(input.missing > 3)`, "yes"},
		{`input.missing.deeper.still == 1`, "no"},
		{`input.s.deeper == 1 || tool == "Deploy"`, "yes"},
		{`input.o.k == 1`, "yes"},
		{`input.list[7] == "a" || input.list[0] == "a"`, "yes"},
		{`any(input.missing, # == 1) || input.yes`, "yes"},
		{`all(input.missing, # == 1)`, "error"}, // nothing fits vacuously
		{`lower(input.n) == "x" || input.n == 3`, "yes"},
		{`len(input.list) == 2 and any(input.list, # == "b")`, "yes"},
		{`input.missing matches "x" or input.s matches "^prod"`, "yes"},
		{`input.n + 1 == 4 && input.s + "x" == "prod-eux"`, "yes"},
		{`input.s + 1 == "prod" || tool == "Deploy"`, "yes"},
		{`input.yes`, "yes"},
		{`input.missing`, "no"},
		{`input.missing && true`, "no"},
		{`input.s`, "error"}, // B153: no truthiness
		{`input.n`, "error"}, // B153
		{`any(1..input.n, # == 3)`, "yes"},
		{`any(1..1000000000, # == 3)`, "error"}, // B151
		{`input.s matches input.o`, "no"},
		{`tool matches input.bad`, "no"},
		{`glob("prod-*", input.s) && regex("^prod(?!-us)", input.s)`, "yes"},
		{`glob("3", input.n) && !glob("*", input.missing)`, "yes"},
		{`let x = input.n; x * 2 == 6`, "yes"},
		{`[1][5] == 1`, "no"}, // B152
		{`len(filter(input.list, # != "a")) == 1`, "yes"},
		{`any(input.big, # == 2999)`, "yes"},
	} {
		cond, diags := When(hook.Text{Value: c.when}, Scope{Event: hook.PreToolUse})
		if cond == nil {
			t.Errorf("%s: %v", c.when, diags)
			continue
		}
		m, err := cond.Eval(context.Background(), f)
		got := m.Tri.String()
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s (error %v)", c.when, got, c.want, err)
		}
	}
}

func TestWhenErrors(t *testing.T) {
	pos := hook.Position{File: "pawl.yaml", Line: 7, Col: 11}
	for _, c := range []struct{ when, want string }{
		{``, "empty condition"},
		{`"yes"`, "bool"},              // B153
		{`tool == true`, "mismatched"}, // B153
		{`tol == "x"`, `pawl.yaml:7:11: unknown name tol (did you mean "tool"?)`},
		{`tool_input.command == "x"`, `unknown name tool_input (did you mean "input"?)`},
		{`tool == "x" && comand == "y"`, `pawl.yaml:7:26: unknown name comand (did you mean "command"?)`},
		{"tool == \"x\"\n  && comand == \"y\"", `pawl.yaml:8:6: unknown name comand`},
		{`bahs("rm *")`, `did you mean "bash"?`},
		{`bash(input.command)`, "literal patterns"},
		{`bash()`, "at least one pattern"},
		{`glob("[", tool)`, "not a valid pattern"},
		{`regex("(", tool)`, "error parsing regexp"},
		{`tool matches "(?=x)"`, "look-around"}, // B154
		{`$env.tool == "x"`, "$env"},            // B152
		{`__run == nil`, "unknown name __run"},
		{`1 % 0 == 1`, "divide by zero"}, // B152: never a panic
		{`repeat("a", 1000000) == ""`, "repeat"},
		{`now() > 3`, "now"},
		{`tool ==`, "ends too early"},
		{`tool = "Bash"`, `pawl.yaml:7:16: = assigns nothing in a condition (use == to compare)`},
		{`tool == "x" & bash("y")`, "use && for and"},
		{`contains(command, "x")`, `contains stands between what it compares (write command contains "…")`},
		{`command.startsWith("x")`, `(write command startsWith "…")`},
		{`bash("rm *"`, `pawl.yaml:7:15: ( is not closed`},
		{`(tool == "x" && bash("y")`, `pawl.yaml:7:11: ( is not closed`},
		{`tool == "x`, `pawl.yaml:7:19: this quote is never closed`},
		{`bash(rm *)`, `pawl.yaml:7:16: bash takes literal patterns, in quotes (quote the pattern: bash("rm *"))`},
		{`Bash(git push)`, `quote the pattern: bash("git push")`},
		{`path(~/.ssh/**) && tool == "x"`, `quote the pattern: path("~/.ssh/**")`},
		{`tool == "a(b c)" && tol`, "unknown name tol"},
		{`Bash == "x"`, `tool == "Bash"`},
		{`flag("f")`, `"f" is no option, so that no command has it (write flag("-f"))`},
		{`flag("-f", "force")`, `write flag("--force")`},
		{`tool == "bash"`, `never "bash", so that this never holds (did you mean "Bash"?`},
		{`tool == "shell" && bash("rm *")`, `did you mean "Bash"?`},
		{`bash("rm *") && event == "PreToolUze"`, `unknown event "PreToolUze", so that this never holds (did you mean "PreToolUse"?)`},
		{strings.Repeat("x", maxSource+1), "at most"},
		{strings.Repeat("(", 4000) + "true" + strings.Repeat(")", 90), "( is not closed"},
	} {
		cond, diags := When(hook.Text{Value: c.when, Pos: pos}, Scope{Event: hook.PreToolUse})
		if cond != nil || len(diags) == 0 || !strings.Contains(diags[0].Error(), c.want) {
			t.Errorf("%.60s: got %v %v, want %q", c.when, cond != nil, diags, c.want)
		}
	}
}

// TestWhenStops is B149: nested predicates over data of the event end in time.
func TestWhenStops(t *testing.T) {
	big := make([]any, 3000)
	for i := range big {
		big[i] = i
	}
	f := Analyze(toolEvent("X", map[string]any{"a": big}))
	cond, diags := When(hook.Text{Value: `all(input.a, {let x=#; all(input.a, {let y=#; all(input.a, {# != x+y+1000000})})})`}, Scope{})
	if cond == nil {
		t.Fatal(diags)
	}
	start := time.Now()
	if _, err := cond.Eval(context.Background(), f); err == nil || !strings.Contains(err.Error(), "out of time") {
		t.Errorf("got %v, want out of time", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestWhenWarnings(t *testing.T) {
	for _, c := range []struct{ when, want string }{
		{`tool == "Bash" && input.comand == "x"`, `Bash has no input field "comand" (did you mean "command"?)`},
		{`input.command matches "^rm"`, "raw text"}, // B154
		{`bash("(rm|mv) .*")`, "takes a glob"},
		{`bash("^rm") || path("x")`, "takes a glob"},
		{`bash("cd x && rm *")`, "one by one"},
		{`tool == "bash" || bash("rm *")`, `did you mean "Bash"?`},
		{`tool != "bash"`, `did you mean "Bash"?`},
		{`tool in ["Write", "bash"]`, `did you mean "Bash"?`},
		{`tool == "Wrote"`, `unknown tool "Wrote" (did you mean "Write"?)`},
		{`event == "PreToolUze" || flag("-f")`, `did you mean "PreToolUse"?`},
	} {
		_, diags := When(hook.Text{Value: c.when}, Scope{Event: hook.PreToolUse})
		if len(diags) != 1 || diags[0].Severity != hook.Warning || !strings.Contains(diags[0].Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.when, diags, c.want)
		}
	}
}

// TestLazyConditionsShareNothing: run under the race detector.
func TestLazyConditionsShareNothing(t *testing.T) {
	p := newPlace(t)
	s := p.scope(false)
	s.Event, s.Links = hook.PreToolUse, Links{}
	f := p.facts("Read", map[string]any{"file_path": "a/b"})
	var wg sync.WaitGroup
	for range 4 {
		c := LazyWhen(hook.Text{Value: `path("a/**") && tool == "Read"`}, s)
		wg.Go(func() {
			if m, err := c.Eval(t.Context(), f); err != nil || m.Tri != hook.Yes {
				t.Errorf("got %v, %v", m, err)
			}
		})
	}
	wg.Wait()
	if len(s.Links) != 0 {
		t.Errorf("a lazy condition wrote %v", s.Links)
	}
}

// The machine loads fields by their number, and env is handed to it in the
// place of allFields.
func TestEnvBeginsAllFields(t *testing.T) {
	mine, all := reflect.TypeFor[env](), reflect.TypeFor[allFields]()
	names := map[string]bool{}
	for i := range all.NumField() {
		f := all.Field(i)
		names[f.Tag.Get("expr")] = true
		switch {
		case i < mine.NumField():
			if m := mine.Field(i); m.Name != f.Name || m.Type != f.Type || m.Tag != f.Tag {
				t.Errorf("field %d is %s in env, %s in allFields", i, m.Name, f.Name)
			}
		case f.Name != "Commands" && !slices.Contains(calledFields, f.Tag.Get("expr")):
			t.Errorf("%s is neither in env nor called", f.Name)
		}
	}
	for _, name := range fieldNames {
		if !names[name] {
			t.Errorf("%s is in no struct", name)
		}
	}
}
