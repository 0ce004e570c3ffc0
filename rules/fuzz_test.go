package rules

import (
	"context"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

var fuzzEvents = []*hook.Facts{
	Analyze(toolEvent("Bash", map[string]any{"command": "git push && cat .env > x $Y"})),
	Analyze(toolEvent("Edit", map[string]any{"file_path": "src/../a b/[x]", "n": 3})),
	Analyze(toolEvent("mcp__a__b", map[string]any{"url": "https://a.b"})),
	Analyze(hook.Event{Name: hook.SessionStart, Subject: "startup"}),
}

// fuzzPattern compiles text and requires what a usable pattern promises.
func fuzzPattern(f *testing.F, compile func(hook.Text, Scope) (*Pattern, []hook.Diagnostic)) {
	for _, seed := range []string{"", "*", "Bash(rm *)|Write", "Edit, Write", "mcp__a__*", "^(?!x)", "Read(~/a/[!b]**)", "Agent(model: x)", "Skill(a:*)", "WebFetch(domain:*.x)", "PowerShell(a$b)", "Edit(./../{a,b}/)", "Bash(a) || Bash(b)", "((((", "[z-a]", `a\`} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, grant bool) {
		s := Scope{Event: hook.PreToolUse, Root: "/p", Home: "/h", Source: hook.Source{Dir: "/p"}, Grant: grant}
		p, diags := compile(hook.Text{Value: text}, s)
		if p == nil {
			for _, d := range diags {
				if d.Severity == hook.Error {
					return
				}
			}
			t.Fatalf("%q: no pattern and no error: %v", text, diags)
		}
		c, diags := When(hook.Text{Value: p.Expr()}, s)
		if c == nil && len(p.Expr()) <= maxSource {
			t.Fatalf("%q lowers to %q: %v", text, p.Expr(), diags)
		}
		for _, facts := range fuzzEvents {
			got := p.Match(facts)
			if p.Explain(facts).Tri != got {
				t.Fatalf("%q: Explain and Match differ", text)
			}
			if c == nil {
				continue
			}
			if m, err := c.Eval(context.Background(), facts); err != nil || m.Tri != got {
				t.Fatalf("%q is %v; as %q it is %v, %v", text, got, p.Expr(), m.Tri, err)
			}
		}
	})
}

func FuzzMatcher(f *testing.F)    { fuzzPattern(f, Matcher) }
func FuzzPermission(f *testing.F) { fuzzPattern(f, Permission) }

// FuzzWhen: compiling and evaluating never panics, and says why it fails.
func FuzzWhen(f *testing.F) {
	for _, seed := range []string{`tool == "Bash"`, `bash("rm *") && !path("a/**", "b")`, `input.a.b > 3 ?? true`, `any(commands, .name == "rm" and len(.args) > 1)`,
		`let x = input; x["y"] != x.z`, `all(1..9, # in input.list)`, `command matches "(?i)x" ? flag("-f", "--force") : env("CI") == ""`, `input.a + "b" contains host`, `get(input, "a")[1:2] == ""`,
		`$env`, `__run`, `not (x`, `len(nil) > 0`, `-input.x % 0 == 1`, `{"a": 1}.a == input?.b?.c`, `filter(input.x, # > 1) | map(#.y) | any(# == 2)`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		c, diags := When(hook.Text{Value: source}, Scope{Event: hook.PreToolUse})
		if c == nil {
			if len(diags) == 0 {
				t.Fatalf("%q: no condition and no error", source)
			}
			return
		}
		for _, facts := range fuzzEvents {
			if _, err := c.Eval(context.Background(), facts); err != nil && err.Error() == "" {
				t.Fatalf("%q: an error without text", source)
			}
		}
	})
}
