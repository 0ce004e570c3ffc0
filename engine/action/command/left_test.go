//go:build linux

package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// A process that left the group of the command and cannot be killed is told
// in the trace, whatever the command came to. Here it is the test itself that
// has what would tie such a process.
func TestLeft(t *testing.T) {
	for _, tt := range []struct {
		text string
		want hook.Verdict
	}{{"exit 0", hook.None}, {"exit 2", hook.Deny}, {"kill -9 $$", hook.None}} {
		f := newFixture(t)
		pids, ready := filepath.Join(f.deps.Root, "pids"), filepath.Join(f.deps.Root, "ready")
		for _, name := range []string{pids, ready} {
			if err := syscall.Mkfifo(name, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		had := make(chan *os.File, 1)
		go func() {
			pid, err := os.ReadFile(pids)
			if err != nil {
				t.Error(err)
			}
			tie, err := os.Open("/proc/" + strings.TrimSpace(string(pid)) + "/fd/10")
			if err != nil {
				t.Error(err)
			}
			had <- tie
			os.WriteFile(ready, []byte("\n"), 0)
		}()
		res, _ := f.run(t, bash(t, "command", "ls"), "command", "echo $$ >"+pids+"; read _ <"+ready+"; "+tt.text)
		(<-had).Close()
		if len(res.Diagnostics) != 1 || !strings.Contains(res.Diagnostics[0].Message, "left its process group") || res.Verdict != tt.want {
			t.Errorf("%s: %+v", tt.text, res)
		}
	}
}
