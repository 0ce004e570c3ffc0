package answer

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// field is one row: a name, where it may stand, and how it is read.
type field struct {
	name   string
	at     place
	on     []hook.EventName // the events that have it; nil: all
	needs  hook.Effect      // what the event must let an answer do
	weight weight
	read   func(*reader, member)
}

// fields has one row for each field of an answer. Readers carry it, because
// the rows of objects read fields in turn.
var fields = func() []field {
	elicits := []hook.EventName{hook.Elicitation, hook.ElicitationResult}
	permits := []hook.EventName{hook.PreToolUse, hook.PreModelSwitch}
	return []field{
		{name: "decision", at: top | specific, read: readDecision},
		{name: "reason", at: top | specific, read: readText},
		{name: "permission_decision", at: top, read: verdict("permission_reason", "allow", "deny", "ask")},
		{name: "permission_reason", at: top, read: readText},
		{name: "continue", at: top, read: readContinue},
		{name: "stopReason", at: top, read: readStopReason},
		{name: "systemMessage", at: top, weight: neutral, read: readNotice},
		{name: "message", at: top | choice, read: readMessage},
		{name: "suppressOutput", at: top, weight: loosens, read: readQuiet},
		{name: "terminalSequence", at: top, weight: neutral, read: readSequence},
		{name: "additionalContext", at: top | specific, needs: hook.CanContext, weight: neutral, read: readContext},
		{name: "injected_context", at: top, needs: hook.CanContext, weight: neutral, read: readContext},
		{name: "continue_reason", at: top, needs: hook.CanContinue, weight: neutral, read: readContinueReason},
		{name: "metadata", at: top, weight: neutral, read: readMetadata},
		{name: "retry", at: top | specific, needs: hook.CanRetry, weight: loosens, read: readRetry},
		{name: "updatedInput", at: top | specific | choice, needs: hook.CanRewrite, weight: loosens, read: readInput},
		{name: "modified_input", at: top, needs: hook.CanRewrite, weight: loosens, read: readInput},

		{name: "hookSpecificOutput", at: top, read: readSpecific},
		{name: "hookEventName", at: top | specific, read: readText},
		{name: "permissionDecision", at: specific, on: permits, read: verdict("permissionDecisionReason", "allow", "deny", "ask", "defer")},
		{name: "permissionDecisionReason", at: top | specific, read: readText},
		{name: "updatedToolOutput", at: specific, needs: hook.CanResult, weight: loosens, read: readOutput},
		{name: "updatedMCPToolOutput", at: specific, needs: hook.CanResult, weight: loosens, read: readOutput},
		{name: "behavior", at: choice, read: verdict("message", "allow", "deny")},

		{name: "updatedPermissions", at: choice, weight: loosens, read: keep[[]any]("a list")},
		{name: "interrupt", at: choice, weight: neutral, read: keep[bool]("true or false")},
		{name: "action", at: specific, on: elicits, read: readAction},
		{name: "content", at: specific, weight: loosens, read: keep[map[string]any]("an object")},
		{name: "initialUserMessage", at: specific, weight: neutral, read: keep[string]("a string")},
		{name: "sessionTitle", at: specific, weight: neutral, read: keep[string]("a string")},
		{name: "watchPaths", at: specific, weight: neutral, read: keep[[]any]("a list")},
		{name: "reloadSkills", at: specific, weight: neutral, read: keep[bool]("true or false")},
		{name: "suppressOriginalPrompt", at: specific, weight: neutral, read: keep[bool]("true or false")},
		{name: "displayContent", at: specific, weight: loosens, read: keep[string]("a string")},
		{name: "classifierContext", at: specific, weight: neutral, read: keep[string]("a string")},
		{name: "worktreePath", at: specific, weight: loosens, read: keep[string]("a string")},
	}
}()

// named returns the row of a name.
func named(rows []field, name string) (field, bool) {
	for _, f := range rows {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// as returns the value of m if it is a T; any other type costs this field.
func as[T any](r *reader, m member, want string) (T, bool) {
	v, ok := m.value.(T)
	if !ok {
		r.diagnose(hook.Error, m.where.path()+m.name, fmt.Sprintf("expected %s, got %s", want, kindOf(m.value)))
	}
	return v, ok
}

func (r *reader) text(m member) (string, bool) { return as[string](r, m, "a string") }

func kindOf(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the string %.40q", v)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}

// verdict reads a word of known; reason names the field beside it that says
// why.
func verdict(reason string, known ...string) func(*reader, member) {
	return func(r *reader, m member) { r.word(m, known, reason) }
}

// readDecision reads the top-level word, or the object of PermissionRequest.
func readDecision(r *reader, m member) {
	inner, isObject := Child(m.in, m.name)
	if isObject != (m.where == specific) || isObject && r.event != hook.PermissionRequest {
		m.limit, m.odd = guards, "stands in the wrong place"
	}
	if isObject {
		r.level(inner, choice, m.limit, m.odd)
		return
	}
	r.word(m, []string{"approve", "allow", "block", "deny", "ask"}, "reason")
}

// readSpecific reads hookSpecificOutput, whose fields count in full only
// under the name of the event.
func readSpecific(r *reader, m member) {
	if _, ok := as[map[string]any](r, m, "an object"); !ok {
		return
	}
	inner, _ := Child(m.in, m.name)
	switch name := inner.Text("hookEventName"); name {
	case string(r.event):
	case "":
		m.limit, m.odd = min(m.limit, neutral), "stands in a hookSpecificOutput without hookEventName"
		r.warn(m, "hookEventName is missing, expected %q: what loosens has no effect", r.event)
	default:
		m.limit, m.odd = guards, fmt.Sprintf("stands under hookEventName %.40q", name)
		r.warn(m, "hookEventName is %.40q, the event is %q: only what tightens has effect", name, r.event)
	}
	r.level(inner, specific, m.limit, m.odd)
}

func readText(r *reader, m member) { r.text(m) }

func readContinue(r *reader, m member) {
	goOn, ok := as[bool](r, m, "true or false")
	if !ok || goOn {
		return // true is the default and says nothing
	}
	r.res.Halt = true
	if m.odd != "" && m.limit == guards {
		r.warn(m, "%s and counts all the same", m.odd)
	}
}

func readStopReason(r *reader, m member) {
	if s, ok := r.text(m); ok {
		r.res.StopReason = s
	}
}

func readNotice(r *reader, m member) {
	if s, ok := r.text(m); ok {
		notice(&r.res, s)
	}
}

// readMessage is for the user at the top; beside a behavior it is the reason.
func readMessage(r *reader, m member) {
	switch m.where {
	case top:
		readNotice(r, m)
	case choice:
		readText(r, m)
	default:
		r.warn(m, "%s and has no effect", m.odd)
	}
}

func readQuiet(r *reader, m member) {
	if quiet, ok := as[bool](r, m, "true or false"); ok {
		r.res.Quiet = quiet
	}
}

func readContext(r *reader, m member) {
	if s, ok := r.text(m); ok && s != "" {
		r.res.Context = append(r.res.Context, s)
	}
}

func readContinueReason(r *reader, m member) {
	if s, ok := r.text(m); ok {
		r.res.ContinueReason = s
	}
}

func readMetadata(r *reader, m member) {
	if _, ok := as[map[string]any](r, m, "an object"); ok {
		r.res.Metadata, _ = Child(m.in, m.name)
	}
}

func readRetry(r *reader, m member) {
	if retry, ok := as[bool](r, m, "true or false"); ok {
		r.res.Retry = retry
	}
}

// readInput takes a whole new tool input.
func readInput(r *reader, m member) {
	if _, ok := as[map[string]any](r, m, "an object"); !ok {
		r.lost = true
		return
	}
	input, _ := Child(m.in, m.name)
	if !r.res.Input.Absent() && !r.res.Input.Equal(input) {
		r.lost = true
		r.warn(m, "has no effect: the answer holds another rewrite before it")
		return
	}
	r.res.Input = input
}

func readOutput(r *reader, m member) {
	if r.res.Output == nil || m.name == "updatedToolOutput" {
		r.res.Output = m.raw
	}
}

// readAction reads how a question of an MCP server is answered.
func readAction(r *reader, m member) {
	action, ok := r.text(m)
	if !ok {
		return
	}
	known := []string{"accept", "decline", "cancel"}
	switch guess, _ := meaning(action, nil); {
	case action == "decline":
		r.vote(m, hook.Deny, "")
	case !slices.Contains(known, action) && guess == hook.Deny:
		m.limit, m.odd = guards, fmt.Sprintf("is %.40q, expected one of %v,", action, known)
		r.vote(m, hook.Deny, "")
		return
	case !slices.Contains(known, action):
		r.warn(m, "is %.40q, expected one of %v, and has no effect", action, known)
		return
	case action == "accept" && m.limit < loosens, m.limit < neutral:
		r.warn(m, "%s and has no effect", m.odd)
		return
	}
	r.res.Specific = append(r.res.Specific, hook.Member{Name: m.name, Raw: m.raw})
}

// keep passes a field that only some events have on to the host, if it is a T.
func keep[T any](want string) func(*reader, member) {
	return func(r *reader, m member) {
		if !slices.Contains(r.info.Specific, m.name) {
			r.warn(m, "is no field of %s and has no effect", r.event)
			return
		}
		if _, ok := as[T](r, m, want); ok {
			r.res.Specific = append(r.res.Specific, hook.Member{Name: m.name, Raw: m.raw})
		}
	}
}
