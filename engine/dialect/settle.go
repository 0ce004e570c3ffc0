package dialect

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// settle returns what d comes to on an event before the limits of a host
// apply: a halt is also a deny where a deny stops something and outranks one
// that means "go on"; a continue reason is a block where a block keeps the
// agent working. From Ask on the reason is never blank.
func settle(name hook.EventName, d hook.Decision) (hook.Verdict, string) {
	info, _ := hook.Lookup(name)
	verdict, reason := d.Verdict, d.Reason()
	switch {
	case d.Halted && info.Has(hook.CanGoOn):
		return hook.None, ""
	case d.Halted && info.Has(hook.CanBlock) && verdict < hook.Deny:
		verdict, reason = hook.Deny, stopReason(d)
	case d.Halted || d.ContinueReason == "" || !info.Has(hook.CanContinue):
	case verdict <= hook.Allow:
		verdict, reason = hook.Deny, d.ContinueReason
	default:
		reason += "\n" + d.ContinueReason
	}
	if verdict >= hook.Ask && strings.TrimSpace(reason) == "" {
		reason = hook.Decision{Verdict: verdict}.Reason()
	}
	return verdict, reason
}

// stopReason says to the user why the agent ends its run.
func stopReason(d hook.Decision) string {
	if d.StopReason != "" {
		return d.StopReason
	}
	return d.Reason()
}

// unasked explains a block that stands for an Ask.
func unasked(v hook.Verdict, agent string, name hook.EventName, reason string) string {
	if v == hook.Deny {
		return reason
	}
	return because(fmt.Sprintf("needs confirmation, which %s cannot ask for on %s", agent, eventWord(name)), reason)
}

// untaken explains a block that stands for a new input.
func untaken(agent string, name hook.EventName, reason string) string {
	return because(fmt.Sprintf("a hook changed the input, which %s does not take so on %s", agent, eventWord(name)), reason)
}

// lost tells of a part of the decision that the agent has no place for.
func lost(agent string, name hook.EventName, what, text string) string {
	return because(fmt.Sprintf("%s takes no %s on %s, dropped", agent, what, eventWord(name)), hook.Printable(text))
}

func because(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

// eventWord names an event in a sentence.
func eventWord(name hook.EventName) string {
	if name == "" {
		return "an unknown event"
	}
	return string(name)
}
