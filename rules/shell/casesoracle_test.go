package shell

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// stubs makes a directory of programs that only log their words.
func stubs(t *testing.T, bash, log string, names ...string) string {
	t.Helper()
	bin := t.TempDir()
	stub := "#!" + bash + "\nprintf '%s\\n' \"${0##*/} ${*//$'\\n'/ }\" >>" + log + "\n"
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(stub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bash", "sh", "cat", "env", "xargs", "timeout", "nice", "nohup", "stdbuf", "find"} {
		if path, err := exec.LookPath(name); err == nil && !slices.Contains(names, name) {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return bin
}

var foreground = strings.NewReplacer("&&", ";", ">&", ">", "|&", "|", "&>", ">")

// runnable reports that a text may be given to a real shell: it names no
// program or file outside of the stubs, signals nothing, and leaves nothing
// running.
func runnable(text string) bool {
	for _, word := range []string{"/bin", "/usr", "/dev/tcp", "/proc", "kill", ":(){", "\x00", "exec >", "> /", ">/", "\\057", "\\x2f", "yes ", "while :", "while true", "until false", "read", "select", "coproc", ">(", "setsid", "&"} {
		if strings.Contains(foreground.Replace(text), word) {
			return false
		}
	}
	return len(text) < 4096
}

// What rows say of a text is what bash does with it: what a stub logs is not
// called data, and what is called data logs nothing.
func TestCasesAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the oracle is bash itself, and there is none here")
	}
	log := filepath.Join(t.TempDir(), "log")
	bin := stubs(t, bash, log, "rm", "ls", "git", "grep", "find", "sed", "awk", "npm", "docker", "curl", "a", "b", "echo")
	dir, runs, ran := t.TempDir(), 0, 0
	rows := append(readCases(t, "commands.tsv"), readCases(t, "neighbours.tsv")...)
	for i, row := range rows {
		if i%2 != 0 || row.pattern != "rm *" || row.debatable || !runnable(row.command) {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		cmd := exec.CommandContext(ctx, bash, "--norc", "--noprofile", "-c", row.command)
		cmd.Env, cmd.Dir, cmd.WaitDelay = []string{"PATH=" + bin, "HOME=" + dir}, dir, 100*time.Millisecond
		_ = cmd.Run()
		cancel()
		out, _ := os.ReadFile(log)
		_ = os.Remove(log)
		hit := strings.Contains("\n"+string(out), "\nrm ")
		runs++
		if hit {
			ran++
		}
		if got, _, why := CompileGlob(row.pattern).Match(Parse(row.command, Options{}), false); hit && got == hook.No {
			t.Errorf("%s: %q ran rm, but is called data (%s)", row.id, row.command, why)
		}
		if hit && row.expected == "no" {
			t.Errorf("%s: %q ran rm, and the row says no", row.id, row.command)
		}
	}
	if runs < 40 || ran < 15 {
		t.Errorf("%d texts were run, %d ran the stub: the oracle says too little", runs, ran)
	}
}
