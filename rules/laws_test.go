package rules

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

var (
	commandGen = rapid.Custom(func(t *rapid.T) string {
		word := rapid.SampledFrom([]string{"rm", "git", "push", "-f", "-rf", "x", "npm", "test", "$X", "$(date)", "$(rm y)", "'a b'", "src/a", ".env", "cat", "sudo", "echo",
			"> out", "< .env", "2>&1", "A=1", "CI=1", "\\rm", "{a,b}", "*", "bash -c 'rm x'", "xargs", "cd src", "\"$Y\"", "~/x"})
		sep := rapid.SampledFrom([]string{" ", " ", " ", " && ", "; ", " | ", "\n"})
		var b strings.Builder
		for i := range rapid.IntRange(1, 6).Draw(t, "words") {
			if i > 0 {
				b.WriteString(sep.Draw(t, "sep"))
			}
			b.WriteString(word.Draw(t, "word"))
		}
		return b.String()
	})
	patternGen = rapid.SampledFrom([]string{
		"Bash(rm *)", "Bash(git push *)", "Bash(git *)", "Bash(npm test)", "Bash(cat*)", "Bash(echo:*)", "Bash(*x*)", "Bash", "Bash(cat .env)", "Bash(* -f *)", "Bash(git push {-f,--force} *)", "Bash(rm {-f} {-r} *)",
		"Read(.env)", "Edit(src/**)", "Read(~/**)", "Edit(./out)", "Write(//p/**)", "Read", "Write", "Edit(*)",
		"WebFetch(domain:*.a.com)", "WebFetch(domain:*)", "mcp__a", "mcp__a__b*", "Agent(Ex*)", "Skill(x *)", "TodoWrite", "deploy",
	})
	eventGen = rapid.Custom(func(t *rapid.T) hook.Event {
		tool := rapid.SampledFrom([]string{"Bash", "Bash", "Bash", "shell", "Read", "Edit", "Write", "NotebookEdit", "Grep", "WebFetch", "mcp__a__b", "mcp__a__b__c", "Task", "Skill", "deploy"}).Draw(t, "tool")
		file := rapid.SampledFrom([]string{".env", "/p/src/a", "src/../.env", "/p/x/src/b", "~/x", "/p/OUT", "/p/out", "", "sub/.env"}).Draw(t, "file")
		input := map[string]any{
			"command": commandGen.Draw(t, "command"), "file_path": file, "notebook_path": file, "subagent_type": "Explore", "skill": "x",
			"url": rapid.SampledFrom([]string{"https://b.a.com", "https://a.com", "http://[", "x"}).Draw(t, "url"),
		}
		if tool == "Grep" {
			input = map[string]any{"path": file}
		}
		return toolEvent(tool, input)
	})
)

func scopeFor(grant bool) Scope {
	return Scope{Event: hook.PreToolUse, Root: "/p", Home: "/home/u", Source: hook.Source{Dir: "/p"}, Grant: grant}
}

// TestExprMeansTheSame: the source of a pattern, pasted back as a `when`,
// answers what the pattern answers.
func TestExprMeansTheSame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := scopeFor(rapid.Bool().Draw(r, "grant"))
		text := patternGen.Draw(r, "pattern")
		compile := rapid.SampledFrom([]func(hook.Text, Scope) (*Pattern, []hook.Diagnostic){Permission, If, Matcher}).Draw(r, "compile")
		p, diags := compile(hook.Text{Value: text}, s)
		if p == nil {
			r.Fatalf("%s: %v", text, diags)
		}
		f := Analyze(eventGen.Draw(r, "event"))
		c, diags := When(hook.Text{Value: p.Expr()}, s)
		if c == nil {
			r.Fatalf("%s lowers to %s: %v", text, p.Expr(), diags)
		}
		m, err := c.Eval(context.Background(), f)
		if want := p.Match(f); err != nil || m.Tri != want {
			r.Fatalf("%s is %v, as %s it is %v (%v)", text, want, p.Expr(), m.Tri, err)
		}
		if e := p.Explain(f); e.Tri != m.Tri || e.Tri == hook.Unknown && e.Why == "" {
			r.Fatalf("%s: Explain says %v %q, Match %v", text, e.Tri, e.Why, m.Tri)
		}
	})
}

// TestMatcherListsMeanTheSame is the same law for lists of patterns.
func TestMatcherListsMeanTheSame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := scopeFor(rapid.Bool().Draw(r, "grant"))
		text := strings.Join(rapid.SliceOfN(patternGen, 1, 4).Draw(r, "patterns"), "|")
		p, diags := Matcher(hook.Text{Value: text}, s)
		if p == nil {
			r.Fatalf("%s: %v", text, diags)
		}
		f := Analyze(eventGen.Draw(r, "event"))
		c, diags := When(hook.Text{Value: p.Expr()}, s)
		if c == nil {
			r.Fatalf("%s lowers to %s: %v", text, p.Expr(), diags)
		}
		m, err := c.Eval(context.Background(), f)
		if want := p.Match(f); err != nil || m.Tri != want {
			r.Fatalf("%s is %v, as %s it is %v (%v)", text, want, p.Expr(), m.Tri, err)
		}
		if want := p.Match(f); want != hook.No {
			if subjects := p.Subjects(); subjects != nil && !contains(subjects, f.Event.Tool, f.Event.HostTool) && !strings.HasPrefix(f.Event.Tool, "mcp__") {
				r.Fatalf("%s fits %s, which is not among its subjects %v", text, f.Event.Tool, subjects)
			}
		}
	})
}

func contains(list []string, any ...string) bool {
	for _, s := range list {
		for _, a := range any {
			if s == a {
				return true
			}
		}
	}
	return false
}

// TestGrantsAreGuards: what a grant covers, a guard with the same text covers.
func TestGrantsAreGuards(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := patternGen.Draw(r, "pattern")
		grant, _ := Permission(hook.Text{Value: text}, scopeFor(true))
		guard, _ := Permission(hook.Text{Value: text}, scopeFor(false))
		f := Analyze(eventGen.Draw(r, "event"))
		if grant.Match(f) == hook.Yes && guard.Match(f) != hook.Yes {
			r.Fatalf("%s grants what it does not guard: %v", text, guard.Explain(f))
		}
		if t, _, _ := Covers([]*Pattern{grant}, f); t != grant.Match(f) {
			r.Fatalf("%s alone: Match %v, Covers %v", text, grant.Match(f), t)
		}
	})
}

// TestMoreTextNeverLoosens: commands before or after do not turn a guard's
// answer into a weaker one.
func TestMoreTextNeverLoosens(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := patternGen.Draw(r, "pattern")
		guard, _ := Permission(hook.Text{Value: text}, scopeFor(false))
		a, b := commandGen.Draw(r, "a"), commandGen.Draw(r, "b")
		match := func(command string) hook.Tri {
			return guard.Match(Analyze(toolEvent("Bash", map[string]any{"command": command})))
		}
		alone := match(a)
		if more := match(a + "\n" + b); more < min(alone, hook.Unknown) {
			r.Fatalf("%s: %v on %q, %v with %q after it", text, alone, a, more, b)
		}
		if strings.HasPrefix(b, "cd ") {
			return // another directory is another file
		}
		if more := match(b + "\n" + a); more < min(alone, hook.Unknown) {
			r.Fatalf("%s: %v on %q, %v with %q before it", text, alone, a, more, b)
		}
	})
}

// TestPureConditions: a condition that is one pattern call means the same with
// and without the machine.
func TestPureConditions(t *testing.T) {
	sources := []string{`bash("rm *")`, `bash("git push *", "rm *")`, `bash("git push {--force,-f} *")`, ` path( "src/**" ,".env" ) `, `reads("~/.ssh/**")`, `writes("*.md")`, `domain("example.com", "*.test")`}
	rapid.Check(t, func(r *rapid.T) {
		s := scopeFor(rapid.Bool().Draw(r, "grant"))
		source := rapid.SampledFrom(sources).Draw(r, "source")
		pure, _ := When(hook.Text{Value: source}, s)
		machine, _ := When(hook.Text{Value: "(" + source + ")"}, s)
		if pure.pure == nil || machine.pure != nil {
			r.Fatalf("%s: pure %v, in brackets %v", source, pure.pure, machine.pure)
		}
		f := Analyze(eventGen.Draw(r, "event"))
		a, err := pure.Eval(context.Background(), f)
		b, failed := machine.Eval(context.Background(), f)
		if a.Tri != b.Tri || err != nil || failed != nil {
			r.Fatalf("%s is %v, by the machine %v", source, a, b)
		}
	})
	for _, source := range []string{`bash("a\"b")`, "bash(`x`)", `bash("")`, `bash("a",)`, `bash("a") `, `path("a") or path("b")`, `bash("a")("b")`} {
		if name, args, ok := pureCall(source); ok && source != `bash("a") ` {
			t.Errorf("%s is read as %s %q", source, name, args)
		}
	}
}
