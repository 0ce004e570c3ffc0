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
		{"letters far below", []any{"command", "./far.sh"}, true, hook.CauseAnswer},
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
			if tt.blocks && (err == nil || !strings.Contains(err.Error(), "and the hook wants it")) {
				t.Errorf("the error does not say why: %v", err)
			}
		})
	}
}

// Which script a command reads cannot always be told; then its silence is none.
func TestOverflowScripts(t *testing.T) {
	f := newFixture(t)
	root := f.deps.Root
	const guard = `case "$INPUT_JSON" in *rm*) exit 2;; esac`
	for path, text := range map[string]string{
		"chk.sh": guard, "g/guard.sh": guard, "my dir/x.sh": guard, "g/lib.sh": guard,
		"outer.sh": "#!/bin/bash\n" + `cd "$(dirname "$0")" && . g/lib.sh`, "far.sh": `. "$(dirname "$0")/outer.sh"`,
		"runs.sh": `exec "$@"`, "mod.py": "os.environ['INPUT_JSON']", "main.py": "import mod", "m.js": "require('./n')", "n.js": "process.env.INPUT_JSON",
		"quiet.sh": "#!/bin/sh\n" + `i=$(cat); c=$(echo "$i" | jq -r .tool_input.command); case "$c" in rm*) exit 2;; esac; exit 0`,
	} {
		write(t, root+"/"+path, text)
	}
	const wants, unsure = "and the hook wants it", "it cannot be told whether the hook wants it: "
	for text, want := range map[string]string{
		`"$CLAUDE_PROJECT_DIR"/chk.sh`:                wants,
		`"$PWD"/chk.sh`:                               wants,
		`bash "$(pwd)/chk.sh"`:                        wants,
		"bash `pwd`/chk.sh":                           wants,
		`D=.; $D/chk.sh`:                              wants,
		`./*k.sh`:                                     wants,
		`cd g && bash guard.sh`:                       wants,
		`(cd "my dir"; sh x.sh)`:                      wants,
		`bash "$CLAUDE_PROJECT_DIR"/"my dir"/x.sh`:    wants,
		`bash my\ dir/x.sh`:                           wants,
		`sh -c 'cd g; ./guard.sh'`:                    wants,
		`eval "./chk"".sh"`:                           wants,
		`for s in ./c*.sh; do $s; done`:               wants,
		`./outer.sh`:                                  wants,
		`./far.sh`:                                    wants,
		`python3 main.py; true`:                       wants,
		`node m.js; true`:                             wants,
		`python3 -m mod; true`:                        wants,
		`~/chk.sh; true`:                              unsure + "the program " + f.deps.Home + "/chk.sh is not there",
		`X=$(cat); bash "$X"; true`:                   unsure + "it may name",
		`bash "$(find . -name nothing)" x; true`:      unsure + "it may name",
		`f=$(ls | head -1); $f; true`:                 unsure + "it may name",
		`./no*.sh; true`:                              unsure + "it may name",
		`no-such-guard; true`:                         unsure + "the program no-such-guard is not there",
		`cat nothing | bash; true`:                    unsure + "bash reads its script from a pipe",
		`./runs.sh true`:                              unsure + "runs.sh: it may name",
		`D=.; [ -e x ] && D=g; "$D"/x; true`:          unsure + "it may name",
		`xargs -I{} sh {} </dev/null; true`:           unsure,
		`bash -euo pipefail -c './chk.sh'`:            wants,
		`$'./chk.sh'; true`:                           wants,
		`if { ./ch"k".sh; }; then exit 0; fi`:         wants,
		`find . -name "nothing*" -exec {} \;`:         unsure + "it may name",
		`bash -c "$(cat chk.sh)"`:                     wants,
		`find . -name "c*.sh" | xargs -n1 bash; true`: unsure + "bash reads its script from a pipe",
		// These read the event from stdin, and name nothing that cannot be told.
		`./quiet.sh`: "",
		`i=$(cat); c=$(echo "$i" | tr a b); case "$c" in *rm*|x?) exit 2;; esac; [[ $c == r* || -n "$c" ]] && true; exit 0`: "",
		`a=("x y" z); if ! grep -q 'rm -rf /\*' ; then exit 0; fi`:                                                          "",
		`f() { echo "$1"; }; f x | python3 -c "import sys; sys.exit(0)"`:                                                    "",
		"python3 - <<'E'\nimport sys\nprint(f'$x {1}')\nE":                                                                  "",
		`while read -r l; do echo "$l" >/dev/null; done < <(cat) # $(it isn't`:                                              "",
		`bash -euo pipefail -c 'cat >/dev/null'`:                                                                            "",
		`exit 0`:                                                                                                            "",
	} {
		t.Run(text, func(t *testing.T) {
			res, err := f.run(t, bash(t, "content", strings.Repeat("x", 100<<10)), "command", text)
			switch {
			case want == "" && err != nil:
				t.Error(err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%v, %v, want %q", res.Verdict, err, want)
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
