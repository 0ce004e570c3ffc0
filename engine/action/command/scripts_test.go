//go:build unix

package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Which files a command runs, for certain; what it only reads or writes is
// none of them, and neither are the programs of the system.
func TestFiles(t *testing.T) {
	f := newFixture(t)
	root := f.deps.Root
	for path, text := range map[string]string{
		"guard.sh": "exit 0", "hooks/guard.sh": "exit 0", "hooks/a b.sh": "exit 0", "hooks/outer.sh": `. "$(dirname "$0")/guard.sh"` + "\n# see guard.sh, log.txt\n",
		"hooks/deep.sh": "hooks/outer.sh", "hooks/guard.py": "import os, helper\nfrom lib.words import x\nopen('log.txt')\n", "hooks/helper.py": "", "hooks/lib/words.py": "", "hooks/lib/__init__.py": "",
		"hooks/guard.js": "require('./n')", "hooks/n.js": "", "f.awk": "", "bin": "\x7fELF\x00", "mod.py": "",
	} {
		write(t, root+"/"+path, text)
	}
	for path, text := range map[string]string{"log.txt": "x", "package.json": "{}"} {
		if err := os.WriteFile(root+"/"+path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(t, f.deps.Home+"/hooks/mine.sh", "exit 0")
	write(t, f.deps.Home+"/bin", "\x7fELF\x00")
	if err := syscall.Mkfifo(root+"/pipe", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ command, want, unsure string }{
		{"./guard.sh", "guard.sh", ""},
		{"bash guard.sh", "guard.sh", ""},
		{"grep -q x guard.sh || cat log.txt >>log.txt", "", ""},
		{"echo ./guard.sh # ./guard.sh", "", ""},
		{`"$CLAUDE_PROJECT_DIR/hooks/guard.sh" log.txt`, "hooks/guard.sh", ""},
		{`"$SKILL_DIR"/../hooks/guard.sh`, "hooks/guard.sh", ""},
		{"cd hooks; ./'a b.sh'", "hooks/a b.sh", ""},
		{"hooks/outer.sh", "hooks/guard.sh hooks/outer.sh", ""},
		{"hooks/deep.sh", "hooks/deep.sh hooks/guard.sh hooks/outer.sh", ""},
		{"python3 hooks/guard.py", "hooks/guard.py hooks/helper.py hooks/lib/__init__.py hooks/lib/words.py", ""},
		{"python3 -m mod", "mod.py", ""},
		{"node hooks/guard.js", "hooks/guard.js hooks/n.js", ""},
		{"awk -f f.awk log.txt", "f.awk", ""},
		{"env A=b timeout 5 ./guard.sh log.txt", "guard.sh", ""},
		{"bash -c './guard.sh; hooks/guard.sh'", "guard.sh hooks/guard.sh", ""},
		{"x=$(./guard.sh)", "guard.sh", ""},
		{"./missing.sh || bash gone.sh", "gone.sh missing.sh", "the program ./missing.sh is not there"},
		{"~/hooks/mine.sh; ~/bin; /bin/ls; ./bin", "bin ~/hooks/mine.sh", ""},
		{"./pipe", "pipe", "the program ./pipe is not there"},
		{`"$X" y; bash "$(cat log.txt)"`, "", "it may name a script by a variable or a pattern"},
		{"bash hooks/g*.sh", "", "it may name a script by a variable or a pattern"},
		{`$MY_HOOKS/guard.sh`, "", "it may name a script by a variable or a pattern"},
	} {
		a, _ := f.make("command", tt.command)
		expectFiles(t, f, tt.command, a, nil, tt.want, tt.unsure)
	}
	a, _ := f.make("command", "${CLAUDE_PROJECT_DIR}/guard.sh", "args", []any{"hooks/guard.sh", "log.txt"})
	expectFiles(t, f, "exec form", a, nil, "guard.sh hooks/guard.sh", "")
	a, _ = f.make("command", "bash", "args", []any{"hooks/guard.sh"})
	expectFiles(t, f, "exec form of a shell", a, nil, "hooks/guard.sh", "")
	write(t, root+"/p.ps1", "")
	a, _ = f.make("command", "& ./p.ps1", "shell", "powershell")
	expectFiles(t, f, "powershell", a, nil, "p.ps1", "")
}

// What stands in for the disk is what a command runs.
func TestFilesStandIn(t *testing.T) {
	f := newFixture(t)
	root := f.deps.Root
	write(t, root+"/guard.sh", ". ./new.sh")
	write(t, root+"/new.sh", "")
	write(t, root+"/come.sh", "")
	write(t, root+"/big", "\x7fELF\x00")
	files := map[string]hook.Stand{
		root + "/guard.sh": {Text: []byte(". ./old.sh"), Mode: 0o700}, root + "/old.sh": {Text: []byte{}, Mode: 0o600}, root + "/come.sh": {},
		root + "/big": {Sum: "x", Mode: 0o700},
	}
	over := &hook.Overlay{
		File:  func(path string) (hook.Stand, bool) { s, ok := files[path]; return s, ok },
		Names: func(string) []string { return nil },
	}
	a, _ := f.make("command", "timeout 5 ./guard.sh; timeout 5 ./come.sh; timeout 5 ./new.sh; timeout 5 ./big")
	expectFiles(t, f, "on disk", a, nil, "big come.sh guard.sh new.sh", "")
	expectFiles(t, f, "in part", a, over, "big guard.sh new.sh old.sh", "")
	over.Whole = true
	expectFiles(t, f, "as a whole", a, over, "big guard.sh old.sh", "")
}

func expectFiles(t *testing.T, f *fixture, name string, a hook.Action, over *hook.Overlay, want, unsure string) {
	t.Helper()
	files, why := a.(hook.Sourced).Files(over)
	for i, path := range files {
		if rel, err := filepath.Rel(f.deps.Home, path); err == nil && filepath.IsLocal(rel) {
			files[i] = "~/" + rel
		} else if rel, err := filepath.Rel(f.deps.Root, path); err == nil {
			files[i] = rel
		}
	}
	if got := strings.Join(files, " "); got != want || why != unsure {
		t.Errorf("%s: runs %q, unsure %q; want %q, %q", name, got, why, want, unsure)
	}
}
