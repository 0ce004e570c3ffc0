package engine

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// permissions are the permission rules of all layers. They are judged after
// the hooks, on the final input: deny, then ask, then allow.
type permissions struct {
	guards ruleIndex // deny and ask, deny first
	grants ruleIndex
	// allow rules with their patterns, index for index: a grant may need
	// several of them, also those of other tools (a redirect needs an Edit).
	allow struct {
		rules    []*rule
		patterns []*rules.Pattern
	}
}

// rule is one permission rule, made.
type rule struct {
	spec    hook.PermissionRule
	pattern *rules.Pattern // nil for a broken rule, which fires always
}

// ruleIndex finds rules by the tool that they name.
type ruleIndex struct {
	byTool map[string][]*rule
	rest   []*rule
}

func (x *ruleIndex) add(r *rule) {
	var tools []string
	if r.pattern != nil {
		tools = r.pattern.Subjects()
	}
	if tools == nil {
		x.rest = append(x.rest, r)
	}
	for _, t := range tools {
		if x.byTool == nil {
			x.byTool = make(map[string][]*rule)
		}
		x.byTool[t] = append(x.byTool[t], r)
	}
}

// find returns the rules that may speak about an event; it allocates only if
// there are rules under several names.
func (x *ruleIndex) find(ev *hook.Event) []*rule {
	found := x.byTool[ev.Tool]
	if ev.HostTool != ev.Tool {
		found = both(found, x.byTool[ev.HostTool])
	}
	if strings.HasPrefix(ev.Tool, "mcp__") {
		found = both(found, x.byTool[rules.MCPTools])
	}
	return both(found, x.rest)
}

func both(a, b []*rule) []*rule {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	return append(a[:len(a):len(a)], b...)
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
	for _, r := range d.snap.rules.guards.find(&d.facts.Event) {
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
	if r.pattern.Match(d.facts) == hook.No {
		o.step.Status, o.step.Detail = hook.NotMatch, "does not match"
		o.counts = false
		return o, d.eng.cfg.trace
	}
	m := r.pattern.Explain(d.facts)
	o.step.Detail = m.Why
	o.res.Verdict = r.spec.Verdict
	o.res.Reason = fmt.Sprintf("%s by the rule %s (%s)", pastTense[r.spec.Verdict], r.spec.Text.Value, r.spec.Text.Pos)
	if m.Tri == hook.Unknown {
		o.res.Verdict = unknownVerdict(r.spec.Verdict, r.spec.Unknown)
		o.res.Reason = fmt.Sprintf("cannot tell whether the rule %s (%s) applies: %s", r.spec.Text.Value, r.spec.Text.Pos, m.Why)
	} else if m.Why != "" {
		o.res.Reason += ": " + m.Why
	}
	o.step.Verdict = o.res.Verdict
	return o, true
}

// grant asks the allow rules, which may cover the input together.
func (d *dispatch) grant() {
	found := d.snap.rules.grants.find(&d.facts.Event)
	if len(found) == 0 {
		return
	}
	all := &d.snap.rules.allow
	covered, used, why := rules.Covers(all.patterns, d.facts)
	if covered != hook.Yes {
		if d.eng.cfg.trace {
			for _, r := range found {
				o := outcome{step: ruleStep(r, hook.NotMatch)}
				o.step.Detail = why
				d.add(o)
			}
		}
		return
	}
	for _, i := range used {
		o := outcome{step: ruleStep(all.rules[i], hook.Ran), version: d.version, counts: true}
		o.res.Verdict, o.step.Verdict = hook.Allow, hook.Allow
		d.add(o)
	}
}

func ruleStep(r *rule, status hook.Status) hook.Step {
	return hook.Step{Hook: r.spec.ID, Type: "rule", Source: r.spec.Source, Pos: r.spec.Text.Pos, Status: status}
}
