package lua

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestSwallowed (B140): no pcall, xpcall or loop of them makes an answer of a
// call whose time is over.
func TestSwallowed(t *testing.T) {
	for _, text := range []string{
		`pcall(function() while true do end end) return allow()`,
		`xpcall(function() while true do end end, function() return 1 end) return allow()`,
		`local function f() while true do end end while true do pcall(f) end return allow()`,
		`while true do pcall(error, "x") end return allow()`,
		`pcall(function() pcall(function() while true do end end) while true do end end) return allow()`,
		`pcall(function() string.find(string.rep("a", 60), ".-.-.-.-.-b") end) return allow()`,
	} {
		res, err := says(t, text, bash(t, "loop"))
		n, ok := errors.AsType[*hook.NoVerdict](err)
		if !ok || res.Verdict != hook.None || n.Cause != hook.CauseTimeout && !strings.Contains(err.Error(), "steps in string.find") {
			t.Errorf("%s: got %v, %v", text, res.Verdict, err)
		}
	}
	if res, err := says(t, `coroutine.resume(coroutine.create(function() while true do end end)) return allow()`, bash(t, "loop")); err == nil || res.Verdict != hook.None {
		t.Errorf("with a coroutine: %v, %v", res.Verdict, err)
	}
}

// stuck is a store that answers nobody.
type stuck struct{}

func (stuck) Update(ctx context.Context, _ hook.StateKey, _ time.Duration, _ func([]byte) []byte) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestBlocked (B141): there are no channels to wait for, and a host function
// that waits ends with the call.
func TestBlocked(t *testing.T) {
	opts := options("/p")
	opts.State = stuck{}
	r := New(opts)
	for text, want := range map[string]string{
		`channel.make():receive()`:                                   `undefined global "channel"`,
		`state.get("x") return allow()`:                              "stopped after 250 ms in state.get",
		`pcall(state.incr, "x") return allow()`:                      "stopped after 250 ms",
		`pcall(state.set, "x", 1) return allow()`:                    "stopped after 250 ms",
		`pcall(state.delete, "x") return allow()`:                    "stopped after 250 ms",
		`while true do pcall(state.get, "x") end`:                    "stopped after 250 ms",
		`xpcall(function() state.get("x") end, type) return allow()`: "stopped after 250 ms",
	} {
		res, err := inline(t, r, text).Run(t.Context(), call(bash(t, "loop")))
		if err == nil || res.Verdict != hook.None || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want %s", text, res.Verdict, err, want)
		}
	}
}

// TestErrorValues (B142): whatever is raised is an error with a readable
// text, and the next event of the session is answered as ever.
func TestErrorValues(t *testing.T) {
	r := New(options("/p"))
	next := inline(t, r, `return ask("fine")`)
	for text, want := range map[string]string{
		`error(nil)`:       "error(nil)",
		`error({code=1})`:  "error object {code = 1}",
		`error(true)`:      "error object true",
		`error(deny("x"))`: "error object, a verdict",
		`error(setmetatable({}, {__tostring=function() error("x") end}))`:   "error object {}",
		`error(setmetatable({}, {__tostring=function() return "own" end}))`: ": own",
		`local function f() return 1+f() end f()`:                           "stopped at 200 nested calls (stack overflow)",
		`unpack({},1,1e7)`:                              "unpack: more than 4000 values",
		`string.rep("x",1e18)`:                          "the limit is 8388608",
		`pcall(error, nil) error("after a caught one")`: "after a caught one",
		`local t = setmetatable({}, {__index=function(t, k) return t[k] end}) return t.x`: "stack overflow",
	} {
		_, err := inline(t, r, text).Run(t.Context(), call(bash(t, "ls")))
		if _, ok := errors.AsType[*hook.NoVerdict](err); !ok || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "runtime error") || strings.Contains(err.Error(), "0x") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
		if res, err := next.Run(t.Context(), call(bash(t, "ls"))); err != nil || res.Verdict != hook.Ask {
			t.Errorf("after %s: %v, %v", text, res.Verdict, err)
		}
	}
}
