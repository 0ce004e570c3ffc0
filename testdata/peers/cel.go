package main

import (
	"fmt"

	"cel.dev/cel-go/cel"

	"github.com/pawl-dev/pawl/engine"
)

// loadCEL compiles a program for each rule and runs them in turn.
func loadCEL(rules []rule) (decider, error) {
	var vars []cel.EnvOption
	for _, name := range []string{"tool", "command", "path", "host", "content", "mode"} {
		vars = append(vars, cel.Variable(name, cel.StringType))
	}
	env, err := cel.NewEnv(vars...)
	if err != nil {
		return nil, err
	}
	rules = strongestFirst(rules)
	words := spelling{"%s.startsWith(%q)", "%s.endsWith(%q)", "%s.contains(%q)"}
	programs := make([]cel.Program, len(rules))
	for i := range rules {
		tree, issues := env.Compile(words.source(&rules[i]))
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		if programs[i], err = env.Program(tree, cel.EvalOptions(cel.OptOptimize)); err != nil {
			return nil, err
		}
	}
	return func(e *event) (engine.Verdict, error) {
		in := map[string]any{
			"tool": e.Tool, "command": e.Command, "path": e.Path, "host": e.host(), "content": e.Content, "mode": e.Mode,
		}
		for i, p := range programs {
			out, _, err := p.Eval(in)
			if err != nil {
				return engine.None, fmt.Errorf("cel: %w", err)
			}
			if out.Value() == true {
				return rules[i].verdict, nil
			}
		}
		return engine.None, nil
	}, nil
}
