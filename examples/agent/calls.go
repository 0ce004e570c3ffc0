package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// batch calls the tools that one reply of the model asks for.
func (a *Agent) batch(ctx context.Context, calls []ToolCall) error {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Name
		text, err := a.call(ctx, c)
		if err != nil {
			return err
		}
		a.messages = append(a.messages, Message{Role: "tool", Text: text, Of: c.ID})
	}
	dec := a.dispatch(ctx, engine.Event{Name: engine.PostToolBatch, More: engine.Input("tools", strings.Join(names, "|"))})
	if !dec.Proceed() {
		return fmt.Errorf("stopped after a batch of tools: %s", dec.Reason())
	}
	if len(dec.Context) > 0 {
		a.say("system", "About the tools:", dec.Context...)
	}
	return nil
}

// call runs one tool, if it may, and returns what the model gets to read. The
// error ends the run: a hook has halted it.
func (a *Agent) call(ctx context.Context, c ToolCall) (string, error) {
	i := slices.IndexFunc(a.tools, func(t *Tool) bool { return t.Name == c.Name })
	if i < 0 {
		return "no such tool: " + c.Name, nil
	}
	in, err := engine.ParseInput(c.Input)
	if err != nil {
		return "the input is broken: " + err.Error(), nil
	}
	ev := engine.Event{Name: engine.PreToolUse, Tool: c.Name, Input: in, More: engine.Input("tool_use_id", c.ID)}
	ev, notes, refused, err := a.permit(ctx, ev)
	if refused != "" || err != nil {
		return refused, err
	}
	result, err := a.tools[i].Run(ctx, ev.Input)
	return a.after(ctx, ev, result, notes, err)
}

// after tells of a call that was made, and returns what the model gets to
// read: what the tool gave, or what a hook puts in its place.
func (a *Agent) after(ctx context.Context, ev engine.Event, result string, notes []string, failure error) (string, error) {
	ev.Name, ev.More = engine.PostToolUse, engine.Input("tool_response", result)
	if failure != nil {
		ev.Name, ev.More = engine.PostToolUseFailure, engine.Input("error", failure.Error())
		result = "failed: " + failure.Error()
	}
	dec := a.dispatch(ctx, ev)
	if dec.Output != nil {
		result = dec.OutputText()
	}
	parts := append([]string{result}, notes...)
	if !dec.Proceed() {
		parts = append(parts, dec.Reason())
	}
	return strings.Join(append(parts, dec.Context...), "\n"), dec.Halt()
}
