package command_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// The agent picks the size of its input; a guard that has not seen the input
// must not let it pass.
func TestOverflow(t *testing.T) {
	f := newFixture(t)
	root := f.deps.Root
	write(t, root+"/guard.sh", `case "$INPUT_JSON" in *rm*) exit 2;; esac`)
	write(t, root+"/my guards/a.py", `os.environ["INPUT_JSON"]`)
	write(t, root+"/.pawl/near.sh", `echo "$INPUT_JSON" >/dev/null`)
	write(t, root+"/reader.sh", "grep -q rm && exit 2; exit 0")
	write(t, root+"/far.sh", strings.Repeat("#\n", 1<<19)+"# INPUT_JSON")
	const seed = `echo $INPUT_JSON | python3 -c "import sys,json; d=json.load(sys.stdin); exit(2) if 'prod' in d.get('file_path','') else exit(0)"`
	tests := []struct {
		name   string
		fields []any
		blocks bool
		cause  hook.Cause
	}{
		{"silence", []any{"command", `case "$INPUT_JSON" in *rm*) exit 2;; esac`}, true, hook.CauseAnswer},
		{"the seed's guard fails", []any{"command", seed}, true, hook.CauseExit},
		{"an allow is given blindly", []any{"command", `[ "$INPUT_JSON" ] || echo '{"decision":"allow"}'`}, true, hook.CauseAnswer},
		{"context alone", []any{"command", `: $INPUT_JSON; echo '{"additionalContext":"x"}'`}, true, hook.CauseAnswer},
		{"a signal", []any{"command", `: $INPUT_JSON; kill -9 $$`}, true, hook.CauseSignal},
		{"a deny", []any{"command", `[ "$INPUT_JSON" ] || exit 2`}, false, ""},
		{"a halt", []any{"command", `[ "$INPUT_JSON" ] || echo '{"continue":false}'`}, false, ""},
		{"a script", []any{"command", "./guard.sh"}, true, hook.CauseAnswer},
		{"a quoted script", []any{"command", `if sh "$CLAUDE_PROJECT_DIR/guard.sh"; then :; fi`}, true, hook.CauseAnswer},
		{"a script beside the settings", []any{"command", `"${SKILL_DIR}/near.sh"`}, true, hook.CauseAnswer},
		{"a script whose name has a blank", []any{"command", `: "my guards/a.py"`}, true, hook.CauseAnswer},
		{"a script as an argument", []any{"command", "sh", "args", []any{"${CLAUDE_PROJECT_DIR}/guard.sh"}}, true, hook.CauseAnswer},
		{"a script in an option", []any{"command", "true", "args", []any{"--init=guard.sh"}}, true, hook.CauseAnswer},
		{"a failing hook that reads stdin", []any{"command", "cat >/dev/null; exit 1"}, false, hook.CauseExit},
		{"a hook that reads stdin", []any{"command", "./reader.sh"}, false, ""},
		{"letters beyond the limit", []any{"command", "./far.sh"}, false, ""},
	}
	ev := bash(t, "command", "r''m", "content", strings.Repeat("x", 100<<10))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := f.run(t, ev, tt.fields...)
			if tt.cause == "" {
				if err != nil {
					t.Fatal(err)
				}
			} else if wantCause(t, err, tt.cause, tt.blocks); res.Verdict != hook.None {
				t.Errorf("verdict %v beside the error", res.Verdict)
			}
			if tt.blocks && (err == nil || !strings.Contains(err.Error(), "INPUT_JSON was left out")) {
				t.Errorf("the error does not say why: %v", err)
			}
		})
	}
}

// INPUT_JSON is there up to the limit; beyond, a private file holds it while
// the hook runs.
func TestInputFile(t *testing.T) {
	f := newFixture(t)
	f.opts.Environ = func() []string { return append(os.Environ(), "INPUT_JSON=old") }
	const text = `[ -z "$INPUT_JSON_FILE" ] && echo "variable $(printf %s "$INPUT_JSON" | wc -c)" >&2 && exit 2
		echo "${INPUT_JSON-unset} $(stat -c %a "$INPUT_JSON_FILE") $(wc -c < "$INPUT_JSON_FILE")" >&2; exit 2`
	ev := hook.Event{Name: hook.PreToolUse}
	small := len(ev.JSON()) + len(`,"tool_input":{"c":""},"c":""`)
	for _, tt := range []struct {
		name string
		size int // of INPUT_JSON
		want string
	}{
		{"largest variable", 96<<10 - len("INPUT_JSON") - 2, "variable 98292"},
		{"one more", 96<<10 - len("INPUT_JSON"), "unset 600 98294"},
		{"large", 3 << 20, "unset 600 3145728"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev.Input = object(t, "c", strings.Repeat("x", (tt.size-small)/2))
			res, err := f.run(t, ev, "command", text)
			if err != nil || res.Reason != tt.want {
				t.Errorf("got %q, %v, want %q", res.Reason, err, tt.want)
			}
			if left, err := filepath.Glob(f.opts.Scratch + "/*"); err != nil || len(left) > 0 {
				t.Errorf("left are %q, %v", left, err)
			}
		})
	}
	f.opts.Scratch += "/none"
	_, err := f.run(t, ev, "command", "exit 0")
	wantCause(t, err, hook.CauseSpawn, true)
}

func TestLargeMessage(t *testing.T) {
	f := newFixture(t)
	ev := hook.Event{Name: hook.Stop, Message: strings.Repeat("x", 100<<10)}
	res, err := f.run(t, ev, "command", `echo "${CLAUDE_OUTPUT-unset}"`)
	if err != nil || res.Log != "unset" || len(res.Notices) != 1 || !strings.Contains(res.Notices[0], "CLAUDE_OUTPUT was left out") {
		t.Errorf("%q, notices %q, %v", res.Log, res.Notices, err)
	}
	if res, err := f.run(t, ev, "command", "exit 0"); err != nil || len(res.Notices) > 0 {
		t.Errorf("notices %q, %v", res.Notices, err)
	}
}

// What the system refuses for its size is a failure that says so, and blocks.
func TestTooLargeForTheSystem(t *testing.T) {
	f := newFixture(t)
	f.opts.Environ = func() []string {
		env := os.Environ()
		for range 64 {
			env = append(env, "X"+strings.Repeat("x", len(env))+"="+strings.Repeat("x", 100<<10))
		}
		return env
	}
	_, err := f.run(t, bash(t), "command", "exit 0")
	wantCause(t, err, hook.CauseSpawn, true)
	if err == nil || !strings.Contains(err.Error(), "too large for this system") {
		t.Error(err)
	}
}

// Nothing is left of a run that was ended while its file was in use.
func TestInputFileAfterTheDeadline(t *testing.T) {
	f := newFixture(t)
	a, _ := f.make("command", `: INPUT_JSON; sleep 30 & wait`)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := a.Run(ctx, call(bash(t, "content", strings.Repeat("x", 200<<10))))
	wantCause(t, err, hook.CauseTimeout, true)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if left, err := filepath.Glob(f.opts.Scratch + "/*"); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}
