package lua

import (
	"slices"
	"strings"
	"testing"
)

// TestStubs: the stubs are Lua that the parser takes, and name everything
// that the library has.
func TestStubs(t *testing.T) {
	text := Stubs()
	if _, err := compile(text, "pawl.lua"); err != nil {
		t.Errorf("the stubs are no Lua: %v", err)
	}
	for _, g := range library() {
		prefix := ""
		if g.name != "" {
			prefix = g.name + "."
		}
		for _, f := range g.functions {
			if !strings.Contains(text, "\nfunction "+prefix+f.name+"(") {
				t.Errorf("no stub of %s%s", prefix, f.name)
			}
		}
	}
	for _, want := range []string{
		"---@field commands Command[] ", "---@field flag fun(self: Command, ...: string): boolean, string? ", "\n---| 'PreToolUse'\n",
		"---@param event EventName|EventName[]\n---@param matcher? string\n---@param options? HandlerOptions\n---@param handler fun(ev: Event): any\nfunction on(event, matcher, options, handler) end\n",
		"---@param key string\n---@param by? number\n---@param options? {ttl?: number, scope?: 'session'|'all'}\n---@return number\nfunction state.incr(key, by, options) end\n",
		"---@return integer?\n---@return integer?\nfunction re.find(", "---@return any ...\nfunction unpack(", "\nfunction dispatch(event) end\n", "---@type userdata\njson.null = nil\n", "---@type number\nmath.pi = nil\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the stubs lack %q", want)
		}
	}
	if strings.Contains(text, "options? table") {
		t.Error("the options of on have no type")
	}
}

// TestStubOptions: the described options are those that on knows.
func TestStubOptions(t *testing.T) {
	var names []string
	for _, f := range optionFields() {
		names = append(names, f.name)
	}
	known := optionNames()
	slices.Sort(known)
	slices.Sort(names)
	if !slices.Equal(names, known) {
		t.Errorf("described: %v, known: %v", names, known)
	}
}
