package hook_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestBounded: what a call comes to, and how long one waits for it.
func TestBounded(t *testing.T) {
	boom := errors.New("boom")
	stopped := errors.New("stopped by the user")
	for _, c := range []struct {
		name   string
		cancel time.Duration // when the caller's context ends, 0 for never
		f      func(ctx context.Context) (int, error)
		value  int
		cause  hook.Cause
		err    string
		took   time.Duration
	}{
		{"a value", 0, func(context.Context) (int, error) { return 7, nil }, 7, "", "", 0},
		{"an error", 0, func(context.Context) (int, error) { return 7, boom }, 7, "", "boom", 0},
		{"a value after a while", 0, func(context.Context) (int, error) { <-time.After(time.Second); return 7, nil }, 7, "", "", time.Second},
		{"a panic", 0, func(context.Context) (int, error) { panic("oops") }, 0, hook.CausePanic, "panic: oops", 0},
		{"the end of the goroutine", 0, func(context.Context) (int, error) { runtime.Goexit(); return 7, nil }, 0, hook.CausePanic, "the goroutine was ended by runtime.Goexit", 0},
		{"a timeout", 0, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }, 0, hook.CauseTimeout, "no answer within 1m0s: context deadline exceeded", time.Minute},
		{"a value that is late", 0, func(ctx context.Context) (int, error) { <-ctx.Done(); return 7, nil }, 7, "", "", time.Minute},
		{"a panic that is late", 0, func(ctx context.Context) (int, error) { <-ctx.Done(); panic("oops") }, 0, hook.CausePanic, "panic: oops", time.Minute},
		{"no end at all", 0, func(context.Context) (int, error) { <-time.After(time.Hour); return 7, nil }, 0, hook.CauseTimeout, "no answer within 1m0s: it has not returned and still runs", 65 * time.Second},
		{"a cancelled caller", time.Second, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }, 0, hook.CauseCanceled, "stopped by the user: context canceled", time.Second},
		{"a cancelled caller, no end", time.Second, func(context.Context) (int, error) { <-time.After(time.Hour); return 7, nil }, 0, hook.CauseCanceled, "stopped by the user: it has not returned and still runs", 6 * time.Second},
		{"the cause itself", time.Second, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, context.Cause(ctx) }, 0, hook.CauseCanceled, "stopped by the user", time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if c.cancel > 0 {
					time.AfterFunc(c.cancel, func() { cancel(stopped) })
				}
				var caller hook.Caller
				defer caller.End()
				start := time.Now()
				v, cause, err := hook.Bounded(ctx, &caller, time.Minute, c.f)
				took := time.Since(start)
				if v != c.value || cause != c.cause || took != c.took {
					t.Errorf("%d, cause %q after %v; want %d, %q after %v", v, cause, took, c.value, c.cause, c.took)
				}
				if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				if p, ok := errors.AsType[*hook.Panic](err); ok && !strings.Contains(string(p.Stack), "foreign_test.go") {
					t.Errorf("the stack of the panic is %s", p.Stack)
				}
				time.Sleep(time.Hour) // until what was abandoned is over
			})
		})
	}
}

// TestBoundedContext: the context of a bounded call is one like any other.
func TestBoundedContext(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		var caller hook.Caller
		defer caller.End()
		parent, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
		var kept, child context.Context
		_, _, _ = hook.Bounded(parent, &caller, time.Minute, func(ctx context.Context) (int, error) {
			if d, ok := ctx.Deadline(); !ok || time.Until(d) != time.Minute {
				t.Errorf("deadline in %v", time.Until(d))
			}
			if ctx.Err() != nil || ctx.Value(key{}) != "kept" {
				t.Errorf("error %v, value %v", ctx.Err(), ctx.Value(key{}))
			}
			var stop context.CancelFunc
			child, stop = context.WithTimeout(ctx, time.Hour)
			defer stop()
			if d, _ := child.Deadline(); time.Until(d) != time.Minute {
				t.Errorf("deadline of a child in %v", time.Until(d))
			}
			kept = ctx
			return 0, nil
		})
		select {
		case <-kept.Done():
		default:
			t.Error("a context that was kept has not ended with its call")
		}
		if !errors.Is(kept.Err(), context.Canceled) {
			t.Errorf("a context that was kept: %v", kept.Err())
		}
		cancel()
		_, cause, err := hook.Bounded(parent, &caller, time.Minute, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		if cause != hook.CauseCanceled || !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that has ended: cause %q, error %v", cause, err)
		}
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		_, _, _ = hook.Bounded(short, &caller, time.Minute, func(ctx context.Context) (int, error) {
			if d, _ := ctx.Deadline(); time.Until(d) != time.Second {
				t.Errorf("deadline in %v, want the caller's", time.Until(d))
			}
			return 0, nil
		})
	})
}

// TestPause: a pause takes its time, or ends with its context.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := hook.Pause(t.Context(), time.Minute); err != nil || time.Since(start) != time.Minute {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		if err := hook.Pause(t.Context(), -time.Minute); err != nil || time.Since(start) != time.Minute {
			t.Errorf("negative: error %v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := hook.Pause(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 61*time.Second {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
	})
}

// TestObjectBuilder: an object that was built is like one that was parsed.
func TestObjectBuilder(t *testing.T) {
	var b hook.ObjectBuilder
	if !b.Object().Absent() || b.Object().View() != nil {
		t.Error("an object without members is not absent")
	}
	b.Text("id", "7")
	b.Text("none", "")
	b.Int("attempt", -2)
	b.Text("text", "a \"quoted\" <line>\n\xff")
	o := b.Object()
	if got, want := string(o.Raw()), `{"id":"7","attempt":-2,"text":"a \"quoted\" <line>\n`+"\ufffd"+`"}`; got != want {
		t.Errorf("raw %s, want %s", got, want)
	}
	for name, want := range map[string]any{"id": "7", "attempt": -2, "text": "a \"quoted\" <line>\n\ufffd"} {
		if v, ok := o.Get(name); !ok || v != want || o.View()[name] != want {
			t.Errorf("%s is %#v and %#v, want %#v", name, v, o.View()[name], want)
		}
	}
	if v, ok := o.Get("none"); ok || v != nil || len(o.View()) != 3 || len(o.Members()) != 3 {
		t.Errorf("a text that is empty is there: %v, view %v", v, o.View())
	}
	if o.Text("id") != "7" || o.Text("attempt") != "" {
		t.Errorf("texts %q, %q", o.Text("id"), o.Text("attempt"))
	}
}

// TestHalt: a halted decision is an error that says who ended the run and why.
func TestHalt(t *testing.T) {
	for want, d := range map[string]hook.Decision{
		"a hook on Stop ended the run: no money":                              {Event: hook.Stop, Halted: true, StopReason: "no money", Reasons: []string{"x"}},
		"a hook on Stop ended the run: because":                               {Event: hook.Stop, Halted: true, Reasons: []string{"because"}},
		"a hook on Stop ended the run: stopped by a hook that gave no reason": {Event: hook.Stop, Halted: true},
	} {
		if err := d.Halt(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := (hook.Decision{Verdict: hook.Deny}).Halt(); err != nil {
		t.Errorf("a deny is no halt: %v", err)
	}
}

// TestOutputText: a result that is a JSON string is that string.
func TestOutputText(t *testing.T) {
	for output, want := range map[string]string{`"a\nb"`: "a\nb", `{"a":1}`: `{"a":1}`, ``: ``, `7`: `7`} {
		if got := (hook.Decision{Output: []byte(output)}).OutputText(); got != want {
			t.Errorf("%s is %q, want %q", output, got, want)
		}
	}
}
