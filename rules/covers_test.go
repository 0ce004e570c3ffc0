package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestCovers: grants are separated by " ; ".
func TestCovers(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct {
		id, grants, command string
		want                hook.Tri
	}{
		{"B021", "Bash(git *) ; Bash(npm *)", "git fetch && npm run build; git clean -fd", hook.Yes},
		{"B021", "Bash(git *)", "git fetch && npm run build", hook.No},
		{"B022", "Bash(echo *)", `echo "$(rm -rf x)"`, hook.No},
		{"B022", "Bash(echo *) ; Bash(date)", `echo "$(date)"`, hook.Yes},
		{"B029", "Bash(xargs *) ; Bash(timeout *) ; Bash(find *)", "find . -delete", hook.No},
		{"B032", "Bash(npm run test*)", "npm run test 2>&1", hook.Yes},
		{"B032", "Bash(npm run test*)", "npm run test:unit >/dev/null", hook.Yes},
		{"B032", "Bash(npm run test*)", "npm run test > ~/.bashrc", hook.No},
		{"B032", "Bash(npm run test*) ; Edit(~/.bashrc)", "npm run test > ~/.bashrc", hook.Yes},
		{"", "Bash(npm run test*) ; Edit(dst/**)", "npm run test > dst/x 2> dst/y", hook.Yes},
		{"", "Bash(npm run test*) ; Edit", "npm run test > out/x", hook.Yes},
		{"", "Bash(npm run test*) ; Read(in/**)", "npm run test < in/x", hook.Yes},
		{"", "Bash(npm run test*) ; Edit(in/**)", "npm run test < in/x", hook.No},
		{"", "Bash(npm run test*) ; Edit(out/**)", "npm run test > $X", hook.Unknown},
		{"B035", "Bash(npm *)", "npm test &&", hook.Unknown},
		{"B035", "Bash(npm *)", `npm test "`, hook.Unknown},
		{"B039", "Bash(git commit *) ; Bash(echo *)", `git commit -m "a && rm -rf x; b | c"`, hook.Yes},
		{"", "Bash(npm *)", "NODE_ENV=test LC_ALL=C npm test", hook.Yes},
		{"", "Bash(npm *)", "PATH=/evil npm test", hook.No},
		{"", "Bash(npm *)", "sudo npm test", hook.No},
		{"B028", "Bash(npm test *)", "timeout 30 npm test a", hook.Yes},
		{"", "Bash", "anything > x; PATH=y z", hook.Yes},
		{"", "Edit(src/**)", "ls", hook.No},
		{"", "", "ls", hook.No},
	} {
		var grants []*Pattern
		for text := range strings.SplitSeq(c.grants, " ; ") {
			if text != "" {
				grants = append(grants, mustPermission(t, text, p.scope(true)))
			}
		}
		f := p.facts("Bash", map[string]any{"command": c.command})
		got, used, why := Covers(grants, f)
		if got != c.want {
			t.Errorf("%s %s on %q: got %v, want %v (%s)", c.id, c.grants, c.command, got, c.want, why)
		}
		if got == hook.Yes && len(used) == 0 || got != hook.Yes && why == "" {
			t.Errorf("%s on %q: used %v, why %q", c.grants, c.command, used, why)
		}
	}
}

func TestCoversFiles(t *testing.T) {
	p := newPlace(t)
	grants := []*Pattern{
		mustPermission(t, "Edit(src/**)", p.scope(true)),
		mustPermission(t, "Read(docs/**)", p.scope(true)),
		mustPermission(t, "Edit(docs/**)", p.scope(true)),
	}
	patch := func(names ...string) *hook.Facts {
		return p.facts("apply_patch", map[string]any{"input": "*** Add File: " + strings.Join(names, "\n*** Add File: ")})
	}
	if got, used, why := Covers(grants, patch("src/a", "docs/b")); got != hook.Yes || !slices.Contains(used, 0) || !slices.Contains(used, 2) {
		t.Errorf("two files, two rules: got %v %v %s", got, used, why)
	}
	if got, _, _ := Covers(grants, patch("src/a", "x/b")); got != hook.No {
		t.Errorf("one file without a rule: got %v", got)
	}
	if got, _, _ := Covers(grants, p.facts("Read", map[string]any{"file_path": "src/a"})); got != hook.No {
		t.Errorf("a rule for Edit grants no Read: got %v", got)
	}
}
