package settings

import (
	"fmt"
	"strings"
	"testing"
)

const keyAdvice = "one of hooks, rules, policies, permissions, plugins, enabledPlugins, tasks, subagents, failClosed, disableAllHooks, allowManagedHooksOnly, wrappers, mcpServers, models, allowedHttpHookUrls, httpHookAllowedEnvVars"

// A text that YAML cannot read is lost as a whole; the place is that of the
// trouble, not the one that the parser names.
func TestYAMLSyntax(t *testing.T) {
	for _, r := range []struct{ name, text, at, advice string }{
		{"B163 alias in a list", "x-a: 1\nrules: []\npermissions:\n  deny:\n    - Bash(x)\n    - *.env\n    - z\n", "6:7", "write '*.env'"},
		{"B163 unknown anchor", "x-a: 1\nx-b: *env\nx-c: *env2\n", "2:6", "write '*env'"},
		{"B163 bare star", "rules:\n  - match: *\n    on: Stop\n", "2:12", "quote it: a value that begins with * is an alias in YAML; write '*'"},
		{"B163 colon", "x-a: 1\nx-command: echo a: b\nx-d: 1\n", "2:18", "write 'echo a: b'"},
		{"B163 escape", "x-a: 1\nx-m: \"a\\d\"\n", "2:8", "use single quotes, or double the backslash"},
		{"B163 tab", "x-a: 1\nrules:\n\t- a\n", "3:1", "YAML does not allow tabs"},
		{"tab after spaces", "rules:\n  x:\n  \t- a\n", "3:3", "YAML does not allow tabs"},
		{"negation", "rules:\n- on: Stop\n  when: !bash(\"rm\")\n", "3:9", "a value that begins with ! is a tag in YAML"},
		{"at sign", "rules:\n- when: @x\n", "2:9", "is reserved in YAML"},
		{"no colon", "x-a: 1\nfoo\nx-b: 2\n", "2:1", "a key needs a colon"},
		{"open bracket", "x-a: [1, 2\nx-b: 3\nx-c: 4\n", "1:6", "close the bracket"},
		{"open quote", "x-a: \"x\nx-b: 3\n", "1:6", "this quote is never closed"},
		{"open quote further up", "x-c: 1\nx-a: \"x\nx-b: 3\nx-d: 1\n", "2:6", "this quote is never closed"},
		{"a quote that the next one closes", "rules:\n  - name: \"a\n    on: Stop\n  - name: \"b\"\n    on: Stop\n", "2:11", "this quote is never closed"},
		{"a text of two lines is none", "x-a: \"x\n  y\"\nx-b: *\n", "3:6", "is an alias in YAML"},
		{"B163 star in a list, with others behind", "permissions:\n  deny: [Read(~/x), *.internal, Bash(a {b,c} d)]\n", "2:21", "write '*.internal'"},
		{"B165 negation in a list", "permissions:\n  deny: [\"a\", !Bash(rm *)]\n", "2:15", "write '!Bash(rm *)'"},
		{"B163 star in a list", "permissions:\n  deny: [*.env]\n", "2:10", "write '*.env'"},
		{"text after a quote", "x-z: 1\nx-a: \"x\" == y\nx-b: 1\n", "2:6", "quotes must end"},
		{"wrong indent", "x-a: 1\n x-b: 2\n", "2:2", "indentation"},
		{"list then key", "- a\nx-b: 1\n", "2:1", "indentation"},
		{"B162 second document", "failClosed: true\n---\nfailClosed: false\n", "2:1", "remove the --- line"},
		{"error in a second document", "failClosed: true\n---\na: *\n", "3:4", "quote it"},
		{"control character", "x-a: \x01", "1:1", ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			f := parse("pawl.yaml", r.text)
			if !f.Broken || len(f.Diagnostics) != 1 || len(f.Specs) != 0 {
				t.Fatalf("got %s", words(f))
			}
			d := f.Diagnostics[0]
			if at := fmt.Sprintf("%d:%d", d.Pos.Line, d.Pos.Col); at != r.at || !strings.Contains(d.Advice, r.advice) {
				t.Errorf("at %s: %v; want %s and %q", at, d, r.at, r.advice)
			}
		})
	}
}

func TestYAML(t *testing.T) {
	run(t, []row{
		{"B162 empty", "", "", ""},
		{"B162 only a comment", "", "# nothing yet\n", ""},
		{"an empty document", "", "---\n", ""},
		{"a closing rule", "", "failClosed: false\n---\n", ""},
		{"keys without values", "", "hooks:\nrules:\npolicies:\npermissions:\n  deny:\n", ""},
		{"byte order mark, CRLF", "", "\ufeffrules:\r\n  - {on: Stop, decision: deny}\r\n", "rules[0] Stop 2:5 type=expr decision=\"deny\"@2:26\n"},
		{"columns are bytes", "", "rules: [{name: ü, on: Stop, 'when': 'é', decision: deny}]", "rules.ü Stop 1:9 type=expr when=\"é\"@1:38 decision=\"deny\"@1:54\n"},
		{"line breaks of YAML, lines of an editor", "", "x-a: a\u2028x-b: \u0085x-c: c\rrules: [{on: Stop}]\nfailClosed: 1", "rules[0] Stop 1:32 type=expr\nerror: f:2:13: failClosed: expected true or false, got the number 1 (taken as true until then)\n"},
		{"on, off and yes are strings", "", "rules:\n  - on: Stop\n    decision: deny\n    reason: no\n", "rules[0] Stop 2:5 type=expr decision=\"deny\"@3:15 reason=\"no\"@4:13\n"},

		{"B156 map as key", "", "x-0:\n<<:\n  {}:\n", "error: f:3:3: a key must be a string (quote it)\nBROKEN\n"},
		{"B156 map as key, flow", "", "wrappers: {? {} : 1}", "error: f:1:14: wrappers: a key must be a string (quote it)\nBROKEN\n"},
		{"B157 two merge keys", "", "x-a: &a {decision: deny}\nx-b: &b {on: Stop}\nrules:\n  - <<: *a\n    <<: *b\n  - <<: [*a, *b]\n", `
rules[0] PreToolUse 4:5 type=expr decision="deny"@1:20 BROKEN
rules[1] Stop 6:5 type=expr decision="deny"@1:20
error: f:5:5: rules[0].<<: a second merge key << (write one: <<: [*a, *b])
error: f:4:5: rules[0]: missing on: the event that the rule is for (add on: PreToolUse)
`},
		{"merge: own keys win, then the first map", "", "x-a: &a {decision: ask, on: Stop}\nx-b: &b {on: Setup, reason: r}\nrules:\n  - <<: [*a, *b]\n    decision: deny\n", `
rules[0] Stop 4:5 type=expr decision="deny"@5:15 reason="r"@2:29
`},
		{"merge of a text", "", "rules:\n  - <<: x\n    on: Stop\n  - {on: Stop, decision: deny}\n", `
rules[0] Stop 2:5 type=expr BROKEN
rules[1] Stop 4:5 type=expr decision="deny"@4:26
error: f:2:9: rules[0].<<: merge key <<: expected a mapping, got the string "x"
`},
		{"alias", "", "x-w: &w Edit|Write\nrules:\n  - {on: Stop, match: *w, decision: deny}\n", "rules[0] Stop 3:5 type=expr matcher=\"Edit|Write\"@1:6 decision=\"deny\"@3:37\n"},
		{"alias in its own anchor", "", "hooks: &x\n  Stop:\n    - *x\n    - {type: a}\n", `
hooks.Stop[0] Stop 3:7 BROKEN
hooks.Stop[1] Stop 4:7 type=a
error: f:3:7: hooks.Stop[0]: alias *x is inside its own anchor
note: f:4:7: hooks.Stop[1]: a hook without the matcher and hooks around it, read as a group of one
`},
		{"merge in its own anchor", "", "rules:\n  - &r\n    on: Stop\n    <<: *r\n", `
rules[0] Stop 2:5 type=expr BROKEN
error: f:4:9: rules[0]: alias *r is inside its own anchor
`},

		{"B159 duplicate key in a hook", "", "hooks:\n  Stop:\n    - hooks:\n        - {type: a, if: x, if: y}\n        - {type: b}\n", `
hooks.Stop[0].hooks[0] Stop 4:11 type=a BROKEN
hooks.Stop[0].hooks[1] Stop 5:11 type=b
error: f:4:28: hooks.Stop[0].hooks[0].if: duplicate key "if", first in line 4 (keep one of them)
`},
		{"B159 duplicate event", "", "hooks:\n  Stop:\n    - hooks: [{type: a}]\n  Stop:\n    - hooks: [{type: b}]\n  Setup:\n    - hooks: [{type: c}]\n", `
hooks.Stop Stop 4:3 BROKEN
hooks.Stop[0].hooks[0] Stop 3:15 type=a
hooks.Stop[0].hooks[0] Stop 5:15 type=b
hooks.Setup[0].hooks[0] Setup 7:15 type=c
error: f:4:3: hooks.Stop: duplicate key "Stop", first in line 2 (keep one of them)
`},
		{"B159 duplicate top key", "", "failClosed: true\nfailClosed: false\n", "error: f:2:1: failClosed: duplicate key \"failClosed\", first in line 1 (keep one of them)\nBROKEN\n"},
		{"B159 two rules of one name", "", "rules:\n  - {name: a, on: Stop}\n  - {name: a, on: Setup}\n", `
rules.a Stop 2:5 type=expr
rules[1] Setup 3:5 type=expr BROKEN
error: f:3:12: rules[1].name: a second rule named "a", the first is in line 2 (give it another name)
`},

		{"B160 bools are true or false", "", "disableAllHooks: off\n", "error: f:1:18: disableAllHooks: expected true or false, got the string \"off\"\n"},
		{"B160 True", "", "disableAllHooks: True\n", "error: f:1:18: disableAllHooks: expected true or false, got True\n"},
		{"B160 what tightens is taken", "", "failClosed: on\n", "error: f:1:13: failClosed: expected true or false, got the string \"on\" (taken as true until then)\n"},
		{"B160, B163 patterns are strings", "", "permissions:\n  deny:\n    - Bash(rm *)\n    - ~\n    - 5\n    - yes\n    - \"yes\"\n    - Bash(a): x\n    - [b]\n    - true\n", `
permissions.deny[0] deny "Bash(rm *)"@3:7
permissions.deny[1] deny ""@4:7 BROKEN
permissions.deny[2] deny ""@5:7 BROKEN
permissions.deny[3] deny ""@6:7 BROKEN
permissions.deny[4] deny "yes"@7:7
permissions.deny[5] deny ""@8:7 BROKEN
permissions.deny[6] deny ""@9:7 BROKEN
permissions.deny[7] deny ""@10:7 BROKEN
error: f:4:7: permissions.deny[1]: expected a string, got nothing (write a text, or remove it)
error: f:5:7: permissions.deny[2]: expected a string, got the number 5 (quote it)
error: f:6:7: permissions.deny[3]: yes may be read as true or false (quote it)
error: f:8:7: permissions.deny[5]: expected a string, got a mapping (quote it: a colon and a space begin a mapping in YAML)
error: f:9:7: permissions.deny[6]: expected a string, got a list (quote it: [ begins a list in YAML)
error: f:10:7: permissions.deny[7]: expected a string, got true (quote it)
`},
		{"B162 unknown key", "", "colour: blue\nx-mine: 1\n$schema: s\n", `
warning: f:1:1: colour: unknown key "colour" (` + keyAdvice + `)
`},
		{"B163 a comment cuts a command", "", "hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: grep -c #inc f\n        - type: command # not here\n          command: 'grep #x' # nor here\n", `
hooks.Stop[0].hooks[0] Stop 4:11 type=command command="grep -c"@5:20
hooks.Stop[0].hooks[1] Stop 6:11 type=command command="grep #x"@7:20
warning: f:5:20: hooks.Stop[0].hooks[0].command: ends before the #, which begins a comment: "grep -c" (quote it, or put the comment on a line of its own)
`},
		{"a comment cuts a pattern", "", "rules:\n  - on: PreToolUse\n    match: Bash(git push # x)\n    decision: deny\n  - on: PreToolUse\n    match: Bash(rm *) # no\n    decision: deny\n", `
rules[0] PreToolUse 2:5 type=expr matcher="Bash(git push"@3:12 decision="deny"@4:15
rules[1] PreToolUse 5:5 type=expr matcher="Bash(rm *)"@6:12 decision="deny"@7:15
warning: f:3:12: rules[0].match: ends before the #, which begins a comment: "Bash(git push" (quote it, or put the comment on a line of its own)
`},
		{"B165 tags", "", "hooks:\n  Stop:\n    - hooks:\n        - {type: command, command: !!binary cm0gLXJm}\n        - {type: command, command: !!str ls}\n        - {type: command, command: ls}\n", `
hooks.Stop[0].hooks[0] Stop 4:11 type=command BROKEN
hooks.Stop[0].hooks[1] Stop 5:11 type=command BROKEN
hooks.Stop[0].hooks[2] Stop 6:11 type=command command="ls"@6:36
error: f:4:36: hooks.Stop[0].hooks[0].command: explicit tag !!binary: tags are not allowed (quote the whole value: one that begins with ! is a tag in YAML)
error: f:5:36: hooks.Stop[0].hooks[1].command: explicit tag !!str: tags are not allowed (quote the whole value: one that begins with ! is a tag in YAML)
`},
		{"a negation that YAML takes for a tag", "", "rules:\n  - {on: Stop, when: ! path(x), decision: allow}\n  - on: Stop\n    when: &a !path(x)\n    decision: allow\n", `
rules[0] Stop 2:5 type=expr decision="allow"@2:43 BROKEN
rules[1] Stop 3:5 type=expr decision="allow"@5:15 BROKEN
error: f:2:22: rules[0].when: explicit tag !: tags are not allowed (quote the whole value: one that begins with ! is a tag in YAML)
error: f:4:11: rules[1].when: explicit tag !path(x): tags are not allowed (quote the whole value: one that begins with ! is a tag in YAML)
`},
		{"numbers", "", "rules: [{on: Stop, a: 0x10, b: 1.5, c: 99999999999999999999, d: 12345678901234567890, e: -3, f: 0, g: 1_0, h: 010, i: +1}]\n", `
rules[0] Stop 1:9 type=expr a=16@1:23 b=1.5@1:32 c=1e+20@1:40 d=1.2345678901234567e+19@1:65 e=-3@1:90 f=0@1:97 g=10@1:103 h=8@1:111 i=1@1:119
`},
		{"no finite number", "", "hooks:\n  Stop:\n    - hooks: [{type: mcp_tool, input: {a: .inf, b: .nan}}]\n", `
hooks.Stop[0].hooks[0] Stop 3:15 type=mcp_tool BROKEN
error: f:3:43: hooks.Stop[0].hooks[0].input.a: .inf is not a finite number
error: f:3:52: hooks.Stop[0].hooks[0].input.b: .nan is not a finite number
`},
		{"not a mapping", "", "- hooks\n", "error: f:1:1: expected a mapping with keys such as hooks and rules, got a list\nBROKEN\n"},
	})
}

func TestYAMLBounds(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("wrappers:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&bomb, "  a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9))
	}
	wide := "x-a: &a [" + strings.Repeat("é, ", 30_000) + "]\nx-b: [" + strings.Repeat("*a, ", 5) + "]\n"
	for _, r := range []struct{ name, text, want string }{
		{"alias bomb", bomb.String(), "aliases add more than 100000 values"},
		{"wide aliases", wide, "aliases add more than 100000 values"},
		{"deep flow", "wrappers: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested deeper than 200 levels"},
		{"deeper than yaml.v3 goes", "wrappers: " + strings.Repeat("[", 200_000), "not valid YAML: exceeded max depth of 10000"},
		{"many values", "wrappers: [" + strings.Repeat("1,", 200_001) + "]", "more than 200000 values"},
		{"many values, JSON", "{\"wrappers\": [" + strings.Repeat("1,", 200_001) + "1]}", "more than 200000 values"},
		{"deep JSON", "{\"wrappers\": " + strings.Repeat("[", 5000), "nested deeper than 200 levels"},
		{"not UTF-8", "failClosed: true\nx-a: \xff\n", "not valid UTF-8"},
		{"large", strings.Repeat("#", 4<<20+1), "larger than 4 MiB"},
	} {
		t.Run(r.name, func(t *testing.T) {
			f := parse("pawl.yaml", r.text)
			if !f.Broken || len(f.Diagnostics) != 1 || !strings.Contains(f.Diagnostics[0].Message, r.want) {
				t.Errorf("got %.500s", words(f))
			}
		})
	}
}

// Maps with many keys are searched by an index.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("wrappers:\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "  k%d: 1\n", i)
	}
	b.WriteString("  k7: 2\n")
	f := parse("pawl.yaml", b.String())
	want := "error: f:20002:3: wrappers.k7: duplicate key \"k7\", first in line 9 (keep one of them)\nBROKEN\n"
	if got := words(f); got != want {
		t.Errorf("got %s", got)
	}
}

func TestManyProblems(t *testing.T) {
	f := parse("pawl.yaml", "permissions: {deny: ["+strings.Repeat("1,", 5000)+"]}")
	if len(f.Permissions) != 5000 || len(f.Diagnostics) != maxProblems+1 || !f.Broken || f.Permissions[4999].Broken == nil {
		t.Errorf("%d rules, %d problems, broken %v", len(f.Permissions), len(f.Diagnostics), f.Broken)
	}
}
