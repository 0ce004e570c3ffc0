package engine

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/engine/action/command"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// builtinTypes is the one list of hook types that the engine links.
func builtinTypes() map[string]hook.Type {
	return map[string]hook.Type{
		"command":    command.Type(command.Options{}),
		"permission": {New: newPermission, Pure: true},
		"expr":       {New: newExpr, Pure: true},
		"prompt":     {New: newPrompt, Pure: true, Silent: true},
	}
}

// fixed answers the same verdict whenever its hook fires.
type fixed struct {
	verdict  hook.Verdict
	reason   string
	unstated string // the reason if there is none
}

func newPermission(spec hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	a := readFixed(spec, r)
	r.Texts("suggestions") // echo-agent: shown by its own dialog, not used here
	return a, r.Done()
}

func newExpr(spec hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	a := readFixed(spec, r)
	if spec.When.Value == "" && spec.If.Value == "" && spec.Matcher.Value == "" {
		r.Fail("when", "missing: nothing says when this rule fires", "give it match, if or when; when: true fires always")
	}
	return a, r.Done()
}

func readFixed(spec hook.Spec, r *hook.FieldReader) fixed {
	word, reason := r.Word("decision", "allow", "deny", "ask", "defer", "approve", "block"), r.Text("reason")
	if word == "" {
		if r.MustText("decision") == "" {
			return fixed{}
		}
	}
	switch word {
	case "approve":
		word = "allow"
	case "block":
		word = "deny"
	}
	v, _ := hook.ParseVerdict(word)
	return fixed{v, reason, fmt.Sprintf("%s by %s (%s)", pastTense[v], spec.ID, spec.Pos)}
}

// Run answers. On Unknown a deny or ask says what the entry's `unknown:`
// wants, and a grant says nothing (law 7).
func (a fixed) Run(_ context.Context, c hook.Call) (hook.Result, error) {
	res := hook.Result{Verdict: a.verdict, Reason: rules.Template(a.reason, c.Facts)}
	if res.Reason == "" && a.verdict > hook.Allow {
		res.Reason = a.unstated
	}
	if c.Matched.Tri == hook.Unknown {
		res.Verdict = unknownVerdict(a.verdict, c.Hook.Unknown)
		res.Reason = fmt.Sprintf("cannot tell: %s; the rule says: %s", c.Matched.Why, res.Reason)
	}
	if res.Verdict == hook.None {
		return hook.Result{}, nil
	}
	return res, nil
}

var pastTense = [...]string{"left alone", "allowed", "asked for", "deferred", "denied"}

// unknownVerdict is what a declarative v becomes where the text cannot tell.
func unknownVerdict(v hook.Verdict, policy hook.OnUnknown) hook.Verdict {
	switch {
	case v <= hook.Allow || policy == hook.UnknownSkip:
		return hook.None
	case policy == hook.UnknownDeny:
		return hook.Deny
	}
	return hook.Ask
}

// newPrompt makes a prompt hook that injects its text. Asking a model is
// another type of the same name, in the set of all types.
func newPrompt(spec hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	text := r.MustText("prompt")
	mode := r.Word("mode", "inject", "evaluate")
	if mode == "evaluate" || mode == "" && evaluates(spec, text) {
		r.Fail("prompt", "a prompt that a model evaluates needs a build with that hook type",
			"to add the text to the context instead, write mode: inject and leave out $ARGUMENTS")
		return modelless{}, r.Done()
	}
	inject := func(context.Context, hook.Call) (hook.Result, error) {
		return hook.Result{Context: []string{text}}, nil
	}
	return hook.ActionFunc(inject), r.Done()
}

// modelless marks an entry that asks a model, which this build cannot.
type modelless struct{ hook.ActionFunc }
