package engine

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// failureEffect is the failure table (law 4): what a hook that gave no verdict
// does. Rows are what the event lets a block mean, columns the hook's
// onFailure. Only where a block stops something does a failure block; where it
// means "go on", and where nothing can be blocked, a failure lets go.
var failureEffect = []struct {
	event            hook.Effect
	continues, block hook.Verdict
}{
	{hook.CanBlock, hook.None, hook.Deny},
	{hook.CanGoOn, hook.None, hook.None},
	{hook.CanFeedBack, hook.None, hook.None},
	{0, hook.None, hook.None},
}

func failureVerdict(info *hook.EventInfo, policy hook.OnFailure) hook.Verdict {
	for _, row := range failureEffect {
		if info.Has(row.event) {
			if policy == hook.FailBlock {
				return row.block
			}
			return row.continues
		}
	}
	return hook.None
}

// failed turns a failure into the outcome that the table wants. Of what the
// action returned beside the error, context and notices stay.
func (d *dispatch) failed(o outcome, n *hook.NoVerdict, again bool) outcome {
	b := o.hook
	policy := b.spec.OnFailure
	if p, ok := n.Err.(panicked); ok {
		d.eng.cfg.log.Error("hook panicked", "hook", b.spec.ID, "panic", p.value, "stack", string(p.stack))
	}
	if n.Blocks || n.Cause == hook.CauseConfig {
		policy = hook.FailBlock
	}
	why := b.failure(n)
	kept := hook.Result{Context: o.res.Context, Log: o.res.Log, Diagnostics: o.res.Diagnostics}
	kept.Verdict = failureVerdict(d.info, policy)
	switch {
	case kept.Verdict == hook.Deny && n.Cause == hook.CauseConfig:
		kept.Reason = firstLine(n.Err) + "; until it is mended it blocks what it may guard"
	case kept.Verdict == hook.Deny:
		kept.Reason = why + "; blocked because " + blockedBecause(b, n)
	default:
		kept.Notices = []string{why + "; it decided nothing"}
	}
	for _, text := range o.res.Notices {
		if !strings.Contains(why, text) {
			kept.Notices = append(kept.Notices, text)
		}
	}
	duration := o.step.Duration
	o.res, o.counts = kept, true
	o.step = b.step(hook.Failed, n.Err.Error())
	o.step.Cause, o.step.Verdict, o.step.Again, o.step.Duration = n.Cause, kept.Verdict, again, duration
	d.restrain(&o, hook.Match{Tri: hook.Yes})
	if b.spec.Once {
		d.release(b)
	}
	if b.spec.Observe {
		o.step.Would, o.counts, o.res = o.step.Verdict, false, hook.Result{}
		o.step.Status, o.step.Verdict = hook.Observed, hook.None
	}
	return o
}

// failure says that b has failed, and how.
func (b *bound) failure(n *hook.NoVerdict) string {
	return fmt.Sprintf("%s (type %s) failed (%s): %s", b.where(), b.spec.Type, n.Cause, firstLine(n.Err))
}

// firstLine says it; a trace of the stack is for the step and the log.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func blockedBecause(b *bound, n *hook.NoVerdict) string {
	switch {
	case n.Blocks:
		return "its silence cannot be trusted"
	case b.failsByType:
		return "a guard that fails must not open the gate"
	}
	return "onFailure is block"
}

// where names a hook in a message: its id and file:line:col.
func (b *bound) where() string {
	switch pos := b.spec.Pos.String(); {
	case pos == "":
	case strings.HasSuffix(pos, b.spec.ID): // functions in Lua are named by their place
		return pos
	default:
		return fmt.Sprintf("%s (%s)", b.spec.ID, pos)
	}
	return b.spec.ID
}

// brokenDecision is the decision of an engine that failed itself.
func brokenDecision(info *hook.EventInfo, event hook.EventName, snapshot string, err error) hook.Decision {
	return hook.Decision{
		Event:    event,
		Verdict:  failureVerdict(info, hook.FailBlock),
		Reasons:  []string{"pawl: " + err.Error()},
		Notices:  []string{"pawl: " + err.Error()},
		Snapshot: snapshot,
		Steps:    []hook.Step{{Hook: "engine", Type: "engine", Source: hook.Source{Layer: hook.Builtin}, Status: hook.Failed, Cause: hook.CausePanic, Detail: err.Error()}},
	}
}
