//go:build unix

package engine_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// running is a policy that runs a command on every Bash call.
func running(command string) string {
	return "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - {type: command, command: '" + strings.ReplaceAll(command, "'", "''") + "'}\n"
}

// guarding is a script that denies the commands that begin with a word.
func guarding(word string) string {
	return "#!/bin/bash\ncase $(cat) in *'\"command\":\"" + word + " '*) echo \"no " + word + "\" >&2; exit 2;; esac\n"
}

func (w *workspace) script(name, text string) {
	w.t.Helper()
	w.write(name, text)
	if err := os.Chmod(w.path(name), 0o700); err != nil {
		w.t.Fatal(err)
	}
}

// A changed script is asked about like a settings file, as a change of the
// hooks that run it.
func TestReloadScripts(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("bash hooks/guard.sh"), "root/hooks/guard.sh", guarding("a"))
	if !slices.Contains(w.Sources(), w.path("root/hooks/guard.sh")) {
		t.Fatalf("guard.sh is no source: %v", w.Sources())
	}
	w.write("root/hooks/guard.sh", guarding("b"))
	w.expect("asked", w.reload(), "project_settings modified root/hooks/guard.sh")
	w.expect("the new one", w.denies("a 1", "b 1"), "b 1")
	w.block = func(string) bool { return true }
	w.write("root/hooks/guard.sh", guarding("c"))
	w.expect("asked", w.reload(), "project_settings modified root/hooks/guard.sh")
	w.expect("the accepted one", w.denies("b 1", "c 1"), "b 1")
	if f := w.changes[len(w.changes)-1].Files; len(f) != 1 || f[0].Kept != "not now" || f[0].Summary() != "changed: hooks.PreToolUse[0].hooks[0]" {
		t.Errorf("%+v", f)
	}
	w.expect("it was refused", w.reload(), "")
	w.block = func(string) bool { return false }
	w.write("root/hooks/guard.sh", guarding("d"))
	w.expect("asked", w.reload(), "project_settings modified root/hooks/guard.sh")
	w.expect("the new one", w.denies("b 1", "d 1"), "d 1")
}

// While a change is refused the old script runs, however the command names it.
func TestRefusedScripts(t *testing.T) {
	for _, command := range []string{
		"hooks/guard.sh", "bash hooks/guard.sh", `"$CLAUDE_PROJECT_DIR"/hooks/guard.sh`, `bash "${CLAUDE_PROJECT_DIR}/hooks/guard.sh" x`,
		"cd hooks && ./guard.sh", `G=hooks/guard.sh; [ -x "$G" ] || exit 0; "$G"`, "timeout 5 hooks/guard.sh", `out=$(bash hooks/guard.sh) || exit $?; echo "$out"`,
		"if ! . hooks/guard.sh; then :; fi", "(exec hooks/guard.sh <&0) # hooks/guard.sh", "hooks/outer.sh", `eval "$(:)"; hooks/guard.sh 2>&2`,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, "root/pawl.yaml", running(command))
			w.script("root/hooks/guard.sh", guarding("a"))
			w.script("root/hooks/outer.sh", "#!/bin/bash\n# runs guard.sh\ncd \"$(dirname \"$0\")\" && . ./guard.sh\n")
			w.refuse(func() { w.script("root/hooks/guard.sh", guarding("b")) })
			w.expect("changed", w.denies("a 1", "b 1"), "a 1")
			w.remove("root/hooks/guard.sh")
			w.expect("asked", w.reload(), "project_settings removed root/hooks/guard.sh")
			w.expect("removed", w.denies("a 1"), "a 1")
		})
	}
}

// B132: a script that was not asked about runs as it is.
func TestScriptsAreNotCached(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("bash guard.sh"), "root/guard.sh", guarding("a"))
	w.expect("at first", w.denies("a 1", "b 1"), "a 1")
	w.write("root/guard.sh", guarding("b"))
	w.expect("edited", w.denies("a 1", "b 1"), "b 1")
}

// refuse makes the change of one file, which is refused.
func (w *workspace) refuse(change func()) {
	w.t.Helper()
	w.reload()
	w.block = func(string) bool { return true }
	change()
	if w.reload() == "" {
		w.t.Fatal("nobody was asked")
	}
}

func (w *workspace) decide(command string) hook.Decision {
	return w.Dispatch(background, engine.Event{Name: engine.PreToolUse, Session: "s", Tool: "Bash", Dir: w.root, Input: engine.Input("command", command)})
}

// Scripts that belong together stay together: each of the copies finds the
// others, and what has come beside them is not there.
func TestRefusedScriptsTogether(t *testing.T) {
	// As Python does, python3 looks for a module beside the script first.
	bin := t.TempDir()
	python := `#!/bin/sh
cd "$(dirname "$1")" || exit 1
[ -e json.py ] || [ -e helper/__init__.py ] && exit 0
[ -e lib/__init__.py ] && [ "$(cat helper.py)" = first ] || exit 1
grep -q "\"command\":\"$(cat lib/words.py) " && exit 2
exit 0
`
	if err := os.WriteFile(bin+"/python3", []byte(python), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	w := newWorkspace(t, "root/pawl.yaml", running(`python3 "$CLAUDE_PROJECT_DIR/hooks/guard.py"`),
		"root/hooks/guard.py", "import json, sys\nfrom lib.words import banned\nimport helper\n",
		"root/hooks/lib/__init__.py", "", "root/hooks/lib/words.py", "a", "root/hooks/helper.py", "first")
	w.expect("at first", w.denies("a 1", "b 1"), "a 1")
	w.refuse(func() {
		w.write("root/hooks/helper.py", "second")
		w.write("root/hooks/helper/__init__.py", "")
		w.remove("root/hooks/lib/words.py")
		w.write("root/hooks/json.py", "")
	})
	w.expect("refused", w.denies("a 1", "b 1"), "a 1")
	w.expect("copies", w.decide("b 1").Steps[0].Detail, "the tool is Bash; ran as it was accepted, which is not what is there now: helper.py, __init__.py, json.py, words.py")
}

// Where a copy cannot take the place of a script for certain the hook blocks,
// and names the file.
func TestRefusedScriptsThatCannotBeReplaced(t *testing.T) {
	for _, command := range []string{
		"bash outer.sh",                // which names it from the current directory
		`bash -c "./hooks/guard.sh x"`, // a text in a text
		"X=1 eval './hooks/guard.sh x'",
		"OUT=`./hooks/guard.sh`; echo $OUT", //
		"awk -f hooks/guard.sh --file=x; bash -c 'exec hooks/guard.sh'",
	} {
		t.Run(command, func(t *testing.T) {
			w := newWorkspace(t, "root/pawl.yaml", running(command))
			w.script("root/hooks/guard.sh", "exit 0\n")
			w.script("root/outer.sh", ". hooks/guard.sh\n")
			w.refuse(func() { w.script("root/hooks/guard.sh", "exit 0 # other\n") })
			dec := w.decide("ls")
			step := dec.Steps[len(dec.Steps)-1]
			if dec.Verdict != engine.Deny || step.Cause != hook.CauseConfig || !strings.Contains(dec.Reason(), w.path("root/hooks/guard.sh")+" is not as it was accepted") {
				t.Errorf("%v %+v", dec.Verdict, dec.Steps)
			}
		})
	}
}

// A copy that fails does not open the gate: it may miss what lay beside the
// script.
func TestRefusedScriptThatFails(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("bash hooks/guard.sh"), "root/hooks/guard.sh", "grep -qf \"${0%guard.sh}words\" || exit 1\n", "root/hooks/words", "a\n")
	w.refuse(func() { w.write("root/hooks/guard.sh", "exit 0\n") })
	dec := w.decide("a")
	if dec.Verdict != engine.Deny || !strings.Contains(dec.Reason(), "ran as it was accepted, which is not what is there now: guard.sh") {
		t.Errorf("%v %v", dec.Verdict, dec.Reasons)
	}
}

// A script that has come is not there if that was refused, and one that has
// lost its mode has it.
func TestRefusedScriptsComeAndMode(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("[ -x guard.sh ] || exit 0; ./guard.sh"), "root/here/x", "")
	w.refuse(func() { w.script("root/guard.sh", "exit 2") })
	w.expect("what has come", w.denies("a 1"), "")

	w = newWorkspace(t, "root/pawl.yaml", running("./guard.sh"))
	w.script("root/guard.sh", guarding("a"))
	w.refuse(func() {
		if err := os.Chmod(w.path("root/guard.sh"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	w.expect("mode", w.denies("a 1", "b 1"), "a 1")
	if step := w.decide("b 1").Steps[0]; !strings.Contains(step.Detail, "ran as it was accepted, which is not what is there now: guard.sh") {
		t.Errorf("nothing tells of the copy: %+v", step)
	}
}

// What no hook could run, or what a half-written save leaves, is not taken;
// nothing waits for it.
func TestScriptsThatCannotBeRead(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"a named pipe":               func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"is a directory":             func(path string) error { return os.Mkdir(path, 0o700) },
		"larger than 4 MiB":          func(path string) error { return os.WriteFile(path, make([]byte, 5<<20), 0o700) },
		"a symbolic link to nothing": func(path string) error { return os.Symlink("nothing", path) },
		"it has become empty":        func(path string) error { return os.WriteFile(path, nil, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, "root/pawl.yaml", running("bash guard.sh"), "root/guard.sh", guarding("a"))
			w.remove("root/guard.sh")
			if err := change(w.path("root/guard.sh")); err != nil {
				t.Fatal(err)
			}
			w.reload()
			if f := w.changes[0].Files; len(f) != 1 || !strings.Contains(f[0].Kept, name) {
				t.Errorf("%+v", f)
			}
			w.expect("in force", w.denies("a 1", "b 1"), "a 1")
			w.expect("once", w.reload(), "")
		})
	}
	w := newWorkspace(t, "root/pawl.yaml", running("true guard.sh; bash ./x.sh 5>&1"))
	if err := syscall.Mkfifo(w.path("root/x.sh"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.reload()
	if d := w.Diagnostics(); len(d) != 1 || d[0].Severity != hook.Note || !strings.Contains(d[0].Message, "x.sh is a named pipe, expected a regular file, so that its changes go unnoticed") {
		t.Errorf("%v", d)
	}
}

// The company's script stays when its file is gone, and cannot be blocked.
func TestReloadManagedScripts(t *testing.T) {
	w := newWorkspace(t, "managed/managed.yaml", running(`"$SKILL_DIR"/guard.sh`))
	w.script("managed/guard.sh", guarding("a"))
	w.reload()
	w.block = func(string) bool { return true }
	w.script("managed/guard.sh", guarding("b"))
	w.expect("asked", w.reload(), "policy_settings modified managed/guard.sh")
	w.expect("changed", w.denies("a 1", "b 1"), "b 1")
	w.remove("managed/guard.sh")
	w.expect("asked", w.reload(), "policy_settings removed managed/guard.sh")
	w.expect("removed", w.denies("a 1", "b 1"), "b 1")
}

// Copies are for this user alone, and one that somebody has changed is made
// anew.
func TestCopiesOfScripts(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("./guard.sh"))
	w.script("root/guard.sh", guarding("a"))
	w.refuse(func() { w.script("root/guard.sh", "exit 0\n") })
	for range 2 {
		w.expect("in force", w.denies("a 1", "b 1"), "a 1")
		var copies []string
		err := filepath.WalkDir(w.scratch, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			want := fs.ModeDir | 0o700
			if !d.IsDir() {
				copies, want = append(copies, path), 0o500
			}
			if info.Mode() != want {
				t.Errorf("%s: %v, want %v", path, info.Mode(), want)
			}
			return err
		})
		if err != nil || len(copies) != 1 || !strings.HasSuffix(copies[0], "/root/guard.sh") {
			t.Fatalf("%v %v", copies, err)
		}
		if err := os.Remove(copies[0]); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copies[0], []byte("exit 0"), 0o500); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(w.scratch, 0o777); err != nil {
		t.Fatal(err)
	}
	if dec := w.decide("b 1"); dec.Verdict != engine.Deny || !strings.Contains(dec.Reason(), "is not a directory of this user alone") {
		t.Errorf("copies where others can write: %v %v", dec.Verdict, dec.Reasons)
	}
}

// What one call of the hook command opens does not look for scripts.
func TestLazyEnginesLookForNoScripts(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", running("./guard.sh"), "root/guard.sh", "exit 0")
	eng, err := engine.Open(background, w.root, engine.WithHome(w.home), engine.WithManaged(w.manage), engine.WithLazyConditions())
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(eng.Sources(), w.path("root/guard.sh")) || !slices.Contains(w.Sources(), w.path("root/guard.sh")) {
		t.Errorf("%v", eng.Sources())
	}
}

// A hook in the background runs what was accepted, too.
func TestRefusedScriptsInTheBackground(t *testing.T) {
	w := newWorkspace(t, "root/pawl.yaml", strings.Replace(running("bash guard.sh"), "type: command,", "type: command, async: true,", 1), "root/guard.sh", "echo old >>log\n")
	w.refuse(func() { w.write("root/guard.sh", "echo new >>log\n") })
	w.decide("ls")
	ctx, cancel := context.WithTimeout(background, 10*time.Second)
	defer cancel()
	if err := w.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(w.path("root/log")); err != nil || string(text) != "old\n" {
		t.Errorf("%q %v", text, err)
	}
}
