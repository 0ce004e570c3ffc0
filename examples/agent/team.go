package main

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/subagent"
)

// teamNames are the agents that may be sent out.
var teamNames = []string{"scout", "reviewer"}

// agentTool sends out a subagent and waits for what it says.
func (h *Host) agentTool() *Tool {
	return &Tool{"Agent", "sends out the agent scout or reviewer", []string{"subagent_type", "prompt"}, func(ctx context.Context, in engine.Object) (string, error) {
		res, err := h.team.Dispatch(ctx, subagent.Request{Parent: "main", Agent: in.Text("subagent_type"), Task: in.Text("prompt")}).Wait(ctx)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s: %s", res.Agent, res.Text), nil
	}}
}

// runSubagent is one run of a subagent: a conversation of its own, with the
// tools that work on files and under the same policy.
func (h *Host) runSubagent(ctx context.Context, c subagent.Call) (string, error) {
	a := &Agent{host: h, name: c.SubagentName, id: c.ID, tools: h.bench.tools()}
	a.say("system", "You are the agent "+c.SubagentName+".", c.Notes...)
	a.say("user", c.Task)
	if c.Feedback != "" {
		a.say("user", c.Feedback)
	}
	return a.work(ctx, func(context.Context, string) (bool, error) { return true, nil })
}

// teamHooks are the host's own: it shows what becomes of a dispatch.
func (h *Host) teamHooks() subagent.Hooks {
	return subagent.Hooks{
		Name: "host",
		AfterDispatch: func(_ context.Context, c subagent.Context, r subagent.Result) {
			h.screen.Note("subagent", fmt.Sprintf("%s is done after %d attempts: %s", r.Agent, r.Attempts, r.Text))
		},
		OnFailure: func(_ context.Context, c subagent.Context, err error) subagent.Decision {
			h.screen.Note("subagent", fmt.Sprintf("%s failed: %v", c.SubagentName, err))
			return nil
		},
	}
}
