package settings

import "testing"

func TestJSON(t *testing.T) {
	run(t, []row{
		{"empty", "settings.json", "", ""},
		{"only a comment", "settings.json", "// nothing\n/* yet */\n", ""},
		{"JSON under a YAML name", "pawl.yaml", "\ufeff /* a */ // b\n{\"rules\": [{\"on\": \"Stop\"}]}", "rules[0] Stop 2:12 type=expr\n"},
		{"comments everywhere", "settings.json", "{/*a*/\"rules\"/*b\n*/:[//c\n{\"on\":\"Stop\",\"reason\":\"/*d*/ // e \\\" //\"}/**/]}//f", `
rules[0] Stop 3:1 type=expr reason="/*d*/ // e \" //"@3:23
`},
		{"numbers are kept", "settings.json", `{"rules":[{"on":"Stop","a":12,"b":1.5,"c":12345678901234567890,"d":[null,true]}]}`, `
rules[0] Stop 1:11 type=expr a=12@1:28 b=1.5@1:35 c=1.2345678901234567e+19@1:43 d=[]interface {}{interface {}(nil), true}@1:68
`},
		{"no finite number", "settings.json", `{"rules":[{"on":"Stop","a":1e999},{"on":"Setup"}]}`, `
rules[0] Stop 1:11 type=expr BROKEN
rules[1] Setup 1:35 type=expr
error: f:1:28: rules[0].a: 1e999 is not a finite number
`},
		{"B159 duplicate key in a hook", "settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"a","type":"b"},{"type":"c"}]}]}}`, `
hooks.Stop[0].hooks[0] Stop 1:29 type=a BROKEN
hooks.Stop[0].hooks[1] Stop 1:53 type=c
error: f:1:41: hooks.Stop[0].hooks[0].type: duplicate key "type", first in line 1 (keep one of them)
`},
		{"duplicate by escape", "settings.json", `{"failClosed":true,"failC\u006cosed":false}`, "error: f:1:20: failClosed: duplicate key \"failClosed\", first in line 1 (keep one of them)\nBROKEN\n"},
		{"duplicate deep in a field", "settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"a","h":[{"x":1,"x":2}]}]}]}}`, `
hooks.Stop[0].hooks[0] Stop 1:29 type=a BROKEN
error: f:1:53: hooks.Stop[0].hooks[0].h[0].x: duplicate key "x", first in line 1 (keep one of them)
`},
		{"<< is an ordinary key", "settings.json", `{"rules":[{"on":"Stop","<<":{"a":1}}]}`, "rules[0] Stop 1:11 type=expr <<=map[string]interface {}{\"a\":1}@1:29\n"},
		{"not a mapping", "settings.json", "[1]", "error: f:1:1: expected a mapping with keys such as hooks and rules, got a list\nBROKEN\n"},

		{"trailing comma", "settings.json", "{\"a\": [1,\n], \"b\": 2}", "error: f:1:9: not valid JSON: invalid character ',' at start of value (remove this comma)\nBROKEN\n"},
		{"no comma", "settings.json", "{\"a\": [1\n 2]}", "error: f:2:2: not valid JSON: invalid character '2' after array element (expecting ',' or ']') (a comma is missing before it)\nBROKEN\n"},
		{"no colon", "settings.json", `{"a" 1}`, "error: f:1:6: not valid JSON: invalid character '1' after object name (expecting ':')\nBROKEN\n"},
		{"YAML's braces", "pawl.yaml", "{hooks: {}}", "error: f:1:2: not valid JSON: invalid character 'h' at start of value (text that begins with { is read as JSON: names and strings need double quotes)\nBROKEN\n"},
		{"cut short", "settings.json", "{\"a\": [1,\n", "error: f:2:1: not valid JSON: the text ends in the middle of a value\nBROKEN\n"},
		{"two values", "settings.json", "{}\n{}", "error: f:2:1: not valid JSON: more text after the end of the value (remove it)\nBROKEN\n"},
		{"stray bracket", "settings.json", "{}]", "error: f:1:3: not valid JSON: more text after the end of the value (remove it)\nBROKEN\n"},
		{"open comment", "settings.json", "{}\n/* x", "error: f:2:1: not valid JSON: this comment does not end (close it with */)\nBROKEN\n"},
		{"open string", "settings.json", `{"a": "b // c`, "error: f:1:14: not valid JSON: the text ends in the middle of a value\nBROKEN\n"},
		{"half a surrogate", "settings.json", `{"a": "\ud800"}`, "error: f:1:8: not valid JSON: invalid surrogate pair `\\ud800\"}` in string\nBROKEN\n"},
	})
}

func TestOwnCallsAreLeftOut(t *testing.T) {
	for command, want := range map[string]bool{
		`pawl hook`:                                 true,
		`pawl hook --agent claude`:                  true,
		`/usr/local/bin/pawl hook`:                  true,
		`"$HOME/go/bin/pawl" hook`:                  true,
		`C:\bin\pawl.exe hook`:                      true,
		`exec pawld  hook`:                          true,
		`cd x && pawl hook; true`:                   true,
		`pawl check`:                                false,
		`mypawl hook`:                               false,
		`pawl hooks`:                                false,
		`echo crawl hook`:                           false,
		`.claude/hooks/check.sh`:                    false,
		`python3 scripts/validate.py --name=pawl-x`: false,
	} {
		f := parse("settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":`+quote(command)+`}]}]}}`)
		if got := len(f.Specs) == 0; got != want || got != (len(f.Diagnostics) == 1) {
			t.Errorf("%s: left out %v\n%s", command, got, words(f))
		}
		if f := parse("pawl.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":`+quote(command)+`}]}]}}`); len(f.Specs) != 1 {
			t.Errorf("%s: a file of ours does not run under the agent, but its hook is left out", command)
		}
	}
	run(t, []row{
		{"exec form, and what else the command did", "settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/x/pawl","args":["hook"]},
{"type":"command","command":"./guard; pawl hook"},{"type":"prompt","prompt":"pawl hook"}]}]}}`, `
hooks.Stop[0].hooks[2] Stop 2:51 type=prompt prompt="pawl hook"@2:77
note: f:1:29: hooks.Stop[0].hooks[0]: left out: it calls Pawl itself
warning: f:2:1: hooks.Stop[0].hooks[1]: left out: it calls Pawl itself, with all else that its command does
`},
	})
}
