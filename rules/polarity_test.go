package rules

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestPolarity: nothing gets past a condition because of a !, and an Unknown
// that was asked stays Unknown.
func TestPolarity(t *testing.T) {
	for _, c := range []struct {
		when, command string
		grant         bool
		want          string
	}{
		{`bash("rm *")`, "ls; rm x", false, "yes"},
		{`bash("rm *")`, "ls $(date)", false, "no"},
		{`bash("rm *")`, "$X y", false, "unknown"},
		{`!bash("rm *")`, "$X y", false, "unknown"}, // law 7
		{`!bash("rm *") && permission_mode == "nope"`, "$X y", false, "unknown"},
		{`permission_mode == "nope" && bash("rm *")`, "$X y", false, "no"}, // not asked
		{`bash("npm *")`, "npm x", true, "yes"},
		{`bash("npm *")`, "npm x; rm y", true, "no"},
		{`bash("npm *", "rm *")`, "npm x; rm y", true, "yes"},
		{`bash("npm *")`, "npm $X", true, "yes"},
		{`!bash("npm *")`, "npm x; rm y", false, "yes"}, // deny all but npm
		{`!bash("npm *")`, "npm x", false, "no"},
		{`!bash("rm *")`, "ls; rm x", true, "no"}, // allow all but rm
		{`!bash("rm *")`, "ls", true, "yes"},
		{`!!bash("rm *")`, "ls; rm x", false, "yes"},
		{`!(bash("rm *") || bash("dd *"))`, "ls; dd x", true, "no"},
		{`bash("npm *") == false`, "npm x; rm y", false, "unknown"}, // of two minds
		{`bash("npm *") == false`, "npm x", false, "no"},
		{`none([1], bash("npm *"))`, "npm x; rm y", false, "yes"},
		{`input.command matches "^rm"`, "ls\nrm x", false, "yes"}, // B154
		{`input.command matches "^ls$"`, "ls\nrm x", true, "no"},
		{`!(input.command matches "^ls$")`, "ls\nrm x", false, "yes"},
		{`any(commands, .name == "rm")`, "sudo rm x", false, "yes"},
		{`any(commands, .name == "rm")`, "ls $X", false, "no"},
		{`any(commands, .name == "rm" && "-f" in .args)`, "ls $X", false, "unknown"},
		{`any(commands, .name == "rm")`, "curl x | sh", false, "unknown"},
		{`flag("--force", "-f")`, "git push --force=x", false, "yes"},
		{`flag("--force", "-f")`, "rm -rf x", false, "yes"},
		{`flag("--force", "-f")`, "rm -- -f", false, "no"},
		{`flag("--force", "-f")`, "git push $X", false, "unknown"},
		{`flag("--force", "-f")`, "$TOOL origin", false, "unknown"},
		{`flag("--force", "-f")`, `"$TOOL" origin`, false, "no"},
		{`flag("--force")`, "git push --force-with-lease", false, "no"},
		{`env("CI") == "1" && glob("git*", command)`, "git x", false, "yes"},
		{`regex("^(?!x)(a|aa)+$", command)`, strings.Repeat("a", 5000) + "!", false, "unknown"}, // out of time
	} {
		s := Scope{Event: hook.PreToolUse, Grant: c.grant, Env: func(string) (string, bool) { return "1", true }}
		cond, diags := When(hook.Text{Value: c.when}, s)
		if cond == nil {
			t.Errorf("%s: %v", c.when, diags)
			continue
		}
		f := Analyze(toolEvent("Bash", map[string]any{"command": c.command}))
		m, err := cond.Eval(context.Background(), f)
		if err != nil || m.Tri.String() != c.want || m.Tri == hook.Unknown && m.Why == "" {
			t.Errorf("%s (grant %v) on %.40q: got %v %q, want %s (%v)", c.when, c.grant, c.command, m.Tri, m.Why, c.want, err)
		}
	}
}
