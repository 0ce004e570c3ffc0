package rules

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

var indexMatchers = []string{
	"", "Bash", "Edit|Write", "Bash(rm *)", "Bash(git push *)", "Bash(* --force)", "Bash(npm run *)|Write", "Bash(git push origin *)", "Bash(git * --force)", "Bash(npm run pr*)", "Bash(rm -rf *)", "Bash(git push)", "mcp__a__b", "mcp__a", ".*Edit",
	"Edit(src/**)", "Write(//etc/**)", "Read(~/.ssh/**)", "Read(*.env)", "Edit(/Docs/**)", "WebFetch(domain:example.com)", "WebFetch(domain:*.example.com)",
	"WebFetch(domain:*)", "Agent(Explore)", "run_shell_command", "Bash(mkfs*)", "Bash(g*)", `Bash(rm * "$HOME")`, `Bash(rm * "$HOME" *)`, `Bash(sudo * "$HOME")`, "Bash(rm * ~)", "Bash(echo $X)",
}

// indexPermissions are compiled as permission rules.
var indexPermissions = []string{"Edit(//srv/**)", "Read(.env)", "Read(~/.ssh/**)", "Edit(src/**)", "Write(docs/**)", "Bash(rm *)", "Bash", "Edit", "mcp__a", "WebFetch(domain:evil.test)", "Edit(.env.*)", "Read(*.pem)", "Edit(src/gen*/**)", "Edit(//**/{a,Sr*}/x)"}

var indexConditions = []string{
	"", `bash("rm *")`, `tool == "Bash" && command contains "prod"`, `input.content contains "secret"`, `prompt startsWith "deploy"`,
	`tool in ["Edit", "Write"] && path("//srv/**")`, `domain("evil.test")`, `writes("src/**")`, `!bash("npm *")`, `command contains "x" || bash("ls *")`,
	`input.command == "ls" && permission_mode != "plan"`, `bash("git *") && command contains "main"`, `host == "example.com"`, `input.n > 3`,
	`any(commands, .name == "rm")`, `command matches "rm"`, `reads(".env") and command contains "cat"`, `input.command in ["ls", "ls -la"]`,
}

var indexEvents = func() []hook.Event {
	var events []hook.Event
	for _, c := range []string{"ls", "ls -la", "rm -rf x", "sudo rm x", "git push origin main", "git -C d push --force", "$X y", "curl x | sh", "cat .env", "echo prod > src/a",
		"npm run prod", "git  push  origin x", "git $SUB origin", "git push $R", "/usr/bin/git push origin x", "git 'push' origin", "rm", "rm -rf", "npm run", "npm -C d run prod", "git", " rm x ", "bash -c 'rm /srv/x'", "tee /etc/passwd", "/bin/rm prod", "true && rm", "A=1 rm x", "unclosed '", "", "grep -r x .", "cd $D; cat .env",
		`rm -rf "$HOME"`, ` rm   -rf  "$HOME"`, `sudo rm -rf "$HOME"`, `bash -c 'rm -rf "$HOME"'`, `/bin/rm -rf "$HOME" x`, `rm -rf ~`, `r''m -rf ~`, "mkfs.ext4 /dev/sda", "sudo /sbin/mkfs.ext4 x", "'mkfs' x", "echo $X", "> f rm -rf ~", "\\rm -rf ~"} {
		events = append(events, toolEvent("Bash", map[string]any{"command": c}), toolEvent("run_shell_command", map[string]any{"command": c}))
	}
	for _, p := range []string{"/project/src/a.go", "src/SECRET/b", "/etc/passwd", "/srv/prod/x", "~/.ssh/id", "/home/u/.ssh/id", ".env", ".ENV.local", "src/Gen_x/a.go", "/project/docs/a", "/project/Docs/a", "../up"} {
		for _, tool := range []string{"Read", "Write", "Edit", "NotebookEdit", "Grep"} {
			events = append(events, toolEvent(tool, map[string]any{"file_path": p, "path": p, "content": "a secret"}))
		}
	}
	for _, u := range []string{"https://example.com/", "https://a.example.com", "http://EVIL.test.", "x.evil.test", "https://%65vil.test/", "", "https://example.com:8080/x", "http://a.b.example.com/?q=1", "https://evil.test.", "https://docs.test/a%zz", "https://u@evil.test/"} {
		events = append(events, toolEvent("WebFetch", map[string]any{"url": u}))
	}
	events = append(events, toolEvent("mcp__a__b", map[string]any{"path": "/srv/x"}), toolEvent("mcp__a__b", nil), toolEvent("apply_patch", map[string]any{"input": "*** Update File: src/a\n"}),
		toolEvent("Other", map[string]any{"patch": "x\n*** Add File: /srv/x\n"}), toolEvent("mcp__a__c__d", nil), toolEvent("Agent", map[string]any{"subagent_type": "Explore"}),
		hook.Event{Name: hook.UserPromptSubmit, Prompt: "deploy to prod"}, hook.Event{Name: hook.SessionStart, Subject: "startup"})
	return events
}()

// Law 8: the index is only an index. What it leaves out does not match, and
// an idle event matches nothing.
func TestIndexLeavesOutNothingThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type entry struct {
			pattern *Pattern
			when    *Condition
			least   hook.Tri // that counts: a grant that is not sure grants nothing
		}
		var entries []entry
		var keys [][]Key
		for i := range rapid.IntRange(1, 40).Draw(t, "entries") {
			s := scopeFor(rapid.Bool().Draw(t, "grant"))
			e := entry{least: hook.Unknown}
			if s.Grant {
				e.least = hook.Yes
			}
			var own, cond []Key
			if rapid.IntRange(0, 2).Draw(t, "kind") == 0 {
				if e.pattern, _ = Permission(hook.Text{Value: rapid.SampledFrom(indexPermissions).Draw(t, "rule")}, s); e.pattern != nil {
					own = e.pattern.Keys()
				}
			} else if text := rapid.SampledFrom(indexMatchers).Draw(t, "matcher"); text != "" {
				if e.pattern, _ = Matcher(hook.Text{Value: text}, s); e.pattern != nil {
					own = e.pattern.Keys()
				}
			}
			if text := rapid.SampledFrom(indexConditions).Draw(t, fmt.Sprint("when", i)); text != "" {
				if e.when, _ = When(hook.Text{Value: text}, s); e.when != nil {
					cond = e.when.Keys()
				}
			}
			entries, keys = append(entries, e), append(keys, Narrow(own, cond))
		}
		ev := rapid.SampledFrom(indexEvents).Draw(t, "event")
		f := Analyze(ev)
		x := NewIndex(keys, nil)
		found := x.Find(f, nil)
		if !slices.IsSorted(found) {
			t.Fatalf("not sorted: %v", found)
		}
		for i, e := range entries {
			fits := e.pattern == nil || e.pattern.Match(f) >= e.least
			if fits && e.when != nil {
				m, err := e.when.Eval(context.Background(), f)
				fits = err != nil || m.Tri >= e.least
			}
			if !fits {
				continue
			}
			if !slices.Contains(found, int32(i)) {
				t.Fatalf("%v %q: %v with %v fits, but the index left it out (keys %v)", ev.Tool, ev.Input.Raw(), e.pattern, e.when, keys[i])
			}
			if Idle(&f.Event, f.Event.MatchSubject(), x) {
				t.Fatalf("%v %q is idle, but %v with %v fits", ev.Tool, ev.Input.Raw(), e.pattern, e.when)
			}
		}
	})
}

// An index narrows: entries about other heads, paths, hosts and texts are not
// found.
func TestIndexNarrows(t *testing.T) {
	var keys [][]Key
	for i := range 1000 {
		var p *Pattern
		var w *Condition
		s := scopeFor(false)
		s.Event = hook.PreToolUse
		switch i % 4 {
		case 0:
			p, _ = Matcher(hook.Text{Value: fmt.Sprintf("Bash(tool%d *)", i)}, s)
		case 1:
			p, _ = Matcher(hook.Text{Value: fmt.Sprintf("Write(//srv/app%d/**)", i)}, s)
		case 2:
			p, _ = Matcher(hook.Text{Value: fmt.Sprintf("WebFetch(domain:*.host%d.test)", i)}, s)
		case 3:
			w, _ = When(hook.Text{Value: fmt.Sprintf(`tool == "Bash" && command contains "literal-%d-"`, i)}, s)
		}
		var own, cond []Key
		if p != nil {
			own = p.Keys()
		}
		if w != nil {
			cond = w.Keys()
		}
		keys = append(keys, Narrow(own, cond))
	}
	x := NewIndex(keys, nil)
	for _, c := range []struct {
		ev   hook.Event
		want []int32
	}{
		{toolEvent("Bash", map[string]any{"command": "tool8 x"}), []int32{8}},
		{toolEvent("Bash", map[string]any{"command": "echo literal-7-"}), []int32{7}},
		{toolEvent("Bash", map[string]any{"command": "ls -la"}), nil},
		{toolEvent("Write", map[string]any{"file_path": "/srv/app5/x"}), []int32{5}},
		{toolEvent("WebFetch", map[string]any{"url": "https://a.host6.test/"}), []int32{6}},
	} {
		if got := x.Find(Analyze(c.ev), nil); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %v, want %v", c.ev.Tool, c.ev.Input.Raw(), got, c.want)
		}
	}
	ev := toolEvent("Bash", map[string]any{"command": "ls -la"}).Normal()
	if !Idle(&ev, "Bash", x) {
		t.Error("ls -la is not idle")
	}
	if n := testing.AllocsPerRun(100, func() { Idle(&ev, "Bash", x) }); n != 0 {
		t.Errorf("Idle allocates %v times", n)
	}
}

// A url that needs no parser has the host that the parser finds.
func TestPlainHost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`https?://[a-z0-9.@:A-Z%-]{0,12}(/[ -~]{0,8})?`).Draw(t, "url")
		host := plainHost(text)
		if host == "" {
			return
		}
		u, err := url.Parse(text)
		if err != nil || strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") != host {
			t.Fatalf("%q: %q, by the parser %v %v", text, host, u, err)
		}
	})
}
