package lua

import (
	"context"
	"fmt"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Moment says when a callback of a task or subagent is called.
type Moment uint8

const (
	Before    Moment = iota // before it starts
	After                   // when it has come to its end
	OnFailure               // when it has failed; the answer may say what to do
)

// String returns before, after or on_failure.
func (m Moment) String() string {
	return [...]string{"before", "after", "on_failure"}[min(m, OnFailure)]
}

// point is where a function is called that is no handler of an event:
// task.before and the like. The zero value is nowhere.
type point struct {
	of string // task or subagent
	at Moment
}

func (p point) String() string { return p.of + "." + p.at.String() }

// words are the verdicts that a callback may return.
func (p point) words() []string {
	switch p {
	case point{"task", OnFailure}:
		return []string{"retry", "skip", "fail"}
	case point{"subagent", OnFailure}:
		return []string{"retry", "fail", "delegate"}
	}
	return nil
}

// wants says what a callback is to return.
func (p point) wants() string {
	if words := p.words(); len(words) > 0 {
		return strings.Join(words, "(…), ") + "(…) or nothing"
	}
	return "nothing"
}

func taskGroup() group {
	return group{name: "task", doc: "callbacks of the tasks of a plan; only while the file is loaded", functions: []function{
		{"before", "(callback: fun(t: Task))", "calls back before a task starts", register(point{"task", Before})},
		{"after", "(callback: fun(t: Task, result: string))", "calls back when a task has succeeded", register(point{"task", After})},
		{"on_failure", "(callback: fun(t: Task, failure: string): Verdict?)", "calls back when a task has failed: retry(seconds), skip() or fail()", register(point{"task", OnFailure})},
	}}
}

func subagentGroup() group {
	return group{name: "subagent", doc: "callbacks of the agents that an agent sends out; only while the file is loaded", functions: []function{
		{"before", "(callback: fun(a: Subagent))", "calls back before a subagent starts", register(point{"subagent", Before})},
		{"after", "(callback: fun(a: Subagent, result: string))", "calls back when a subagent has come back", register(point{"subagent", After})},
		{"on_failure", "(callback: fun(a: Subagent, failure: string): Verdict?)", "calls back when a subagent has failed: retry(seconds), fail() or delegate(agent)", register(point{"subagent", OnFailure})},
	}}
}

// register is task.before(function) and the like.
func register(p point) glua.LGFunction {
	return func(L *glua.LState) int {
		s, spec := of(L), newSpec(L, p.String())
		fn, ok := L.Get(1).(*glua.LFunction)
		switch {
		case L.GetTop() != 1:
			L.RaiseError("%s: expected one function, got %d arguments", p, L.GetTop())
		case !ok || fn.IsG:
			L.RaiseError("%s: expected a function of the policy, got %s", p, describe(L.Get(1)))
		}
		s.register(L, registration{spec: spec, point: p, fn: fn})
		return 0
	}
}

// answer calls h, which is no handler of an event, with what subject makes,
// and with text where it is not called before anything has happened.
func (h *handler) answer(ctx context.Context, r *Runtime, session string, subject func(*glua.LState) glua.LValue, text string) (Answer, error) {
	s, err := r.acquire(ctx, session)
	if err != nil {
		return Answer{}, h.noVerdict(err)
	}
	defer r.release(s)
	ctx, cancel := within(ctx, callLimit) // many tasks of a session may fail at once: who waits loses no time
	defer cancel()
	s.begin(ctx, callLimit)
	a, err := s.callBack(h, subject, text)
	s.finished = true
	a.Log = string(s.log)
	if err != nil {
		return a, h.noVerdict(err)
	}
	return a, nil
}

func (s *state) callBack(h *handler, subject func(*glua.LState) glua.LValue, text string) (a Answer, err error) {
	in, err := s.instance(h.unit)
	if err != nil {
		return a, err
	}
	s.point, s.current = h.point, in
	s.L.Push(in.registered[h.index].fn)
	s.L.Push(subject(s.L))
	n := 1
	if h.point.at != Before {
		s.L.Push(glua.LString(text))
		n++
	}
	values, err := s.call(n, h)
	if err != nil {
		return a, err
	}
	if a.Recovery, err = s.recovery(values); err != nil {
		return a, &fault{msg: h.where() + ": " + err.Error(), cause: hook.CauseAnswer}
	}
	a.Diagnostics = s.unreturned()
	return a, nil
}

// recovery is what a callback returned: one verdict at most.
func (s *state) recovery(values []glua.LValue) (r Recovery, err error) {
	var given *verdict
	for _, value := range values {
		if glua.LVIsFalse(value) {
			continue
		}
		v := verdictOf(value)
		switch {
		case v == nil:
			return r, fmt.Errorf("%s returned a %s: return %s", s.point, typeName(value), s.point.wants())
		case given != nil:
			return r, fmt.Errorf("%s returned %s(…) and %s(…): return one of them", s.point, given.word, v.word)
		}
		given, v.handed, r = v, true, v.recovery
	}
	return r, nil
}

// misplaced raises an error of a verdict that means nothing where it is made.
func (s *state) misplaced(L *glua.LState, word string) {
	var at []string
	for _, p := range []point{{"task", OnFailure}, {"subagent", OnFailure}} {
		if slices.Contains(p.words(), word) {
			at = append(at, p.String())
		}
	}
	switch {
	case s.point != point{}:
		L.RaiseError("%s: not in %s, which returns %s", word, s.point, s.point.wants())
	case len(at) > 0 && word != "retry":
		L.RaiseError("%s: only in %s", word, strings.Join(at, " and "))
	}
	L.RaiseError("%s: only while an event is handled", word)
}
