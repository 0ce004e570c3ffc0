package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const testGroup = `{"hooks": [{"type": "command", "command": "pawl hook", "timeout": 60}]}`

func TestMergeHooks(t *testing.T) {
	two := []string{"PreToolUse", "Stop"}
	const g = testGroup
	for _, tt := range []struct{ name, src, want string }{
		{"no file", "", "{\n  \"hooks\": {\n    \"PreToolUse\": [" + g + "],\n    \"Stop\": [" + g + "]\n  }\n}\n"},
		{"empty object, no line break at the end", "{}", "{\n  \"hooks\": {\n    \"PreToolUse\": [" + g + "],\n    \"Stop\": [" + g + "]\n  }\n}"},
		{"other members, four blanks", "{\n    \"model\": \"x\"\n}\n",
			"{\n    \"model\": \"x\",\n    \"hooks\": {\n        \"PreToolUse\": [" + g + "],\n        \"Stop\": [" + g + "]\n    }\n}\n"},
		{"tabs and CRLF", "{\r\n\t\"hooks\": {\r\n\t}\r\n}",
			"{\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [" + g + "],\r\n\t\t\"Stop\": [" + g + "]\r\n\t}\r\n}"},
		{"one line", `{"a": 1}`, `{"a": 1, "hooks": {"PreToolUse": [` + g + `], "Stop": [` + g + `]}}`},
		{"one line, empty hooks", `{"hooks":{}, "a":1}`, `{"hooks":{"PreToolUse": [` + g + `], "Stop": [` + g + `]}, "a":1}`},
		{"neighbours of the same event", "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": []}\n    ],\n    \"Stop\": []\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": []},\n      " + g + "\n    ],\n    \"Stop\": [" + g + "]\n  }\n}\n"},
		{"inline list", "{\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": []}], \"Stop\": []}\n}",
			"{\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": []}, " + g + "], \"Stop\": [" + g + "]}\n}"},
		{"comments stay where they are", "// top\n{\n  \"a\": 1 // one, }\n  /* end */\n}\n// after\n",
			"// top\n{\n  \"a\": 1, // one, }\n  /* end */\n  \"hooks\": {\n    \"PreToolUse\": [" + g + "],\n    \"Stop\": [" + g + "]\n  }\n}\n// after\n"},
		{"comment in empty hooks", "{\n  \"hooks\": { /* none */ }\n}",
			"{\n  \"hooks\": { /* none */\n    \"PreToolUse\": [" + g + "],\n    \"Stop\": [" + g + "]\n   }\n}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, added, err := mergeHooks([]byte(tt.src), two, g)
			if err != nil || len(added) != 2 {
				t.Fatalf("added %v, error %v", added, err)
			}
			if string(got) != tt.want {
				t.Errorf("got:\n%q\nwant:\n%q", got, tt.want)
			}
		})
	}
}

func TestMergeHooksLeavesPawlEntries(t *testing.T) {
	for _, command := range []string{
		`"command": "pawl hook"`, `"command": "/opt/bin/pawl hook --deadline 5s"`, `"command": "'/o p/pawl' hook"`,
		`"command": "\"C:\\Program Files\\pawl.exe\" hook"`, `"command": "pawl", "args": ["hook"]`, `"command": "cd x && pawl hook"`,
	} {
		src := `{"hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", ` + command + `}]}]}}`
		got, added, err := mergeHooks([]byte(src), []string{"Stop"}, testGroup)
		if err != nil || len(added) != 0 || string(got) != src {
			t.Errorf("%s: added %v, error %v, got %s", command, added, err, got)
		}
	}
	for _, command := range []string{`"command": "echo pawl hooks"`, `"command": "sprawl hook"`, `"prompt": "pawl hook"`} {
		src := `{"hooks": {"Stop": [{"hooks": [{` + command + `}]}]}}`
		if _, added, _ := mergeHooks([]byte(src), []string{"Stop"}, testGroup); len(added) != 1 {
			t.Errorf("%s was taken for an entry of Pawl", command)
		}
	}
}

func TestMergeHooksRefuses(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`{"a": 1,}`, "1:8: "},
		{"{\n  \"a\": tru\n}", "2:11: "},
		{"{\n  \"a\": 1\n", "3:1: it ends too early"},
		{`{"a": 1, "a": 2}`, "1:10: "},
		{`[]`, "1:1: expected an object"},
		{"{\n\"hooks\": []}", "2:10: hooks: expected an object"},
		{`{"hooks": {"Stop": {}}}`, "1:20: hooks.Stop: expected a list"},
		{`{} {}`, "something follows"},
		{"{\"a\": \"\xff\"}", "1:"},
		{"{\"a\": /* open", "it ends too early"},
	} {
		got, _, err := mergeHooks([]byte(tt.src), []string{"Stop"}, testGroup)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %s, error %v, want %q", tt.src, got, err, tt.want)
		}
	}
}

// TestMergeHooksKeepsAllBytes: for any settings, in any layout, the result
// holds every byte of the source in its order, reads as the source with the
// hooks added, and merging again changes nothing.
func TestMergeHooksKeepsAllBytes(t *testing.T) {
	events := []string{"PreToolUse", "Stop", "SessionEnd"}
	rapid.Check(t, func(t *rapid.T) {
		src := layout(t, document(t))
		got, _, err := mergeHooks(src, events, testGroup)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if !subsequence(src, got) {
			t.Fatalf("bytes of the source are lost:\n%s\n%s", src, got)
		}
		var tree struct{ Hooks map[string][]map[string]any }
		if err := json.Unmarshal(blankComments(got), &tree); err != nil {
			t.Fatalf("%v:\n%s", err, got)
		}
		for _, e := range events {
			n := 0
			for _, g := range tree.Hooks[e] {
				if g["hooks"] != nil {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%s has %d entries:\n%s", e, n, got)
			}
		}
		again, added, err := mergeHooks(got, events, testGroup)
		if err != nil || len(added) > 0 || !bytes.Equal(again, got) {
			t.Fatalf("merging again: added %v, error %v", added, err)
		}
	})
}

func subsequence(part, whole []byte) bool {
	for _, c := range whole {
		if len(part) > 0 && part[0] == c {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// document draws settings.
func document(t *rapid.T) map[string]any {
	doc := map[string]any{}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"model", "env", "permissions"}), rapid.ID).Draw(t, "members") {
		doc[name] = rapid.SampledFrom([]any{"x // y", 1, true, map[string]any{}, []any{}, map[string]any{"a": []any{1, "/*"}}}).Draw(t, name)
	}
	if rapid.Bool().Draw(t, "has hooks") {
		hooks := map[string]any{}
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"PreToolUse", "Stop", "Setup"}), rapid.ID).Draw(t, "events") {
			groups := make([]any, rapid.IntRange(0, 2).Draw(t, "groups"))
			for i := range groups {
				groups[i] = map[string]any{"matcher": "Bash"}
			}
			hooks[name] = groups
		}
		doc["hooks"] = hooks
	}
	return doc
}

// layout writes doc in some style, with comments in places.
func layout(t *rapid.T, doc map[string]any) []byte {
	var src []byte
	switch indent := rapid.SampledFrom([]string{"", "  ", "\t", "    "}).Draw(t, "indent"); indent {
	case "":
		src, _ = json.Marshal(doc)
	default:
		src, _ = json.MarshalIndent(doc, "", indent)
		if rapid.Bool().Draw(t, "comments") {
			src = bytes.ReplaceAll(src, []byte(",\n"), []byte(", // }]\n"))
			src = bytes.ReplaceAll(src, []byte("\n"+indent+"}"), []byte(" // last\n"+indent+"}"))
			src = bytes.ReplaceAll(src, []byte("\n}"), []byte(" /* \" */\n}"))
		}
	}
	if rapid.Bool().Draw(t, "crlf") {
		src = bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	}
	return append(src, rapid.SampledFrom([]string{"", "\n", "\n\n"}).Draw(t, "end")...)
}
