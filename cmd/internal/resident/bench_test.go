//go:build unix

package resident_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

// BenchmarkSave: from the save of a policy with 1,000 rules to the first answer
// by it. 100 ms of it is the time that files take to settle.
func BenchmarkSave(b *testing.B) {
	f := serve(b, resident.Options{})
	var rules strings.Builder
	rules.WriteString("rules:\n")
	for i := range 1000 {
		fmt.Fprintf(&rules, "  - {name: r%d, on: PreToolUse, match: \"Bash(tool%d *)\", when: 'command contains \"--x%d\"', decision: ask}\n", i, i, i)
	}
	verdicts := []string{"ask", "deny"}
	text := func(n int) string { return rules.String() + "permissions: {" + verdicts[n%2] + ": ['Bash(rm *)']}\n" }
	dir := f.workspace(text(0))
	c := f.dial()
	call := wire.Call{Place: f.place(dir, "state"), Left: time.Minute, Event: event("rm x")}
	n := 0
	for b.Loop() {
		n++
		draft := filepath.Join(dir, "draft")
		f.write(draft, text(n))
		if err := os.Rename(draft, filepath.Join(dir, "pawl.yaml")); err != nil {
			b.Fatal(err)
		}
		for in := false; !in; {
			r, err := c.Answer(call, nothing)
			if err != nil {
				b.Fatal(err)
			}
			in = strings.Contains(string(r.Stdout), `"`+verdicts[n%2]+`"`)
		}
	}
}
