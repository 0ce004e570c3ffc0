package enginetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	// actionLimit is the deadline of a call in the suite.
	actionLimit = 10 * time.Second
	// actionGrace is how long after the end of its context a call may return.
	actionGrace = 2 * time.Second
)

// TestAction checks the contract of hook.Action. make returns a new action
// each time; it should answer most events within a second or two, and may
// answer what it likes.
func TestAction(t *testing.T, make func() hook.Action) {
	t.Helper()
	for _, rule := range actionRules() {
		t.Run(rule.name, func(t *testing.T) {
			if err := rule.check(t.Context(), make()); err != nil {
				t.Errorf("%v\n\trule: %s", err, rule.why)
			}
		})
	}
}

// actionRule is one rule of the contract.
type actionRule struct {
	name  string
	why   string
	check func(context.Context, hook.Action) error
}

func actionRules() []actionRule {
	return []actionRule{
		{"any event", "the host decides what events hold: Run answers each, also an empty, an odd or a very large one, without a panic", checkAnyEvent},
		{"errors", "an error is or wraps a *hook.NoVerdict, so that the trace and the failure table know its cause", checkErrors},
		{"verdicts", "a verdict is one of the five: any other breaks the order that merging relies on", checkVerdicts},
		{"ended context", "a call whose context has ended returns promptly: the decision is made without it", checkEnded},
		{"ending context", "a call returns promptly when its context ends meanwhile: nobody waits for the answer", checkEnding},
		{"frozen call", "facts and spec are shared by all hooks of the event and by other dispatches: Run must not change them", checkFrozen},
		{"concurrent calls", "one action serves all sessions of a host at once", checkConcurrent},
	}
}

func checkAnyEvent(ctx context.Context, a hook.Action) error {
	return eachCall(ctx, a, func(reply) error { return nil })
}

func checkErrors(ctx context.Context, a hook.Action) error {
	return eachCall(ctx, a, func(r reply) error {
		n, ok := errors.AsType[*hook.NoVerdict](r.err)
		switch {
		case r.err == nil:
			return nil
		case !ok:
			return fmt.Errorf("the error is a %T: %w", r.err, r.err)
		case n == nil || n.Err == nil:
			return errors.New("the NoVerdict does not say what happened")
		case n.Cause == "":
			return fmt.Errorf("the NoVerdict has no cause: %w", n)
		}
		return nil
	})
}

func checkVerdicts(ctx context.Context, a hook.Action) error {
	return eachCall(ctx, a, func(r reply) error {
		if r.err == nil && r.result.Verdict > hook.Deny {
			return fmt.Errorf("the verdict is %d", r.result.Verdict)
		}
		return nil
	})
}

func checkEnded(ctx context.Context, a hook.Action) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return promptly(ctx, a)
}

func checkEnding(ctx context.Context, a hook.Action) error {
	ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	return promptly(ctx, a)
}

func promptly(ctx context.Context, a hook.Action) error {
	_, err := run(ctx, a, plainCall(), 0)
	return err
}

func checkFrozen(ctx context.Context, a hook.Action) error {
	for _, c := range calls() {
		before := fingerprint(c.Call)
		if _, err := run(ctx, a, c.Call, actionLimit); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if fingerprint(c.Call) != before {
			return fmt.Errorf("%s: the call was changed", c.name)
		}
	}
	return nil
}

func checkConcurrent(ctx context.Context, a hook.Action) error {
	const routines = 8
	c := plainCall()
	errs := make([]error, routines)
	var wg sync.WaitGroup
	for i := range routines {
		wg.Go(func() { _, errs[i] = run(ctx, a, c, actionLimit) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// eachCall runs a on all calls of the suite and checks what comes back.
func eachCall(ctx context.Context, a hook.Action, check func(reply) error) error {
	for _, c := range calls() {
		r, err := run(ctx, a, c.Call, actionLimit)
		if err == nil {
			err = check(r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// reply is what came back from one call.
type reply struct {
	result hook.Result
	err    error
}

// run makes one call, which may take limit and the grace. Its error is a
// panic, or that a did not return in time.
func run(ctx context.Context, a hook.Action, c hook.Call, limit time.Duration) (reply, error) {
	type outcome struct {
		reply
		panicked any
	}
	ctx, cancel := context.WithTimeout(ctx, actionLimit)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.result, o.err = a.Run(ctx, c)
	}()
	timer := time.NewTimer(limit + actionGrace)
	defer timer.Stop()
	select {
	case o := <-done:
		if o.panicked != nil {
			return reply{}, fmt.Errorf("panic: %v", o.panicked)
		}
		return o.reply, nil
	case <-timer.C:
		return reply{}, fmt.Errorf("did not return within %v", limit+actionGrace)
	}
}
