package rules

import (
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestBashPatterns pins how patterns of commands behave as an `if`, a guard;
// what a text runs is tested in rules/shell.
func TestBashPatterns(t *testing.T) {
	for _, c := range []struct {
		id, pattern, command string
		want                 hook.Tri
	}{
		{"B021", "Bash(git clean:*)", "if true; then git clean -f; fi", hook.Yes},
		{"B022", "Bash(rm *)", "echo ${y:-$(rm z)}", hook.Yes},
		{"B024", "Bash(cat*)", "cat > f <<'EOF'\nbody\nEOF", hook.Yes},
		{"B024", "Bash(*>*)", "cat > f <<'EOF'\nbody\nEOF", hook.Yes},
		{"B028", "Bash(rm *)", "command -v rm", hook.No},
		{"B030", "Bash(rm -rf *)", "rm -fr /", hook.No},
		{"B035", "Bash(npm *)", "npm test &&", hook.Unknown},
		{"B036", "Bash(git push *)", "git -C . push o", hook.Yes},
		{"B039", "Bash(rm *)", "ls # don't\nrm x", hook.Yes},
		{"B040", "Bash(rm *)", "echo $(date)", hook.No},
		{"B040", "Bash(rm *)", "FOO=1 rm x", hook.Yes},
		{"B040, ruling 7", "Bash(git push *)", "echo $(date)", hook.No},
		{"ruling 7", "Bash(git push *)", "git $X", hook.Unknown},
		{"ruling 7", "Bash(git push *)", "$X push", hook.Unknown},
		{"B041", "Bash(ls *)", `pwd && echo "$(date +%Y)"`, hook.No},
		{"B041", "Bash(ls *)", `pwd && ls "$(date)"`, hook.Yes},
		{"B042", "Bash(git *)", "for i in 1 2; do echo $i; done", hook.No},
		{"B042", "Bash(git commit *)", "for i in 1 2; do echo $i; done", hook.No},
		{"B042", "Bash(git commit *)", "case a in a) echo x;; esac", hook.No},
		{"ruling 2", "Bash(ls *)", "ls", hook.Yes},
		{"ruling 2", "Bash(ls *)", "lsof", hook.No},
	} {
		s := Scope{Event: hook.PreToolUse}
		p, diags := If(hook.Text{Value: c.pattern}, s)
		if p == nil {
			t.Fatal(diags)
		}
		f := Analyze(toolEvent("Bash", map[string]any{"command": c.command}))
		got := p.Match(f)
		if fires := got != hook.No; fires != (c.want != hook.No) || c.want == hook.Yes && got != hook.Yes {
			t.Errorf("%s %s on %q: got %v, want %v (%s)", c.id, c.pattern, c.command, got, c.want, p.Explain(f).Why)
		}
		if expr := evalExpr(t, p, s, f); expr != got {
			t.Errorf("%s %s on %q: %v, as expr %v", c.id, c.pattern, c.command, got, expr)
		}
	}
}

// TestArgumentArray: a command given as words is read as such.
func TestArgumentArray(t *testing.T) {
	p, _ := If(hook.Text{Value: "Bash(rm *)"}, Scope{Event: hook.PreToolUse})
	for _, c := range []struct {
		command any
		want    hook.Tri
	}{
		{[]any{"rm", "x"}, hook.Yes},
		{[]any{"bash", "-lc", "rm x"}, hook.Yes},
		{[]any{"echo", "; rm x"}, hook.No},
		{[]any{"rm", 5}, hook.Unknown},
		{5, hook.Unknown},
		{nil, hook.Unknown},
	} {
		if got := p.Match(Analyze(toolEvent("shell", map[string]any{"command": c.command}))); got != c.want {
			t.Errorf("%v: got %v, want %v", c.command, got, c.want)
		}
	}
	if got := p.Match(Analyze(toolEvent("shell", map[string]any{}))); got != hook.No {
		t.Errorf("no command at all: got %v", got)
	}
}
