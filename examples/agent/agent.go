package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

const (
	maxSteps  = 40 // calls of the model in one turn
	maxTries  = 3  // after a failure of the model
	compactAt = 24 // messages
)

// Agent is one conversation with a model: the main agent, or a subagent.
type Agent struct {
	host     *Host
	name     string
	id       string // of a subagent's run, or of a task
	tools    []*Tool
	messages []Message
}

// Main returns the agent that a person talks to.
func (h *Host) Main() *Agent { return &Agent{host: h, name: "main", tools: h.tools} }

// dispatch completes ev with what says whose it is.
func (a *Agent) dispatch(ctx context.Context, ev engine.Event) engine.Decision {
	if a.id != "" {
		ev.Agent = a.name
	}
	return a.host.Dispatch(ctx, ev)
}

// Start begins the session: what hooks say about it, and the instructions of
// the workspace, come first in the conversation.
func (a *Agent) Start(ctx context.Context) error {
	dec := a.dispatch(ctx, engine.Event{Name: engine.SessionStart, Subject: "startup"})
	if dec.Halted {
		return dec.Halt()
	}
	a.say("system", "You are a careful programmer.", dec.Context...)
	const file = "AGENTS.md"
	text, err := a.host.bench.files.ReadFile(file)
	if err != nil {
		return nil // a workspace need not have any
	}
	dec = a.dispatch(ctx, engine.Event{Name: engine.InstructionsLoaded, Subject: "session_start",
		More: engine.Input("file_path", file, "instructions", string(text))})
	if dec.Proceed() {
		a.say("system", string(text), dec.Context...)
	}
	return dec.Halt()
}

// Turn lets the agent work on what a person asks for until it stops, and
// returns what it says at last.
func (a *Agent) Turn(ctx context.Context, prompt string) (string, error) {
	dec := a.dispatch(ctx, engine.Event{Name: engine.UserPromptSubmit, Prompt: prompt})
	if !dec.Proceed() {
		return "", fmt.Errorf("the prompt is refused: %s", dec.Reason())
	}
	a.say("user", prompt, dec.Context...)
	return a.work(ctx, a.mayStop)
}

// End ends the session.
func (a *Agent) End(ctx context.Context, reason string) {
	a.dispatch(ctx, engine.Event{Name: engine.SessionEnd, Subject: reason})
}

// say adds a message, with what hooks add to it.
func (a *Agent) say(role, text string, context ...string) {
	parts := append([]string{text}, context...)
	a.messages = append(a.messages, Message{Role: role, Text: strings.Join(parts, "\n")})
}

// work is the loop: the model says what it wants, the tools are called, until
// it wants nothing more and may stop.
func (a *Agent) work(ctx context.Context, mayStop func(context.Context, string) (bool, error)) (string, error) {
	for range maxSteps {
		if err := a.compact(ctx); err != nil {
			return "", err
		}
		reply, err := a.think(ctx)
		if err != nil {
			return "", err
		}
		a.messages = append(a.messages, Message{Role: "assistant", Text: reply.Text, Calls: reply.Calls})
		a.host.screen.Say(a.name, reply.Text)
		if len(reply.Calls) > 0 {
			if err := a.batch(ctx, reply.Calls); err != nil {
				return "", err
			}
			continue
		}
		if stop, err := mayStop(ctx, reply.Text); stop || err != nil {
			return reply.Text, err
		}
	}
	a.dispatch(ctx, engine.Event{Name: engine.StopFailure, Subject: "max_iterations"})
	return "", fmt.Errorf("%s has not come to an end after %d steps", a.name, maxSteps)
}

// think asks the model. Where it fails, hooks may have it asked again.
func (a *Agent) think(ctx context.Context) (Reply, error) {
	for try := 1; ; try++ {
		reply, err := a.host.model.Next(ctx, Request{Agent: a.name, Messages: a.messages, Tools: a.tools})
		if err == nil {
			return reply, nil
		}
		kind := "unknown"
		if busy := (*Overloaded)(nil); errors.As(err, &busy) {
			kind = "overloaded"
		}
		dec := a.dispatch(ctx, engine.Event{Name: engine.StopFailure, Subject: kind, More: engine.Input("error_message", err.Error())})
		if !dec.Retry || dec.Halted || try == maxTries {
			return Reply{}, err
		}
		if len(dec.Context) > 0 {
			a.say("system", "The last call failed.", dec.Context...)
		}
	}
}

// mayStop asks whether the turn may end. If not, the model gets the reason.
func (a *Agent) mayStop(ctx context.Context, last string) (bool, error) {
	dec := a.dispatch(ctx, engine.Event{Name: engine.Stop, Message: last})
	if dec.Halted {
		return true, dec.Halt()
	}
	if reason := dec.ContinueReason; dec.Proceed() && reason == "" {
		return true, nil
	} else if !dec.Proceed() {
		a.say("user", dec.Reason(), dec.Context...)
	} else {
		a.say("user", reason, dec.Context...)
	}
	return false, nil
}
