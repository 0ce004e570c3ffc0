package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
)

// A set that a reload has taken out of force is forgotten, however much its
// hooks have been lent.
func TestReloadForgetsTheSetBefore(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	policy := "policies: [p.lua]\nhooks: {PreToolUse: [{hooks: [{type: command, command: bash x.sh}]}]}\nrules: [{name: r%d, on: Stop, match: a, decision: deny}]\n"
	write("x.sh", "exit 0\n")
	write("p.lua", "on('PreToolUse', function(ev) return ev:matches('Bash(rm *)') and deny('no') end)\n")
	write("pawl.yaml", fmt.Sprintf(policy, 0))
	eng, err := Open(t.Context(), dir, WithHome(dir), WithManaged(filepath.Join(dir, "none")))
	if err != nil {
		t.Fatal(err)
	}
	var gone atomic.Int32
	const rounds = 5
	for i := range rounds {
		runtime.AddCleanup(eng.current.Load(), func(int) { gone.Add(1) }, 0)
		write("pawl.yaml", fmt.Sprintf(policy, i+1))
		if err := eng.Reload(t.Context(), filepath.Join(dir, "pawl.yaml")); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		if runtime.GC(); gone.Load() == rounds {
			runtime.KeepAlive(eng)
			return
		}
		runtime.Gosched()
	}
	runtime.KeepAlive(eng)
	t.Errorf("%d of %d sets are forgotten", gone.Load(), rounds)
}
