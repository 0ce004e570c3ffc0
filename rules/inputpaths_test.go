package rules

import (
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestInputPaths: the files that tools of any host and server name.
func TestInputPaths(t *testing.T) {
	p := newPlace(t)
	edit, read := mustPermission(t, "Edit(.env)", p.scope(false)), mustPermission(t, "Read(.env)", p.scope(false))
	type input = map[string]any
	for _, c := range []struct {
		tool       string
		input      input
		edit, read hook.Tri
	}{
		{"mcp__fs__move_file", input{"source": "a", "destination": ".env"}, hook.Yes, hook.Yes},
		{"mcp__fs__move_file", input{"source": ".env", "destination": "a"}, hook.Yes, hook.Yes},
		{"mcp__fs__write_file", input{"path": ".env"}, hook.Yes, hook.Yes},
		{"mcp__fs__copy", input{"src": "a", "dest": p.dir + "/.env"}, hook.Yes, hook.Yes},
		{"mcp__fs__rename", input{"old_path": "a", "new_path": ".env"}, hook.Yes, hook.Yes},
		{"mcp__fs__link", input{"target": ".env"}, hook.Yes, hook.Yes},
		{"mcp__fs__open", input{"uri": "file://" + p.dir + "/.env"}, hook.Yes, hook.Yes},
		{"mcp__fs__edit", input{"edits": []any{input{"path": "a"}, input{"path": ".env"}}}, hook.Yes, hook.Yes},
		{"mcp__fs__many", input{"files": []any{"a", ".env"}}, hook.Yes, hook.Yes},
		{"mcp__fs__patch", input{"patch": "*** Update File: .env\n"}, hook.Yes, hook.Yes},
		{"mcp__fs__odd", input{"path": 5}, hook.Unknown, hook.Unknown},
		{"mcp__db__query", input{"source": input{"kind": "user"}, "target": "prod", "from": "2024", "to": ".envs"}, hook.No, hook.No},
		{"mcp__chat__send", input{"text": "see .env", "file": "a"}, hook.No, hook.No},
		{"Write", input{"file_path": "a", "content": "x", "source": ".env"}, hook.No, hook.No},
		{"Read", input{"file_path": ".env"}, hook.No, hook.Yes},
		{"Grep", input{"path": "src", "pattern": ".env"}, hook.No, hook.No},
		{"Grep", input{"path": "src", "pattern": "x", "glob": "../.env"}, hook.No, hook.Yes},
		{"Grep", input{"pattern": "x", "glob": ".env"}, hook.No, hook.Yes},
		{"Grep", input{"pattern": "x", "glob": "*.go"}, hook.No, hook.No},
	} {
		f := p.facts(c.tool, c.input)
		if got := edit.Match(f); got != c.edit {
			t.Errorf("%s %s: Edit(.env) says %v, want %v", c.tool, f.Event.Input.Raw(), got, c.edit)
		}
		if got := read.Match(f); got != c.read {
			t.Errorf("%s %s: Read(.env) says %v, want %v", c.tool, f.Event.Input.Raw(), got, c.read)
		}
		checkIndexed(t, edit, f)
		checkIndexed(t, read, f)
	}
}
