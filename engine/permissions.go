package engine

import (
	"fmt"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// permissions are the permission rules of all layers. They are judged after
// the hooks, on the final input: deny, then ask, then allow.
type permissions struct {
	guards ruleIndex // deny, then ask
	grants ruleIndex // allow
}

// rule is one permission rule, made.
type rule struct {
	spec    hook.PermissionRule
	reason  string                // instead of one made of the rule's text
	pattern func() *rules.Pattern // nil for a broken rule, which fires always
	keys    []rules.Key
}

// newRule makes a rule of a pattern, which is nil for a broken one.
func newRule(spec hook.PermissionRule, p *rules.Pattern) *rule {
	if p == nil {
		return &rule{spec: spec, keys: []rules.Key{{}}}
	}
	return &rule{spec: spec, pattern: func() *rules.Pattern { return p }, keys: p.Keys()}
}

// ruleIndex finds the rules that may speak about an event.
type ruleIndex struct {
	rules []*rule
	index *rules.Index
}

func newRuleIndex(list []*rule, wrappers []rules.Wrapper) ruleIndex {
	keys := make([][]rules.Key, len(list))
	for i, r := range list {
		keys[i] = r.keys
	}
	return ruleIndex{list, rules.NewIndex(keys, wrappers)}
}

// find returns the rules that may speak about f; in a full trace all.
func (x *ruleIndex) find(f *hook.Facts, all bool) []*rule {
	if all {
		return x.rules
	}
	found := x.index.Find(f, nil)
	list := make([]*rule, len(found))
	for i, at := range found {
		list[i] = x.rules[at]
	}
	return list
}

// judged reports whether permission rules speak on event.
func judged(event hook.EventName) bool {
	return event == hook.PreToolUse || event == hook.PermissionRequest
}

// judge applies the permission rules to the final input.
func (d *dispatch) judge() {
	if !judged(d.facts.Event.Name) {
		return
	}
	asked := false
	for _, r := range d.snap.rules.guards.find(d.facts, d.snap.trace) {
		if d.denied || asked && r.spec.Verdict < hook.Deny {
			break
		}
		o, hit := d.guard(r)
		if hit {
			d.add(o)
			asked = asked || o.res.Verdict == hook.Ask
		}
	}
	if !d.denied {
		d.grant()
	}
}

// guard asks one deny or ask rule.
func (d *dispatch) guard(r *rule) (outcome, bool) {
	o := outcome{step: ruleStep(r, hook.Ran), version: d.version, counts: true}
	if r.pattern == nil {
		o.res.Verdict, o.res.Reason = hook.Deny, r.spec.Broken.Error()
		o.step.Status, o.step.Cause, o.step.Detail = hook.Failed, hook.CauseConfig, o.res.Reason
		return o, true
	}
	m := hook.Match{}
	if p := r.pattern(); p.Match(d.facts) != hook.No {
		m = p.Explain(d.facts)
	}
	if m.Tri == hook.No {
		o.step.Status, o.step.Detail, o.counts = hook.NotMatch, "does not match", false
		return o, d.snap.trace
	}
	o.step.Detail = m.Why
	o.res.Verdict = r.spec.Verdict
	o.res.Reason = fmt.Sprintf("%s by the rule %s (%s)", pastTense[r.spec.Verdict], r.spec.Text.Value, r.spec.Text.Pos)
	if r.reason != "" {
		o.res.Reason = r.reason
	}
	if m.Tri == hook.Unknown {
		o.res.Verdict = unknownVerdict(r.spec.Verdict, r.spec.Unknown)
		o.res.Reason = fmt.Sprintf("cannot tell whether the rule %s (%s) applies: %s", r.spec.Text.Value, r.spec.Text.Pos, m.Why)
		if r.reason != "" {
			o.res.Reason = r.reason + "; whether it does cannot be told: " + m.Why
		}
	} else if m.Why != "" {
		o.res.Reason += ": " + m.Why
	}
	o.step.Verdict = o.res.Verdict
	return o, true
}

// grant asks the allow rules, which may cover the input together.
func (d *dispatch) grant() {
	found := d.snap.rules.grants.find(d.facts, d.snap.trace || d.redirects())
	if len(found) == 0 {
		return
	}
	patterns := make([]*rules.Pattern, len(found))
	for i, r := range found {
		patterns[i] = r.pattern()
	}
	covered, used, why := rules.Covers(patterns, d.facts)
	if covered == hook.Yes {
		for _, i := range used {
			o := outcome{step: ruleStep(found[i], hook.Ran), version: d.version, counts: true}
			o.res.Verdict, o.step.Verdict = hook.Allow, hook.Allow
			d.add(o)
		}
		return
	}
	if d.snap.trace {
		for _, r := range found {
			o := outcome{step: ruleStep(r, hook.NotMatch)}
			o.step.Detail = why
			d.add(o)
		}
	}
}

// redirects reports that a command reads or writes a file by redirection:
// then rules about files, which speak of other tools, may be needed too.
func (d *dispatch) redirects() bool {
	for _, c := range d.facts.Commands().List {
		if len(c.Redirects) > 0 {
			return true
		}
	}
	return false
}

func ruleStep(r *rule, status hook.Status) hook.Step {
	return hook.Step{Hook: r.spec.ID, Type: "rule", Source: r.spec.Source, Pos: r.spec.Text.Pos, Status: status}
}
