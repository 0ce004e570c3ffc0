package engine

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
	"github.com/pawl-dev/pawl/rules"
)

// Tasks returns r as a Runner whose tasks go through the engine: its events
// are dispatched here, unless r has a Dispatch of its own, and before its own
// hooks those of the policy in force are called, and those of WithTaskHooks.
// What a reload changes counts for the next call of a hook.
func (e *Engine) Tasks(r task.Runner) *task.Runner {
	if r.Dispatch == nil {
		r.Dispatch = e.Dispatch
	}
	r.Policy = func(session string, t task.Task) func() []task.Hooks {
		return inForce(e, session, taskSubject, t.Subject, func(s *snapshot) []around[task.Hooks] { return s.tasks })
	}
	r.Observe = e.cfg.observe
	return &r
}

// Subagents returns a Dispatcher made with c, which goes through the engine as
// a Runner of Tasks does. The errors are those of [subagent.New].
func (e *Engine) Subagents(c subagent.Config) (*subagent.Dispatcher, error) {
	if c.Dispatch == nil {
		c.Dispatch = e.Dispatch
	}
	c.Policy = func(session string, c subagent.Context) func() []subagent.Hooks {
		return inForce(e, session, hook.SubagentStart, c.SubagentName, func(s *snapshot) []around[subagent.Hooks] { return s.subagents })
	}
	c.Observe = e.cfg.observe
	return subagent.New(c)
}

// taskSubject stands for an event whose subject is that of a task: TaskCreated
// has none that a matcher tests, as in Claude Code.
const taskSubject hook.EventName = "task"

// around is what a policy or the host has called around tasks or subagents;
// H is task.Hooks or subagent.Hooks.
type around[H any] struct {
	source hook.Source
	id     string
	pos    hook.Position
	gate   string // why it is not called, or ""
	broken *hook.Diagnostic
	text   string         // of a section: what it says, to tell a changed one
	match  *rules.Pattern // nil fits all
	hooks  func(session string) H
}

// Callback is what a policy has called around tasks or subagents: a function in
// Lua, or an entry of `tasks:` or `subagents:`.
type Callback struct {
	ID     string
	Type   string // task or subagent
	Pos    hook.Position
	Source hook.Source
	Expr   string // fires on true; the subject is that of the task, or the subagent
	Gate   string // why it counts for nothing, or ""
	Broken *hook.Diagnostic
}

// Callbacks returns those in force, of tasks before those of subagents, each in
// the order in which they are called.
func (e *Engine) Callbacks() []Callback {
	s := e.current.Load()
	return callbacksOf(callbacksOf(nil, "task", s.tasks), "subagent", s.subagents)
}

func callbacksOf[H any](to []Callback, of string, list []around[H]) []Callback {
	for _, a := range list {
		if a.source.File == "" {
			continue
		}
		c := Callback{ID: a.id, Type: of, Pos: a.pos, Source: a.source, Expr: "true", Gate: a.gate, Broken: a.broken}
		if a.match != nil {
			c.Expr = a.match.Expr()
		}
		to = append(to, c)
	}
	return to
}

// inForce returns the func that gives what of a list of the snapshot in force
// is called for subject. It looks again when there is another snapshot.
func inForce[H any](e *Engine, session string, ev hook.EventName, subject string, list func(*snapshot) []around[H]) func() []H {
	var of *snapshot
	var hooks []H
	return func() []H {
		if s := e.current.Load(); s != of {
			of, hooks = s, fitting(s, list(s), session, hook.Event{Name: ev, Subject: subject})
		}
		return hooks
	}
}

// fitting returns what of list is called for ev, in order.
func fitting[H any](s *snapshot, list []around[H], session string, ev hook.Event) []H {
	var facts *hook.Facts
	var hooks []H
	for _, a := range list {
		if a.match != nil {
			if facts == nil {
				facts = s.analyzer.Analyze(ev)
			}
			if a.match.Match(facts) == hook.No {
				continue
			}
		}
		hooks = append(hooks, a.hooks(session))
	}
	return hooks
}

// around collects what is called around tasks and subagents: by layer, as
// hooks run. In a layer functions come before sections, which are for what no
// function decides.
func (b *builder) around() {
	for _, h := range b.lua.Tasks() {
		b.snap.tasks = append(b.snap.tasks, b.luaTask(h))
	}
	for _, h := range b.lua.Subagents() {
		b.snap.subagents = append(b.snap.subagents, b.luaSubagent(h))
	}
	for _, f := range b.set.Files {
		for _, r := range f.Tasks {
			section(b, r, taskSubject, taskSection, &b.snap.tasks)
		}
		for _, r := range f.Subagents {
			section(b, r, hook.SubagentStart, subagentSection, &b.snap.subagents)
		}
	}
	byRank(b.snap.tasks)
	byRank(b.snap.subagents)
	host := hook.Source{Layer: hook.Session}
	for _, h := range b.cfg.tasks {
		b.snap.tasks = append(b.snap.tasks, around[task.Hooks]{source: host, hooks: func(string) task.Hooks { return h }})
	}
	for _, h := range b.cfg.subagents {
		b.snap.subagents = append(b.snap.subagents, around[subagent.Hooks]{source: host, hooks: func(string) subagent.Hooks { return h }})
	}
}

func byRank[H any](list []around[H]) {
	slices.SortStableFunc(list, func(x, y around[H]) int { return x.source.Layer.Rank() - y.source.Layer.Rank() })
}

const distrusted = "the workspace is not trusted"

// silence returns why a function of a policy is not called, or "", and
// whether it may only tighten.
func (b *builder) silence(src hook.Source) (gate string, tighten bool) {
	return b.snap.gates.close(src, true), b.snap.gates.tighten(src)
}
