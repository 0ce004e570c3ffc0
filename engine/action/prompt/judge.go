package prompt

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Judge is a question to a model about events, and how its answer is read.
type Judge struct {
	Model    hook.Model
	model    string // its name
	text     string
	mayAllow bool
	ends     bool // a block ends the turn of the agent
}

// NewJudge reads the fields that hooks which ask a model have: the one that
// holds the text, model and mayAllow. What is wrong is told to r; a Judge that
// is broken must not be asked.
func NewJudge(r *hook.FieldReader, field string, spec hook.Spec, opts Options, deps hook.Deps) Judge {
	j := Judge{text: r.MustText(field), mayAllow: r.Bool("mayAllow")}
	checkText(r, field, j.text)
	checkEvent(r, field, spec.Event, j.mayAllow)
	j.Model, j.model = opts.findModel(r, deps)
	return j
}

// Read reads the reply to a question about c. The error is a *hook.NoVerdict.
func (j Judge) Read(c hook.Call, reply hook.Reply) (hook.Result, error) {
	text := strings.TrimSpace(reply.Text)
	switch {
	case reply.End == hook.EndRefused:
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "model %s would not answer: %.200q", j.model, text)
	case reply.End == hook.EndCut:
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "the reply of model %s was cut off (give it more max_tokens)", j.model)
	case text == "":
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "model %s said nothing", j.model)
	}
	_, line := c.Message()
	res, err := answer.DecodeReply(answer.Asked{Event: c.Facts.Event.Name, Data: line, MayAllow: j.mayAllow}, text)
	if j.ends && res.Verdict == hook.Deny {
		res.Halt, res.StopReason = true, res.Reason
	}
	return c.Waking(res), err
}

// Cost is the note for the trace of what was asked.
func (j Judge) Cost(turns int, u hook.Usage) []hook.Diagnostic {
	s := "s"
	if turns == 1 {
		s = ""
	}
	return []hook.Diagnostic{{Severity: hook.Note,
		Message: fmt.Sprintf("model %s: %d turn%s, %d tokens in, %d out", j.model, turns, s, u.In, u.Out)}}
}
