package main

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/pawl-dev/pawl/engine"
)

// exprEnv is handed over by value: by pointer each load of a field allocates.
type exprEnv struct {
	Tool    string `expr:"tool"`
	Command string `expr:"command"`
	Path    string `expr:"path"`
	Host    string `expr:"host"`
	Content string `expr:"content"`
	Mode    string `expr:"mode"`
}

// loadExpr compiles a program for each rule and runs them in turn, on one
// machine.
func loadExpr(rules []rule) (decider, error) {
	rules = strongestFirst(rules)
	words := spelling{"%s startsWith %q", "%s endsWith %q", "%s contains %q"}
	programs := make([]*vm.Program, len(rules))
	for i := range rules {
		p, err := expr.Compile(words.source(&rules[i]), expr.Env(exprEnv{}), expr.AsBool())
		if err != nil {
			return nil, err
		}
		programs[i] = p
	}
	var machine vm.VM
	return func(e *event) (engine.Verdict, error) {
		var env any = exprEnv{e.Tool, e.Command, e.Path, e.host(), e.Content, e.Mode}
		for i, p := range programs {
			out, err := machine.Run(p, env)
			if err != nil {
				return engine.None, err
			}
			if out == true {
				return rules[i].verdict, nil
			}
		}
		return engine.None, nil
	}, nil
}
