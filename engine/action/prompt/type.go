package prompt

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// MaxText is the longest prompt, in bytes.
const MaxText = 32768

// timeout is that of an entry that names none (Claude Code).
const timeout = 30 * time.Second

// Options are what a host may choose. Without Providers only models that the
// host lends can be asked.
type Options struct {
	Providers map[string]hook.Provider
}

// Type returns the hook type of prompts that a model evaluates.
func Type(opts Options) hook.Type {
	return hook.Type{Timeout: timeout, Settings: opts.Settings(), New: func(spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
		r := spec.Read()
		r.Word("mode", "evaluate")
		j := NewJudge(r, "prompt", spec, opts, deps)
		goOn := r.Bool("continueOnBlock")
		if !slices.ContainsFunc(spec.Fields, func(f hook.Field) bool { return f.Name == "continueOnBlock" }) {
			goOn = spec.Source.Style != hook.Claude
		}
		j.ends = !goOn && endsTurn(spec.Event)
		return action{j}, r.Done()
	}}
}

// endsTurn tells the events on which a block ends the turn (Claude Code); on
// others a block says what to do, and the agent goes on.
func endsTurn(event hook.EventName) bool {
	return slices.Contains([]hook.EventName{hook.PreToolUse, hook.PostToolUse, hook.PostToolBatch,
		hook.UserPromptSubmit, hook.UserPromptExpansion, hook.TeammateIdle}, event)
}

// action is one hook that asks once.
type action struct{ Judge }

// Run asks the model about the event.
func (a action) Run(ctx context.Context, c hook.Call) (hook.Result, error) {
	req, err := a.Ask(c)
	if err != nil {
		return hook.Result{}, err
	}
	reply, err := a.Model.Complete(ctx, req)
	if err != nil {
		return hook.Result{Diagnostics: a.Cost(1, reply.Usage)}, err
	}
	res, err := a.Read(c, reply)
	res.Diagnostics = append(res.Diagnostics, a.Cost(1, reply.Usage)...)
	return res, err
}

var _ hook.Action = action{}

// checkText reports what is wrong with the text of an entry.
func checkText(r *hook.FieldReader, field, text string) {
	if len(text) > MaxText {
		r.Fail(field, fmt.Sprintf("%d bytes, the limit is %d", len(text), MaxText), "")
	}
}

// checkEvent warns of an answer that comes to nothing on the event.
func checkEvent(r *hook.FieldReader, field string, event hook.EventName, mayAllow bool) {
	info, _ := hook.Lookup(event)
	if !info.Deciding() {
		r.Warn(field, fmt.Sprintf("a model is asked and its answer has no effect: nothing can be stopped on %s", event), "")
	}
	if mayAllow && !info.Has(hook.CanAnswer) {
		r.Warn("mayAllow", fmt.Sprintf("has no effect: there is nothing to grant on %s", event), "")
	}
}
