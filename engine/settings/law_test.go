package settings

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
)

// One corrupted entry leaves all others exactly as they were, in both
// syntaxes, and ends as a stub on its event or with a Diagnostic.
func TestOneBadEntryCostsItself(t *testing.T) {
	good := rapid.SampledFrom([]string{
		`{"type": "command", "command": "x", "timeout": 5}`,
		`{"type": "permission", "decision": "deny", "if": "Bash(rm *)"}`,
		`{"type": "expr", "when": "true", "decision": "ask", "mode": "observe"}`,
		`{"type": "http", "url": "u", "headers": {"a": "b"}}`,
	})
	bad := rapid.SampledFrom([]string{
		`5`, `null`, `[]`, `{}`, `"x"`, `{"type": 1}`, `{"type": "a", "if": 1}`, `{"type": "a", "timeout": -1}`,
		`{"type": "a", "once": 0}`, `{"type": "a", "type": "b"}`, `{"type": "a", "f": {"x": 1, "x": 2}}`, `{"type": "a", "when": []}`,
	})
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.SampledFrom([]string{"settings.json", "pawl.yaml"}).Draw(t, "file")
		events := rapid.SliceOfNDistinct(rapid.SampledFrom(hook.EventNames()), 1, 4, rapid.ID).Draw(t, "events")
		var entries []string
		var layout []int // entries of each event
		for range events {
			n := rapid.IntRange(1, 4).Draw(t, "n")
			layout = append(layout, n)
			for range n {
				entries = append(entries, good.Draw(t, "entry"))
			}
		}
		victim := rapid.IntRange(0, len(entries)-1).Draw(t, "victim")
		before := parse(file, document(file, events, layout, entries))
		if before.Broken || len(before.Specs) != len(entries) {
			t.Fatalf("the good file: %s", words(before))
		}
		entries[victim] = bad.Draw(t, "bad")
		after := parse(file, document(file, events, layout, entries))
		if after.Broken || len(after.Specs) != len(entries) {
			t.Fatalf("the bad file: %s", words(after))
		}
		for i := range entries {
			if i != victim && !reflect.DeepEqual(before.Specs[i], after.Specs[i]) {
				t.Fatalf("%+v became %+v", before.Specs[i], after.Specs[i])
			}
		}
		stub, was := after.Specs[victim], before.Specs[victim]
		if stub.Broken == nil || stub.Event != was.Event || stub.ID != was.ID || stub.Matcher.Value != was.Matcher.Value {
			t.Fatalf("the stub of %+v is %+v", was, stub)
		}
	})
}

// document writes one line for each entry, so that positions do not move.
func document(file string, events []string, layout []int, entries []string) string {
	var b strings.Builder
	for i, event := range events {
		if strings.HasSuffix(file, ".json") {
			fmt.Fprintf(&b, "%s\n%q: [{\"matcher\": \"M\", \"hooks\": [\n", [...]string{"{\"hooks\": {", ","}[min(i, 1)], event)
			b.WriteString(strings.Join(entries[:layout[i]], ",\n") + "\n]}]\n")
		} else {
			fmt.Fprintf(&b, "%s  %s:\n  - matcher: M\n    hooks:\n", [...]string{"hooks:\n", ""}[min(i, 1)], event)
			b.WriteString("    - " + strings.Join(entries[:layout[i]], "\n    - ") + "\n")
		}
		entries = entries[layout[i]:]
	}
	if strings.HasSuffix(file, ".json") {
		b.WriteString("}}")
	}
	return b.String()
}

// FuzzParseFile: no text makes the reader panic, and each entry of each list
// that it can read ends as a Spec, a permission rule or in a Diagnostic.
func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{
		"hooks:\n  Stop:\n    - matcher: x\n      hooks:\n        - {type: command, command: y}\n    - {type: a}\n    - 5\n",
		"rules:\n  - {name: a, on: [Stop, x], match: m, decision: allow}\n  -\n  - [a]\npermissions: {deny: [a, 5], allow: {}}\n",
		"x: &x [*x]\nhooks: &a\n  <<: *a\n  Stop: *x\n", "0:\n<<:\n  {}:\n", "a: *b", "- \xff", "---\nname: x\ndescription: d\nhooks: {Stop: [1]}\n---\n",
		`{"hooks":{"Stop":[{"hooks":[{"type":"a","type":"b"}]}]}}`, "// c\n{\"Stop\": [{\"type\": \"a\"}, /* */ 5]}", `{"a": [`, "{\"permissions\":{\"deny\":[\"a\",]}}",
		"\ufeffhooks: {}\r\n", "a: \u2028 b\u0085c: [é, ü, *x]\n", "hooks:\n  Stop: {a: b}\n  Stop: ~\n",
	} {
		for name := range uint8(3) {
			f.Add(name, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, name uint8, data []byte) {
		names := [...]string{"pawl.yaml", "settings.json", "s/SKILL.md"}
		file := names[int(name)%len(names)]
		got := parse(file, string(data))
		if got.Broken && len(got.Diagnostics) == 0 {
			t.Fatal("broken without a reason")
		}
		for _, d := range got.Diagnostics {
			Excerpt(data, d.Pos, 100)
		}
		if file == names[2] {
			return
		}
		text := newText(file, data)
		root, bad := readYAML(text, 0, len(data))
		if jsonBegins(data) || file == names[1] {
			root, bad = readJSON(text, 0)
		}
		if bad != nil || root == nil || root.kind != mapNode {
			return
		}
		for _, path := range entriesOf(root) {
			if !accounted(got, path) {
				t.Fatalf("%s is gone:\n%s", path, words(got))
			}
		}
	})
}

// entriesOf returns the paths of all entries that a file has to answer for.
func entriesOf(root *node) (paths []string) {
	lists := []*node{root.get("rules"), root.get("policies")}
	for _, key := range []string{"hooks", "permissions"} {
		if n := root.get(key); n != nil {
			lists = append(lists, n.children()...)
		}
	}
	for _, list := range lists {
		if list == nil || list.kind != listNode {
			continue
		}
		for _, item := range list.items {
			paths = append(paths, item.path())
		}
	}
	return paths
}

// accounted reports whether f says anything of the entry at path, or of
// something that it is in.
func accounted(f File, path string) bool {
	for _, s := range f.Specs {
		if strings.HasPrefix(s.ID, path) || strings.HasPrefix(s.ID, "rules.") && strings.HasPrefix(path, "rules[") {
			return true
		}
	}
	for _, p := range f.Permissions {
		if p.ID == path {
			return true
		}
	}
	for _, d := range f.Diagnostics {
		if strings.HasPrefix(d.Path, path) || d.Path != "" && strings.HasPrefix(path, d.Path) {
			return true
		}
	}
	return strings.HasPrefix(path, "policies[") && len(f.Policies) > 0
}
