package engine

import (
	"context"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/lua"
)

// mayRead tells why the policy keeps the agent from reading a file, "" if it
// does not: what a hook looks up for a model must not be what the agent may
// not see. It asks what is declared, rules and hooks with a fixed decision;
// scripts keep counts, and an event that did not happen is none of theirs.
func (s *snapshot) mayRead(path string) (why string) {
	input, err := answer.Object("file_path", path)
	if err != nil {
		return err.Error()
	}
	info, _ := hook.Lookup(hook.PreToolUse)
	ev := hook.Event{Name: hook.PreToolUse, Tool: "Read", HostTool: "Read", Dir: s.root, Input: input}
	d := &dispatch{snap: s, ctx: context.Background(), info: info, facts: s.analyzer.Analyze(ev), hooks: s.events[hook.PreToolUse]}
	for _, i := range d.find() {
		if why := d.refuses(d.hooks.hooks[i]); why != "" {
			return why
		}
	}
	for _, r := range s.rules.guards.find(d.facts, false) {
		if o, hit := d.guard(r); hit && o.res.Verdict > hook.None {
			return o.res.Reason
		}
	}
	return ""
}

// refuses tells why a declared hook would deny the event or ask about it.
func (d *dispatch) refuses(b *bound) (why string) {
	if b.gate != "" || b.spec.Observe || !b.kind.Pure || b.kind.Silent || b.spec.Type == lua.TypeName {
		return ""
	}
	m := b.match(d.facts)
	if m.Tri == hook.No {
		return ""
	}
	if b.when != nil {
		cond, err := d.condition(b)
		if err != nil {
			return err.Error()
		}
		if m.Tri = m.Tri.And(cond.Tri); m.Tri == hook.No {
			return ""
		}
	}
	res, err := b.action.Run(d.ctx, hook.Call{Facts: d.facts, Hook: &b.spec, Matched: m})
	switch {
	case err != nil:
		return err.Error()
	case res.Verdict > hook.Allow:
		return res.Reason
	}
	return ""
}
