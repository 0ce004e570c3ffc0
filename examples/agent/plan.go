package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/task"
)

// planTool runs tasks that depend on each other. The text has a line for each:
// id, subject, and after a < the ids of those before it.
func (h *Host) planTool() *Tool {
	return &Tool{"Plan", "runs tasks, a line each: id: subject < ids of the tasks before it", []string{"tasks"}, func(ctx context.Context, in engine.Object) (string, error) {
		tasks, err := readPlan(in.Text("tasks"))
		if err != nil {
			return "", err
		}
		outcomes, err := h.tasks.Run(ctx, tasks)
		var lines []string
		for _, o := range outcomes {
			line := fmt.Sprintf("%s: %s", o.ID, o.Status)
			if o.Result != "" {
				line += ", " + o.Result
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n"), err
	}}
}

func readPlan(text string) ([]task.Task, error) {
	var tasks []task.Task
	for line := range strings.Lines(text) {
		id, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			return nil, fmt.Errorf("expected id: subject, got %q", line)
		}
		subject, after, _ := strings.Cut(rest, "<")
		tasks = append(tasks, task.Task{ID: id, Subject: strings.TrimSpace(subject), DependsOn: strings.Fields(after)})
	}
	return tasks, nil
}

// execute does the work of one task: a conversation of its own.
func (h *Host) execute(ctx context.Context, job task.Job) (string, error) {
	a := &Agent{host: h, name: "task " + job.Task.ID, id: job.Task.ID, tools: h.bench.tools()}
	a.say("system", "You do one task of a plan.", job.Notes...)
	a.say("user", job.Task.Subject, job.Results...)
	if job.Feedback != "" {
		a.say("user", job.Feedback)
	}
	return a.work(ctx, func(context.Context, string) (bool, error) { return true, nil })
}

// taskHooks are the host's own: it shows what becomes of a task.
func (h *Host) taskHooks() task.Hooks {
	return task.Hooks{
		Name: "host",
		AfterExecute: func(_ context.Context, c task.Context, result string) {
			h.screen.Note("task", fmt.Sprintf("%s is done: %s", c.Task.ID, result))
		},
		OnFailure: func(_ context.Context, c task.Context, err error) task.Decision {
			h.screen.Note("task", fmt.Sprintf("%s failed at attempt %d: %v", c.Task.ID, c.Attempt, err))
			return nil
		},
	}
}
