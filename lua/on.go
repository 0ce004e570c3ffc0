package lua

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxTimeout  = 300 * time.Second
	maxHandlers = 1000 // of one file

	maxCallLines = 8 // of on, in which its texts are looked for
)

// on is on(event, matcher?, options?, handler): it registers a hook.
func on(L *glua.LState) int {
	s, spec := of(L), newSpec(L, "on")
	events, n := eventNames(L)
	at := 2
	if text, ok := L.Get(at).(glua.LString); ok {
		spec.Matcher = hook.Text{Value: string(text), Pos: spec.Pos}
		at++
	}
	if t, ok := L.Get(at).(*glua.LTable); ok {
		s.options(L, t, &spec)
		at++
	}
	fn, ok := L.Get(at).(*glua.LFunction)
	if !ok || fn.IsG || L.GetTop() > at {
		L.RaiseError("on: expected on(event, matcher?, options?, function(ev) … end), got a %s as argument %d", typeName(L.Get(at)), at)
	}
	for _, event := range events[:n] {
		spec.Event = event
		s.register(L, registration{spec: spec, fn: fn})
	}
	return 0
}

// newSpec starts a registration by the function that is named doing.
func newSpec(L *glua.LState, doing string) hook.Spec {
	s := of(L)
	if !s.loading || !s.current.unit.policy {
		L.RaiseError("%s: only while a policy file is loaded", doing)
	}
	u := s.current.unit
	spec := hook.Spec{Source: u.source, Type: TypeName, Pos: u.position(L.Where(1), s.runtime.opts.Root)}
	spec.ID = fmt.Sprintf("%s:%d", shown(s.runtime.opts.Root, spec.Pos.File), spec.Pos.Line)
	return spec
}

func (s *state) register(L *glua.LState, reg registration) {
	s.charge(L, costTable)
	if len(s.current.registered) == maxHandlers {
		L.RaiseError("more than %d handlers in a file", maxHandlers)
	}
	s.current.registered = append(s.current.registered, reg)
}

// odd notes what is strange in a registration but no error.
func (u *unit) odd(spec hook.Spec) {
	if _, known := hook.Lookup(spec.Event); known {
		return
	}
	u.diags = append(u.diags, hook.Diagnostic{Severity: hook.Warning, Pos: u.placed(hook.Text{Value: string(spec.Event), Pos: spec.Pos}).Pos, Path: spec.ID,
		Message: fmt.Sprintf("unknown event %q: the handler runs if the host sends it", spec.Event),
		Advice:  hook.DidYouMean(string(spec.Event), hook.EventNames())})
}

// placed is t with the place of its literal, if that stands in the call: the
// machine knows the line of the call and no column.
func (u *unit) placed(t hook.Text) hook.Text {
	if t.Value == "" || t.Pos.File != u.path {
		return t
	}
	lines := strings.SplitN(u.text, "\n", t.Pos.Line+maxCallLines)
	for i := t.Pos.Line - 1; i < min(len(lines), t.Pos.Line-1+maxCallLines); i++ {
		for _, quote := range []string{`"`, `'`} {
			if at := strings.Index(lines[i], quote+t.Value+quote); at >= 0 {
				t.Pos.Line, t.Pos.Col = i+1, at+2
				return t
			}
		}
	}
	return t
}

// eventNames reads the first argument of on: a name or a list of names.
func eventNames(L *glua.LState) ([]hook.EventName, int) {
	var names []hook.EventName
	add := func(v glua.LValue) {
		name, ok := v.(glua.LString)
		if !ok || name == "" {
			L.RaiseError("on: expected the name of an event, got a %s", typeName(v))
		}
		names = append(names, hook.EventName(name))
	}
	t, ok := L.Get(1).(*glua.LTable)
	if !ok {
		add(L.Get(1))
		return names, 1
	}
	for i := range min(t.Len(), 64) {
		add(t.RawGetInt(i + 1))
	}
	return names, len(names)
}

// options reads the options table of on; every key must be known.
func (s *state) options(L *glua.LState, t *glua.LTable, spec *hook.Spec) {
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		name, ok := k.(glua.LString)
		if !ok {
			L.RaiseError("on: options have names, got the key %s", shownKey(k))
		}
		o := option{L: L, name: string(name), value: v}
		if !o.apply(spec) {
			L.RaiseError("on: unknown option %q%s", clip(string(name), 40), parenthesized(hook.DidYouMean(clip(string(name), 40), optionNames())))
		}
	}
}

func parenthesized(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func optionNames() []string {
	return strings.Fields("if when name message once async rewake timeout mode unknown on_failure")
}

// option is one key of an options table.
type option struct {
	L     *glua.LState
	name  string
	value glua.LValue
}

func (o option) apply(spec *hook.Spec) bool {
	switch o.name {
	case "if":
		spec.If = hook.Text{Value: o.text(), Pos: spec.Pos}
	case "when":
		spec.When = hook.Text{Value: o.text(), Pos: spec.Pos}
	case "name":
		spec.ID = o.text()
	case "message":
		spec.Message = o.text()
	case "once":
		spec.Once = o.flag()
	case "async":
		spec.Async = o.flag()
	case "rewake":
		spec.Rewake = o.flag()
	case "timeout":
		spec.Timeout = o.duration()
	case "mode":
		spec.Observe = o.word("observe", "enforce") == 0
	case "unknown":
		spec.Unknown = hook.UnknownAsk + hook.OnUnknown(o.word("ask", "deny", "skip"))
	case "on_failure":
		spec.OnFailure = hook.FailContinue + hook.OnFailure(o.word("continue", "block"))
	default:
		return false
	}
	return true
}

func (o option) fail(want string) {
	o.L.RaiseError("on: option %s: expected %s, got %s", o.name, want, describe(o.value))
}

func describe(v glua.LValue) string {
	switch v.(type) {
	case glua.LString:
		return fmt.Sprintf("%q", clip(v.String(), 60))
	case glua.LNumber, glua.LBool:
		return v.String()
	}
	return "a " + typeName(v)
}

func (o option) text() string {
	v, ok := o.value.(glua.LString)
	if !ok || v == "" {
		o.fail("a text")
	}
	return string(v)
}

func (o option) flag() bool {
	v, ok := o.value.(glua.LBool)
	if !ok {
		o.fail("true or false")
	}
	return bool(v)
}

func (o option) word(words ...string) int {
	for i, w := range words {
		if o.value == glua.LValue(glua.LString(w)) {
			return i
		}
	}
	o.fail("one of " + strings.Join(words, ", "))
	return 0
}

// duration reads a timeout as settings do: "5s", or a number, below 1000 of
// seconds and from 1000 on of milliseconds.
func (o option) duration() time.Duration {
	var d time.Duration
	switch v := o.value.(type) {
	case glua.LNumber:
		if d = time.Duration(float64(v) * float64(time.Second)); v >= 1000 {
			d = time.Duration(float64(v) * float64(time.Millisecond))
		}
	case glua.LString:
		var err error
		if d, err = time.ParseDuration(string(v)); err != nil {
			o.fail(`a time such as "500ms"`)
		}
	default:
		o.fail(`a time such as "500ms"`)
	}
	if d <= 0 || d > maxTimeout {
		o.fail("more than 0 and at most 300 seconds")
	}
	return d
}

// position is the place of "file:12:" in u, or in a file that it requires.
func (u *unit) position(where, root string) hook.Position {
	name, line, _ := place(where)
	switch {
	case u.path == "":
		return u.pos
	case name == u.name:
		return hook.Position{File: u.path, Line: line}
	case !filepath.IsAbs(name):
		name = filepath.Join(root, filepath.FromSlash(name))
	}
	return hook.Position{File: name, Line: line}
}
