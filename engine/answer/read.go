package answer

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

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
	known := []string{"accept", "decline", "cancel"}
	guess, _ := meaning(action, nil)
	switch {
	case !ok:
		return
	case !slices.Contains(r.info.Specific, m.name):
		r.warn(m, "%s and has no effect", m.odd)
		return
	case action == "decline":
		r.vote(m, hook.Deny, "")
	case slices.Contains(known, action):
		if m.limit < neutral || action == "accept" && m.limit < loosens {
			r.warn(m, "%s and has no effect", m.odd)
			return
		}
	default:
		m.limit, m.odd = guards, fmt.Sprintf("is %.40q, expected one of %v,", action, known)
		r.vote(m, guess, "")
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
