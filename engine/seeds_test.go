package engine_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
)

const seeds = "../testdata/seeds"

// seedCase is one row of testdata/seeds/README.md.
type seedCase struct {
	file    string // of the row and of those below that name none
	event   engine.Event
	want    engine.Verdict
	reason  string // part of the reason
	context string // part of the context
	ran     string // a call of a stand-in, "" for none
	notice  string // part of what the user is told
	commit  string // its subject, where git is asked
}

// The entries that this build does not link; the error must name each.
var notLinked = map[string][]string{
	"seed2-02-core-review.json":    {"seed2-02-core-review.json:7:19: hooks.PreToolUse[0].hooks[0].prompt:"},
	"seed2-03-audit-http.json":     {"seed2-03-audit-http.json:5:17: hooks.PostToolUse[0].hooks[0]:", `"http"`},
	"seed2-08-combined.json":       {"seed2-08-combined.json:19:23: hooks.PreToolUse[1].hooks[0].prompt:"},
	"seed2-12-security-audit.json": {"seed2-12-security-audit.json:24:21:", "seed2-12-security-audit.json:30:17:", `"http"`},
}

func bashCall(name engine.EventName, cmd string) engine.Event {
	return engine.Event{Name: name, Tool: "Bash", Input: engine.Input("command", cmd)}
}

func fileCall(name engine.EventName, tool, path string) engine.Event {
	return engine.Event{Name: name, Tool: tool, Input: engine.Input("file_path", path, "content", "x")}
}

func plain(name engine.EventName, subject string) engine.Event {
	return engine.Event{Name: name, Subject: subject}
}

func seedCases() []seedCase {
	const pre, post = engine.PreToolUse, engine.PostToolUse
	write := fileCall(pre, "Write", "/srv/test/app.conf")
	shell := engine.Event{Name: engine.PermissionRequest, Tool: "shell", Input: engine.Input("command", "ls")}
	done := func(text string) engine.Event { return engine.Event{Name: engine.Stop, Message: text} }
	return []seedCase{
		{file: "seed1-yaml.yaml", event: bashCall(pre, "rm -rf /"), want: engine.Deny, reason: "no rm -rf"},
		{event: bashCall(pre, "ls")},
		{event: write, context: "写入前检查文件权限"},
		{event: fileCall(post, "Edit", "/w/a.ts"), ran: "prettier --write /w/a.ts"},
		{event: fileCall(post, "Write", "/w/b.ts"), ran: "prettier --write /w/b.ts"},
		{event: fileCall(post, "Read", "/w/b.ts")},
		{event: done("x"), ran: `osascript -e display notification "完成"`},
		{event: plain(engine.SessionStart, "startup"), context: "记住使用 bun，不要用 npm。"},
		{event: plain(engine.SessionStart, "resume")},
		{event: shell, want: engine.Allow},
		{event: fileCall(engine.PermissionRequest, "Write", "/w/b.ts")},

		{file: "seed2-01-validate-command.json", event: bashCall(pre, "rm -rf /"), want: engine.Deny,
			reason: "dangerous command", ran: "python3 scripts/validate_command.py"},
		{event: bashCall(pre, "ls"), ran: "python3 scripts/validate_command.py"},

		{file: "seed2-02-core-review.json", event: write, want: engine.Deny, reason: "seed2-02-core-review.json:7:19:"},
		{event: bashCall(pre, "ls")},

		{file: "seed2-03-audit-http.json", event: bashCall(post, "ls"), notice: "seed2-03-audit-http.json:5:17:"},

		{file: "seed2-04-prod-guard.json", event: fileCall(pre, "Write", "/srv/prod/app.conf"), want: engine.Deny, ran: "python3 -c"},
		{event: write, ran: "python3 -c"},

		{file: "seed2-05-git-context.json", event: plain(engine.UserPromptSubmit, ""),
			context: "Current git branch: main. Recent commits: a1 first", ran: "git branch --show-current"},
		{event: plain(engine.UserPromptSubmit, ""), ran: "git branch --show-current", commit: `: say "hi"`, notice: "seed2-05-git-context.json:4:17"},

		{file: "seed2-06-project-context.json", event: plain(engine.SessionStart, "startup"),
			context: "Branch: main, Status:  M a.go", ran: "git status --short"},

		{file: "seed2-07-code-examples.json", event: done("no code"), want: engine.Deny, reason: "Please include code examples"},
		{event: done("look:\n```go\nx()\n```\n")},

		{file: "seed2-08-combined.json", event: bashCall(pre, "rm -rf /"), want: engine.Deny,
			reason: "dangerous command", ran: "python3 scripts/check_bash_safety.py"},
		{event: write, want: engine.Deny, reason: "seed2-08-combined.json:19:23:"},
		{event: plain(engine.SessionStart, "startup"), context: "the project context"},

		{file: "seed2-09-patterns.json", event: bashCall(pre, "cd x && sudo rm -r y"), want: engine.Deny,
			reason: "not without review", ran: "python3 check_delete.py"},
		{event: bashCall(pre, "npm publish --tag x"), want: engine.Deny, reason: "not without review", ran: "python3 check_publish.py"},
		{event: bashCall(pre, "npm test")},
		{event: write, want: engine.Deny, reason: "read-only", ran: "python3 check_write.py"},

		{file: "seed2-10-full-review.json", event: bashCall(pre, "ls"), ran: "npm run full-code-review"},

		{file: "seed2-12-security-audit.json", event: plain(engine.SessionStart, "startup"),
			context: "environment: clean", ran: "python3 scripts/session_init.py --report-env"},
		{event: bashCall(pre, "rm -r x"), want: engine.Deny, reason: "not without review", ran: "python3 scripts/validate_delete.py"},
		{event: bashCall(pre, "ls")},
		{event: write, want: engine.Deny, reason: "seed2-12-security-audit.json:24:21:"},
		{event: bashCall(post, "ls"), notice: "seed2-12-security-audit.json:30:17:"},
		{event: plain(engine.SessionEnd, "other"), ran: "python3 scripts/session_summary.py"},
	}
}

func TestSeeds(t *testing.T) {
	file := ""
	for _, c := range seedCases() {
		if c.file != "" {
			file = c.file
		}
		t.Run(fmt.Sprintf("%s/%s/%s", file, c.event.Name, c.event.Tool), func(t *testing.T) {
			dir := workshop(t, c.commit)
			eng, err := engine.Open(t.Context(), place(t, dir, file), sealed(dir)...)
			checkLoad(t, file, err)
			check(t, dir, eng, c)
		})
	}
}

func checkLoad(t *testing.T, file string, err error) {
	t.Helper()
	parts, broken := notLinked[file]
	switch {
	case !broken && err != nil:
		t.Fatal(err)
	case broken && err == nil:
		t.Fatal("no error for a type that is not linked")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not name %q", err, part)
		}
	}
}

func check(t *testing.T, dir string, eng *engine.Engine, c seedCase) {
	t.Helper()
	ev := c.event
	ev.Session, ev.Dir = "s", dir
	dec := eng.Dispatch(t.Context(), ev)
	if err := eng.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if dec.Verdict != c.want || !strings.Contains(dec.Reason(), c.reason) {
		t.Errorf("decision %s %q, want %s with %q\nsteps %+v", dec.Verdict, dec.Reason(), c.want, c.reason, dec.Steps)
	}
	context := strings.Join(dec.Context, "\n")
	if !strings.Contains(context, c.context) || c.context == "" && context != "" {
		t.Errorf("context %q, want %q", context, c.context)
	}
	calls := called(t, dir)
	if !strings.Contains(calls, c.ran) || c.ran == "" && calls != "" {
		t.Errorf("ran %q, want %q", calls, c.ran)
	}
	if notices := strings.Join(dec.Notices, "\n"); !strings.Contains(notices, c.notice) {
		t.Errorf("notices %q, want %q", notices, c.notice)
	}
}

// TestSeedForms: the YAML of the first text under each name that it gives.
func TestSeedForms(t *testing.T) {
	for _, name := range []string{"echo-agent.yaml", "pawl.yaml", "skills/guard/SKILL.md"} {
		t.Run(name, func(t *testing.T) {
			dir := workshop(t, "")
			data := read(t, filepath.Join(seeds, "seed1-yaml.yaml"))
			if filepath.Ext(name) == ".md" {
				data = "---\nname: guard\ndescription: guards the shell\n" + data + "---\n\nText.\n"
				put(t, filepath.Join(dir, "skills/guard/validate.sh"), validateScript)
			}
			put(t, filepath.Join(dir, name), data)
			trust := engine.WithTrust(func(string) bool { return true })
			eng, err := engine.Open(t.Context(), dir, append(sealed(dir), trust)...)
			if err != nil {
				t.Fatal(err)
			}
			check(t, dir, eng, seedCase{event: bashCall(engine.PreToolUse, "rm -rf /"), want: engine.Deny, reason: "no rm -rf"})
		})
	}
}

// TestSeedAnswer: a command that gets the event of the first text and gives
// its answer.
func TestSeedAnswer(t *testing.T) {
	dir := workshop(t, "")
	put(t, filepath.Join(dir, "answer.json"), read(t, filepath.Join(seeds, "seed1-answer.json")))
	put(t, filepath.Join(dir, "pawl.yaml"), "hooks: {PreToolUse: [{hooks: [{type: command, command: 'cat >seen.json; cat answer.json'}]}]}\n")
	eng, err := engine.Open(t.Context(), filepath.Join(dir, "pawl.yaml"), sealed(dir)...)
	if err != nil {
		t.Fatal(err)
	}
	sent := decodeJSON(t, read(t, filepath.Join(seeds, "seed1-event.json")))
	ev := bashCall(engine.PreToolUse, "ls -la")
	ev.Dir, ev.Session = dir, sent["session_id"].(string)
	if ev.Time, err = time.Parse(time.RFC3339, sent["timestamp"].(string)); err != nil {
		t.Fatal(err)
	}
	dec := eng.Dispatch(t.Context(), ev)
	seen := decodeJSON(t, read(t, filepath.Join(dir, "seen.json")))
	for name, want := range sent {
		if fmt.Sprint(seen[name]) != fmt.Sprint(want) {
			t.Errorf("stdin has %s = %v, want %v", name, seen[name], want)
		}
	}
	if dec.Verdict != engine.Allow || dec.Input.Text("command") != "ls -la --color=never" {
		t.Errorf("decision %s, input %s", dec.Verdict, dec.Input.Raw())
	}
	notices := strings.Join(dec.Notices, "\n")
	if !strings.Contains(notices, "已修改命令以禁用颜色") || len(dec.Notices) < 2 {
		t.Errorf("notices %q, want the message and the rewrite", dec.Notices)
	}
}

// TestSeedRewrite: the second text's anti-pattern rewrites once, and not in
// silence.
func TestSeedRewrite(t *testing.T) {
	dir := workshop(t, "")
	eng, err := engine.Open(t.Context(), place(t, dir, "seed2-11-sudo-rewrite.json"), sealed(dir)...)
	if err != nil {
		t.Fatal(err)
	}
	ev := bashCall(engine.PreToolUse, "ls")
	ev.Dir, ev.Session = dir, "s"
	dec := eng.Dispatch(t.Context(), ev)
	if dec.Verdict != engine.None || dec.Input.Text("command") != "sudo ls" || len(dec.Notices) == 0 {
		t.Errorf("decision %s, input %s, notices %q", dec.Verdict, dec.Input.Raw(), dec.Notices)
	}
}

// TestSeedWake: asyncRewake hooks start in the background; exit code 2 wakes.
func TestSeedWake(t *testing.T) {
	for _, file := range []string{"seed2-08-combined.json", "seed2-12-security-audit.json"} {
		t.Run(file, func(t *testing.T) {
			dir := workshop(t, "")
			woken := make(chan string, 1)
			wake := engine.WithWake(func(session, text string) { woken <- session + ": " + text })
			eng, err := engine.Open(t.Context(), place(t, dir, file), append(sealed(dir), wake)...)
			checkLoad(t, file, err)
			dec := eng.Dispatch(t.Context(), engine.Event{Name: engine.Stop, Session: "s", Dir: dir})
			if dec.Verdict != engine.None || len(dec.Steps) != 1 || dec.Steps[0].Status != "started" {
				t.Errorf("decision %s, steps %+v", dec.Verdict, dec.Steps)
			}
			select {
			case text := <-woken:
				if !strings.Contains(text, "s: ") || !strings.Contains(text, "the tests were not run") {
					t.Errorf("woken with %q", text)
				}
			case <-time.After(20 * time.Second):
				t.Error("not woken")
			}
			if err := eng.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSeedLayers: user, project and local settings run in this order.
func TestSeedLayers(t *testing.T) {
	dir := workshop(t, "")
	work := filepath.Join(dir, "work")
	for layer, path := range map[string]string{
		"user":    ".claude/settings.json",
		"project": "work/.claude/settings.json",
		"local":   "work/.claude/settings.local.json",
	} {
		put(t, filepath.Join(dir, path), read(t, filepath.Join(seeds, "seed2-layers", layer+".json")))
	}
	opts := append(sealed(dir), engine.WithClaudeSettings(), engine.WithTrust(func(string) bool { return true }))
	eng, err := engine.Open(t.Context(), work, opts...)
	if err != nil {
		t.Fatal(err)
	}
	ev := bashCall(engine.PreToolUse, "ls")
	ev.Dir, ev.Session = work, "s"
	want := []string{"A: 审计日志", "B: 安全检查", "C: 本地调试"}
	if dec := eng.Dispatch(t.Context(), ev); !slices.Equal(dec.Context, want) {
		t.Errorf("context %q, want %q\nsteps %+v", dec.Context, want, dec.Steps)
	}
}

const validateScript = "#!/bin/sh\nif grep -q 'rm -rf'; then echo 'no rm -rf' >&2; exit 2; fi\n"

// workshop makes a directory with all that the examples call, and puts the
// stand-ins first on PATH.
func workshop(t *testing.T, commit string) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"python3", "jq", "prettier", "osascript", "git", "npm"} {
		script := "#!/bin/sh\nexport GORACE=atexit_sleep_ms=0 STAND_IN=%s STAND_IN_LOG='%s' STAND_IN_COMMIT='%s'\nexec '%s' -test.run='^TestStandIn$' -- \"$@\"\n"
		put(t, filepath.Join(dir, "bin", name), fmt.Sprintf(script, name, filepath.Join(dir, "calls"), commit, self))
	}
	put(t, filepath.Join(dir, "validate.sh"), validateScript)
	put(t, filepath.Join(dir, ".claude/context.md"), "the project context\n")
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

// sealed keeps the machine's own settings out.
func sealed(dir string) []engine.Option {
	return []engine.Option{engine.WithHome(dir), engine.WithManaged(filepath.Join(dir, "none")), engine.WithScratch(filepath.Join(dir, "scratch"))}
}

// place copies one seed file into dir.
func place(t *testing.T, dir, file string) string {
	path := filepath.Join(dir, file)
	put(t, path, read(t, filepath.Join(seeds, file)))
	return path
}

func put(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func called(t *testing.T, dir string) string {
	if _, err := os.Stat(filepath.Join(dir, "calls")); err != nil {
		return ""
	}
	return read(t, filepath.Join(dir, "calls"))
}

func decodeJSON(t *testing.T, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestStandIn is not a test of its own: started under another name, this
// program answers for python3, jq, git and the others.
func TestStandIn(t *testing.T) {
	name := os.Getenv("STAND_IN")
	if name == "" {
		return
	}
	args := os.Args[slices.Index(os.Args, "--")+1:]
	log, err := os.OpenFile(os.Getenv("STAND_IN_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(log, name, strings.Join(args, " "))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(standIn(name, args))
}

func standIn(name string, args []string) int {
	switch name {
	case "git":
		fmt.Println(map[string]string{"branch": "main", "log": "a1 first" + os.Getenv("STAND_IN_COMMIT"), "status": " M a.go"}[args[0]])
		return 0
	case "jq", "python3":
		var event map[string]any
		if data, err := io.ReadAll(os.Stdin); err != nil || json.Unmarshal(data, &event) != nil {
			fmt.Fprintf(os.Stderr, "%s: stdin is not JSON: %s\n", name, data)
			return 3
		}
		if name == "jq" {
			return jq(event, args[len(args)-1])
		}
		return python(event, args)
	}
	return 0
}

// jq answers the three programs of the examples.
func jq(event map[string]any, program string) int {
	input, _ := event["tool_input"].(map[string]any)
	switch {
	case program == ".tool_input.file_path":
		fmt.Println(input["file_path"])
		return 0
	case strings.Contains(program, "|="):
		input["command"] = fmt.Sprint("sudo ", input["command"])
	case strings.Contains(program, "updatedInput"):
		event = map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PreToolUse", "updatedInput": input}}
	}
	if err := json.NewEncoder(os.Stdout).Encode(event); err != nil {
		return 3
	}
	return 0
}

// python answers the scripts that the examples name and do not show.
func python(event map[string]any, args []string) int {
	refuse := func(why string) int { fmt.Fprintln(os.Stderr, why); return 2 }
	input, _ := event["tool_input"].(map[string]any)
	path, _ := event["file_path"].(string)
	switch filepath.Base(args[0]) {
	case "-c":
		if strings.Contains(path, "prod") {
			return 2
		}
	case "validate_command.py", "check_bash_safety.py":
		if strings.Contains(fmt.Sprint(input["command"]), "rm -rf /") {
			return refuse("dangerous command")
		}
	case "check_delete.py", "check_publish.py", "validate_delete.py":
		return refuse("not without review")
	case "check_task_completion.py", "check_completion.py":
		return refuse("the tests were not run")
	case "check_write.py":
		fmt.Println(`{"decision": "block", "reason": "read-only"}`)
	case "session_init.py":
		fmt.Println("environment: clean")
	}
	return 0
}
