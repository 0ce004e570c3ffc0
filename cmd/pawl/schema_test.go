package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/standard"
	"github.com/pawl-dev/pawl/lua"
)

// TestSchemaFiles: schema/ holds what the command writes. To renew it:
// go run ./cmd/pawl schema --out schema
func TestSchemaFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if c, out := sheet(); program().Run(c, []string{"schema", "--out", dir}) != 0 {
		t.Fatal(out)
	}
	for _, name := range []string{"pawl.schema.json", "pawl.lua"} {
		wrote, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join("..", "..", "schema", name))
		if err != nil || !bytes.Equal(wrote, kept) {
			t.Errorf("schema/%s is not what pawl writes (%v): go run ./cmd/pawl schema --out schema", name, err)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "pawl.lua")); string(text) != lua.Stubs() {
		t.Error("pawl.lua is not what package lua says")
	}
}

// TestSchemaAccepts: every policy of the repository fits the schema, and
// each example names it.
func TestSchemaAccepts(t *testing.T) {
	schema := parsedSchema(t)
	var files []string
	for _, pattern := range []string{"../../examples/*/pawl.yaml", "../../examples/policies/*/pawl.yaml", "starter/pawl.yaml", "demo/pawl.yaml", "../../testdata/seeds/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 12 {
		t.Fatalf("only %d policies: %v", len(files), files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range schema.validate(yamlValue(t, string(data))) {
			t.Errorf("%s: %s", file, fault)
		}
		if strings.Contains(filepath.ToSlash(file), "examples/policies/") && !bytes.HasPrefix(data, []byte("# yaml-language-server: $schema="+schemaID+"\n")) {
			t.Errorf("%s does not name its schema in the first line", file)
		}
	}
	if path := strings.SplitN(schemaID, "/main/", 2)[1]; path != "schema/pawl.schema.json" {
		t.Errorf("the id of the schema is not where it is kept: %s", path)
	}
}

const oneHook = "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - "

func TestSchemaRejects(t *testing.T) {
	schema := parsedSchema(t)
	for name, c := range map[string]struct{ text, want string }{
		"misspelt key":      {"permision: {deny: [\"Bash(rm *)\"]}", `"permision"`},
		"misspelt event":    {"hooks: {PreToolUze: []}", `"PreToolUze"`},
		"no list":           {"hooks: {PreToolUse: {matcher: Bash}}", "hooks.PreToolUse: want array"},
		"unknown type":      {oneHook + "{type: comand, command: ls}", `"comand"`},
		"missing command":   {oneHook + "{type: command}", `lacks "command"`},
		"foreign field":     {oneHook + "{type: permission, decision: deny, command: ls}", `"command"`},
		"unknown decision":  {oneHook + "{type: permission, decision: forbid}", `"forbid"`},
		"both kinds of Lua": {oneHook + "{type: lua, lua: x, script: y}", "hooks[0]"},
		"timeout":           {oneHook + "{type: prompt, prompt: x, timeout: soon}", "timeout"},
		"timeout 0":         {oneHook + "{type: prompt, prompt: x, timeout: 0}", "timeout"},
		"group, no hooks":   {"hooks: {Stop: [{matcher: x}]}", `lacks "hooks"`},
		"rule, no event":    {"rules: [{match: Bash, decision: deny}]", `lacks "on"`},
		"rule, no pattern":  {"rules: [{on: PreToolUse, decision: deny}]", "rules[0]"},
		"rule on nothing":   {"rules: [{on: [], match: Bash, decision: deny}]", "rules[0].on"},
		"rule, wrong mode":  {"rules: [{on: Stop, when: x, decision: deny, mode: observed}]", "rules[0].mode"},
		"permissions":       {"permissions: {deny: \"Bash(rm *)\"}", "permissions.deny: want array"},
		"quoted truth":      {"failClosed: \"yes\"", "failClosed: want boolean"},
		"empty policy name": {"policies: [\"\"]", "policies[0]"},
		"retry, no max":     {"tasks: {retry: {delay: 1s}}", "tasks: fits none"},
		"retry, max":        {"tasks: [{retry: {max: 1001}}]", "tasks: fits none"},
		"task to delegate":  {"tasks: {delegate: reviewer}", "tasks: fits none"},
		"subagent to skip":  {"subagents: {skip: true}", "subagents: fits none"},
		"backoff":           {"subagents: {retry: {max: 1, backoff: 0.5}}", "subagents: fits none"},
		"wrapper":           {"wrappers: [{name: x, operands: 1.5}]", "wrappers[0].operands"},
		"http, no url":      {oneHook + "{type: http}", `lacks "url"`},
		"http, a number":    {oneHook + "{type: http, url: 'https://a.example', headers: {X: 5}}", "headers"},
		"http, retries":     {oneHook + "{type: http, url: 'https://a.example', async: true, retries: 11}", "retries"},
		"mcp_tool, no tool": {oneHook + "{type: mcp_tool, server: s}", `lacks "tool"`},
		"server, nothing":   {"mcpServers: {s: {args: [x]}}\n" + oneHook + "{type: mcp_tool, server: s, tool: t}", "mcpServers.s"},
		"server, both":      {"mcpServers: {s: {command: x, url: 'https://a.example'}}\n" + oneHook + "{type: mcp_tool, server: s, tool: t}", "mcpServers.s"},
		"sandbox":           {oneHook + "{type: command, command: x, sandbox: {wirte: [a]}}", "hooks[0].sandbox"},
	} {
		faults := strings.Join(schema.validate(yamlValue(t, c.text)), "\n")
		if !strings.Contains(faults, c.want) {
			t.Errorf("%s: %q, want %q", name, faults, c.want)
		}
		if !broken(t, c.text) {
			t.Errorf("%s: the schema refuses what pawl takes", name)
		}
	}
}

// broken reports whether pawl finds more than a note in a policy.
func broken(t *testing.T, text string) bool {
	file := filepath.Join(t.TempDir(), "pawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	eng, _ := engine.Open(t.Context(), file, engine.WithManaged(t.TempDir()), standard.Types(standard.Options{}))
	return eng == nil || slices.ContainsFunc(eng.Diagnostics(), func(d hook.Diagnostic) bool { return d.Severity >= hook.Warning })
}

// TestSchemaTypes: the schema has the hook types that there are; this program
// hands those that it does not link over to pawld.
func TestSchemaTypes(t *testing.T) {
	known := []string{}
	for _, h := range hookTypes() {
		known = append(known, h.name)
	}
	for _, name := range []string{"command", "permission", "expr", "lua", "prompt", "http", "mcp_tool", "agent"} {
		file := filepath.Join(t.TempDir(), "pawl.yaml")
		if err := os.WriteFile(file, []byte(oneHook+"{type: "+name+"}"), 0o600); err != nil {
			t.Fatal(err)
		}
		eng, err := engine.Open(t.Context(), file, engine.WithManaged(t.TempDir()), standard.Types(standard.Options{}))
		if eng == nil {
			t.Fatal(err)
		}
		linked := !strings.Contains(fmt.Sprint(eng.Diagnostics()), fmt.Sprintf("hook type %q", name))
		if linked != slices.Contains(known, name) {
			t.Errorf("type %s: linked %v, in the schema %v: %v", name, linked, !linked, eng.Diagnostics())
		}
	}
}

func yamlValue(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return jsonValue(t, data)
}

func jsonValue(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func parsedSchema(t *testing.T) *validator {
	t.Helper()
	data, err := schemaText()
	if err != nil {
		t.Fatal(err)
	}
	v := &validator{t: t, root: jsonValue(t, data).(map[string]any)}
	v.checkKeywords(v.root)
	return v
}

// validator knows the part of JSON Schema that policySchema uses.
type validator struct {
	t    *testing.T
	root map[string]any
}

var (
	annotations = []string{"$schema", "$id", "$defs", "title", "description"}
	keywords    = []string{"$ref", "type", "enum", "const", "properties", "patternProperties", "additionalProperties", "required", "items", "minItems",
		"minLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "anyOf", "oneOf", "allOf", "if", "then"}
)

// checkKeywords fails where the schema has a keyword that the validator
// would pass over, or a $ref to nothing.
func (v *validator) checkKeywords(s any) {
	m, ok := s.(map[string]any)
	if !ok {
		return
	}
	for key, value := range m {
		switch key {
		case "properties", "patternProperties", "$defs":
			for _, sub := range value.(map[string]any) {
				v.checkKeywords(sub)
			}
		case "anyOf", "oneOf", "allOf":
			for _, sub := range value.([]any) {
				v.checkKeywords(sub)
			}
		case "items", "if", "then", "additionalProperties":
			v.checkKeywords(value)
		case "$ref":
			if v.resolve(value.(string)) == nil {
				v.t.Errorf("$ref to nothing: %s", value)
			}
		default:
			if !slices.Contains(keywords, key) && !slices.Contains(annotations, key) {
				v.t.Errorf("the validator does not know %q", key)
			}
		}
	}
}

func (v *validator) resolve(name string) any {
	return v.root["$defs"].(map[string]any)[strings.TrimPrefix(name, "#/$defs/")]
}

func (v *validator) validate(value any) []string { return v.at("", v.root, value) }

// at returns what is wrong with value, a line each.
func (v *validator) at(path string, schema, value any) (faults []string) {
	s, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return []string{path + ": not allowed"}
		}
		return nil
	}
	fail := func(format string, args ...any) { faults = append(faults, path+": "+fmt.Sprintf(format, args...)) }
	if name, ok := s["$ref"].(string); ok {
		faults = append(faults, v.at(path, v.resolve(name), value)...)
	}
	if kind, ok := s["type"].(string); ok && !isKind(kind, value) {
		fail("want %s, got %T", kind, value)
		return faults
	}
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, value) {
		fail("%q is none of %v", value, list)
	}
	if want, ok := s["const"]; ok && !reflect.DeepEqual(want, value) {
		fail("%q is not %v", value, want)
	}
	switch value := value.(type) {
	case string:
		if n, ok := s["minLength"].(float64); ok && float64(len(value)) < n {
			fail("too short")
		}
		if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(value) {
			fail("%q does not fit %s", value, p)
		}
	case float64:
		if n, ok := s["minimum"].(float64); ok && value < n {
			fail("less than %v", n)
		}
		if n, ok := s["maximum"].(float64); ok && value > n {
			fail("more than %v", n)
		}
		if n, ok := s["exclusiveMinimum"].(float64); ok && value <= n {
			fail("not more than %v", n)
		}
		if n, ok := s["exclusiveMaximum"].(float64); ok && value >= n {
			fail("not less than %v", n)
		}
	case []any:
		if n, ok := s["minItems"].(float64); ok && float64(len(value)) < n {
			fail("too few items")
		}
		for i, item := range value {
			faults = append(faults, v.at(fmt.Sprintf("%s[%d]", path, i), s["items"], item)...)
		}
	case map[string]any:
		faults = append(faults, v.members(path, s, value)...)
	}
	return append(faults, v.combined(path, s, value)...)
}

func (v *validator) members(path string, s, value map[string]any) (faults []string) {
	keys, _ := s["required"].([]any)
	for _, key := range keys {
		if _, ok := value[key.(string)]; !ok {
			faults = append(faults, fmt.Sprintf("%s: lacks %q", path, key))
		}
	}
	properties, _ := s["properties"].(map[string]any)
	patterns, _ := s["patternProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		at := strings.TrimPrefix(path+"."+name, ".")
		sub, known := properties[name]
		if known {
			faults = append(faults, v.at(at, sub, value[name])...)
		}
		for p, sub := range patterns {
			if regexp.MustCompile(p).MatchString(name) {
				known = true
				faults = append(faults, v.at(at, sub, value[name])...)
			}
		}
		if more, ok := s["additionalProperties"]; ok && !known {
			if more == false {
				faults = append(faults, fmt.Sprintf("%s: unknown key %q", path, name))
			} else {
				faults = append(faults, v.at(at, more, value[name])...)
			}
		}
	}
	return faults
}

func (v *validator) combined(path string, s map[string]any, value any) (faults []string) {
	fits := func(list any) (n int) {
		for _, sub := range list.([]any) {
			if len(v.at(path, sub, value)) == 0 {
				n++
			}
		}
		return n
	}
	if list, ok := s["anyOf"]; ok && fits(list) == 0 {
		faults = append(faults, path+": fits none of the alternatives")
	}
	if list, ok := s["oneOf"]; ok && fits(list) != 1 {
		faults = append(faults, path+": does not fit exactly one of the alternatives")
	}
	if list, ok := s["allOf"].([]any); ok {
		for _, sub := range list {
			faults = append(faults, v.at(path, sub, value)...)
		}
	}
	if condition, ok := s["if"]; ok && len(v.at(path, condition, value)) == 0 {
		faults = append(faults, v.at(path, s["then"], value)...)
	}
	return faults
}

func isKind(kind string, value any) bool {
	switch value := value.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && value == math.Trunc(value)
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return kind == "null"
}
