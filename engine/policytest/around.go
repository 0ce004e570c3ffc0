package policytest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
)

// moment is what happens to a task or a subagent: it failed, or came to a
// result, or is about to start.
type moment struct {
	of     string // task or subagent
	about  hook.Object
	failed bool
	ended  bool
}

// phase is the name of the callbacks that a moment is for.
func (m moment) phase() string {
	switch {
	case m.failed:
		return m.of + ".on_failure"
	case m.ended:
		return m.of + ".after"
	}
	return m.of + ".before"
}

// taskMembers and subagentMembers have the names that callbacks in Lua see.
func taskMembers() []string {
	return []string{"id", "subject", "description", "status", "executor", "depends_on", "attempt", "retry_count", "max_retries", "timeout", "error", "result"}
}

func subagentMembers() []string {
	return []string{"subagent_name", "parent_agent", "mode", "task", "attempt", "error", "result"}
}

// newMoment reads the members of a task or subagent.
func newMoment(of string, about hook.Object) (moment, error) {
	known := taskMembers()
	if of == "subagent" {
		known = subagentMembers()
	}
	m := moment{of: of, about: about, failed: about.RawOf("error") != nil, ended: about.RawOf("result") != nil}
	for _, member := range about.Members() {
		if !slices.Contains(known, member.Name) {
			advice := hook.DidYouMean(member.Name, known)
			return m, fmt.Errorf("%s: unknown member %q (%s)", of, member.Name, cmp.Or(advice, "known: "+strings.Join(known, ", ")))
		}
		if v, _ := about.Get(member.Name); !fits(member.Name, v) {
			return m, fmt.Errorf("%s: %s: %s is not what a %s has there", of, member.Name, member.Raw, of)
		}
	}
	switch status := about.Text("status"); {
	case m.failed && m.ended:
		return m, fmt.Errorf("%s: both error and result: it fails, or it ends", of)
	case of == "subagent" && about.Text("subagent_name") == "":
		return m, errors.New("subagent: missing subagent_name")
	case status != "" && (!m.failed || status != string(task.Failed) && status != string(task.TimedOut)):
		return m, fmt.Errorf("task: status: expected failed or timed_out, beside error, got %q", status)
	}
	return m, nil
}

// fits reports whether a member may have the value v.
func fits(name string, v any) bool {
	n, whole := v.(int)
	switch name {
	case "attempt":
		return whole && n >= 1
	case "retry_count":
		return whole && n >= 0
	case "max_retries":
		return whole
	case "timeout":
		f, ok := v.(float64)
		return whole && n >= 0 || ok && f >= 0
	case "depends_on":
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(id any) bool { _, ok := id.(string); return !ok })
	}
	_, ok := v.(string)
	return ok
}

func (m moment) number(name string) int {
	v, _ := m.about.Get(name)
	n, _ := v.(int)
	return n
}

func (m moment) err() error { return errors.New(m.about.Text("error")) }

// task is the task that m is about.
func (m moment) task() task.Task {
	o := m.about
	t := task.Task{ID: cmp.Or(o.Text("id"), "1"), Subject: o.Text("subject"), Description: o.Text("description"),
		Status: task.Status(o.Text("status")), Result: o.Text("result"), MaxRetries: m.number("max_retries"),
		RetryCount: cmp.Or(m.number("retry_count"), max(0, m.number("attempt")-1))}
	ids, _ := o.Get("depends_on")
	list, _ := ids.([]any)
	for _, id := range list {
		t.DependsOn = append(t.DependsOn, id.(string))
	}
	switch v, _ := o.Get("timeout"); v := v.(type) {
	case int:
		t.Timeout = time.Duration(v) * time.Second
	case float64:
		t.Timeout = time.Duration(v * float64(time.Second))
	}
	return t
}

// subagent is the dispatch that m is about.
func (m moment) subagent() subagent.Context {
	o := m.about
	return subagent.Context{ParentAgent: cmp.Or(o.Text("parent_agent"), "main"), SubagentName: o.Text("subagent_name"),
		Mode: subagent.Mode(cmp.Or(o.Text("mode"), string(subagent.Sync))), Task: o.Text("task"), Attempt: max(1, m.number("attempt"))}
}

// happen calls the callbacks of the policy as a Runner or Dispatcher of the
// engine calls them, and waits for no delay.
func (w *world) happen(ctx context.Context, m moment) (Turn, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	name := hook.EventName(m.phase())
	t := Turn{Root: w.policy.root, Event: hook.Event{Name: name, Session: w.session, Subject: cmp.Or(m.about.Text("subject"), m.about.Text("subagent_name")), More: m.about}}
	t.Decision.Event = name
	play := w.happenTask
	if m.of == "subagent" {
		play = w.happenSubagent
	}
	r, steps, err := play(ctx, m)
	if err != nil {
		return t, err
	}
	r.Word = cmp.Or(r.Word, "none")
	r.blame(steps)
	t.Recovery, t.Decision.Steps = &r, steps
	t.Reply, err = r.reply()
	w.cover.called(steps)
	return t, err
}

// blame gives the failure of a callback as the reason of a task that fails
// because of it.
func (r *Recovery) blame(steps []hook.Step) {
	for _, s := range steps {
		if r.Word == "fail" && r.Reason == "" && s.Status == hook.Failed {
			why, _, _ := strings.Cut(s.Detail, "\n") // without the traceback
			r.Reason = s.Hook + " failed: " + why
		}
	}
}

// reply is what a test in Lua gets.
func (r *Recovery) reply() ([]byte, error) {
	fields := []field{{"decision", r.Word}}
	if r.Word == "retry" {
		fields = append(fields, field{"delay", r.Delay.Seconds()})
	}
	if r.Agent != "" {
		fields = append(fields, field{"agent", r.Agent})
	}
	if r.Reason != "" {
		fields = append(fields, field{"reason", r.Reason})
	}
	return appendFields(nil, fields)
}

func (w *world) happenTask(ctx context.Context, m moment) (r Recovery, steps []hook.Step, err error) {
	runner := w.engine.Tasks(task.Runner{Session: w.session, Dir: w.policy.root, Executor: m.about.Text("executor")})
	x := m.task()
	switch {
	case m.failed:
		var d task.Decision
		d, steps = runner.Decide(ctx, x, m.err())
		r = ofTask(d)
	case m.ended:
		steps = runner.After(ctx, x)
	default:
		steps = runner.Before(ctx, x)
	}
	return r, steps, ctx.Err()
}

func (w *world) happenSubagent(ctx context.Context, m moment) (r Recovery, steps []hook.Step, err error) {
	d, err := w.engine.Subagents(subagent.Config{Session: w.session, Dir: w.policy.root,
		Run: func(context.Context, subagent.Call) (string, error) { return "", errors.New("nothing runs here") }})
	if err != nil {
		return r, nil, err
	}
	defer d.Close(ctx)
	c := m.subagent()
	switch {
	case m.failed:
		var decided subagent.Decision
		decided, steps = d.Decide(ctx, c, m.err())
		r = ofSubagent(decided)
	case m.ended:
		steps = d.After(ctx, c, subagent.Result{Agent: c.SubagentName, Text: m.about.Text("result"), Attempts: c.Attempt})
	default:
		steps = d.Before(ctx, c)
	}
	return r, steps, ctx.Err()
}

func ofTask(d task.Decision) Recovery {
	switch d := d.(type) {
	case task.Retry:
		return Recovery{Word: "retry", Delay: max(0, d.Delay)}
	case task.Skip:
		return Recovery{Word: "skip"}
	case task.Fail:
		return Recovery{Word: "fail", Reason: d.Reason}
	}
	return Recovery{}
}

func ofSubagent(d subagent.Decision) Recovery {
	switch d := d.(type) {
	case subagent.Retry:
		return Recovery{Word: "retry", Delay: max(0, d.Delay)}
	case subagent.Delegate:
		return Recovery{Word: "delegate", Agent: d.Agent}
	case subagent.Fail:
		return Recovery{Word: "fail", Reason: d.Reason}
	}
	return Recovery{}
}
