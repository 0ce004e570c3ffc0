package rules

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

func mustMatcher(t *testing.T, text string, s Scope) *Pattern {
	t.Helper()
	p, diags := Matcher(hook.Text{Value: text}, s)
	if p == nil {
		t.Fatalf("matcher %q: %v", text, diags)
	}
	return p
}

// evalExpr evaluates the source of p as a condition in the same scope.
func evalExpr(t *testing.T, p *Pattern, s Scope, f *hook.Facts) hook.Tri {
	t.Helper()
	c, diags := When(hook.Text{Value: p.Expr()}, s)
	if c == nil {
		t.Fatalf("%q lowers to %q: %v", p, p.Expr(), diags)
	}
	m, err := c.Eval(context.Background(), f)
	if err != nil {
		t.Fatalf("%q lowers to %q: %v", p, p.Expr(), err)
	}
	return m.Tri
}

// TestMatcherTools: each matcher hits exactly these tools, directly and as expr.
func TestMatcherTools(t *testing.T) {
	tools := []string{"Edit", "Write", "MultiEdit", "NotebookEdit", "mcp__a__b", "mcp__a__b__c", "mcp__ab__c", "mcp__github-read__list", "Bash",
		"run_shell_command", "shell", "bash", "Agent", "Task", "Notebook", "code-reviewer", "deploy"}
	every := strings.Join(tools, " ")
	for _, c := range []struct{ id, matcher, want string }{
		{"B003", "", every},
		{"B003", "*", every},
		{"B003", "Edit|Write", "Edit Write"},
		{"B003", "Edit, Write", "Edit Write"},
		{"B003", "Edit ,Write", "Edit Write"},
		{"B003", "mcp__.*", "mcp__a__b mcp__a__b__c mcp__ab__c mcp__github-read__list"},
		{"B003", "^Notebook", "NotebookEdit Notebook"},
		{"B003", "code-reviewer", "code-reviewer"},
		{"B003", "Edit.*", "Edit MultiEdit NotebookEdit"},
		{"B006", "bash", "bash"},
		{"B010", "Task", "Agent Task"},
		{"B010", "Agent", "Agent Task"},
		{"B014", "mcp__github-read", "mcp__github-read__list"},
		{"B014", "mcp__a", "mcp__a__b mcp__a__b__c"},
		{"", "mcp__a__*", "mcp__a__b mcp__a__b__c"},
		{"", "mcp__a__b", "mcp__a__b mcp__a__b__c"},
		{"", "mcp__*__c", "mcp__a__b__c mcp__ab__c"},
		{"", "Edit|mcp__ab", "Edit mcp__ab__c"},
		{"", "Bash", "Bash run_shell_command shell bash"},
		{"seed 1", "shell", "shell"},
		{"", "run_shell_command|Write", "run_shell_command Write"},
		{"", "^(?!.*Edit$)[A-Z]", "Write Bash run_shell_command shell bash Agent Task Notebook"}, // look-ahead; either name counts
		{"", "Write | Bash (*)", "Write Bash run_shell_command shell bash"},
		{"", "Bash(*)|Write", "Write Bash run_shell_command shell bash"},
		{"", "Bash(*)|^dep", "Bash run_shell_command shell bash deploy"},
		{"", "deploy", "deploy"},
	} {
		s := Scope{Event: hook.PreToolUse}
		p := mustMatcher(t, c.matcher, s)
		for _, tool := range tools {
			f := Analyze(toolEvent(tool, nil))
			want := hook.TriOf(slices.Contains(strings.Fields(c.want), tool))
			if got := p.Match(f); got != want {
				t.Errorf("%s matcher %q on %s: got %v, want %v", c.id, c.matcher, tool, got, want)
			}
			if got := evalExpr(t, p, s, f); got != want {
				t.Errorf("%s %q, as %s, on %s: got %v, want %v", c.id, c.matcher, p.Expr(), tool, got, want)
			}
			subjects := p.Subjects()
			listed := subjects == nil || slices.Contains(subjects, f.Event.Tool) || slices.Contains(subjects, tool) ||
				slices.ContainsFunc(subjects, func(s string) bool { return s == MCPTools || strings.HasPrefix(tool, s+"__") })
			if want == hook.Yes && !listed {
				t.Errorf("%q fits %s, which is not among its subjects %v", c.matcher, tool, subjects)
			}
		}
	}
}

func TestMatcherSubjects(t *testing.T) {
	for _, c := range []struct {
		event            hook.EventName
		matcher, subject string
		want             hook.Tri
	}{
		{hook.SessionStart, "startup", "startup", hook.Yes},
		{hook.SessionStart, "startup|resume", "clear", hook.No},
		{hook.PreCompact, "auto", "auto", hook.Yes},
		{hook.SubagentStop, "reviewer", "Explore", hook.No}, // B017
		{hook.SubagentStop, "reviewer", "reviewer", hook.Yes},
		{hook.Stop, "Bash", "", hook.Yes},                                           // B017: ignored
		{hook.SubagentStart, "my-plugin:reviewer", "my-plugin:reviewer2", hook.Yes}, // B185
		{hook.SubagentStart, "my-plugin:reviewer", "reviewer", hook.No},
		{hook.FileChanged, ".envrc|.env", "/p/x/.env", hook.Yes},
		{hook.FileChanged, ".envrc|.env", "/p/aenv", hook.No}, // literal, no regex
		{hook.StopFailure, "rate_limit", "rate_limit", hook.Yes},
		{hook.Notification, "permission_.*", "permission_prompt", hook.Yes},
		{"HostsOwn", "a|b", "b", hook.Yes},
	} {
		s := Scope{Event: c.event}
		p := mustMatcher(t, c.matcher, s)
		f := Analyze(hook.Event{Name: c.event, Subject: c.subject})
		if got, expr := p.Match(f), evalExpr(t, p, s, f); got != c.want || expr != c.want {
			t.Errorf("%s %q on %q: got %v, as expr %v, want %v", c.event, c.matcher, c.subject, got, expr, c.want)
		}
	}
}

// TestCleanPatterns: what only resembles a mistake is not told.
func TestCleanPatterns(t *testing.T) {
	for _, text := range []string{
		"Bash(rm *) || Write", "Bash(cat *.*)", "Bash(./run.* x)", "Bash(echo $HOME)", "Bash(test [a-z]*)", "Bash(echo (x))", "Bash(git log a..b)",
		"Bash(python3.1*)", "Bash(Output)?", "Edit, Write", "Bash(echo a, b)", "Bash(echo a & b)|Write", "Bash(grep -E 'a|b' *)", "Read(a (b), c)",
	} {
		_, diags := Matcher(hook.Text{Value: text}, Scope{Event: hook.PreToolUse})
		for _, d := range diags {
			if d.Severity != hook.Note && !strings.Contains(d.Message, "one by one") {
				t.Errorf("%s: %v", text, d)
			}
		}
	}
}

// TestAgentNames: an agent may have the name of a tool.
func TestAgentNames(t *testing.T) {
	if _, diags := Matcher(hook.Text{Value: "Bash"}, Scope{Event: hook.SubagentStart}); len(diags) > 0 {
		t.Error(diags)
	}
}

// TestPatternDiagnostics: what looks right and is not is told, with advice.
func TestPatternDiagnostics(t *testing.T) {
	type compiler = func(hook.Text, Scope) (*Pattern, []hook.Diagnostic)
	tool, grant := Scope{Event: hook.PreToolUse}, Scope{Event: hook.PreToolUse, Grant: true}
	for _, c := range []struct {
		id      string
		compile compiler
		text    string
		scope   Scope
		sev     hook.Severity
		want    string
	}{
		{"B006", Matcher, "bash", tool, hook.Warning, `did you mean "Bash"?`},
		{"B006", Matcher, "Bsh", tool, hook.Warning, `did you mean "Bash"?`},
		{"B001", Matcher, "Bsh(rm *)", tool, hook.Error, `did you mean "Bash"?`},
		{"B001", Matcher, "bash(rm *)", tool, hook.Error, `did you mean "Bash"?`},
		{"", Matcher, "(", tool, hook.Error, "not a regular expression"},
		{"", Matcher, "Bash(rm *", tool, hook.Error, "the parenthesis is not closed (write Bash(rm *))"},
		{"", Matcher, "Edit|*", tool, hook.Error, "not a regular expression"},
		{"", Matcher, "Edit*", tool, hook.Note, "write Edit.*"},
		{"", Matcher, "mcp__x (y)", tool, hook.Warning, "has a blank in it"},
		{"", Matcher, "(Edit)?", tool, hook.Warning, "matches everything"},
		{"", Permission, "Bash", grant, hook.Note, "Bash allows every command that no rule asks about or denies (name the commands"},
		{"", Permission, "Bash(*)", grant, hook.Note, "Bash(*) allows every command"},
		{"", Permission, "PowerShell(*)", grant, hook.Note, "PowerShell(*) allows every command"},
		{"B017", Matcher, "Bash", Scope{Event: hook.Stop}, hook.Warning, "ignored"},
		{"B017", Matcher, "startup|Bash", Scope{Event: hook.SessionStart}, hook.Warning, `"Bash" is a tool, but the matcher of SessionStart tests its source`},
		{"B185", Matcher, "my-plugin:reviewer", Scope{Event: hook.SubagentStart}, hook.Note, "^my-plugin:reviewer$"},
		{"", Matcher, "Bash(rm *)", Scope{Event: hook.SessionStart}, hook.Error, "tests its source"},
		{"B017", Matcher, "Bash(rm *)", Scope{Event: "PreToolUsed"}, hook.Error, `unknown event "PreToolUsed": nobody can tell whether it is about tools (did you mean "PreToolUse"?)`},
		{"B001", Matcher, "Bash(rm *) && true", tool, hook.Error, "never fits"},
		{"B001", Matcher, "Write|Bash(rm *) and Bash(ls)", tool, hook.Error, "never fits"},
		{"B001", Matcher, "!Bash(rm *)", tool, hook.Error, "cannot be negated"},
		{"B001", Matcher, "Bash(rm *), Write", tool, hook.Error, "separated by | (write Bash(rm *)|Write)"},
		{"B001", Matcher, "Write, Bash(rm *)", tool, hook.Error, "separated by |"},
		{"B001", Matcher, "Bash(rm *) Bash(ls)", tool, hook.Error, "separated by |"},
		{"B001", Matcher, "Bash(rm *) please", tool, hook.Error, "never fits"},
		{"B154", Matcher, "Bash(^rm.*)", tool, hook.Warning, "takes a glob"},
		{"B154", Matcher, "Bash(rm.*)", tool, hook.Warning, "takes a glob"},
		{"B154", Permission, "Bash((rm|mv) *)", tool, hook.Warning, "takes a glob"},
		{"B154", Permission, `Bash(rm\s+-rf *)`, tool, hook.Warning, "takes a glob"},
		{"B044", If, "Bash(a *) || Bash(b *)", tool, hook.Error, "one pattern only"},
		{"B044", If, "Edit(a)|Write(b)", tool, hook.Error, "one pattern only"},
		{"B044", If, "Bash(rm *)", Scope{Event: hook.Stop}, hook.Warning, "never fits"},
		{"", If, "Bash(rm *", tool, hook.Error, "no )"},
		{"", If, "Bash()", tool, hook.Error, "nothing between"},
		{"", If, "", tool, hook.Error, "no tool"},
		{"", Permission, "shell(rm *)", tool, hook.Error, "write Bash("},
		{"B013", Permission, "mcp__*", grant, hook.Error, "literal mcp__server__"},
		{"B013", Permission, "*", grant, hook.Error, "literal mcp__server__"},
		{"", Permission, "mcp__a__b(x:y)", tool, hook.Error, "no parentheses"},
		{"ruling 2", Permission, "Bash(npm:*x)", tool, hook.Warning, ":* is literal"},
		{"B029", Permission, "Bash(xargs *)", grant, hook.Warning, "whatever xargs"},
		{"B029", Permission, "Bash(find *)", grant, hook.Warning, "whatever find"},
		{"", Permission, "Bash(git * push)", grant, hook.Warning, `the * before "push"`},
		{"", Permission, "Bash(cd x && rm *)", tool, hook.Warning, "one by one"},
		{"B176", Permission, "Write(./x/**)", tool, hook.Note, "Edit(./x/**)"},
		{"B174", Permission, "Read(/etc/shadow)", tool, hook.Warning, "//etc/shadow"},
		{"", Permission, "Read(a[)", tool, hook.Warning, "exactly this name"},
		{"", Permission, "Read(a[)", grant, hook.Error, "not a valid pattern"},
		{"", Permission, "Read(!a)", grant, hook.Error, "no meaning"},
		{"", Permission, "Bash(command:rm)", tool, hook.Warning, "is ignored"},
		{"", Permission, "Agent(model:opus)", grant, hook.Error, "deny and ask only"},
		{"", Permission, "WebFetch(https://x)", tool, hook.Error, "domain:"},
		{"", Permission, "TodoWrite(x y)", tool, hook.Error, "takes no specifier"},
		{"", Permission, "Wrte", tool, hook.Warning, `did you mean "Write"?`},
		{"", Permission, "Read(" + strings.Repeat("a", 300) + ")", tool, hook.Error, "256 bytes"},
	} {
		p, diags := c.compile(hook.Text{Value: c.text, Pos: hook.Position{File: "f", Line: 3, Col: 5}}, c.scope)
		if len(diags) != 1 || diags[0].Severity != c.sev || !strings.Contains(diags[0].Error(), c.want) || diags[0].Pos.Line != 3 {
			t.Errorf("%s %q: got %v, want one %v with %q", c.id, c.text, diags, c.sev, c.want)
		}
		if (p == nil) != (c.sev == hook.Error) {
			t.Errorf("%s %q: pattern is nil: %v", c.id, c.text, p == nil)
		}
	}
}
