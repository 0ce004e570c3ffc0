package lua

import (
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// RecoveryKind is what is to be done about a failure.
type RecoveryKind uint8

const (
	NoOpinion RecoveryKind = iota // the callback leaves it to others
	Retry                         // do it again
	Skip                          // go on without it; of tasks only
	Fail                          // it has failed for good
	Delegate                      // another agent does it; of subagents only
)

// String returns the word that a policy writes; "" for no opinion.
func (k RecoveryKind) String() string {
	return [...]string{"", "retry", "skip", "fail", "delegate"}[min(k, Delegate)]
}

// Recovery is what a policy says about a failure. The zero value is no
// opinion.
type Recovery struct {
	Kind   RecoveryKind
	Delay  time.Duration // before a Retry: 0 to 24 hours
	Agent  string        // that it is delegated to, not ""
	Reason string        // of a Fail, or ""
}

const maxDelay = 24 * time.Hour

// retryAfter is retry(seconds) of a callback, and retry() of a handler.
func retryAfter(L *glua.LState) int {
	s := of(L)
	if s.point == (point{}) {
		if s.event != nil && L.GetTop() > 0 {
			L.RaiseError("retry: takes nothing on an event; a delay is for task.on_failure and subagent.on_failure")
		}
		return give(L, "retry", func(r *hook.Result) { r.Retry = true })
	}
	delay := glua.LNumber(0)
	if L.GetTop() > 0 {
		n, ok := L.Get(1).(glua.LNumber)
		if delay = n; !ok || !(n >= 0 && n <= glua.LNumber(maxDelay.Seconds())) {
			L.RaiseError("retry: expected a delay in seconds, 0 to %d, got %s", int(maxDelay.Seconds()), describe(L.Get(1)))
		}
	}
	return recoverBy(L, Recovery{Kind: Retry, Delay: time.Duration(float64(delay) * float64(time.Second))})
}

func skip(L *glua.LState) int {
	if L.GetTop() > 0 {
		L.RaiseError("skip: takes nothing, got %s", describe(L.Get(1)))
	}
	return recoverBy(L, Recovery{Kind: Skip})
}

func fail(L *glua.LState) int {
	return recoverBy(L, Recovery{Kind: Fail, Reason: reasonText(L, "fail", true)})
}

func delegate(L *glua.LState) int {
	agent, ok := L.Get(1).(glua.LString)
	if !ok || agent == "" {
		L.RaiseError("delegate: expected the name of an agent, got %s", describe(L.Get(1)))
	}
	return recoverBy(L, Recovery{Kind: Delegate, Agent: string(agent)})
}

// recoverBy returns a verdict of on_failure to the script.
func recoverBy(L *glua.LState, r Recovery) int {
	s := of(L)
	for _, word := range s.point.words() {
		if word == r.Kind.String() {
			return s.hand(L, &verdict{word: word, recovery: r})
		}
	}
	s.misplaced(L, r.Kind.String())
	return 0
}
