package settings

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

var eventAdvice = "one of " + strings.Join(hook.EventNames(), ", ")

func TestHooks(t *testing.T) {
	run(t, []row{
		{"B001 a permission rule as matcher is kept as written", "settings.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash(git commit*)","hooks":[{"type":"command","command":"exit 2"}]}]}}`,
			"hooks.PreToolUse[0].hooks[0] PreToolUse 1:65 type=command matcher=\"Bash(git commit*)\"@1:36 command=\"exit 2\"@1:93\n"},
		{"B003 matcher absent, empty, star, list", "", `
hooks:
  PreToolUse:
    - hooks: [{type: a}]
    - {matcher: "", hooks: [{type: b}]}
    - {matcher: "*", hooks: [{type: c}]}
    - {matcher: Edit ,Write, hooks: [{type: d}]}
`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 4:15 type=a
hooks.PreToolUse[1].hooks[0] PreToolUse 5:29 type=b matcher=""@5:17
hooks.PreToolUse[2].hooks[0] PreToolUse 6:30 type=c matcher="*"@6:17
hooks.PreToolUse[3].hooks[0] PreToolUse 7:38 type=d BROKEN
error: f:7:23: hooks.PreToolUse[3].Write: key "Write" has no value (if it belongs to the value before it, quote that as a whole)
`},
		{"B006 an event in other letters", "settings.json", `{"hooks":{"pretooluse":[{"hooks":[{"type":"a"}]}], "PRE_TOOL_USE":[], "PreToolUse":[{"hooks":[{"type":"b"}]}]}}`, `
hooks.pretooluse[0].hooks[0] pretooluse 1:35 type=a
hooks.PreToolUse[0].hooks[0] PreToolUse 1:95 type=b
warning: f:1:11: hooks.pretooluse: unknown event "pretooluse": no agent fires it, unless it is the host's own (did you mean "PreToolUse"?)
warning: f:1:52: hooks.PRE_TOOL_USE: unknown event "PRE_TOOL_USE": no agent fires it, unless it is the host's own (did you mean "PreToolUse"?)
`},
		{"B006 in a bare map", "settings.json", `{"pretooluse":[{"hooks":[{"type":"a"}]}]}`,
			"warning: f:1:2: pretooluse: unknown key \"pretooluse\" (did you mean \"PreToolUse\"?)\n"},
		{"B008 without the wrapper", "settings.json", `{"hooks":{"PreToolUse":[{"type":"command","command":"exit 2"},{"matcher":"Bash","type":"b"}],"Stop":[{"hooks":[{"type":"c"}]}]}}`, `
hooks.PreToolUse[0] PreToolUse 1:25 type=command command="exit 2"@1:53
hooks.PreToolUse[1] PreToolUse 1:63 type=b matcher="Bash"@1:74
hooks.Stop[0].hooks[0] Stop 1:112 type=c
note: f:1:25: hooks.PreToolUse[0]: a hook without the matcher and hooks around it, read as a group of one
note: f:1:63: hooks.PreToolUse[1]: a hook without the matcher and hooks around it, read as a group of one
`},
		{"B009 an event of tomorrow", "settings.json", `{"hooks":{"PreCommit":[1],"modules":["./register.js"],"PreToolUse":[{"hooks":[{"type":"a"}]}]}}`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 1:79 type=a
warning: f:1:11: hooks.PreCommit: unknown event "PreCommit": no agent fires it, unless it is the host's own (did you mean "PreCompact"?)
warning: f:1:27: hooks.modules: unknown event "modules": no agent fires it, unless it is the host's own (` + eventAdvice + `)
`},
		{"a plugin's file", "hooks.json", `{"description":"d","hooks":{"Stop":[{"hooks":[{"type":"a"}]}]}}`, "hooks.Stop[0].hooks[0] Stop 1:47 type=a\n"},
		{"an event beside hooks", "", "hooks: {Stop: [{hooks: [{type: a}]}]}\nSetup: [{hooks: [{type: b}]}]\n", `
hooks.Stop[0].hooks[0] Stop 1:25 type=a
Setup[0].hooks[0] Setup 2:18 type=b
warning: f:2:1: Setup: event beside hooks (move it under hooks)
`},

		{"one bad entry, its neighbours stay", "", `
hooks:
  Stop:
    - 5
    -
    - {}
    - {matcher: a, hooks: {}}
    - matcher: b
      hooks: [7, {}, {type: ""}, {type: 1}, {type: ok}]
    - {matcher: [c], hooks: [{type: d}]}
    - {type: e, hooks: [{type: f}]}
    - hooks: []
  Setup: {}
  SessionEnd: x
  SessionStart:
    - hooks: [{type: ok}]
`, `
hooks.Stop[0] Stop 4:7 BROKEN
hooks.Stop[1] Stop 5:6 BROKEN
hooks.Stop[2] Stop 6:7 BROKEN
hooks.Stop[3] Stop 7:7 matcher="a"@7:17 BROKEN
hooks.Stop[4].hooks[0] Stop 9:15 matcher="b"@8:16 BROKEN
hooks.Stop[4].hooks[1] Stop 9:18 matcher="b"@8:16 BROKEN
hooks.Stop[4].hooks[2] Stop 9:22 matcher="b"@8:16 BROKEN
hooks.Stop[4].hooks[3] Stop 9:34 matcher="b"@8:16 BROKEN
hooks.Stop[4].hooks[4] Stop 9:45 type=ok matcher="b"@8:16
hooks.Stop[5].hooks[0] Stop 10:30 type=d BROKEN
hooks.Stop[6].hooks[0] Stop 11:25 type=f BROKEN
hooks.Setup Setup 13:10 BROKEN
hooks.SessionEnd SessionEnd 14:15 BROKEN
hooks.SessionStart[0].hooks[0] SessionStart 16:15 type=ok
error: f:4:7: hooks.Stop[0]: expected a mapping with matcher and hooks, got the number 5
error: f:5:6: hooks.Stop[1]: expected a mapping with matcher and hooks, got nothing
error: f:6:7: hooks.Stop[2]: missing hooks: a group is a matcher and a list of hooks
error: f:7:27: hooks.Stop[3].hooks: expected a list, got a mapping (begin each hook with "- ")
error: f:9:15: hooks.Stop[4].hooks[0]: expected a mapping with type, got the number 7
error: f:9:18: hooks.Stop[4].hooks[1]: missing type (one of command, permission, expr, lua, prompt, http, mcp_tool, agent)
error: f:9:29: hooks.Stop[4].hooks[2].type: empty (write a text, or remove the key)
error: f:9:41: hooks.Stop[4].hooks[3].type: expected a string, got the number 1 (quote it)
error: f:10:17: hooks.Stop[5].matcher: expected a string, got a list (write c)
warning: f:11:8: hooks.Stop[6].type: unknown key "type" beside hooks (one of matcher, hooks, parallel, description, if, when, timeout, mode, unknown, onFailure)
error: f:11:14: hooks.Stop[6].type: a hook and a group in one entry (move type and the keys that go with it into the list of hooks)
warning: f:12:14: hooks.Stop[7].hooks: no hooks here (add one, or remove the entry)
error: f:13:10: hooks.Setup: expected a list, got a mapping (begin the entry with "- ")
error: f:14:15: hooks.SessionEnd: expected a list, got the string "x" (begin the entry with "- ")
`},
		{"two matchers", "", "hooks:\n  Stop:\n    - {matcher: a, match: b, hooks: [{type: x}]}\n", `
hooks.Stop[0].hooks[0] Stop 3:38 type=x BROKEN
error: f:3:27: hooks.Stop[0].match: match and matcher are the same (keep one of them)
`},
		{"two lists for a host's own event", "", "hooks:\n  Deploy: []\n  Deploy: []\n  Stop: [{hooks: [{type: x}]}]\n", `
hooks.Deploy Deploy 3:3 BROKEN
hooks.Stop[0].hooks[0] Stop 4:19 type=x
error: f:3:3: hooks.Deploy: duplicate key "Deploy", first in line 2 (keep one of them)
warning: f:2:3: hooks.Deploy: unknown event "Deploy": no agent fires it, unless it is the host's own (` + eventAdvice + `)
warning: f:3:3: hooks.Deploy: unknown event "Deploy": no agent fires it, unless it is the host's own (` + eventAdvice + `)
`},
		{"a key of hooks that is no string", "", "hooks:\n  Stop: [{hooks: [{type: x}]}]\n  [a]: []\n", `
hooks.Stop[0].hooks[0] Stop 2:19 type=x
error: f:3:3: hooks: a key must be a string (quote it)
BROKEN
`},
		{"hooks is no mapping", "", "hooks: []\nrules: [{on: Stop}]\n", `
rules[0] Stop 2:9 type=expr
error: f:1:8: hooks: expected a mapping from events to lists, got a list
BROKEN
`},
		{"keys that every hook has", "", `
hooks:
  PreToolUse:
    - hooks:
        - {type: a, if: Bash(x), when: w, timeout: 2, async: true, once: true, statusMessage: m, onFailure: block, mode: observe, unknown: skip, name: n, description: d, other: 1}
        - {type: b, message: m, onFailure: continue, mode: inject, unknown: ask, asyncRewake: true, async: false}
        - {type: c, message: m, statusMessage: s, unknown: deny}
        - {type: agent, name: n}
`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 5:11 type=a if="Bash(x)"@5:25 when="w"@5:40 timeout=2s message="m" observe once async onFailure=2 unknown=3 group=0 other=1@5:178
hooks.PreToolUse[0].hooks[1] PreToolUse 6:11 type=b message="m" async rewake onFailure=1 unknown=1 group=0 mode="inject"@6:60
hooks.PreToolUse[0].hooks[2] PreToolUse 7:11 type=c message="s" onFailure=0 unknown=2 group=0
hooks.PreToolUse[0].hooks[3] PreToolUse 8:11 type=agent name="n"@8:31
warning: f:7:21: hooks.PreToolUse[0].hooks[2].message: has no effect beside statusMessage
`},
		{"the same keys, wrong", "", `
hooks:
  PreToolUse:
    - matcher: M
      hooks:
        - {type: a, if: 5}
        - {type: a, if: ""}
        - {type: a, when: [x]}
        - {type: a, async: 1}
        - {type: a, onFailure: blok}
        - {type: a, unknown: maybe}
        - {type: a, statusMessage: {}}
        - {type: a, once: "true"}
`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 6:11 type=a matcher="M"@4:16 BROKEN
hooks.PreToolUse[0].hooks[1] PreToolUse 7:11 type=a matcher="M"@4:16 if=""@7:25 BROKEN
hooks.PreToolUse[0].hooks[2] PreToolUse 8:11 type=a matcher="M"@4:16 BROKEN
hooks.PreToolUse[0].hooks[3] PreToolUse 9:11 type=a matcher="M"@4:16 BROKEN
hooks.PreToolUse[0].hooks[4] PreToolUse 10:11 type=a matcher="M"@4:16 BROKEN
hooks.PreToolUse[0].hooks[5] PreToolUse 11:11 type=a matcher="M"@4:16 BROKEN
hooks.PreToolUse[0].hooks[6] PreToolUse 12:11 type=a matcher="M"@4:16 BROKEN
hooks.PreToolUse[0].hooks[7] PreToolUse 13:11 type=a matcher="M"@4:16 BROKEN
error: f:6:25: hooks.PreToolUse[0].hooks[0].if: expected a string, got the number 5 (quote it)
error: f:7:25: hooks.PreToolUse[0].hooks[1].if: empty (write a text, or remove the key)
error: f:8:27: hooks.PreToolUse[0].hooks[2].when: expected a string, got a list (quote it: [ begins a list in YAML)
error: f:9:28: hooks.PreToolUse[0].hooks[3].async: expected true or false, got the number 1
error: f:10:32: hooks.PreToolUse[0].hooks[4].onFailure: expected one of continue, block, got the string "blok" (did you mean "block"?)
error: f:11:30: hooks.PreToolUse[0].hooks[5].unknown: expected one of ask, deny, skip, got the string "maybe"
error: f:12:36: hooks.PreToolUse[0].hooks[6].statusMessage: expected a string, got a mapping (quote it: a colon and a space begin a mapping in YAML)
error: f:13:27: hooks.PreToolUse[0].hooks[7].once: expected true or false, got the string "true"
`},
		{"groups", "", `
hooks:
  Stop:
    - {parallel: true, hooks: [{type: a}, {type: b}]}
    - hooks: [{type: c}]
    - {parallel: true, timeout: 3, if: I, hooks: [{type: d, timeout: 4}, {type: e}, {type: f, if: J}]}
    - {parallel: yes, hooks: [{type: g}]}
`, `
hooks.Stop[0].hooks[0] Stop 4:32 type=a onFailure=0 unknown=0 group=1
hooks.Stop[0].hooks[1] Stop 4:43 type=b onFailure=0 unknown=0 group=1
hooks.Stop[1].hooks[0] Stop 5:15 type=c
hooks.Stop[2].hooks[0] Stop 6:51 type=d if="I"@6:40 timeout=4s onFailure=0 unknown=0 group=2
hooks.Stop[2].hooks[1] Stop 6:74 type=e if="I"@6:40 timeout=3s onFailure=0 unknown=0 group=2
hooks.Stop[2].hooks[2] Stop 6:85 type=f if="J"@6:99 timeout=3s onFailure=0 unknown=0 group=2 BROKEN
hooks.Stop[3].hooks[0] Stop 7:31 type=g BROKEN
error: f:6:99: hooks.Stop[2].hooks[2].if: if is in the group and in its hook (keep one of them)
error: f:7:18: hooks.Stop[3].parallel: expected true or false, got the string "yes"
`},
		{"a misspelt condition breaks what grants", "", `
hooks:
  PreToolUse:
    - {matchr: Bash, hooks: [{type: permission, decision: allow}, {type: permission, decision: deny}]}
    - hooks: [{type: permission, decision: allow, wen: x}, {type: permission, decision: allow, matcher: x}, {type: permission, decision: allow, reson: x}]
`, `
hooks.PreToolUse[0].hooks[0] PreToolUse 4:30 type=permission decision="allow"@4:59 BROKEN
hooks.PreToolUse[0].hooks[1] PreToolUse 4:67 type=permission decision="deny"@4:96
hooks.PreToolUse[1].hooks[0] PreToolUse 5:15 type=permission decision="allow"@5:44 wen="x"@5:56 BROKEN
hooks.PreToolUse[1].hooks[1] PreToolUse 5:60 type=permission decision="allow"@5:89 matcher="x"@5:105 BROKEN
hooks.PreToolUse[1].hooks[2] PreToolUse 5:109 type=permission decision="allow"@5:138 reson="x"@5:152
warning: f:4:8: hooks.PreToolUse[0].matchr: unknown key "matchr" beside hooks (did you mean "matcher"?)
error: f:4:16: hooks.PreToolUse[0].matchr: key "matchr" has no effect here, and what grants needs all its conditions (did you mean "matcher"?)
error: f:5:56: hooks.PreToolUse[1].hooks[0].wen: key "wen" has no effect here, and what grants needs all its conditions (did you mean "when"?)
error: f:5:105: hooks.PreToolUse[1].hooks[1].matcher: key "matcher" has no effect here, and what grants needs all its conditions (did you mean "matcher"?)
`},
	})
}

func TestRules(t *testing.T) {
	run(t, []row{
		{"a list of events", "", "rules:\n  - {name: n, on: [Stop, PreToolUse, Stop], matcher: m, decision: ask}\n", `
rules.n Stop 2:5 type=expr matcher="m"@2:54 decision="ask"@2:67
rules.n PreToolUse 2:5 type=expr matcher="m"@2:54 decision="ask"@2:67
warning: f:2:67: rules.n.decision: nobody can be asked on Stop: ask blocks there (write deny, which says so)
`},
		{"all keys", "", "rules:\n  - {on: Stop, match: m, if: i, when: w, decision: deny, reason: r, mode: observe, unknown: deny, timeout: 100ms, onFailure: block, type: expr}\n", `
rules[0] Stop 2:5 type=expr matcher="m"@2:23 if="i"@2:30 when="w"@2:39 timeout=100ms observe onFailure=2 unknown=2 group=0 decision="deny"@2:52 reason="r"@2:66
`},
		{"bad ones", "", `
rules:
  - on: []
  - on: 5
  - {on: [Stop, 5], match: m}
  - {on: stop}
  - {on: Stop, match: a, matcher: b}
  - {on: Stop, type: command}
  - {on: Stop, name: ""}
  - {name: n, decision: deny}
  - x
  - {on: PreToolUse, decision: allow, mach: x}
  - {on: PreToolUse, decision: deny, mach: x}
`, `
rules[0] PreToolUse 3:5 type=expr BROKEN
rules[1] PreToolUse 4:5 type=expr BROKEN
rules[2] Stop 5:5 type=expr matcher="m"@5:28 BROKEN
rules[3] stop 6:5 type=expr
rules[4] Stop 7:5 type=expr BROKEN
rules[5] Stop 8:5 type=expr BROKEN
rules[6] Stop 9:5 type=expr BROKEN
rules.n PreToolUse 10:5 type=expr decision="deny"@10:25 BROKEN
rules[8] PreToolUse 11:5 type=expr BROKEN
rules[9] PreToolUse 12:5 type=expr decision="allow"@12:32 mach="x"@12:45 BROKEN
rules[10] PreToolUse 13:5 type=expr decision="deny"@13:32 mach="x"@13:44
error: f:3:9: rules[0].on: no event: the rule can never fire (write on: PreToolUse)
error: f:4:9: rules[1].on: expected a string, got the number 5 (quote it)
error: f:5:17: rules[2].on[1]: expected a string, got the number 5 (quote it)
warning: f:6:10: rules[3].on: unknown event "stop": no agent fires it, unless it is the host's own (did you mean "Stop"?)
error: f:7:35: rules[4].matcher: match and matcher are the same (keep one of them)
error: f:8:22: rules[5].type: expected expr: rules are of this type, got the string "command" (put other types under hooks)
error: f:9:22: rules[6].name: empty (write a text, or remove the key)
error: f:10:5: rules[7]: missing on: the event that the rule is for (add on: PreToolUse)
error: f:11:5: rules[8]: expected a mapping with on, match, when and decision, got the string "x"
error: f:12:45: rules[9].mach: key "mach" has no effect here, and what grants needs all its conditions (did you mean "match"?)
`},
		{"no list", "", "rules: {name: x}\n", "error: f:1:8: rules: expected a list of rules, got a mapping (begin each rule with \"- \")\nBROKEN\n"},
	})
}

func TestPermissionsPoliciesSwitches(t *testing.T) {
	run(t, []row{
		{"Claude's own keys are no business of ours", "settings.json", `{"permissions":{"allow":["Bash(ls)"],"defaultMode":"plan","additionalDirectories":[],"denny":[]},
"model":"m","env":{},"theme":"x","statusLine":{},"tools":1,"allowManagedModsOnly":true,"enabledPlugins":{},"sandbox":{},"hook":1,"permisions":{}}`, `
permissions.allow[0] allow "Bash(ls)"@1:26
warning: f:1:86: permissions.denny: unknown key "denny" (did you mean "deny"?)
warning: f:2:121: hook: unknown key "hook" (did you mean "hooks"?)
warning: f:2:130: permisions: unknown key "permisions" (did you mean "permissions"?)
`},
		{"B159 two deny lists", "settings.json", `{"permissions":{"deny":["a"],"deny":["b"]}}`, `
permissions deny ""@1:30 BROKEN
permissions.deny[0] deny "a"@1:25
permissions.deny[0] deny "b"@1:38
error: f:1:30: permissions.deny: duplicate key "deny", first in line 1 (keep one of them)
`},
		{"bad lists", "", "permissions:\n  deny: Bash(x)\n  ask: {}\n  allow: [\"\"]\n  defaultMode: x\n  unknown: perhaps\n", `
permissions.unknown deny ""@6:12 BROKEN
permissions.deny deny ""@2:9 BROKEN
permissions.ask ask ""@3:8 BROKEN
permissions.allow[0] allow ""@4:11 BROKEN
error: f:6:12: permissions.unknown: expected one of ask, deny, skip, got the string "perhaps"
error: f:2:9: permissions.deny: expected a list of patterns, got the string "Bash(x)" (write ["Bash(rm *)"])
error: f:3:8: permissions.ask: expected a list of patterns, got a mapping (write ["Bash(rm *)"])
error: f:4:11: permissions.allow[0]: empty (write a text, or remove the key)
warning: f:5:3: permissions.defaultMode: unknown key "defaultMode" (one of deny, ask, allow, unknown)
`},
		{"no mapping", "", "permissions: [a]\n", "error: f:1:14: permissions: expected a mapping with deny, ask and allow, got a list\nBROKEN\n"},
		{"policies", "", "policies: [a.lua, 5, b/]\n", "policy \"a.lua\"@1:12\npolicy \"b/\"@1:22\nerror: f:1:19: policies[1]: expected a string, got the number 5 (quote it)\nBROKEN\n"},
		{"one policy", "", "policies: a.lua\n", "error: f:1:11: policies: expected a list of files or directories, got the string \"a.lua\" (write [policies/])\nBROKEN\n"},
		{"a switch for the company", "", "allowManagedHooksOnly: true\n", "warning: f:1:1: allowManagedHooksOnly: has no effect: only managed files may set it\n"},
	})

	f := parse("pawl.yaml", "permissions: {deny: [a], unknown: skip}\ndisableAllHooks: false\nfailClosed: true\nwrappers: {docker: [exec]}\nmcpServers: {}\n")
	want := Switches{DisableAllHooksSet: true, FailClosed: true, FailClosedSet: true}
	if f.Switches != want || f.Permissions[0].Unknown != hook.UnknownSkip || f.Broken {
		t.Errorf("got %+v %+v", f.Switches, f.Permissions)
	}
	if got := fmt.Sprint(f.Raw); got != "[{wrappers map[docker:[exec]] pawl.yaml:4:11 pawl.yaml:4:1 [{docker [exec] pawl.yaml:4:20 pawl.yaml:4:12 []}]} {mcpServers map[] pawl.yaml:5:13 pawl.yaml:5:1 []}]" {
		t.Errorf("raw: %s", got)
	}
	managed := hook.Source{Layer: hook.Managed}
	for text, want := range map[string]Switches{
		"allowManagedHooksOnly: true":  {AllowManagedHooksOnly: true, AllowManagedHooksOnlySet: true},
		"allowManagedHooksOnly: false": {AllowManagedHooksOnlySet: true},
		"allowManagedHooksOnly: yes":   {AllowManagedHooksOnly: true, AllowManagedHooksOnlySet: true},
	} {
		if f := ParseFile("managed.yaml", []byte(text), managed); f.Switches != want {
			t.Errorf("%s: got %+v", text, f.Switches)
		}
	}
}

func TestTimeout(t *testing.T) {
	for _, r := range []struct {
		text string
		want time.Duration
		says string
	}{
		{`5`, 5 * time.Second, ""},
		{`0.5`, 500 * time.Millisecond, ""},
		{`300`, 300 * time.Second, ""},
		{`999`, maxTimeout, "note: f:4:36: hooks.Stop[0].hooks[0].timeout: timeout of 16m39s is cut to 5m0s\n"},
		{`1000`, time.Second, "note: f:4:36: hooks.Stop[0].hooks[0].timeout: 1000 is read as milliseconds: 1s (numbers below 1000 are seconds)\n"},
		{`1500`, 1500 * time.Millisecond, "note: f:4:36: hooks.Stop[0].hooks[0].timeout: 1500 is read as milliseconds: 1.5s (numbers below 1000 are seconds)\n"},
		{`300000`, 300 * time.Second, "note: f:4:36: hooks.Stop[0].hooks[0].timeout: 300000 is read as milliseconds: 5m0s (numbers below 1000 are seconds)\n"},
		{`300001`, maxTimeout, "note: f:4:36: hooks.Stop[0].hooks[0].timeout: timeout of 5m0.001s is cut to 5m0s\n"},
		{`1e300`, maxTimeout, "note: f:4:36: hooks.Stop[0].hooks[0].timeout: timeout of 277777h46m40s is cut to 5m0s\n"},
		{`5s`, 5 * time.Second, ""},
		{`"1500ms"`, 1500 * time.Millisecond, ""},
		{`0`, 0, "error: f:4:36: hooks.Stop[0].hooks[0].timeout: expected a timeout greater than 0, got the number 0\n"},
		{`-1e300`, 0, "error: f:4:36: hooks.Stop[0].hooks[0].timeout: expected a timeout greater than 0, got the number -1e300\n"},
		{`-5s`, 0, "error: f:4:36: hooks.Stop[0].hooks[0].timeout: expected a timeout greater than 0, got the string \"-5s\"\n"},
		{`"5"`, 0, "error: f:4:36: hooks.Stop[0].hooks[0].timeout: expected a duration such as \"5s\" or \"1500ms\", or a number, got the string \"5\"\n"},
		{`true`, 0, "error: f:4:36: hooks.Stop[0].hooks[0].timeout: expected a duration such as \"5s\" or \"1500ms\", or a number, got true\n"},
		{`~`, 0, "error: f:4:36: hooks.Stop[0].hooks[0].timeout: expected a duration such as \"5s\" or \"1500ms\", or a number, got nothing\n"},
	} {
		f := parse("pawl.yaml", "hooks:\n  Stop:\n    - hooks:\n        - {type: command, timeout: "+r.text+"}\n")
		s := f.Specs[0]
		if s.Timeout != r.want || complaints(f) != r.says || (s.Broken != nil) != (r.want == 0) {
			t.Errorf("%s: got %v, broken %v\n%s", r.text, s.Timeout, s.Broken, complaints(f))
		}
	}
}
