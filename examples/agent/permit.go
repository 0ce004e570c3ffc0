package main

import (
	"context"

	"github.com/pawl-dev/pawl/engine"
)

// permit asks whether a tool may be called. It returns the event with the
// input that the tool gets, which a hook may have replaced, and what hooks add
// for the model; or why it is refused. The error ends the run.
func (a *Agent) permit(ctx context.Context, ev engine.Event) (_ engine.Event, notes []string, refused string, _ error) {
	dec := a.dispatch(ctx, ev)
	if !dec.Input.Absent() {
		ev.Input = dec.Input
	}
	switch {
	case dec.Halted:
		return ev, nil, "", dec.Halt()
	case dec.Verdict == engine.Deny:
		refused = dec.Reason()
	case !dec.Proceed(): // Ask, or Defer, which is for hosts that can wait
		ev, refused = a.askPerson(ctx, ev, dec.Reason())
	}
	if refused == "" {
		return ev, dec.Context, "", nil
	}
	denied := ev
	denied.Name, denied.More = engine.PermissionDenied, engine.Input("reason", refused)
	dec = a.dispatch(ctx, denied)
	if dec.Retry {
		refused += "\nYou may try again."
	}
	return ev, nil, "denied: " + refused, dec.Halt()
}

// askPerson is the permission dialog: hooks may answer it, and may replace
// the input once more; else a person is notified and asked.
func (a *Agent) askPerson(ctx context.Context, ev engine.Event, why string) (_ engine.Event, refused string) {
	request := ev
	request.Name = engine.PermissionRequest
	dec := a.dispatch(ctx, request)
	if !dec.Input.Absent() {
		ev.Input = dec.Input
	}
	switch {
	case dec.Halted || dec.Verdict == engine.Deny:
		return ev, dec.Reason()
	case dec.Verdict == engine.Allow:
		return ev, ""
	}
	question := a.host.screen.subject(ev) + "? " + why
	a.dispatch(ctx, engine.Event{Name: engine.Notification, Subject: "permission_prompt", More: engine.Input("message", question)})
	if !a.host.allow(question) {
		return ev, "a person said no"
	}
	return ev, ""
}
