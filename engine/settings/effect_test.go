package settings

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

var eventList = strings.Join(hook.EventNames(), ", ")

// A misspelt key that holds guards would disarm the policy without a word.
func TestMisspeltTopKeys(t *testing.T) {
	const lost = ": what it holds is not read (did you mean "
	run(t, []row{
		{"rule", "", "rule:\n  - {on: Stop}\n", "error: f:1:1: rule: unknown key \"rule\"" + lost + "\"rules\"?)\nBROKEN\n"},
		{"permision", "", "x-a: 1\npermision: {deny: [Bash]}\n", "error: f:2:1: permision: unknown key \"permision\"" + lost + "\"permissions\"?)\nBROKEN\n"},
		{"failclosed", "", "failclosed: true\n", "error: f:1:1: failclosed: unknown key \"failclosed\"" + lost + "\"failClosed\"?)\nBROKEN\n"},
		{"policy", "", "policy: [a.lua]\n", "error: f:1:1: policy: unknown key \"policy\"" + lost + "\"policies\"?)\nBROKEN\n"},
		{"Wrapper", "", "Wrapper: {}\n", "error: f:1:1: Wrapper: unknown key \"Wrapper\"" + lost + "\"wrappers\"?)\nBROKEN\n"},
		{"forbid", "", "permissions:\n  deny: [Bash]\n  forbid: [Write]\n  x-why: no\n", `
permissions.deny[0] deny "Bash"@2:10
error: f:3:3: permissions.forbid: unknown key "forbid": what it lists is not judged (one of deny, ask, allow, unknown)
warning: f:4:3: permissions.x-why: unknown key "x-why" (one of deny, ask, allow, unknown)
BROKEN
`},
		{"what resembles none", "", "colour: 1\nversion: 2\ntools: []\nroles: []\nmodules: []\nx-rule: 1\n", `
warning: f:1:1: colour: unknown key "colour" (` + keyAdvice + `)
warning: f:2:1: version: unknown key "version" (` + keyAdvice + `)
warning: f:3:1: tools: unknown key "tools" (did you mean "hooks"?)
warning: f:4:1: roles: unknown key "roles" (did you mean "rules"?)
warning: f:5:1: modules: unknown key "modules" (did you mean "models"?)
`},
		{"a switch that loosens", "", "disableAllHook: true\n", "warning: f:1:1: disableAllHook: unknown key \"disableAllHook\" (did you mean \"disableAllHooks\"?)\n"},
		{"a file that others share", "settings.json", `{"rule": [], "permissions": {"forbid": []}}`, `
warning: f:1:2: rule: unknown key "rule" (did you mean "rules"?)
warning: f:1:30: permissions.forbid: unknown key "forbid" (one of deny, ask, allow, unknown)
`},
	})
}

// What a fixed decision comes to on its event is told at load.
func TestFixedDecisions(t *testing.T) {
	run(t, []row{
		{"misspelt", "", "rules:\n  - {on: Stop, match: a, decison: deny, reason: r}\n", `
rules[0] Stop 2:5 type=expr matcher="a"@2:23 decison="deny"@2:35 reason="r"@2:49 BROKEN
error: f:2:26: rules[0].decison: unknown key "decison" (did you mean "decision"?)
`},
		{"deny without effect", "", "rules:\n  - {on: [SessionEnd, Stop], decision: deny}\n", `
rules[0] SessionEnd 2:5 type=expr decision="deny"@2:40 BROKEN
rules[0] Stop 2:5 type=expr decision="deny"@2:40
error: f:2:40: rules[0].decision: deny can never have an effect: nothing can be stopped on SessionEnd
`},
		{"ask where nobody is", "", "hooks:\n  UserPromptSubmit:\n    - hooks: [{type: permission, decision: ask}]\n", `
hooks.UserPromptSubmit[0].hooks[0] UserPromptSubmit 3:15 type=permission decision="ask"@3:44
warning: f:3:44: hooks.UserPromptSubmit[0].hooks[0].decision: nobody can be asked on UserPromptSubmit: ask blocks there (write deny, which says so)
`},
		{"allow of nothing", "", "rules:\n  - {on: PostToolUse, match: a, decision: allow}\n", `
rules[0] PostToolUse 2:5 type=expr matcher="a"@2:30 decision="allow"@2:43
warning: f:2:43: rules[0].decision: allow has no effect: there is nothing to grant on PostToolUse (remove the entry)
`},
		{"reason", "", "rules:\n  - {on: PreToolUse, match: a, decision: deny, reason: '${tool_imput.x}'}\n", `
rules[0] PreToolUse 2:5 type=expr matcher="a"@2:29 decision="deny"@2:42 reason="${tool_imput.x}"@2:56
warning: f:2:56: rules[0].reason: ${tool_imput.x} is no known field of an event; it is left empty where the event has none (did you mean ${tool_input.x}?)
`},
		{"fine", "", "rules:\n  - {on: Stop, decision: deny}\n  - {on: PreToolUse, decision: ask, reason: '${tool_name}'}\n  - {on: HostsOwn, decision: deny}\n", `
rules[0] Stop 2:5 type=expr decision="deny"@2:26
rules[1] PreToolUse 3:5 type=expr decision="ask"@3:32 reason="${tool_name}"@3:45
rules[2] HostsOwn 4:5 type=expr decision="deny"@4:30
warning: f:4:10: rules[2].on: unknown event "HostsOwn": no agent fires it, unless it is the host's own (one of ` + eventList + `)
`},
	})
}

func TestModes(t *testing.T) {
	const want = ": expected observe (or inject, evaluate on a prompt), got the string "
	run(t, []row{
		{"of a rule", "", "rules:\n  - {on: Stop, mode: observer, decision: deny}\n  - {on: Stop, mode: inject, decision: deny}\n", `
rules[0] Stop 2:5 type=expr decision="deny"@2:42 BROKEN
rules[1] Stop 3:5 type=expr decision="deny"@3:40 BROKEN
error: f:2:22: rules[0].mode` + want + `"observer" (did you mean "observe"?)
error: f:3:22: rules[1].mode` + want + `"inject"
`},
		{"of hooks", "", "hooks:\n  Stop:\n    - hooks:\n        - {type: prompt, mode: inject}\n        - {type: prompt, mode: injct}\n        - {type: own, mode: fast}\n        - {type: command, mode: observe}\n", `
hooks.Stop[0].hooks[0] Stop 4:11 type=prompt mode="inject"@4:32
hooks.Stop[0].hooks[1] Stop 5:11 type=prompt BROKEN
hooks.Stop[0].hooks[2] Stop 6:11 type=own mode="fast"@6:29
hooks.Stop[0].hooks[3] Stop 7:11 type=command observe
error: f:5:32: hooks.Stop[0].hooks[1].mode` + want + `"injct" (did you mean "inject"?)
`},
		{"a matcher as a list", "", "rules:\n  - {on: PreToolUse, match: [Bash, Write], decision: deny}\n", `
rules[0] PreToolUse 2:5 type=expr decision="deny"@2:54 BROKEN
error: f:2:29: rules[0].match: expected a string, got a list (write Bash|Write)
`},
	})
}
