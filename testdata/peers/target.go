package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"mvdan.cc/sh/v3/syntax"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
	"github.com/pawl-dev/pawl/rules/shell"
)

// goal is one thing that the design promises, and what it is here and now.
type goal struct {
	what     string
	want     float64
	atLeast  bool // else at most
	measured float64
}

func (g *goal) met() bool {
	if g.atLeast {
		return g.measured >= g.want
	}
	return g.measured <= g.want
}

// targets puts together what the tables have and times the rest.
func targets(results []result, perKind []kindRow, rounds int) ([]goal, error) {
	cell := func(name string, n int) float64 { return find(results, name, n).ns }
	row := func(kind string) kindRow { return findRow(perKind, kind) }
	texts := plainTexts()
	goals := []goal{
		{"OPA ÷ Dispatch, 1,000 rules", 50, true, cell(opaName, 1000) / cell(readyName, 1000)},
		{"cedar-go ÷ Dispatch, 1,000 rules", 50, true, cell(cedarName, 1000) / cell(readyName, 1000)},
		{"Dispatch with 10,000 rules ÷ with 100", 3, false, cell(readyName, 10_000) / cell(readyName, 100)},
		{"allocations, " + unnamed, 0, false, row(unnamed).pawl.allocs},
		{"allocations, Bash command that no rule names", 0, false, row("Bash").pawl.allocs},
	}
	for _, pair := range []struct {
		what  string
		most  float64
		times func() (mine, bare *track, err error)
	}{
		{"selection without a match ÷ Go index, 1,000 rules", 2, selectionTracks},
		{"a look at a plain Bash command ÷ mvdan/sh parse", 1.0 / 30, func() (*track, *track, error) { return parseTracks(texts, lookPlain) }},
		{"Bash text seen before ÷ mvdan/sh parse", 1.0 / 30, func() (*track, *track, error) { return parseTracks(slices.Concat(texts, quotedTexts), readAgain()) }},
		{"one when ÷ expr", 1.5, whenTracks},
	} {
		mine, bare, err := pair.times()
		if err != nil {
			return nil, err
		}
		if err := interleave([]*track{mine, bare}, 2*rounds); err != nil {
			return nil, err
		}
		goals = append(goals, goal{pair.what, pair.most, false, mine.median() / bare.median()})
	}
	return goals, nil
}

// plainTexts are the commands of the stream, without those that match.
func plainTexts() []string {
	var texts []string
	for _, e := range newEvents(newPolicy(100), block) {
		if e.Command != "" && !strings.Contains(e.Command, "prod-") {
			texts = append(texts, e.Command)
		}
	}
	return texts
}

var quotedTexts = []string{
	`git commit -m "fix: the parser"`, `cd src && go test ./... 2>&1 | tail -20`, `grep -rn 'func main' --include='*.go' .`,
	`for f in *.go; do gofmt -l "$f"; done`, `echo "$HOME" > /tmp/home.txt`,
}

// lookPlain is all that is asked of a plain command that no rule is about.
func lookPlain(text string) bool {
	command, _ := shell.Plain(text)
	return command != ""
}

// readAgain reads texts as an engine does that has seen them.
func readAgain() func(string) bool {
	analyzer := rules.NewAnalyzer(nil)
	return func(text string) bool { return len(analyzer.Commands(text).List) > 0 }
}

// parseTracks reads texts with Pawl and with the bare parser, which is kept.
func parseTracks(texts []string, read func(string) bool) (mine, bare *track, err error) {
	parser := syntax.NewParser()
	mine = &track{name: "shell", step: len(texts), run: func(i int) error {
		if text := texts[i%len(texts)]; !read(text) {
			return fmt.Errorf("no command in %q", text)
		}
		return nil
	}}
	bare = &track{name: "mvdan/sh", step: len(texts), run: func(i int) error {
		_, err := parser.Parse(strings.NewReader(texts[i%len(texts)]), "")
		return err
	}}
	return mine, bare, nil
}

const whenSource = `tool == "Bash" && input.command contains "prod" && permission_mode != "plan"`

// whenEnv is all that the condition reads.
type whenEnv struct {
	Tool  string         `expr:"tool"`
	Input map[string]any `expr:"input"`
	Mode  string         `expr:"permission_mode"`
}

// whenTracks evaluates one condition, with Pawl and with expr itself.
func whenTracks() (mine, bare *track, err error) {
	cond, diags := rules.When(hook.Text{Value: whenSource}, rules.Scope{Event: hook.PreToolUse})
	if cond == nil {
		return nil, nil, fmt.Errorf("when: %v", diags)
	}
	facts := rules.Analyze(engine.Event{Name: engine.PreToolUse, Tool: "Bash", Mode: "default", Input: engine.Input("command", "kubectl get pods -n prod")})
	ctx := context.Background()
	mine = &track{name: "when", step: 1, run: func(int) error {
		m, err := cond.Eval(ctx, facts)
		if err == nil && m.Tri != hook.Yes {
			err = fmt.Errorf("when: %s", m.Tri)
		}
		return err
	}}
	program, err := expr.Compile(whenSource, expr.Env(whenEnv{}), expr.AsBool())
	if err != nil {
		return nil, nil, err
	}
	var machine vm.VM
	ev := &facts.Event
	bare = &track{name: "expr", step: 1, run: func(int) error {
		out, err := machine.Run(program, whenEnv{ev.Tool, ev.Input.View(), ev.Mode})
		if err == nil && out != true {
			err = fmt.Errorf("expr: %v", out)
		}
		return err
	}}
	return mine, bare, nil
}
