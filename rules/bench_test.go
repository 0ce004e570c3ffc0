package rules

import (
	"context"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/pawl-dev/pawl/engine/hook"
)

func BenchmarkMatch(b *testing.B) {
	bash := Analyze(toolEvent("Bash", map[string]any{"command": "git status --short"}))
	edit := Analyze(hook.Event{Name: hook.PreToolUse, Tool: "Edit", Dir: "/tmp", Input: object(map[string]any{"file_path": "/tmp/src/a.go"})})
	for _, c := range []struct {
		name, text string
		facts      *hook.Facts
	}{
		{"name", "Edit|Write", bash}, {"bash", "Bash(git push *)", bash}, {"path", "Edit(src/*.go)", edit}, {"regex", "^mcp__.*__write", bash},
	} {
		p, _ := Matcher(hook.Text{Value: c.text}, Scope{Event: hook.PreToolUse})
		c.facts.Commands()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Match(c.facts)
			}
		})
	}
}

// BenchmarkWhen compares a condition with expr itself on the same source.
func BenchmarkWhen(b *testing.B) {
	const source = `tool == "Bash" && input.command contains "prod" && permission_mode != "plan"`
	f := Analyze(toolEvent("Bash", map[string]any{"command": "kubectl get pods -n prod"}))
	b.Run("pawl", func(b *testing.B) {
		c, _ := When(hook.Text{Value: source}, Scope{Event: hook.PreToolUse})
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Eval(context.Background(), f); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("expr", func(b *testing.B) {
		program, err := expr.Compile(source, expr.Env(env{}), expr.AsBool())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := expr.Run(program, makeEnv(&run{facts: f}, fieldSet{})); err != nil {
				b.Fatal(err)
			}
		}
	})
}
