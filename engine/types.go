package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/action/command"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/lua"
	"github.com/pawl-dev/pawl/rules"
)

// builtinTypes is the one list of hook types that the engine links.
func builtinTypes() map[string]hook.Type {
	return map[string]hook.Type{
		"command":    command.Type(command.Options{}),
		"permission": {New: newPermission, Pure: true},
		"expr":       {New: newExpr, Pure: true},
	}
}

// typeOf returns the hook type of an entry. That of Lua belongs to the
// snapshot. A prompt that adds its text is the engine's own; one that a model
// evaluates is another type of the same name, which the host links.
func (b *builder) typeOf(spec hook.Spec) hook.Type {
	if spec.Type == promptType && !evaluates(spec) {
		return hook.Type{New: newPrompt, Pure: true, Silent: true}
	}
	t, ok := b.cfg.types[spec.Type]
	if !ok && spec.Type == lua.TypeName {
		return b.lua.Type()
	}
	return t
}

// unlinked is the error of an entry whose type this build does not have.
func (b *builder) unlinked(spec hook.Spec) hook.Diagnostic {
	if spec.Type == promptType {
		r := spec.Read()
		r.Fail("prompt", "a prompt that a model evaluates needs a build with that hook type",
			cmp.Or(b.cfg.elsewhere, "to add the text to the context instead, write mode: inject and leave out $ARGUMENTS"))
		return r.Done()[0]
	}
	linked := slices.Compact(slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(b.cfg.types)), lua.TypeName, promptType))))
	d := hook.Diagnostic{Severity: hook.Error, Pos: spec.Pos, Path: spec.ID,
		Message: fmt.Sprintf("hook type %q is not in this build; it has %s", spec.Type, strings.Join(linked, ", "))}
	switch d.Advice = hook.DidYouMean(spec.Type, linked); {
	case spec.Type == "async" || spec.Type == "asyncRewake":
		d.Advice = fmt.Sprintf("write {type: command, %s: true, …}", spec.Type)
	case d.Advice == "":
		d.Advice = b.cfg.elsewhere
	}
	return d
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
		r.Fail("when", "missing: nothing says when this rule fires", "give it match, if or when; when: 'true' fires always")
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

const promptType = "prompt"

// newPrompt makes a prompt hook that adds its text for the agent's model.
func newPrompt(spec hook.Spec, _ hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	text := r.MustText("prompt")
	r.Word("mode", "inject", "evaluate")
	inject := func(context.Context, hook.Call) (hook.Result, error) {
		return hook.Result{Context: []string{text}}, nil
	}
	return hook.ActionFunc(inject), r.Done()
}

// evaluates reports whether a prompt hook asks a model: where it says so, else
// in Claude-style files, and wherever the text wants the event put in (seed 2).
func evaluates(spec hook.Spec) bool {
	text := map[string]string{}
	for _, f := range spec.Fields {
		text[f.Name], _ = f.Value.(string)
	}
	switch text["mode"] {
	case "evaluate", "inject":
		return text["mode"] == "evaluate"
	}
	return spec.Source.Style == hook.Claude || strings.Contains(text["prompt"], "$ARGUMENTS")
}
