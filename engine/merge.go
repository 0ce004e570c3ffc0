package engine

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// merge folds all outcomes into the Decision. A verdict about another input
// than the final one counts only if it is Ask or more, so that no allow
// survives a rewrite (law 3).
func (d *dispatch) merge() hook.Decision {
	dec := hook.Decision{Event: d.facts.Event.Name, Snapshot: d.snap.id}
	for i := range d.outcomes {
		d.take(&dec, &d.outcomes[i])
	}
	d.reasons(&dec)
	d.halt(&dec)
	if d.version > 0 && dec.Verdict < hook.Deny {
		dec.Input = d.facts.Event.Input
	}
	dec.Bypassed = dec.Verdict == hook.Ask && d.facts.Event.Mode == "bypassPermissions"
	d.problems(&dec)
	return dec
}

func (o *outcome) verdict(final int) hook.Verdict {
	if !o.counts || o.version != final && o.res.Verdict < hook.Ask {
		return hook.None
	}
	return o.res.Verdict
}

// take folds one outcome into dec, all but its reason.
func (d *dispatch) take(dec *hook.Decision, o *outcome) {
	dec.Steps = append(dec.Steps, o.step)
	if !o.counts {
		return
	}
	r := &o.res
	dec.Verdict = max(dec.Verdict, o.verdict(d.version))
	dec.Halted = dec.Halted || r.Halt
	if dec.StopReason == "" {
		dec.StopReason = r.StopReason
	}
	dec.Notices = append(dec.Notices, r.Notices...)
	if r.Log != "" {
		d.eng.cfg.log.Info("hook output", "hook", o.step.Hook, "output", r.Log)
	}
	if o.stale {
		return
	}
	dec.Context = append(dec.Context, r.Context...)
	dec.Retry = dec.Retry || r.Retry
	dec.Quiet = dec.Quiet || r.Quiet
	switch {
	case r.ContinueReason == "":
	case dec.ContinueReason == "":
		dec.ContinueReason = r.ContinueReason
	default:
		dec.ContinueReason += "\n" + r.ContinueReason
	}
	if r.Output != nil {
		if dec.Output != nil {
			dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: the output of %s takes the place of an earlier one", o.step.Hook))
		}
		dec.Output = r.Output
	}
	if !r.Metadata.Absent() {
		dec.Metadata = append(dec.Metadata, r.Metadata)
	}
	for _, m := range r.Specific {
		dec.Specific = slices.DeleteFunc(dec.Specific, func(old hook.Member) bool { return old.Name == m.Name })
		dec.Specific = append(dec.Specific, m)
	}
}

// reasons collects the reasons of the verdict that won, each once.
func (d *dispatch) reasons(dec *hook.Decision) {
	for i := range d.outcomes {
		o := &d.outcomes[i]
		if v := o.verdict(d.version); v == hook.None || v != dec.Verdict {
			continue
		}
		reason := o.res.Reason
		if reason == "" && dec.Verdict > hook.Allow {
			reason = fmt.Sprintf("%s by %s", pastTense[dec.Verdict], o.step.Hook)
		}
		if reason != "" {
			dec.Reasons = append(dec.Reasons, reason)
		}
	}
}

// halt applies law 1: where a block stops something a halt is a Deny too;
// where a block means "go on" the halt outranks it.
func (d *dispatch) halt(dec *hook.Decision) {
	if !dec.Halted {
		return
	}
	switch {
	case d.info.Has(hook.CanGoOn):
		dec.Verdict, dec.Reasons, dec.ContinueReason = hook.None, nil, ""
	case d.info.Has(hook.CanBlock) && dec.Verdict < hook.Deny:
		dec.Verdict, dec.Reasons = hook.Deny, nil
		if dec.StopReason != "" {
			dec.Reasons = []string{dec.StopReason}
		}
	}
}

// problems adds the load diagnostics that touch the event.
func (d *dispatch) problems(dec *hook.Decision) {
	for _, p := range d.snap.problems {
		if p.event != "" && p.event != dec.Event {
			continue
		}
		dec.Steps = append(dec.Steps, p.step)
		if p.tell(dec.Event) {
			dec.Notices = append(dec.Notices, "pawl: "+p.step.Detail)
		}
	}
	if gated := d.untrusted(); gated > 0 {
		dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: %d hook(s) did not run: this workspace is not trusted (pawl trust %s)", gated, d.snap.root))
	}
}

// untrusted counts the hooks that missing trust has silenced.
func (d *dispatch) untrusted() int {
	n := 0
	for i := range d.outcomes {
		if o := &d.outcomes[i]; o.step.Status == hook.Gated && !d.snap.gates.trusted && o.hook.distrusted {
			n++
		}
	}
	return n
}

// tidy caps each text, makes what a person sees safe for a terminal and drops
// what stands twice.
func (d *dispatch) tidy(dec *hook.Decision) {
	dec.Notices = append(dec.Notices, d.faults...)
	for _, texts := range [...]*[]string{&dec.Reasons, &dec.Context, &dec.Notices} {
		*texts = unique(*texts)
		for i, t := range *texts {
			(*texts)[i] = d.eng.spill(t)
		}
	}
	// What a person may read; context is for the model alone.
	for _, texts := range [...][]string{dec.Reasons, dec.Notices} {
		for i, t := range texts {
			texts[i] = hook.Printable(t)
		}
	}
	dec.StopReason = hook.Printable(d.eng.spill(dec.StopReason))
	dec.ContinueReason = hook.Printable(d.eng.spill(dec.ContinueReason))
}

// unique drops repeated texts and keeps the order.
func unique(texts []string) []string {
	if len(texts) < 2 {
		return texts
	}
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(texts, func(t string) bool {
		again := seen[t]
		seen[t] = true
		return again
	})
}
