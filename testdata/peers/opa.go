package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/pawl-dev/pawl/engine"
)

const regoHead = `package pawl

default deny := false
default ask := false
default allow := false
default verdict := "none"

verdict := "deny" if deny
else := "ask" if ask
else := "allow" if allow

`

// loadOPA writes one Rego rule for each rule, with == and startswith, which
// OPA's rule index understands, and hands the input over in OPA's own form,
// which is its fastest.
func loadOPA(rules []rule) (decider, error) {
	ctx := context.Background()
	query, err := rego.New(rego.Query("data.pawl.verdict"), rego.Module("pawl.rego", regoPolicy(rules))).PrepareForEval(ctx)
	if err != nil {
		return nil, err
	}
	return func(e *event) (engine.Verdict, error) {
		rs, err := query.Eval(ctx, rego.EvalParsedInput(opaInput(e)))
		if err != nil || len(rs) == 0 {
			return engine.None, fmt.Errorf("opa: no result: %w", err)
		}
		word, _ := rs[0].Expressions[0].Value.(string)
		return verdictNamed(word)
	}, nil
}

func verdictNamed(word string) (engine.Verdict, error) {
	for _, v := range []engine.Verdict{engine.None, engine.Allow, engine.Ask, engine.Deny} {
		if v.String() == word {
			return v, nil
		}
	}
	return engine.None, fmt.Errorf("%q is not a verdict", word)
}

func opaInput(e *event) ast.Value {
	pairs := [][2]*ast.Term{ast.Item(ast.InternedTerm("tool"), ast.StringTerm(e.Tool))}
	text := func(name, value string) {
		pairs = append(pairs, ast.Item(ast.InternedTerm(name), ast.StringTerm(value)))
	}
	switch e.Tool {
	case "Bash":
		text("command", e.Command)
		text("mode", e.Mode)
	case "Edit":
		text("path", e.Path)
	case "Write":
		text("content", e.Content)
	case "WebFetch":
		text("host", e.host())
	}
	return ast.NewObject(pairs...)
}

func regoPolicy(rules []rule) string {
	var b strings.Builder
	b.WriteString(regoHead)
	for i := range rules {
		r := &rules[i]
		fmt.Fprintf(&b, "%s if {\n\tinput.tool == %q\n", r.verdict, r.tool)
		switch r.kind {
		case onName:
		case onCommand:
			fmt.Fprintf(&b, "\tstartswith(input.command, %q)\n", r.text+" ")
		case onPath:
			fmt.Fprintf(&b, "\tstartswith(input.path, %q)\n", r.text+"/")
		case onHost:
			fmt.Fprintf(&b, "\tinput.host == %q\n", r.text)
		case onDomain:
			fmt.Fprintf(&b, "\tendswith(input.host, %q)\n", "."+r.text)
		case onContent:
			fmt.Fprintf(&b, "\tcontains(input.content, %q)\n", r.text)
		case onCommandHas:
			fmt.Fprintf(&b, "\tcontains(input.command, %q)\n\tinput.mode != \"plan\"\n", r.text)
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}
