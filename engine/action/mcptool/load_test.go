package mcptool_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/action/mcptool"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Each fault of a hook or its server is told, with what to do.
func TestFields(t *testing.T) {
	good := map[string]any{"command": "x"}
	table := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	for _, tt := range []struct {
		server any
		fields []any
		want   string // part of the first diagnostic; "": there is none
	}{
		{server: good},
		{server: table("type", "stdio", "command", "x", "args", []any{"a"}, "env", table("A", "b"), "cwd", "sub", "disabled", false)},
		{server: table("type", "http", "url", "https://a.example/mcp", "headers", table("A", "b"))},
		{server: table("url", "${BASE}/mcp")},
		{server: good, fields: []any{"server", "s"}, want: `missing "tool"`},
		{server: good, fields: []any{"tool", "t"}, want: `missing "server"`},
		{server: good, fields: []any{"server", "s", "tool", ""}, want: "empty"},
		{server: good, fields: []any{"server", "s", "tool", "t", "input", "x"}, want: "expected a mapping"},
		{server: good, fields: []any{"server", "s", "tool", "t", "input", table(), "arguments", table()}, want: "keep one"},
		{server: good, fields: []any{"server", "s", "tool", "t", "inputs", table()}, want: `did you mean "input"`},
		{server: good, fields: []any{"server", "secrets", "tool", "t"}, want: "declare it under mcpServers"},
		{server: good, fields: []any{"server", "s2", "tool", "t"}, want: `no server "s2"`},
		{server: "x", want: "expected a mapping with command, or url"},
		{server: table(), want: "neither command nor url"},
		{server: table("type", "stdio", "url", "https://a.example"), want: "neither command nor url"},
		{server: table("type", "http", "command", "x"), want: "needs a url"},
		{server: table("command", "x", "url", "https://a.example"), want: "not both"},
		{server: table("command", "x", "disabled", true), want: "switched off"},
		{server: table("type", "sse", "url", "https://a.example"), want: `got "sse"`},
		{server: table("url", "ftp://a.example"), want: "expected http://"},
		{server: table("url", "https://"), want: "expected http://"},
		{server: table("command", "x", "args", "a b"), want: "a list of strings"},
		{server: table("command", "x", "env", table("PORT", 80)), want: "PORT: expected a string"},
	} {
		f := newFixture(t, mcptool.Options{})
		f.declare("s", tt.server)
		if tt.fields == nil {
			tt.fields = []any{"server", "s", "tool", "t"}
		}
		_, diags := f.make(tt.fields...)
		switch {
		case tt.want == "" && len(diags) > 0:
			t.Errorf("%v: %v", tt.server, diags)
		case tt.want != "" && (len(diags) == 0 || !strings.Contains(diags[0].Error(), tt.want)):
			t.Errorf("%v, %v: %v, want %q", tt.server, tt.fields, diags, tt.want)
		}
	}
	f := newFixture(t, mcptool.Options{})
	f.deps.Settings = []hook.Setting{{Field: hook.Field{Name: "mcpServers", Value: []any{}, Pos: hook.Position{File: "pawl.yaml", Line: 7}}}}
	if _, diags := f.make("server", "s", "tool", "t"); !slices.ContainsFunc(diags, func(d hook.Diagnostic) bool {
		return d.Severity == hook.Error && d.Pos.Line == 7
	}) {
		t.Errorf("a list for a mapping: %v", diags)
	}
}

// The first layer that declares a server counts: no other takes its place.
func TestFirstLayerCounts(t *testing.T) {
	f := newFixture(t, mcptool.Options{})
	f.program(t, "good")
	f.declare("s", map[string]any{"command": "no-such-program"})
	a, diags := f.make("server", "s", "tool", "structured")
	if len(diags) != 1 || diags[0].Severity != hook.Note || !strings.Contains(diags[0].Message, "no effect") {
		t.Errorf("diagnostics %v", diags)
	}
	if res, err := a.Run(t.Context(), f.event(hook.PreToolUse)); err != nil || res.Verdict != hook.Deny {
		t.Errorf("%s, %v", res.Verdict, err)
	}
}

// With a host that lends servers, a name that nobody declares is the host's.
func TestLentName(t *testing.T) {
	f := newFixture(t, mcptool.Options{Lend: func(context.Context, string, string, json.RawMessage) (string, error) { return "", nil }})
	if _, diags := f.make("server", "anything", "tool", "t"); len(diags) > 0 {
		t.Error(diags)
	}
}
