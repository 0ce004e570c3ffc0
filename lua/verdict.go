package lua

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// verdict is what a constructor returns: one thing that a handler says.
type verdict struct {
	word   string // the constructor
	line   string // file:line: of the call
	add    func(*hook.Result)
	handed bool // a handler returned it

	recovery Recovery // instead of add, of a callback
}

func verdicts() group {
	reason := "(reason?: string): Verdict"
	text := "(text: string): Verdict"
	return group{functions: []function{
		{"allow", reason, "the call goes ahead without asking anybody", decide("allow", hook.Allow)},
		{"ask", reason, "a person decides", decide("ask", hook.Ask)},
		{"defer", reason, "the host postpones the call", decide("defer", hook.Defer)},
		{"deny", reason, "the call does not happen; the model reads the reason", decide("deny", hook.Deny)},
		{"stop", reason, "the agent ends its run; the user reads the reason", said("stop", func(r *hook.Result, s string) { r.Halt, r.StopReason = true, s })},
		{"context", text, "adds text for the model", told("context", func(r *hook.Result, s string) { r.Context = append(r.Context, s) })},
		{"notice", text, "shows text to the user", told("notice", func(r *hook.Result, s string) { r.Notices = append(r.Notices, s) })},
		{"go_on", text, "keeps the agent working, for this reason", told("go_on", func(r *hook.Result, s string) { r.ContinueReason = s })},
		{"rewrite", "(input: table): Verdict", "replaces the whole tool input", rewrite},
		{"output", "(value: any): Verdict", "replaces the result of the tool or agent", output},
		{"retry", "(delay?: number): Verdict", "on an event: the agent may try again; in on_failure: again after so many seconds", retryAfter},
		{"quiet", "(): Verdict", "the output is not shown", said("quiet", func(r *hook.Result, _ string) { r.Quiet = true })},
		{"metadata", "(values: table): Verdict", "for the host, not interpreted", metadata},
		{"skip", "(): Verdict", "in task.on_failure: the plan goes on without the task", skip},
		{"fail", "(reason?: string): Verdict", "in on_failure: it has failed for good", fail},
		{"delegate", "(agent: string): Verdict", "in subagent.on_failure: another agent does it", delegate},
		{"specific", "(name: string, value: any): Verdict", "a field that only this event has, such as sessionTitle", specific},
	}}
}

// give returns a new verdict to the script.
func give(L *glua.LState, word string, add func(*hook.Result)) int {
	s := of(L)
	if s.event == nil {
		s.misplaced(L, word)
	}
	return s.hand(L, &verdict{word: word, add: add})
}

func (s *state) hand(L *glua.LState, v *verdict) int {
	v.line = L.Where(1)
	s.charge(L, costFunction)
	s.made = append(s.made, v)
	L.Push(&glua.LUserData{Value: v, Metatable: s.metas.verdict})
	return 1
}

// verdictOf is v as a verdict, nil if it is none.
func verdictOf(v glua.LValue) *verdict {
	if u, ok := v.(*glua.LUserData); ok {
		d, _ := u.Value.(*verdict)
		return d
	}
	return nil
}

func said(word string, add func(*hook.Result, string)) glua.LGFunction {
	return func(L *glua.LState) int {
		text := reasonText(L, word, true)
		return give(L, word, func(r *hook.Result) { add(r, text) })
	}
}

func told(word string, add func(*hook.Result, string)) glua.LGFunction {
	return func(L *glua.LState) int {
		text := reasonText(L, word, false)
		return give(L, word, func(r *hook.Result) { add(r, text) })
	}
}

func reasonText(L *glua.LState, word string, optional bool) string {
	switch v := L.Get(1).(type) {
	case glua.LString, glua.LNumber:
		return v.String()
	case *glua.LNilType:
		if optional && L.GetTop() == 0 {
			return ""
		}
		L.RaiseError("%s: expected a text, got nil", word)
	default:
		L.RaiseError("%s: expected a text, got a %s", word, typeName(v))
	}
	return ""
}

func decide(word string, v hook.Verdict) glua.LGFunction {
	return said(word, func(r *hook.Result, reason string) {
		switch {
		case v > r.Verdict:
			r.Verdict, r.Reason = v, reason
		case v == r.Verdict && r.Reason == "":
			r.Reason = reason
		case v == r.Verdict && reason != "":
			r.Reason += "\n" + reason
		}
	})
}

func rewrite(L *glua.LState) int {
	s, t := of(L), L.CheckTable(1)
	o := s.object(L, t, "rewrite")
	return give(L, "rewrite", func(r *hook.Result) { r.Input = o })
}

func output(L *glua.LState) int {
	raw := of(L).encode(L, L.CheckAny(1), "output")
	return give(L, "output", func(r *hook.Result) { r.Output = raw })
}

func metadata(L *glua.LState) int {
	o := of(L).object(L, L.CheckTable(1), "metadata")
	return give(L, "metadata", func(r *hook.Result) { r.Metadata = o })
}

func specific(L *glua.LState) int {
	s, name := of(L), L.CheckString(1)
	if s.event == nil {
		s.misplaced(L, "specific")
	}
	if info, known := hook.Lookup(s.event.call.Facts.Event.Name); known {
		found := false
		for _, f := range info.Specific {
			found = found || f == name
		}
		if !found {
			L.RaiseError("specific: %s has no field %q; it has: %s", info.Name, name, strings.Join(info.Specific, ", "))
		}
	}
	raw := s.encode(L, L.CheckAny(2), "specific")
	return give(L, "specific", func(r *hook.Result) { r.Specific = append(r.Specific, hook.Member{Name: name, Raw: raw}) })
}

// result folds what a handler returned: verdicts, lists of them, nil, and
// false, which `condition and deny()` leaves.
func (s *state) result(values []glua.LValue) (hook.Result, error) {
	if len(values) == 0 && len(s.made) == 0 {
		return hook.Result{}, nil
	}
	var r hook.Result
	for _, v := range values {
		if err := s.fold(&r, v, true); err != nil {
			return hook.Result{}, err
		}
	}
	r.Diagnostics = s.unreturned()
	return r, nil
}

// unreturned tells of the first verdict that was made for nothing.
func (s *state) unreturned() []hook.Diagnostic {
	for _, v := range s.made {
		if !v.handed {
			return []hook.Diagnostic{{Severity: hook.Warning,
				Message: fmt.Sprintf("%s %s(…) has no effect: it was not returned", v.line, v.word), Advice: "write: return " + v.word + "(…)"}}
		}
	}
	return nil
}

func (s *state) fold(r *hook.Result, v glua.LValue, lists bool) error {
	switch v := v.(type) {
	case *glua.LNilType:
		return nil
	case glua.LBool:
		if !bool(v) {
			return nil
		}
	case *glua.LUserData:
		if d := verdictOf(v); d != nil {
			d.handed = true
			d.add(r)
			return nil
		}
	case *glua.LTable:
		if lists {
			return s.foldList(r, v)
		}
	}
	return fmt.Errorf("a handler returned a %s: return deny(\"…\") or another verdict, a list of them, or nothing", typeName(v))
}

func (s *state) foldList(r *hook.Result, t *glua.LTable) error {
	n := t.Len()
	count := 0
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		if i, ok := k.(glua.LNumber); !ok || int(i) > n {
			return fmt.Errorf("a handler returned a table with the key %s: return a list of verdicts, as in {deny(\"…\"), notice(\"…\")}", shownKey(k))
		}
		if count++; count > maxValues {
			return fmt.Errorf("a handler returned a list of more than %d verdicts", maxValues)
		}
		if err := s.fold(r, v, false); err != nil {
			return err
		}
	}
	return nil
}
