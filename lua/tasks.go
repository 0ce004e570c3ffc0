package lua

import (
	"context"
	"slices"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Task is what a callback of a task is told of it.
type Task struct {
	ID, Subject, Description string
	Status                   string // as the host names it
	Executor                 string // the agent that executes it, or ""
	DependsOn                []string
	RetryCount, MaxRetries   int
	Attempt                  int           // from 1
	Timeout                  time.Duration // 0 is none
}

// Subagent is what a callback of a subagent is told of it.
type Subagent struct {
	ParentAgent, SubagentName string
	Mode                      string // sync, fork or teammate
	Task                      string // what it is sent out for
	Attempt                   int    // from 1
}

// TaskHook is one function that a policy registered with task.before,
// task.after or task.on_failure.
//
// Call may be called by any number of goroutines at once; calls of one
// session wait for each other. text is the result of the task after it, and
// the error on its failure. session is that of the events around the task:
// callbacks and handlers of a file share globals and state.*. A call ends
// with ctx, and 250 ms after it had its turn. The error is a *hook.NoVerdict that names the
// line.
type TaskHook struct {
	ID     string // file:line
	Pos    hook.Position
	Source hook.Source // of the policy; what it may do is for the caller to judge
	When   Moment
	Call   func(ctx context.Context, session string, t Task, text string) (Answer, error)
}

// SubagentHook is one function that a policy registered with subagent.before,
// subagent.after or subagent.on_failure. All is as for TaskHook.
type SubagentHook struct {
	ID     string
	Pos    hook.Position
	Source hook.Source
	When   Moment
	Call   func(ctx context.Context, session string, a Subagent, text string) (Answer, error)
}

// Answer is what a call of a TaskHook or SubagentHook gives.
type Answer struct {
	Recovery    Recovery          // of OnFailure
	Log         string            // lines that it wrote with log.*; also beside an error
	Diagnostics []hook.Diagnostic // what is odd, such as a verdict that was not returned
}

// Tasks returns the callbacks of tasks in the files that were loaded, in the
// order in which they were registered.
func (r *Runtime) Tasks() []TaskHook {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tasks)
}

// Subagents returns the callbacks of subagents, as Tasks does.
func (r *Runtime) Subagents() []SubagentHook {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.subagents)
}

// publish adds h, which is no handler of an event, to Tasks or Subagents.
func (r *Runtime) publish(h *handler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, pos, src := h.spec.ID, h.spec.Pos, h.spec.Source
	if h.point.of == "task" {
		r.tasks = append(r.tasks, TaskHook{id, pos, src, h.point.at, func(ctx context.Context, session string, t Task, text string) (Answer, error) {
			return h.answer(ctx, r, session, t.table, text)
		}})
		return
	}
	r.subagents = append(r.subagents, SubagentHook{id, pos, src, h.point.at, func(ctx context.Context, session string, a Subagent, text string) (Answer, error) {
		return h.answer(ctx, r, session, a.table, text)
	}})
}

// taskFields lists what a callback of a task gets, for editors.
func taskFields() []function {
	return []function{
		{name: "id", args: "string", doc: ""},
		{name: "subject", args: "string", doc: "what it is about, in a line"},
		{name: "description", args: "string", doc: "what is to be done"},
		{name: "status", args: "string", doc: "as the host names it"},
		{name: "executor", args: "string", doc: "the agent that executes it, or ''"},
		{name: "depends_on", args: "string[]", doc: "ids of the tasks that come before it"},
		{name: "attempt", args: "integer", doc: "from 1"},
		{name: "retry_count", args: "integer", doc: "how often it was tried again"},
		{name: "max_retries", args: "integer", doc: "how often it may be"},
		{name: "timeout", args: "number", doc: "seconds; 0 is none"},
	}
}

// table makes what a callback gets: a table of its own.
func (t Task) table(L *glua.LState) glua.LValue {
	ids := L.CreateTable(len(t.DependsOn), 0)
	for _, id := range t.DependsOn {
		ids.Append(glua.LString(id))
	}
	return fields(L, map[string]glua.LValue{
		"id": glua.LString(t.ID), "subject": glua.LString(t.Subject), "description": glua.LString(t.Description),
		"status": glua.LString(t.Status), "executor": glua.LString(t.Executor), "depends_on": ids,
		"attempt": glua.LNumber(t.Attempt), "retry_count": glua.LNumber(t.RetryCount), "max_retries": glua.LNumber(t.MaxRetries),
		"timeout": glua.LNumber(t.Timeout.Seconds()),
	})
}

// subagentFields lists what a callback of a subagent gets, for editors.
func subagentFields() []function {
	return []function{
		{name: "subagent_name", args: "string", doc: "the agent that is sent out"},
		{name: "parent_agent", args: "string", doc: "the agent that sends it"},
		{name: "mode", args: "'sync'|'fork'|'teammate'", doc: "how it runs"},
		{name: "task", args: "string", doc: "what it is sent out for"},
		{name: "attempt", args: "integer", doc: "from 1"},
	}
}

func (a Subagent) table(L *glua.LState) glua.LValue {
	return fields(L, map[string]glua.LValue{
		"subagent_name": glua.LString(a.SubagentName), "parent_agent": glua.LString(a.ParentAgent), "mode": glua.LString(a.Mode),
		"task": glua.LString(a.Task), "attempt": glua.LNumber(a.Attempt),
	})
}

func fields(L *glua.LState, values map[string]glua.LValue) glua.LValue {
	t := L.CreateTable(0, len(values))
	for name, v := range values {
		t.RawSetString(name, v)
	}
	return t
}
