package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// place is a workspace in a temporary directory.
type place struct{ dir, home, cwd string }

func newPlace(t *testing.T) place {
	t.Helper()
	dir := t.TempDir()
	p := place{dir: dir + "/proj", home: dir + "/home", cwd: dir + "/proj"}
	for _, d := range []string{p.dir + "/sub", p.dir + "/src/deep", p.dir + "/secrets", p.home + "/.ssh", p.home + "/.claude"} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"link": ".env", "dirlink": "secrets", "loop": "loop", "out": p.home, "sub/up": ".."} {
		if err := os.Symlink(target, filepath.Join(p.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(p.dir+"/.env", []byte("K=1"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", p.home)
	return p
}

func (p place) scope(grant bool) Scope {
	return Scope{Event: hook.PreToolUse, Root: p.dir, Home: p.home, Grant: grant, Source: hook.Source{Layer: hook.Project, Dir: p.dir}}
}

func (p place) facts(tool string, input map[string]any) *hook.Facts {
	return Analyze(hook.Event{Name: hook.PreToolUse, Tool: tool, Dir: p.cwd, Input: object(input)})
}

func mustPermission(t *testing.T, text string, s Scope) *Pattern {
	t.Helper()
	p, diags := Permission(hook.Text{Value: text}, s)
	if p == nil {
		t.Fatalf("%s: %v", text, diags)
	}
	return p
}

// pathCases: $P is the project, $H the home, the pattern a guard unless it
// begins with "allow ".
var pathCases = []struct {
	id, pattern, cwd, tool, file string
	want                         hook.Tri
}{
	{"B173", "Read(./.env)", "$P/sub", "Read", "$P/.env", hook.Yes},
	{"B173", "Read(./.env)", "$P/sub", "Read", "$P/./a/../.env", hook.Yes},
	{"B173", "Read(./.env)", "$P/sub", "Read", "$P//.env", hook.Yes},
	{"B173", "Read(./.env)", "$P/sub", "Read", ".env", hook.Yes},
	{"B173", "Read(./.env)", "$P/sub", "Read", "../.env", hook.Yes},
	{"B173", "Read(./.env)", "$P/sub", "Read", "$P/.env/", hook.Yes},
	{"B173", "Read(./.env)", "$P", "Read", "$P/x/.env", hook.No},
	{"B173", "Read(./.env)", "$P", "Read", "$P/.environment", hook.No},
	{"B173", "Read(**/secrets/**)", "$P/sub", "Read", "$P/x/secrets/k", hook.Yes},
	{"", "Read(.env)", "$P", "Read", "$P/a/b/.env", hook.Yes}, // a bare name, at any depth
	{"", "Read(.env)", "$P", "Read", "$H/.env", hook.No},
	{"B174", "Read(/secrets/**)", "$P", "Read", "$P/secrets/k", hook.Yes},
	{"B174", "Read(/secrets/**)", "$P/sub", "Read", "$P/sub/secrets/k", hook.No},
	{"B174", "Read(//etc/shadow)", "$P", "Read", "/etc/shadow", hook.Yes},
	{"B174", "Read(//etc/shadow)", "$P", "Read", "/x/etc/shadow", hook.No},
	{"B174", "Read(~/.ssh/**)", "$P", "Read", "$H/.ssh/id", hook.Yes},
	{"B174", "Read(~/.ssh/**)", "$P", "Read", "~/.ssh/id", hook.Yes},
	{"B174", "Edit(src/**)", "$P", "Write", "$P/a/src/x", hook.Yes}, // a guard, at any depth
	{"B174", "allow Edit(src/**)", "$P", "Write", "$P/a/src/x", hook.No},
	{"B174", "allow Edit(src/**)", "$P", "Write", "$P/src/x", hook.Yes},
	{"B174", "allow Edit(src/**)", "$P", "Edit", "src/new/deeper/x", hook.Yes},
	{"B174", "allow Edit(src/**)", "$P", "Edit", "src/../x", hook.No},
	{"B176", "Write(./x/**)", "$P", "Write", "$P/x/a", hook.Yes},
	{"B176", "Write(./x/**)", "$P", "Edit", "$P/x/a", hook.Yes},
	{"B176", "Write(./x/**)", "$P", "Read", "$P/x/a", hook.No},
	{"B176", "Read(./k)", "$P", "Edit", "$P/k", hook.Yes},
	{"B176", "Read(./k)", "$P", "Write", "$P/k", hook.Yes},
	{"B176", "Read(./k)", "$P", "NotebookEdit", "$P/k", hook.No},
	{"", "allow Read(./k)", "$P", "Edit", "$P/k", hook.No},
	{"", "Edit(./k)", "$P", "Read", "$P/k", hook.No},
	{"B177", "Read(.env)", "$P", "Read", "$P/link", hook.Yes},
	{"B177", "Read(.env)", "$P", "Read", "$P/.ENV", hook.Yes}, // folded for guards
	{"B177", "allow Read(.env)", "$P", "Read", "$P/.ENV", hook.No},
	{"B177", "Read(.env)", "$P", "Read", "/proc/self/cwd/.env", hook.Yes},
	{"B177", "Read(.env)", "$P", "Read", "/proc/self/root$P/.env", hook.Yes},
	{"B177", "Read(.env)", "$P", "Read", "$P/sub/up/.env", hook.Yes},
	{"B177", "Read(./secrets/**)", "$P", "Write", "$P/dirlink/new", hook.Yes}, // the parent's real path
	{"B177", "Read(./secrets/**)", "$P", "Read", "$P/dirlink/../secrets/k", hook.Yes},
	{"B177", "Read(~/.ssh/**)", "$P", "Read", "$P/out/.ssh/id", hook.Yes},
	{"B177", "allow Edit(./out/**)", "$P", "Write", "$P/out/x", hook.No}, // leads out: both are needed
	{"", "Read(.env)", "$P", "Read", "$P/loop/x", hook.No},
	{"", "allow Read(./**)", "$P", "Read", "$P/loop/x", hook.Unknown},
	{"", "Read(.env)", "", "Read", "x/.env", hook.Unknown}, // relative to what?
	{"", "Read(a[)", "$P", "Read", "$P/a[", hook.Yes},      // unusable: that very name
	{"", "Read(secrets/**)", "$P", "Grep", "$P/secrets", hook.Yes},
	{"", "allow Read(secrets/**)", "$P", "Grep", "$P/secrets", hook.Yes},
	{"", "allow Read(secrets/*.md)", "$P", "Grep", "$P/secrets", hook.No},
	{"", "Read(../proj/.env)", "$P", "Read", "$P/.env", hook.Yes},
	{"", "Read(.env)", "$P", "mcp__fs__read", "$P/.env", hook.Yes}, // a tool we do not know
	{"", "Read", "$P", "Read", "$P/x", hook.Yes},
}

func TestPathRules(t *testing.T) {
	p := newPlace(t)
	expand := func(s string) string {
		return os.Expand(s, func(name string) string { return map[string]string{"P": p.dir, "H": p.home}[name] })
	}
	for _, c := range pathCases {
		s, pattern := p.scope(false), c.pattern
		if rest, ok := cutAllow(pattern); ok {
			s, pattern = p.scope(true), rest
		}
		at := p
		at.cwd = expand(c.cwd)
		field := map[string]string{"NotebookEdit": "notebook_path", "Grep": "path", "mcp__fs__read": "path"}[c.tool]
		f := at.facts(c.tool, map[string]any{orElse(field, "file_path"): expand(c.file)})
		rule := mustPermission(t, pattern, s)
		if got := rule.Match(f); got != c.want {
			t.Errorf("%s %s, %s %s in %s: got %v, want %v (%s)", c.id, c.pattern, c.tool, c.file, c.cwd, got, c.want, rule.Explain(f).Why)
		}
		if got := evalExpr(t, rule, s, f); got != c.want {
			t.Errorf("%s %s as %s, %s %s: got %v, want %v", c.id, c.pattern, rule.Expr(), c.tool, c.file, got, c.want)
		}
	}
}

func cutAllow(s string) (string, bool) {
	if len(s) > 6 && s[:6] == "allow " {
		return s[6:], true
	}
	return s, false
}

func urlInput(u string) map[string]any { return map[string]any{"url": u} }

var agent = map[string]any{"subagent_type": "Explore", "model": "opus"}

var otherCases = []struct {
	id, pattern, tool string
	input             map[string]any
	want              hook.Tri
}{
	{"B015", "allow WebFetch(domain:*.example.com)", "WebFetch", urlInput("https://a.b.example.com/x"), hook.Yes},
	{"B015", "allow WebFetch(domain:*.example.com)", "WebFetch", urlInput("https://API.Example.COM./"), hook.Yes},
	{"B015", "allow WebFetch(domain:*.example.com)", "WebFetch", urlInput("https://evilexample.com"), hook.No},
	{"B015", "allow WebFetch(domain:*.example.com)", "WebFetch", urlInput("https://example.com.evil.net"), hook.No},
	{"B015", "allow WebFetch(domain:*.example.com)", "WebFetch", urlInput("https://example.com"), hook.No},
	{"B015", "WebFetch(domain:*)", "WebFetch", urlInput("http://x"), hook.Yes},
	{"", "WebFetch(domain:Example.com.)", "WebFetch", urlInput("https://u:p@example.com:8443/?q"), hook.Yes},
	{"", "WebFetch(domain:example.com)", "WebFetch", urlInput("example.com/x"), hook.Yes},
	{"", "allow WebFetch(domain:example.com)", "WebFetch", urlInput("https://example.com@evil.net/"), hook.No},
	{"", "allow WebFetch(domain:example.com)", "WebFetch", urlInput(`https://evil.net\@example.com/`), hook.Unknown},
	{"", "WebFetch(domain:api-*.example.com)", "WebFetch", urlInput("https://api-1.example.com"), hook.Yes},
	{"", "WebFetch(domain:api-*.example.com)", "WebFetch", urlInput("https://api-1.x.example.com"), hook.No},
	{"", "WebFetch(domain:example.com)", "WebFetch", urlInput("https://ｅxample.com"), hook.Unknown},
	{"", "WebFetch(domain:example.com)", "WebFetch", map[string]any{"url": 5}, hook.Unknown},
	{"", "WebFetch(domain:example.com)", "WebFetch", nil, hook.No},
	{"B010", "Agent(Explore)", "Agent", agent, hook.Yes},
	{"B010", "Agent(Explore)", "Task", agent, hook.Yes},
	{"B010", "Task(Explore)", "Agent", agent, hook.Yes},
	{"B010", "Task(Other)", "Agent", agent, hook.No},
	{"", "Agent(model:opus)", "Agent", agent, hook.Yes},
	{"", "Agent(model : op*)", "Agent", agent, hook.Yes},
	{"", "Agent(model:*)", "Agent", map[string]any{}, hook.No},
	{"", "Bash(run_in_background:true)", "Bash", map[string]any{"run_in_background": true}, hook.Yes},
	{"", "Bash(run_in_background:true)", "Bash", map[string]any{"run_in_background": "x"}, hook.No},
	{"B013", "allow mcp__jira__get*", "mcp__jira__getIssue", nil, hook.Yes},
	{"B013", "mcp__*", "mcp__other__x", nil, hook.Yes},
	{"B013", "mcp__*__delete*", "mcp__jira__deleteIssue", nil, hook.Yes},
	{"B013", "mcp__*__delete*", "mcp__jira__getIssue", nil, hook.No},
	{"B014", "mcp__a", "mcp__a__b__c", nil, hook.Yes},
	{"B014", "allow mcp__a", "mcp__a__b__c", nil, hook.No}, // may be server a__b
	{"B014", "allow mcp__a", "mcp__a__b", nil, hook.Yes},
	{"B014", "allow mcp__a__b", "mcp__a__b", nil, hook.Yes},
	{"B014", "mcp__a", "mcp__ab__c", nil, hook.No},
	{"", "Skill(deploy)", "Skill", map[string]any{"skill": "deploy"}, hook.Yes},
	{"", "Skill(deploy)", "Skill", map[string]any{"skill": "deploy-all"}, hook.No},
	{"", "Skill(deploy *)", "Skill", map[string]any{"skill": "deploy", "args": "x"}, hook.Yes},
	{"", "Skill(deploy *)", "Skill", map[string]any{"skill": "deploy x"}, hook.Yes},
	{"", "Skill(deploy *)", "Skill", map[string]any{"skill": "deployx"}, hook.No},
	{"", "*", "Anything", nil, hook.Yes},
	{"", "Web*", "WebSearch", nil, hook.Yes},
	{"", "deploy", "deploy", nil, hook.Yes},
	{"", "PowerShell(git push*)", "PowerShell", map[string]any{"command": "cd x; Git PUSH -f"}, hook.Yes},
	{"", "PowerShell(Remove-Item *)", "PowerShell", map[string]any{"command": "ls | del -Recurse x"}, hook.Yes},
	{"", "PowerShell(Remove-Item *)", "PowerShell", map[string]any{"command": "echo 'rm x'"}, hook.No},
	{"", "PowerShell(Remove-Item *)", "PowerShell", map[string]any{"command": "iex $x"}, hook.Unknown},
	{"", "PowerShell(Remove-Item *)", "PowerShell", map[string]any{"command": "rm"}, hook.Yes},
	{"", "PowerShell(Remove-Item -Recurse *)", "PowerShell", map[string]any{"command": "rm $x"}, hook.Unknown},
	{"", "PowerShell(Remove-Item -Recurse *)", "PowerShell", map[string]any{"command": "ls $x"}, hook.No},
	{"", "allow PowerShell(git *)", "PowerShell", map[string]any{"command": "git a; git b"}, hook.Yes},
	{"", "allow PowerShell(git *)", "PowerShell", map[string]any{"command": "git a; ls"}, hook.No},
	{"", "allow PowerShell(git *)", "PowerShell", map[string]any{"command": "git $(ls)"}, hook.No},
}

func TestOtherPermissions(t *testing.T) {
	for _, c := range otherCases {
		s, pattern := Scope{Event: hook.PreToolUse}, c.pattern
		if rest, ok := cutAllow(pattern); ok {
			s.Grant, pattern = true, rest
		}
		f := Analyze(toolEvent(c.tool, c.input))
		rule := mustPermission(t, pattern, s)
		if got := rule.Match(f); got != c.want {
			t.Errorf("%s %s on %s %v: got %v, want %v (%s)", c.id, c.pattern, c.tool, c.input, got, c.want, rule.Explain(f).Why)
		}
		if got := evalExpr(t, rule, s, f); got != c.want {
			t.Errorf("%s %s as %s on %s: got %v, want %v", c.id, c.pattern, rule.Expr(), c.tool, got, c.want)
		}
	}
}
