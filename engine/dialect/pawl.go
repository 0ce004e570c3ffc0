package dialect

import (
	"strconv"

	"github.com/pawl-dev/pawl/engine/hook"
)

// pawl is the native dialect. It has no hosts to recognize: whoever speaks
// it says so.
func pawl() Dialect {
	return Dialect{
		Name:   "pawl",
		Detect: func(hook.Object) bool { return false },
		Decode: decodePawl,
		Encode: encodePawl,
	}
}

// decodePawl reads what Event.JSON writes.
func decodePawl(o hook.Object) (hook.Event, []hook.Diagnostic, error) {
	return decode(o, "event", "hook_event_name")
}

// encodePawl prints the whole Decision, always. Exit code 2 on Deny, with the
// reason on stderr for hosts that look at nothing else.
func encodePawl(_ hook.Event, d hook.Decision) Reply {
	r := Reply{Stdout: append(EncodeJSON(d), '\n')}
	if d.Verdict == hook.Deny {
		r.Code, r.Stderr = 2, stderr(d.Reason())
	}
	return r
}

// EncodeJSON returns d as one JSON object on one line, without a line break
// at its end. Members that have no value are there all the same, as null, "",
// false or []; event, suppress_output, bypassed, metadata and specific follow
// only where they say something.
func EncodeJSON(d hook.Decision) []byte {
	var f fields
	must := func(name, value string) { f.raw(name, quote(value)) }
	value := func(name string, raw []byte) {
		if raw == nil {
			raw = []byte("null")
		}
		f.raw(name, raw)
	}
	must("decision", d.Verdict.String())
	must("reason", d.Reason())
	f.texts("reasons", d.Reasons)
	value("updated_input", d.Input.Raw())
	f.texts("additional_context", d.Context)
	f.texts("system_messages", d.Notices)
	f.flag("continue", !d.Halted)
	must("stop_reason", d.StopReason)
	must("continue_reason", d.ContinueReason)
	f.flag("retry", d.Retry)
	value("output", d.Output)
	f.array("steps", steps(d.Steps))
	must("snapshot", d.Snapshot)
	rest(&f, d)
	return f.json()
}

// rest adds the members that most decisions do not have.
func rest(f *fields, d hook.Decision) {
	f.text("event", string(d.Event))
	if d.Quiet {
		f.flag("suppress_output", true)
	}
	if d.Bypassed {
		f.flag("bypassed", true)
	}
	if len(d.Metadata) > 0 {
		all := make([][]byte, len(d.Metadata))
		for i, o := range d.Metadata {
			all[i] = o.Raw()
		}
		f.array("metadata", all)
	}
	f.object("specific", members(latest(d.Specific)))
}

// steps encodes the trace.
func steps(list []hook.Step) [][]byte {
	all := make([][]byte, len(list))
	for i, s := range list {
		var f fields
		f.raw("hook", quote(s.Hook))
		f.raw("type", quote(s.Type))
		f.raw("source", quote(s.Source.String()))
		f.raw("status", quote(string(s.Status)))
		f.raw("verdict", quote(s.Verdict.String()))
		f.raw("would", quote(s.Would.String()))
		f.raw("cause", quote(string(s.Cause)))
		f.raw("duration_ns", strconv.AppendInt(nil, s.Duration.Nanoseconds(), 10))
		f.text("position", s.Pos.String())
		f.text("detail", s.Detail)
		if s.Again {
			f.flag("again", true)
		}
		all[i] = f.json()
	}
	return all
}
