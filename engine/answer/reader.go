package answer

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// place is a set of the objects that a field may stand in.
type place uint8

const (
	top      place = 1 << iota // the answer itself
	specific                   // hookSpecificOutput
	choice                     // hookSpecificOutput.decision of PermissionRequest
)

// path returns the prefix of the names of p's members in a diagnostic.
func (p place) path() string {
	return map[place]string{specific: "hookSpecificOutput.", choice: "hookSpecificOutput.decision."}[p]
}

// weight says what a field can do at most, and, as a limit, what the fields
// of an object may do.
type weight uint8

const (
	guards  weight = iota // it can tighten
	neutral               // texts and marks
	loosens               // it can grant or rewrite
)

// member is one field of an answer as it stands there.
type member struct {
	in    hook.Object // the object that it stands in
	where place
	name  string
	raw   []byte
	value any
	limit weight // what it may do
	odd   string // why it may not do all, or ""
}

// reader collects a Result from the objects of one answer.
type reader struct {
	fields []field
	event  hook.EventName
	info   *hook.EventInfo
	res    hook.Result
	lost   bool // a rewrite of the input has no effect
}

// decodeObject reads an answer. Fields weightier than limit have no effect,
// because of odd.
func decodeObject(event hook.EventName, o hook.Object, limit weight, odd string) hook.Result {
	info, _ := hook.Lookup(event)
	r := &reader{fields: fields, event: event, info: info}
	r.level(o, top, limit, odd)
	return r.finish(o)
}

// level reads all members of one object.
func (r *reader) level(o hook.Object, where place, limit weight, odd string) {
	for _, raw := range o.Members() {
		f, known := named(r.fields, raw.Name)
		value, _ := o.Get(raw.Name)
		if !known || value == nil {
			continue
		}
		m := member{o, where, raw.Name, raw.Raw, value, limit, odd}
		switch {
		case f.at&where == 0:
			m.limit, m.odd = guards, "stands in the wrong place"
		case f.on != nil && !slices.Contains(f.on, r.event):
			m.limit, m.odd = guards, "is no field of "+string(r.event)
		}
		switch {
		case f.weight > m.limit:
			r.warn(m, "%s and has no effect", m.odd)
		case !r.info.Has(f.needs):
			r.warn(m, "has no effect on %s", r.event)
		default:
			f.read(r, m)
			continue
		}
		r.lost = r.lost || f.needs == hook.CanRewrite
	}
}

// finish settles what depends on several fields.
func (r *reader) finish(o hook.Object) hook.Result {
	res := &r.res
	if !res.Halt {
		res.StopReason = ""
	}
	if res.Verdict == hook.Allow && r.lost {
		res.Verdict, res.Reason = hook.None, ""
		r.diagnose(hook.Warning, "", "the allow has no effect: it is about a rewritten input, which has none")
	}
	if res.Verdict >= hook.Defer {
		res.Input = hook.Object{}
	}
	if res.Verdict >= hook.Ask && res.Reason == "" {
		res.Reason = reasonIn(o)
	}
	return *res
}

// reasonIn returns any reason that an answer gives, whatever it is for.
func reasonIn(o hook.Object) string {
	inner, _ := o.View()["hookSpecificOutput"].(map[string]any)
	for _, view := range []map[string]any{o.View(), inner} {
		for _, name := range []string{"reason", "permission_reason", "permissionDecisionReason"} {
			if s, _ := view[name].(string); s != "" {
				return s
			}
		}
	}
	return ""
}

// word reads a verdict that must be one of known.
func (r *reader) word(m member, known []string, reason string) {
	text, ok := r.text(m)
	if !ok {
		return
	}
	verdict, exact := meaning(text, known)
	if !exact {
		m.limit, m.odd = guards, fmt.Sprintf("is %.40q, expected one of %v,", text, known)
	}
	r.vote(m, verdict, m.in.Text(reason))
}

// vote raises the verdict, if m may and the event lets it.
func (r *reader) vote(m member, v hook.Verdict, reason string) {
	answers := r.info.Has(hook.CanAnswer)
	switch {
	case v == hook.None, v == hook.Allow && m.limit < loosens:
		r.warn(m, "%s and has no effect", m.odd)
		return
	case v == hook.Allow && !(answers && (m.where != top || allowsAtTop(r.event))):
		return // "approve" is silence there
	case v == hook.Deny && !r.info.Deciding(),
		(v == hook.Ask || v == hook.Defer) && !answers && !r.info.Has(hook.CanBlock):
		r.warn(m, "has no effect: %s cannot be answered with %s", r.event, v)
		return
	case m.limit == guards:
		r.warn(m, "%s and counts as %s all the same", m.odd, v)
	}
	switch {
	case v > r.res.Verdict:
		r.res.Verdict, r.res.Reason = v, reason
	case v == r.res.Verdict:
		r.res.Reason = firstOf(r.res.Reason, reason)
	}
}

// allowsAtTop: the events on which a top-level allow grants (ruling 4, and
// the permission shortcut of a Notification).
func allowsAtTop(event hook.EventName) bool {
	return event == hook.PreToolUse || event == hook.PermissionRequest || event == hook.Notification
}

// warn reports what became of a member.
func (r *reader) warn(m member, format string, args ...any) {
	r.diagnose(hook.Warning, m.where.path()+m.name, fmt.Sprintf(format, args...))
}

func (r *reader) diagnose(sev hook.Severity, path, message string) {
	r.res.Diagnostics = append(r.res.Diagnostics, hook.Diagnostic{Severity: sev, Path: path, Message: message})
}
