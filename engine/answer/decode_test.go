package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
)

// summary is what a Result says, in one line, without its diagnostics.
func summary(res hook.Result, err error) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, " "+format, args...) }
	if n, ok := errors.AsType[*hook.NoVerdict](err); ok {
		add("failed=%s", n.Cause)
		if n.Blocks {
			add("blocks")
		}
	}
	if res.Verdict != hook.None || res.Reason != "" {
		add("%s(%s)", res.Verdict, res.Reason)
	}
	if res.Halt || res.StopReason != "" {
		add("halt(%s)", res.StopReason)
	}
	for _, c := range res.Context {
		add("context(%s)", c)
	}
	for _, n := range res.Notices {
		add("notice(%s)", n)
	}
	if !res.Input.Absent() {
		add("input%s", res.Input.Raw())
	}
	if res.Output != nil {
		add("output%s", res.Output)
	}
	if res.ContinueReason != "" {
		add("goOn(%s)", res.ContinueReason)
	}
	if res.Retry {
		add("retry")
	}
	if res.Quiet {
		add("quiet")
	}
	if !res.Metadata.Absent() {
		add("metadata%s", res.Metadata.Raw())
	}
	for _, m := range res.Specific {
		add("%s=%s", m.Name, m.Raw)
	}
	if res.Log != "" {
		add("log(%s)", res.Log)
	}
	return strings.TrimSpace(b.String())
}

// specificOf is the hookSpecificOutput of an event with more fields.
func specificOf(event hook.EventName, more string) string {
	return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,%s}}`, event, more)
}

type row struct {
	name  string
	event hook.EventName
	out   Output
	want  string // summary
	diag  string // part of the first diagnostic; "" for none
}

func stdout(text string) Output { return Output{Stdout: []byte(text)} }

func exit(code int, out, err string) Output {
	return Output{Code: code, Stdout: []byte(out), Stderr: []byte(err)}
}

func run(t *testing.T, rows []row) {
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			res, err := Decode(tt.event, tt.out)
			if got := summary(res, err); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.out.Stdout, got, tt.want)
			}
			switch {
			case tt.diag == "" && len(res.Diagnostics) > 0:
				t.Errorf("diagnostics %v, want none", res.Diagnostics)
			case tt.diag != "" && (len(res.Diagnostics) == 0 || !strings.Contains(res.Diagnostics[0].Error(), tt.diag)):
				t.Errorf("diagnostics %v, want %q", res.Diagnostics, tt.diag)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	pre := func(decision string) Output {
		return stdout(specificOf(hook.PreToolUse, `"permissionDecision":"`+decision+`","permissionDecisionReason":"no"`))
	}
	request := func(decision string) Output {
		return stdout(specificOf(hook.PermissionRequest, `"decision":`+decision))
	}
	run(t, []row{
		{"B084 silence", hook.PreToolUse, stdout(""), "", ""},
		{"B084 empty object", hook.PreToolUse, stdout("{}"), "", ""},
		{"B048 deny", hook.PreToolUse, pre("deny"), "deny(no)", ""},
		{"B049 ask", hook.PreToolUse, pre("ask"), "ask(no)", ""},
		{"B050 allow", hook.PreToolUse, pre("allow"), "allow(no)", ""},
		{"defer", hook.PreToolUse, pre("defer"), "defer(no)", ""},
		{"seed 2 block", hook.PreToolUse, stdout(`{"decision":"block","reason":"r"}`), "deny(r)", ""},
		{"seed 2 approve", hook.PreToolUse, stdout(`{"decision":"approve"}`), "allow()", ""},
		{"seed 1", hook.PreToolUse, stdout(`{"decision":"allow","modified_input":{"command":"ls -la --color=never"},"message":"colour off"}`),
			`allow() notice(colour off) input{"command":"ls -la --color=never"}`, ""},
		{"top-level ask", hook.PreToolUse, stdout(`{"decision":"ask","reason":"r"}`), "ask(r)", ""},
		{"strongest of two", hook.PreToolUse, stdout(`{"decision":"approve","reason":"a","permission_decision":"deny","permission_reason":"b"}`), "deny(b)", ""},
		{"null is absent", hook.PreToolUse, stdout(`{"decision":null,"continue":null}`), "", ""},
		{"approve elsewhere is silence", hook.Stop, stdout(`{"decision":"approve"}`), "", ""},
		{"approve of a prompt", hook.UserPromptSubmit, stdout(`{"decision":"allow","reason":"r"}`), "", ""},
		{"notification", hook.Notification, stdout(`{"decision":"allow"}`), "allow()", ""},
		{"model switch", hook.PreModelSwitch, stdout(specificOf(hook.PreModelSwitch, `"permissionDecision":"allow"`)), "allow()", ""},
		{"model switch, top", hook.PreModelSwitch, stdout(`{"decision":"approve"}`), "", ""},
		{"block where nothing is blocked", hook.SessionStart, stdout(`{"decision":"block"}`), "", "SessionStart cannot be answered with deny"},
		{"ask where nobody can", hook.Stop, stdout(`{"decision":"ask"}`), "", "Stop cannot be answered with ask"},
		{"host's own event", "MyEvent", stdout(`{"decision":"block","reason":"r"}`), "deny(r)", ""},

		{"echo deny", hook.PreToolUse, stdout(`{"permission_decision":"deny","permission_reason":"r"}`), "deny(r)", ""},
		{"echo ask", hook.PreToolUse, stdout(`{"permission_decision":"ask","permission_suggestions":[]}`), "ask()", ""},
		{"echo allow", hook.PermissionRequest, stdout(`{"permission_decision":"allow"}`), "allow()", ""},

		{"request allow", hook.PermissionRequest, request(`{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[{}]}`), `allow() input{"a":1} updatedPermissions=[{}]`, ""},
		{"request deny", hook.PermissionRequest, request(`{"behavior":"deny","message":"m","interrupt":true}`), `deny(m) interrupt=true`, ""},
		{"request with a word", hook.PermissionRequest, request(`"deny"`), "deny()", "hookSpecificOutput.decision: stands in the wrong place"},
		{"request with an allowing word", hook.PermissionRequest, request(`"allow"`), "", "has no effect"},
		{"behavior elsewhere", hook.PreToolUse, stdout(specificOf(hook.PreToolUse, `"decision":{"behavior":"deny","message":"m"}`)), "deny(m)", "counts as deny"},
		{"behavior allow at the top", hook.PermissionRequest, stdout(`{"decision":{"behavior":"allow"}}`), "", "has no effect"},

		{"elicitation decline", hook.Elicitation, stdout(specificOf(hook.Elicitation, `"action":"decline"`)), `deny() action="decline"`, ""},
		{"elicitation accept", hook.Elicitation, stdout(specificOf(hook.Elicitation, `"action":"accept","content":{"a":1}`)), `action="accept" content={"a":1}`, ""},
		{"elicitation cancel", hook.ElicitationResult, stdout(specificOf(hook.ElicitationResult, `"action":"cancel"`)), `action="cancel"`, ""},
		{"elicitation misspelt", hook.Elicitation, stdout(specificOf(hook.Elicitation, `"action":"deny"`)), `deny()`, `is "deny", expected one of [accept decline cancel]`},
		{"elicitation decline at the top", hook.Elicitation, stdout(`{"action":"decline"}`), `deny() action="decline"`, "counts as deny"},
		{"elicitation accept at the top", hook.Elicitation, stdout(`{"action":"accept"}`), "", "wrong place and has no effect"},
		{"elicitation unknown action", hook.Elicitation, stdout(specificOf(hook.Elicitation, `"action":"perhaps"`)), "", "has no effect"},
		{"an action of another event", hook.PreToolUse, stdout(`{"action":"stop"}`), "", "has no effect"},
		{"elicitation accept at exit 1", hook.Elicitation, exit(1, specificOf(hook.Elicitation, `"action":"accept","content":{}`), ""), "failed=exit", "exit code 1"},
	})
}

func TestMisplaced(t *testing.T) {
	run(t, []row{
		{"B052 top-level deny", hook.PreToolUse, stdout(`{"permissionDecision":"deny","permissionDecisionReason":"r"}`), "deny(r)", "permissionDecision: stands in the wrong place and counts as deny all the same"},
		{"B052 top-level allow", hook.PreToolUse, stdout(`{"permissionDecision":"allow"}`), "", "has no effect"},
		{"B052 block", hook.PreToolUse, stdout(specificOf(hook.PreToolUse, `"permissionDecision":"block"`)), "deny()", `is "block", expected one of [allow deny ask defer], and counts as deny`},
		{"B052 approve", hook.PreToolUse, stdout(specificOf(hook.PreToolUse, `"permissionDecision":"approve"`)), "", "has no effect"},
		{"B052 no event name, deny", hook.PreToolUse, stdout(`{"hookSpecificOutput":{"permissionDecision":"deny"}}`), "deny()", `hookEventName is missing, expected "PreToolUse"`},
		{"B052 no event name, allow", hook.PreToolUse, stdout(`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{}}}`), "", "hookEventName is missing"},
		{"B052 no event name, context", hook.PreToolUse, stdout(`{"hookSpecificOutput":{"additionalContext":"c"}}`), "context(c)", "hookEventName is missing"},
		{"B078 other event", hook.UserPromptSubmit, stdout(specificOf(hook.SessionStart, `"additionalContext":"c"`)), "", `hookEventName is "SessionStart", the event is "UserPromptSubmit"`},
		{"B078 other event, deny", hook.PreToolUse, stdout(specificOf(hook.PostToolUse, `"permissionDecision":"deny","permissionDecisionReason":"r"`)), "deny(r)", `hookEventName is "PostToolUse"`},
		{"B078 other event, allow", hook.PreToolUse, stdout(specificOf(hook.PermissionRequest, `"decision":{"behavior":"allow"}`)), "", "hookEventName"},
		{"decision in the block", hook.Stop, stdout(specificOf(hook.Stop, `"decision":"block","reason":"r"`)), "deny(r)", "stands in the wrong place"},
		{"permission on PostToolUse", hook.PostToolUse, stdout(specificOf(hook.PostToolUse, `"permissionDecision":"deny"`)), "deny()", "is no field of PostToolUse and counts as deny"},
		{"halt in the block", hook.PreToolUse, stdout(specificOf(hook.PreToolUse, `"continue":false,"stopReason":"s"`)), "halt(s)", "counts all the same"},
		{"misspelt Deny", hook.PreToolUse, stdout(`{"decision":"Deny"}`), "deny()", `is "Deny"`},
		{"misspelt denied", hook.PreToolUse, stdout(`{"decision":"denied"}`), "deny()", `is "denied"`},
		{"misspelt reject", hook.PreToolUse, stdout(`{"permission_decision":" reject"}`), "deny()", "reject"},
		{"misspelt Allow", hook.PreToolUse, stdout(`{"decision":"Allow"}`), "", "has no effect"},
		{"no word at all", hook.PreToolUse, stdout(`{"decision":"perhaps"}`), "", "has no effect"},
		{"defer at the top", hook.PreToolUse, stdout(`{"decision":"defer"}`), "defer()", "counts as defer"},
		{"rewrite in the wrong block", hook.PreToolUse, stdout(`{"decision":"allow","hookSpecificOutput":{"updatedInput":{"a":1}}}`), "", "hookEventName is missing"},
		{"result at the top", hook.PostToolUse, stdout(`{"updatedToolOutput":"x"}`), "", "wrong place and has no effect"},
	})
}

func TestFields(t *testing.T) {
	run(t, []row{
		{"B066 wrong type costs a field", hook.PreToolUse, stdout(`{"continue":"false",` + specificOf(hook.PreToolUse, `"permissionDecision":"deny"`)[1:]), "deny()", `continue: expected true or false, got the string "false"`},
		{"B065 unknown fields", hook.PreToolUse, stdout(`{"continue":true,"newField":{"x":1},` + specificOf(hook.PreToolUse, `"permissionDecision":"deny","zzz":[]`)[1:]), "deny()", ""},
		{"B057 continue true", hook.Stop, stdout(`{"continue":true,"suppressOutput":true}`), "quiet", ""},
		{"B058 halt", hook.Stop, stdout(`{"continue":false,"stopReason":"x"}`), "halt(x)", ""},
		{"B058 block", hook.Stop, stdout(`{"decision":"block","reason":"do y"}`), "deny(do y)", ""},
		{"B058 both", hook.Stop, stdout(`{"continue":false,"decision":"block","reason":"do y"}`), "deny(do y) halt()", ""},
		{"stop reason alone", hook.Stop, stdout(`{"stopReason":"x"}`), "", ""},
		{"B077 context", hook.SessionStart, stdout(specificOf(hook.SessionStart, `"additionalContext":"ctx"`)), "context(ctx)", ""},
		{"seed 2 context", hook.UserPromptSubmit, stdout(`{"additionalContext":"branch"}`), "context(branch)", ""},
		{"echo context", hook.PreCompact, stdout(`{"injected_context":"c","systemMessage":"s","message":"m"}`), "context(c) notice(s) notice(m)", ""},
		{"context that nobody reads", hook.ConfigChange, stdout(`{"additionalContext":"c"}`), "", "has no effect on ConfigChange"},
		{"echo continue", hook.Stop, stdout(`{"continue_reason":"tests"}`), "goOn(tests)", ""},
		{"echo continue elsewhere", hook.PreToolUse, stdout(`{"continue_reason":"tests"}`), "", "has no effect on PreToolUse"},
		{"echo retry", hook.PermissionDenied, stdout(`{"retry":true}`), "retry", ""},
		{"retry", hook.PermissionDenied, stdout(specificOf(hook.PermissionDenied, `"retry":true`)), "retry", ""},
		{"echo metadata", hook.PreToolUse, stdout(`{"metadata":{"k":[1]}}`), `metadata{"k":[1]}`, ""},
		{"metadata of another type", hook.PreToolUse, stdout(`{"metadata":1}`), "", "expected an object, got 1"},
		{"rewrite", hook.PreToolUse, stdout(specificOf(hook.PreToolUse, `"updatedInput":{"a":1}`)), `input{"a":1}`, ""},
		{"B064 keys of a rewrite", hook.PreToolUse, stdout(`{"updatedInput":{"Decision":1,"decision":2}}`), `input{"Decision":1,"decision":2}`, ""},
		{"rewrite of another type", hook.PreToolUse, stdout(`{"updatedInput":"ls"}`), "", `expected an object, got the string "ls"`},
		{"allow with a lost rewrite", hook.PreToolUse, stdout(`{"decision":"allow","updatedInput":["ls"]}`), "", "expected an object, got a list"},
		{"two rewrites", hook.PreToolUse, stdout(`{"decision":"allow","updatedInput":{"a":1},"modified_input":{"a":2}}`), `input{"a":1}`, "another rewrite"},
		{"rewrite beside deny", hook.PreToolUse, stdout(`{"decision":"deny","updatedInput":{}}`), "deny()", ""},
		{"rewrite after the fact", hook.PostToolUse, stdout(`{"updatedInput":{}}`), "", "has no effect on PostToolUse"},
		{"result", hook.PostToolUse, stdout(specificOf(hook.PostToolUse, `"updatedMCPToolOutput":1,"updatedToolOutput":{"a":[ ]},"classifierContext":"c"`)), `output{"a":[ ]} classifierContext="c"`, ""},
		{"result of a subagent", hook.SubagentStop, stdout(specificOf(hook.SubagentStop, `"updatedToolOutput":"x"`)), `output"x"`, ""},
		{"session start", hook.SessionStart, stdout(specificOf(hook.SessionStart, `"initialUserMessage":"i","sessionTitle":"t","watchPaths":["/a"],"reloadSkills":true`)),
			`initialUserMessage="i" sessionTitle="t" watchPaths=["/a"] reloadSkills=true`, ""},
		{"field of another event", hook.PreToolUse, stdout(specificOf(hook.PreToolUse, `"watchPaths":[]`)), "", "is no field of PreToolUse"},
		{"display", hook.MessageDisplay, stdout(specificOf(hook.MessageDisplay, `"displayContent":"d"`)), `displayContent="d"`, ""},
		{"hidden prompt", hook.UserPromptSubmit, stdout(`{"decision":"block",` + specificOf(hook.UserPromptSubmit, `"suppressOriginalPrompt":true`)[1:]), "deny() suppressOriginalPrompt=true", ""},
		{"bell", hook.Notification, stdout(`{"terminalSequence":"\u0007"}`), `terminalSequence="\u0007"`, ""},
		{"window title and notice", hook.Stop, stdout(`{"terminalSequence":"\u001b]2;done\u0007\u001b]777;notify;a;b\u001b\\"}`), `terminalSequence="\u001b]2;done\u0007\u001b]777;notify;a;b\u001b\\"`, ""},
		{"clipboard", hook.Stop, stdout(`{"terminalSequence":"\u001b]52;c;aGk=\u0007"}`), "", "is dropped"},
		{"cursor", hook.Stop, stdout(`{"terminalSequence":"\u001b[2J"}`), "", "is dropped"},
		{"text", hook.Stop, stdout(`{"terminalSequence":"hi"}`), "", "is dropped"},
		{"nested control", hook.Stop, stdout(`{"terminalSequence":"\u001b]2;\u001b[2J\u0007"}`), "", "is dropped"},
		{"C1 control", hook.Stop, stdout(`{"terminalSequence":"\u001b]2;\u009b2J\u0007"}`), "", "is dropped"},
		{"unended", hook.Stop, stdout(`{"terminalSequence":"\u001b]2;x"}`), "", "is dropped"},
		{"B082 lone surrogate", hook.PreToolUse, stdout(`{"decision":"deny","reason":"\ud83d"}`), "deny(\ufffd)", ""},
	})
}

func TestExitCodes(t *testing.T) {
	deny := `{"decision":"block","reason":"json"}`
	run(t, []row{
		{"2 denies", hook.PreToolUse, exit(2, "", " no \n"), "deny(no)", ""},
		{"2 without a word", hook.PreToolUse, exit(2, "", ""), "deny(blocked by a hook (exit code 2) that gave no reason)", ""},
		{"2 with reason of the JSON", hook.PreToolUse, exit(2, `{"reason":"json"}`, ""), "deny(json)", ""},
		{"2 whatever the JSON says", hook.PreToolUse, exit(2, `{"decision":"approve","updatedInput":{},"additionalContext":"c","systemMessage":"s","continue":false}`, "no"), "deny(no) halt() context(c) notice(s)", "stands beside exit code 2"},
		{"2 with broken JSON", hook.PreToolUse, exit(2, `{"decision":`, "no"), "deny(no)", "not one JSON object"},
		{"2 with duplicates", hook.PreToolUse, exit(2, `{"a":1,"a":2}`, "no"), "deny(no)", "duplicate"},
		{"2 with plain text", hook.PreToolUse, exit(2, "out", "no"), "deny(no) notice(out)", ""},
		{"2 on Stop", hook.Stop, exit(2, "", "add code examples"), "deny(add code examples)", ""},
		{"2 on PermissionRequest", hook.PermissionRequest, exit(2, "", "no"), "deny(no)", ""},
		{"2 tells the user", hook.SessionStart, exit(2, "", "broken"), "notice(broken)", ""},
		{"2 tells the user, JSON denies", hook.Notification, exit(2, deny, "n"), "deny(json) notice(n)", ""},
		{"2 is ignored", hook.PermissionDenied, exit(2, `{"retry":true}`, "n"), "log(n)", "stands beside exit code 2"},

		{"B054 1", hook.PreToolUse, exit(1, "", "first\nsecond"), "failed=exit notice(first\nsecond)", ""},
		{"B054 127", hook.PreToolUse, exit(127, "", ""), "failed=exit", ""},
		{"signal", hook.PreToolUse, exit(-1, "", ""), "failed=exit", ""},
		{"1 with plain text", hook.SessionStart, exit(1, "out\n", "err\n"), "failed=exit notice(err\nout)", ""},
		{"1 with block", hook.PreToolUse, exit(1, deny, "err"), "deny(json) notice(err)", ""},
		{"1 with ask", hook.PreToolUse, exit(1, `{"decision":"ask"}`, ""), "ask()", ""},
		{"1 with halt", hook.PreToolUse, exit(1, `{"continue":false}`, ""), "halt()", ""},
		{"1 with approve", hook.PreToolUse, exit(1, `{"decision":"approve","additionalContext":"c"}`, "w"), "failed=exit context(c) notice(w)", "stands beside exit code 1"},
		{"1 with rewrite", hook.PreToolUse, exit(1, `{"updatedInput":{}}`, ""), "failed=exit", "stands beside exit code 1"},
		{"1 with duplicates", hook.PreToolUse, exit(1, `{"a":1,"a":2}`, ""), `deny(blocked: the answer of a hook is ambiguous: 1:8: duplicate name "a")`, "duplicate"},
		{"1 on WorktreeCreate", hook.WorktreeCreate, exit(1, "/tmp/w", ""), "failed=exit blocks notice(/tmp/w)", ""},
		{"stderr at 0", hook.PreToolUse, exit(0, "", "debug"), "log(debug)", ""},
	})
	_, err := Decode(hook.PreToolUse, exit(3, "", "first\r\nsecond"))
	if want := "no verdict (exit): exit code 3: first"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestStdout(t *testing.T) {
	deny := `{"decision":"block","reason":"r"}`
	run(t, []row{
		{"B077 plain context", hook.SessionStart, stdout("ctx\n"), "context(ctx)", ""},
		{"B077 plain log", hook.PostToolUse, stdout("ctx\n"), "log(ctx)", ""},
		{"array", hook.PreToolUse, stdout(`[` + deny + `]`), "log([" + deny + "])", ""},
		{"string", hook.UserPromptSubmit, stdout(`"text"`), `context("text")`, ""},
		{"not UTF-8", hook.SessionStart, stdout("a\xffb"), "context(a\ufffdb)", ""},
		{"B063 CRLF", hook.PreToolUse, stdout(deny + "\r\n"), "deny(r)", ""},
		{"B063 mark", hook.PreToolUse, stdout("\ufeff" + deny), "deny(r)", ""},
		{"UTF-16", hook.PreToolUse, stdout("\xff\xfe{\x00}\x00"), "failed=answer", ""},
		{"broken", hook.PreToolUse, exit(0, `{"decision":"block"`, "e"), "failed=answer log(e)", ""},
		{"broken on WorktreeCreate", hook.WorktreeCreate, stdout("{"), "failed=answer blocks", ""},
		{"text behind", hook.PreToolUse, stdout(deny + "\ndone"), "failed=answer", ""},
		{"cut", hook.PreToolUse, Output{Stdout: []byte(deny), Truncated: true}, "failed=answer", "stdout was cut"},
		{"cut plain text", hook.PreToolUse, Output{Stdout: []byte("x " + deny), Truncated: true}, "log(x " + deny + ")", "stdout was cut after"},

		{"B064 duplicate", hook.PreToolUse, stdout(`{"decision":"approve","decision":"approve"}`), `deny(blocked: the answer of a hook is ambiguous: 1:23: duplicate name "decision")`, "duplicate"},
		{"B064 variant", hook.Stop, stdout(`{"Decision":"approve"}`), `deny(blocked: the answer of a hook is ambiguous: 1:2: name "Decision" differs from "decision" only in case)`, "only in case"},
		{"B064 long s", hook.PreToolUse, stdout(`{"hook\u017fpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`), `deny(blocked: the answer of a hook is ambiguous: 1:2: name "hookſpecificOutput" differs from "hookSpecificOutput" only in case)`, "only in case"},
		{"B064 not deciding", hook.SessionStart, stdout(`{"a":1,"a":2}`), "failed=answer", ""},
		{"event names are no answer", hook.PreToolUse, stdout(`{"Timestamp":1,"Event":2,"decision":"allow"}`), "allow()", ""},

		{"ruling 5 noise, deny", hook.PreToolUse, stdout("npm warn {x}\n" + deny), "deny(r) log(npm warn {x})", "counts because it tightens"},
		{"ruling 5 noise on the line", hook.PreToolUse, stdout("done " + deny), "deny(r) log(done)", "counts"},
		{"ruling 5 noise, allow", hook.PreToolUse, stdout("x {\"decision\":\"allow\"}"), `log(x {"decision":"allow"})`, "has no effect"},
		{"ruling 5 noise, rewrite", hook.PreToolUse, stdout("x {\"decision\":\"ask\",\"updatedInput\":{}}"), `ask() log(x)`, "updatedInput"},
		{"ruling 5 noise, context", hook.SessionStart, stdout("x {\"additionalContext\":\"c\"}"), `context(x {"additionalContext":"c"})`, "has no effect because it does not tighten"},
		{"text that ends in an object", hook.SessionStart, stdout("see {\"a\":{}}"), `context(see {"a":{}})`, ""},
		{"noise, duplicates", hook.PreToolUse, stdout("x\n{\"a\":1,\"a\":1}"), `deny(blocked: the answer of a hook is ambiguous: 2:8: duplicate name "a")`, "duplicate"},
		{"ruling 5 two lines, deny last", hook.PreToolUse, stdout("{\"decision\":\"approve\"}\n" + deny), `deny(r) log({"decision":"approve"})`, "counts"},
		{"ruling 5 two lines, deny first", hook.PreToolUse, stdout(deny + "\n{\"decision\":\"approve\"}"), "failed=answer", "has no effect"},
		{"broken line, then deny", hook.PreToolUse, stdout("{broken}\n" + deny), "deny(r) log({broken})", "counts"},
		{"braces in strings", hook.PreToolUse, stdout(`x {"reason":"\\\"}{\\","decision":"deny"}`), `deny(\"}{\) log(x)`, "counts"},

		{"worktree", hook.WorktreeCreate, stdout("making\n\x1b[32m/tmp/w\x1b[0m\n\n"), `worktreePath="/tmp/w"`, ""},
		{"worktree by JSON", hook.WorktreeCreate, stdout(specificOf(hook.WorktreeCreate, `"worktreePath":"/w"`)), `worktreePath="/w"`, ""},
	})
}

func TestDecodeBody(t *testing.T) {
	for body, want := range map[string]string{
		`{"decision":"block","reason":"r"}`: "deny(r)",
		"plain":                             "log(plain)",
		"":                                  "",
		"{":                                 "failed=answer blocks",
	} {
		if got := summary(DecodeBody(hook.WorktreeCreate, []byte(body))); got != want {
			t.Errorf("%q: %s, want %s", body, got, want)
		}
	}
}

// The words of the table are spelt one way, and Parse knows them all.
func TestFieldsAreProtocolNames(t *testing.T) {
	seen := map[string]string{}
	for _, f := range fields {
		folded, ok := fold(f.name)
		if !ok || seen[folded] != "" || messageNames[folded] != f.name || answerNames[folded] != f.name {
			t.Errorf("%s collides with %q", f.name, seen[folded])
		}
		seen[folded] = f.name
	}
	for _, event := range hook.EventNames() {
		info, _ := hook.Lookup(hook.EventName(event))
		for _, name := range info.Specific {
			if _, ok := named(fields, name); !ok {
				t.Errorf("%s: no row for %s", event, name)
			}
		}
	}
}

// answerText draws an answer out of the protocol's own words, mostly.
func answerText() *rapid.Generator[string] {
	words := []string{`"allow"`, `"approve"`, `"deny"`, `"block"`, `"ask"`, `"Deny"`, `"x"`, `true`, `false`, `null`, `{}`, `[]`, `{"a":1}`, `{"behavior":"allow"}`}
	pair := rapid.Custom(func(t *rapid.T) string {
		f := rapid.SampledFrom(fields).Draw(t, "field")
		return `"` + f.name + `":` + rapid.SampledFrom(words).Draw(t, "value")
	})
	return rapid.Custom(func(t *rapid.T) string {
		inner := strings.Join(rapid.SliceOfN(pair, 0, 3).Draw(t, "specific"), ",")
		event := rapid.SampledFrom(hook.EventNames()).Draw(t, "name")
		outer := rapid.SliceOfN(pair, 0, 4).Draw(t, "outer")
		if inner != "" {
			outer = append(outer, specificOf(hook.EventName(event), inner)[1:])
			return "{" + strings.TrimSuffix(strings.Join(outer, ","), "}") + "}"
		}
		return "{" + strings.Join(outer, ",") + "}"
	})
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		event := hook.EventName(rapid.SampledFrom(hook.EventNames()).Draw(t, "event"))
		text := answerText().Draw(t, "answer")
		code := rapid.IntRange(-1, 4).Draw(t, "code")
		checkLaws(t, event, text, rapid.SampledFrom([]string{"x", "{", "\"", "{}", "\\", "a\n"}).Draw(t, "noise"), code)
	})
}

// checkLaws holds for every text, event and exit code.
func checkLaws(t interface{ Fatalf(string, ...any) }, event hook.EventName, text, noise string, code int) {
	info, _ := hook.Lookup(event)
	clean, cleanErr := Decode(event, exit(0, text, ""))
	again, againErr := Decode(event, exit(0, text, ""))
	if !reflect.DeepEqual(clean, again) || (cleanErr == nil) != (againErr == nil) {
		t.Fatalf("two readings of %q differ", text)
	}
	if cleanErr != nil && (clean.Verdict != hook.None || clean.Halt || !clean.Input.Absent()) {
		t.Fatalf("%q: a failure that answers: %s", text, summary(clean, cleanErr))
	}
	if code != 0 {
		res, err := Decode(event, exit(code, text, "why"))
		if res.Verdict == hook.Allow || !res.Input.Absent() || res.Output != nil || res.Retry {
			t.Fatalf("%q at exit %d loosens: %s", text, code, summary(res, err))
		}
		if res.Verdict < clean.Verdict && clean.Verdict >= hook.Ask || clean.Halt && !res.Halt {
			t.Fatalf("%q at exit %d undoes: %s", text, code, summary(res, err))
		}
		if code == 2 && info.ExitTwo == hook.ExitDeny && (res.Verdict != hook.Deny || err != nil || res.Reason != "why") {
			t.Fatalf("%q at exit 2: %s", text, summary(res, err))
		}
	}
	res, err := Decode(event, exit(0, noise+text, ""))
	if _, alone := Parse([]byte(noise + text)); alone == nil || strings.TrimSpace(noise) == "" {
		return // not noise: part of the object, or nothing
	}
	if res.Verdict == hook.Allow || !res.Input.Absent() || res.Output != nil {
		t.Fatalf("%q after %q loosens: %s", text, noise, summary(res, err))
	}
	if json.Valid([]byte(text)) && cleanErr == nil && (res.Verdict < clean.Verdict && clean.Verdict >= hook.Ask || clean.Halt && !res.Halt) {
		t.Fatalf("%q after %q undoes: %s, was %s", text, noise, summary(res, err), summary(clean, nil))
	}
}

func FuzzDecode(f *testing.F) {
	for i, text := range []string{
		"", "plain", `{}`, `{"decision":"block","reason":"r"}`, `{"decision":"approve","updatedInput":{"a":1}}`,
		specificOf(hook.PreToolUse, `"permissionDecision":"allow"`), `{"continue":false}`, `{"a":1,"a":2}`, `x {"decision":"deny"}`,
	} {
		f.Add(byte(i), text, "noise ", i%4)
	}
	names := hook.EventNames()
	f.Fuzz(func(t *testing.T, event byte, text, noise string, code int) {
		checkLaws(t, hook.EventName(names[int(event)%len(names)]), text, noise, code)
	})
}

func BenchmarkDecode(b *testing.B) {
	out := stdout(specificOf(hook.PreToolUse, `"permissionDecision":"deny","permissionDecisionReason":"no"`))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(hook.PreToolUse, out); err != nil {
			b.Fatal(err)
		}
	}
}
