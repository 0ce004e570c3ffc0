package enginetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A silent action keeps all rules.
func TestSilentAction(t *testing.T) {
	TestAction(t, func() hook.Action {
		return hook.ActionFunc(func(context.Context, hook.Call) (hook.Result, error) { return hook.Result{}, nil })
	})
}

// Each rule finds the action that breaks it.
func TestActionRules(t *testing.T) {
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	tests := []struct {
		rule string
		run  hook.ActionFunc
	}{
		{"any event", func(_ context.Context, c hook.Call) (hook.Result, error) {
			return hook.Result{Reason: c.Facts.Event.Session[:1]}, nil
		}},
		{"errors", func(context.Context, hook.Call) (hook.Result, error) { return hook.Result{}, errors.New("plain") }},
		{"errors", func(context.Context, hook.Call) (hook.Result, error) { return hook.Result{}, &hook.NoVerdict{} }},
		{"verdicts", func(context.Context, hook.Call) (hook.Result, error) { return hook.Result{Verdict: 9}, nil }},
		{"ended context", func(context.Context, hook.Call) (hook.Result, error) { <-stuck; return hook.Result{}, nil }},
		{"ending context", func(ctx context.Context, _ hook.Call) (hook.Result, error) {
			if ctx.Err() == nil {
				<-stuck
			}
			return hook.Result{}, nil
		}},
		{"frozen call", func(_ context.Context, c hook.Call) (hook.Result, error) {
			if raw := c.Facts.Event.Input.Raw(); len(raw) > 0 {
				raw[0] = ' '
			}
			return hook.Result{}, nil
		}},
		{"frozen call", func(_ context.Context, c hook.Call) (hook.Result, error) {
			c.Hook.Timeout = time.Second
			return hook.Result{}, nil
		}},
		{"concurrent calls", func() hook.ActionFunc {
			busy, collided := make(chan struct{}, 1), make(chan struct{})
			var once sync.Once
			return func(ctx context.Context, _ hook.Call) (hook.Result, error) {
				select {
				case busy <- struct{}{}:
				default:
					once.Do(func() { close(collided) })
					panic("in use")
				}
				select {
				case <-ctx.Done():
				case <-collided:
				}
				<-busy
				return hook.Result{}, nil
			}
		}()},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			rules := actionRules()
			i := slices.IndexFunc(rules, func(r actionRule) bool { return r.name == tt.rule })
			if err := rules[i].check(t.Context(), tt.run); err == nil {
				t.Error("the rule holds for an action that breaks it")
			} else {
				t.Log(err)
			}
		})
	}
}
