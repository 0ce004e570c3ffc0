package webhook_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/action/webhook"
	"github.com/pawl-dev/pawl/engine/hook"
)

// contextOf is a context of t that ends in time if the cause is that it does.
func contextOf(t *testing.T, d time.Duration, cause hook.Cause) (context.Context, context.CancelFunc) {
	if cause == hook.CauseTimeout {
		return context.WithTimeout(t.Context(), d)
	}
	return context.WithCancel(t.Context())
}

// Each fault of an entry is told, with what to do (B112: in a url nothing is
// filled in).
func TestFields(t *testing.T) {
	const ok = "https://a.example/x"
	headers := func(name string, value any) []any { return []any{"url", ok, "headers", map[string]any{name: value}} }
	for _, tt := range []struct {
		fields  []any
		want    string // part of the first diagnostic; "": there is none
		warning bool
	}{
		{fields: []any{"url", ok}},
		{fields: []any{"url", "http://localhost:8080/x"}},
		{fields: []any{"url", "http://[::1]:8080/x"}},
		{fields: []any{"url", "http://192.168.1.5/x"}},
		{fields: []any{"url", "http://audit/x"}},
		{fields: []any{"url", "http://a.example/x"}, want: "can be read on the way", warning: true},
		{fields: nil, want: `missing "url"`},
		{fields: []any{"url", ""}, want: "empty"},
		{fields: []any{"url", 5}, want: "expected a string"},
		{fields: []any{"url", "${HOOK_URL}/x"}, want: "variable in a url"},
		{fields: []any{"url", "ftp://h"}, want: `got scheme "ftp"`},
		{fields: []any{"url", "a.example/x"}, want: "expected http://"},
		{fields: []any{"url", "http://"}, want: "host is missing"},
		{fields: []any{"url", "http://a.example:x/"}, want: "invalid port"},
		{fields: []any{"url", "https://user:pw@a.example/"}, want: "name or password"},
		{fields: []any{"url", "https://bücher.example/"}, want: "xn--"},
		{fields: []any{"url", "https://a.example/x/../y"}, want: "segment . or .."},
		{fields: []any{"url", "https://a.example/x/%2e%2e/y"}, want: "segment . or .."},
		{fields: []any{"url", "https://a.example/x/..;v=1/y"}, want: "segment . or .."},
		{fields: []any{"url", `https://a.example/x/..%5cy`}, want: "segment . or .."},
		{fields: []any{"url", "https://a.example/..%2fy"}, want: "segment . or .."},
		{fields: []any{"url", ok, "method", "patch"}},
		{fields: []any{"url", ok, "method", "GET"}, want: "expected one of"},
		{fields: []any{"url", ok, "retries", 3}, want: "somebody waits", warning: true},
		{fields: []any{"url", ok, "retries", 11}, want: "expected 0 to 10"},
		{fields: []any{"url", ok, "retries", "3"}, want: "a whole number"},
		{fields: headers("X Y", "a"), want: "no name of a header"},
		{fields: headers("Host", "b.example"), want: "belongs to the connection"},
		{fields: headers("X", 5), want: "quote it"},
		{fields: headers("X", "a\r\nY: b"), want: "line break"},
		{fields: []any{"url", ok, "headers", map[string]any{"x-a": "1", "X-A": "2"}}, want: "there twice"},
		{fields: []any{"url", ok, "headers", []any{}}, want: "expected a mapping"},
		{fields: []any{"url", ok, "allowedEnvVars", []any{"A-B"}}, want: "no name of a variable", warning: true},
		{fields: []any{"url", ok, "header", map[string]any{}}, want: `did you mean "headers"`, warning: true},
	} {
		_, diags := newFixture().make(t, tt.fields...)
		switch {
		case tt.want == "" && len(diags) > 0:
			t.Errorf("%v: %v", tt.fields, diags)
		case tt.want != "" && (len(diags) == 0 || !strings.Contains(diags[0].Error(), tt.want) || (diags[0].Severity == hook.Warning) != tt.warning):
			t.Errorf("%v: %v, want %q", tt.fields, diags, tt.want)
		}
	}
}

// setting is a list in the settings of one layer.
func setting(layer hook.Layer, name string, items ...any) hook.Setting {
	return hook.Setting{
		Field:  hook.Field{Name: name, Value: append([]any{}, items...), Pos: hook.Position{File: layer.String(), Line: 2, Col: 3}},
		Source: hook.Source{Layer: layer},
	}
}

// Patterns are compared with the parts of a URL (B114).
func TestAllowedURLs(t *testing.T) {
	corp := []any{"https://hooks.corp.example/*"}
	for _, tt := range []struct {
		patterns []any
		url      string
		ok       bool
	}{
		{corp, "https://hooks.corp.example/", true},
		{corp, "https://hooks.corp.example", true},
		{corp, "https://hooks.corp.example/a/b?c=d", true},
		{corp, "https://HOOKS.corp.example./a", true},
		{corp, "https://hooks.corp.example:443/a", true},
		{[]any{"HTTPS://Hooks.Corp.Example./*"}, "https://hooks.corp.example/a", true},
		{corp, "http://hooks.corp.example/a", false},
		{corp, "https://hooks.corp.example:8443/a", false},
		{corp, "https://hooks.corp.example.evil.net/x", false},
		{corp, "https://evil.net/https://hooks.corp.example/x", false},
		{corp, "https://evil.net/?https://hooks.corp.example/x", false},
		{[]any{"https://*.corp.example/*"}, "https://a.b.corp.example/x", true},
		{[]any{"https://*.corp.example/*"}, "https://corp.example/x", false},
		{[]any{"https://*.corp.example/*"}, "https://evil.net/.corp.example/x", false},
		{[]any{"https://a.example/hook"}, "https://a.example/hook", true},
		{[]any{"https://a.example/hook"}, "https://a.example/hook2", false},
		{[]any{"https://a.example/hook"}, "https://a.example/hook?x=1", false},
		{[]any{"https://a.example"}, "https://a.example/", true},
		{[]any{"https://a.example"}, "https://a.example/x", false},
		{[]any{"http://localhost:*/*"}, "http://localhost:8080/x", true},
		{[]any{"http://localhost:*/*"}, "http://localhost.evil.net:8080/x", false},
		{[]any{"http://localhost/*"}, "http://localhost:8080/x", false},
		{[]any{"http://[::1]:9/*"}, "http://[::1]:9/x", true},
		{[]any{"https://*"}, "https://a.example:8443/x", true},
		{[]any{"https://*"}, "http://a.example/x", false},
		{[]any{"*"}, "http://localhost/x", true},
		{[]any{"*/x/*/z"}, "https://a.example/x/y/z", false},
		{[]any{"https://a.example/*/z*"}, "https://a.example/x/y/zz", true},
		{[]any{"a.example/*"}, "https://a.example/x", false},
		{[]any{"https://b.example/*", "https://a.example/*"}, "https://a.example/x", true},
		{nil, "https://a.example/x", false},
		{[]any{"https://hooks.corp.example@evil.net/*"}, "https://evil.net/x", false},
	} {
		f := newFixture()
		f.deps.Settings = []hook.Setting{setting(hook.User, "allowedHttpHookUrls", tt.patterns...)}
		if got := f.allowed(t, tt.url); got != tt.ok {
			t.Errorf("%v with %s: allowed %v", tt.patterns, tt.url, got)
		}
	}
}

// allowed reports whether url may be called; if not, that is told at load.
func (f *fixture) allowed(t *testing.T, url string) bool {
	t.Helper()
	a, diags := f.make(t, "url", url)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.Run(ctx, f.call(event(hook.PreToolUse)))
	refused := strings.Contains(err.Error(), "not among the allowedHttpHookUrls of")
	if told := len(diags) > 0 && strings.Contains(diags[len(diags)-1].Message, "is not called"); told != refused || !refused && cause(err) != hook.CauseCanceled {
		t.Errorf("%s: diagnostics %v, error %v", url, diags, err)
	}
	return !refused
}

// Lists of several files are one; a managed list is a ceiling for the others,
// and enough for managed hooks.
func TestLimits(t *testing.T) {
	const name = "allowedHttpHookUrls"
	corp, local := "https://corp.example/*", "http://localhost/*"
	for _, tt := range []struct {
		settings []hook.Setting
		layer    hook.Layer
		want     string // which of c(orp) and l(ocal) are allowed
	}{
		{nil, hook.Project, "cl"},
		{[]hook.Setting{setting(hook.User, name, corp), setting(hook.Project, name, local)}, hook.Project, "cl"},
		{[]hook.Setting{setting(hook.User, name, corp)}, hook.Managed, "c"},
		{[]hook.Setting{setting(hook.Project, name)}, hook.Managed, ""},
		{[]hook.Setting{setting(hook.Managed, name, corp), setting(hook.Project, name, "*")}, hook.Project, "c"},
		{[]hook.Setting{setting(hook.Managed, name, corp), setting(hook.Project, name)}, hook.Project, ""},
		{[]hook.Setting{setting(hook.Managed, name, corp), setting(hook.Project, name)}, hook.Managed, "c"},
		{[]hook.Setting{setting(hook.Managed, name)}, hook.Managed, ""},
	} {
		f := newFixture()
		f.deps.Settings, f.spec.Source.Layer = tt.settings, tt.layer
		got := ""
		if f.allowed(t, "https://corp.example/x") {
			got += "c"
		}
		if f.allowed(t, "http://localhost/x") {
			got += "l"
		}
		if got != tt.want {
			t.Errorf("%v, a %s hook: allowed %q, want %q", tt.settings, tt.layer, got, tt.want)
		}
	}
}

// What is wrong with a list is told where it stands, whether or not a hook
// needs it.
func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		name  string
		value any
		want  string // part of the only diagnostic; "": there is none
	}{
		{"allowedHttpHookUrls", []any{"*", "https://*", "http*://*.a.example/*", "http://localhost:*/*", "https://[::1]:9/x", "HTTPS://A.example"}, ""},
		{"allowedHttpHookUrls", []any{}, ""},
		{"allowedHttpHookUrls", "https://a.example/*", "allowedHttpHookUrls: expected a list of strings"},
		{"allowedHttpHookUrls", []any{"*", 5}, "allowedHttpHookUrls[1]: expected a string, got 5"},
		{"allowedHttpHookUrls", []any{"a.example/*"}, "expected scheme://host/path"},
		{"allowedHttpHookUrls", []any{"ftp://a.example/*"}, `got scheme "ftp"`},
		{"allowedHttpHookUrls", []any{"https:///x"}, "host is missing"},
		{"allowedHttpHookUrls", []any{"https://a.example@evil.net/*"}, "no name or password"},
		{"allowedHttpHookUrls", []any{"https://bücher.example/*"}, "xn--"},
		{"httpHookAllowedEnvVars", []any{"A", "B_2"}, ""},
		{"httpHookAllowedEnvVars", []any{"$A"}, "no name of a variable"},
		{"httpHookAllowedEnvVars", []any{"A*"}, "no name of a variable"},
	} {
		s := setting(hook.User, tt.name)
		s.Value = tt.value
		diags := webhook.Type(webhook.Options{}).Settings[tt.name](s, hook.Deps{})
		if tt.want == "" && len(diags) > 0 || tt.want != "" && (len(diags) != 1 || diags[0].Severity != hook.Warning || !strings.Contains(diags[0].Error(), tt.want) || diags[0].Pos != s.Pos) {
			t.Errorf("%v: %v, want %q", tt.value, diags, tt.want)
		}
	}
}

// A variable needs the hook's list and that of the settings.
func TestAllowedVariables(t *testing.T) {
	f := newFixture()
	f.deps.Settings = []hook.Setting{setting(hook.User, "httpHookAllowedEnvVars", "TOKEN")}
	_, diags := f.make(t, "url", "https://a.example/", "headers", map[string]any{"X": "$TOKEN$OTHER"}, "allowedEnvVars", []any{"TOKEN", "OTHER"})
	if len(diags) != 1 || !strings.Contains(diags[0].Message, "OTHER stays empty") || !strings.Contains(diags[0].Message, "user:2:3") {
		t.Errorf("diagnostics %v", diags)
	}
	f.deps.Settings[0].Value = "TOKEN"
	if _, diags := f.make(t, "url", "https://a.example/"); len(diags) != 1 || diags[0].Severity != hook.Error || !strings.Contains(diags[0].Message, "not a list") {
		t.Errorf("a text for a list: %v", diags)
	}
}
