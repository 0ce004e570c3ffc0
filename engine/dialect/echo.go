package dialect

import (
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

const echoName = "echo"

// echo is echo-agent. Its documentation and its code use different words for
// the same things (modified_input and updatedInput, decision and
// permission_decision); a reply says both.
func echo() Dialect {
	return Dialect{Name: echoName, Detect: detectEcho, Decode: decodeEcho, Encode: encodeEcho}
}

// detectEcho knows echo-agent by `event`, which commands get beside an equal
// hook_event_name. Claude Code sends an `event` too, on FileChanged, that is
// not the event's name.
func detectEcho(o hook.Object) bool {
	name := o.Text("event")
	other, both := o.Get("hook_event_name")
	_, transcript := o.Get("transcript_path")
	return name != "" && (!both || other == name) && !transcript
}

// decodeEcho reads echo-agent's members: the hint `matcher` stands for the
// subject of any event without a tool, and agents have names, not types.
func decodeEcho(o hook.Object) (hook.Event, []hook.Diagnostic, error) {
	ev, diags, err := decode(o, "event", "hook_event_name")
	if err != nil {
		return ev, diags, err
	}
	m := &message{obj: o, diags: diags}
	hint, subagent := m.text("matcher"), m.text("subagent_name")
	ev.Agent = or(ev.Agent, or(subagent, m.text("agent_name")))
	ev.Message = or(ev.Message, m.text("subagent_result"))
	if !ev.Name.ToolEvent() {
		ev.Subject = or(ev.Subject, or(hint, or(subagent, m.text("failure_category"))))
	}
	m.variants()
	return ev, m.diags, m.err
}

// or returns the first text that is not empty.
func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// echoReply is a reply in the making.
type echoReply struct {
	name hook.EventName
	info *hook.EventInfo
	dec  hook.Decision

	out     fields
	context []string
	log     []string // for stderr, which echo-agent logs
	blocked bool
	rewrite bool // hand over the new input
}

func encodeEcho(ev hook.Event, d hook.Decision) Reply {
	info, _ := hook.Lookup(ev.Name)
	r := &echoReply{name: ev.Name, info: info, dec: d, context: d.Context}
	r.judge(r.result(r.input(settle(ev.Name, d))))
	r.add()
	return r.finish()
}

// input decides where a new input goes: to PreToolUse. A permission dialog
// runs the old one whatever a hook answers, so there it blocks.
func (r *echoReply) input(v hook.Verdict, reason string) (hook.Verdict, string) {
	switch {
	case r.dec.Input.Absent() || v == hook.Deny:
	case r.name == hook.PreToolUse:
		r.rewrite = true
	case r.info.Has(hook.CanRewrite):
		return hook.Deny, untaken(echoName, r.name, reason)
	default:
		r.lost("new input", string(r.dec.Input.Raw()))
	}
	return v, reason
}

// result hands over a result that replaces the tool's: a block after the tool
// replaces it by the reason. Results of subagents and tasks are injected.
func (r *echoReply) result(v hook.Verdict, reason string) (hook.Verdict, string) {
	text := string(r.dec.Output)
	var s string
	if json.Unmarshal(r.dec.Output, &s) == nil && s != "" {
		text = s
	}
	switch {
	case r.dec.Output == nil:
	case r.name == hook.PostToolUse && v >= hook.Ask:
		reason += "\n" + text
	case r.name == hook.PostToolUse:
		return hook.Deny, text
	case r.info.Has(hook.CanResult):
		r.context = append(r.context[:len(r.context):len(r.context)], text)
	default:
		r.lost("output", text)
	}
	return v, reason
}

// judge says the verdict. An allow in `decision` alone grants nothing in
// echo-agent (it undoes exit code 2), so it never goes with that code.
func (r *echoReply) judge(v hook.Verdict, reason string) {
	answers := r.info.Has(hook.CanAnswer)
	switch {
	case v == hook.Allow && answers:
		r.out.text("decision", "allow")
		r.out.text("permission_decision", "allow")
	case v == hook.Ask && answers, v == hook.Defer && answers:
		r.out.text("decision", "ask")
		r.out.text("reason", reason)
		r.out.text("permission_decision", "ask")
		r.out.text("permission_reason", reason)
		r.out.texts("permission_suggestions", nil)
	case v >= hook.Ask:
		r.blocked = true
		reason = unasked(v, echoName, r.name, reason)
		r.out.text("decision", "block")
		r.out.text("reason", reason)
		if answers {
			r.out.text("permission_decision", "deny")
			r.out.text("permission_reason", reason)
		}
		if r.info.Has(hook.CanContinue) {
			r.out.text("continue_reason", reason)
		}
		r.log = append(r.log, reason)
	}
}

// add says all that is not the verdict.
func (r *echoReply) add() {
	if r.rewrite {
		r.out.raw("updatedInput", r.dec.Input.Raw())
		r.out.raw("modified_input", r.dec.Input.Raw())
	}
	r.out.text("injected_context", strings.Join(r.context, "\n"))
	if r.dec.Retry {
		r.out.flag("retry", true)
	}
	r.out.object("metadata", merged(r.dec.Metadata))
	if r.dec.ContinueReason != "" && !r.info.Has(hook.CanContinue) {
		r.lost("continue reason", r.dec.ContinueReason)
	}
	for _, m := range latest(r.dec.Specific) {
		r.lost(m.Name, string(m.Raw))
	}
	if r.dec.Halted {
		r.out.flag("continue", false)
		r.out.text("stopReason", stopReason(r.dec))
		r.log = append(r.log, because("echo has no way to end the run", stopReason(r.dec)))
	}
	r.out.text("message", strings.Join(r.dec.Notices, "\n"))
}

// merged joins objects member by member; a later one supersedes.
func merged(list []hook.Object) fields {
	var all []hook.Member
	for _, o := range list {
		all = append(all, o.Members()...)
	}
	return members(latest(all))
}

func (r *echoReply) lost(what, text string) {
	r.log = append(r.log, lost(echoName, r.name, what, text))
}

// finish puts the reply together. A block has exit code 2 too: it holds with
// hosts that send the same message but look at the code alone.
func (r *echoReply) finish() Reply {
	code := 2
	if !r.blocked {
		code = 0
		r.log = append(r.log, r.dec.Notices...) // its code does not read `message`
	}
	return Reply{Stdout: r.out.line(), Stderr: stderr(strings.Join(r.log, "\n")), Code: code}
}
