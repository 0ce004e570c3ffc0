package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/action/prompt"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	timeout     = 60 * time.Second // of an entry that names none (Claude Code)
	turns       = 8
	turnsMost   = 50 // Claude Code
	tokenBudget = 200_000
)

// Options are what a host may choose. The zero Options are fine.
type Options struct {
	prompt.Options
	// Tools are those that entries may use; nil is ReadOnly().
	Tools []Tool
}

// Type returns the hook type agent.
func Type(opts Options) hook.Type {
	if opts.Tools == nil {
		opts.Tools = ReadOnly()
	}
	return hook.Type{Timeout: timeout, Settings: opts.Settings(), New: func(spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
		return newAction(opts, spec, deps)
	}}
}

// action is one hook that asks in several turns.
type action struct {
	prompt.Judge
	deps   hook.Deps
	tools  []Tool
	turns  int
	budget int // tokens
}

func newAction(opts Options, spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	has := func(name string) bool {
		return slices.ContainsFunc(spec.Fields, func(f hook.Field) bool { return f.Name == name })
	}
	field := "prompt"
	if !has(field) && has("task") {
		field = "task"
	}
	a := action{deps: deps, Judge: prompt.NewJudge(r, field, spec, opts.Options, deps)}
	r.Text("name")
	limit := "maxTurns"
	if !has(limit) && has("max_iterations") {
		limit = "max_iterations"
	}
	a.turns = within(r, limit, turns, turnsMost)
	a.budget = within(r, "tokenBudget", tokenBudget, 100*tokenBudget)
	a.tools = pick(r, opts.Tools)
	return a, r.Done()
}

// within reads a number from 1 to most.
func within(r *hook.FieldReader, name string, unsaid, most int) int {
	n := r.Int(name)
	switch {
	case n == 0:
		return unsaid
	case n < 0 || n > most:
		r.Fail(name, fmt.Sprintf("expected 1 to %d, got %d", most, n), "")
	}
	return n
}

// pick reads which of the tools an entry uses; all if it does not say.
func pick(r *hook.FieldReader, tools []Tool) []Tool {
	names, said := r.Texts("tools")
	if !said {
		return tools
	}
	var picked []Tool
	known := make([]string, len(tools))
	for i, t := range tools {
		known[i] = t.Name
		if slices.Contains(names, t.Name) {
			picked = append(picked, t)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			r.Fail("tools", fmt.Sprintf("there is no tool %q; there are %s", name, strings.Join(known, ", ")), hook.DidYouMean(name, known))
		}
	}
	return picked
}
