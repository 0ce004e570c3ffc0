package lua

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Stubs returns the library as a definition file of lua-language-server
// (---@meta): what policies can call, and the fields of ev and of commands.
func Stubs() string {
	w := &stubs{s: New(Options{}).newState("")}
	w.line("---@meta")
	w.line("-- What a policy can call. Written by \"pawl schema\" from the table that registers it.")
	w.line("-- There is no io, os, debug, coroutine, load, dofile, print, rawset or collectgarbage.")
	w.alias("EventName", hook.EventNames())
	w.class("Event", "what a handler is called with", eventFields())
	w.class("Command", "one element of ev.commands", commandFields())
	w.class("HandlerOptions", "of on", optionFields())
	w.class("Task", "what a callback of task.* is called with", taskFields())
	w.class("Subagent", "what a callback of subagent.* is called with", subagentFields())
	w.class("Verdict", "what a handler returns: one, a list of them, or nothing", nil)
	for _, g := range []group{globals(), verdicts()} {
		w.functions("", g.functions)
	}
	w.line("\n-- Only in *_test.lua, which pawl test runs.")
	for _, f := range (&testRun{}).testGroup().functions {
		if f.name != "assert" { // is there already
			w.functions("", []function{f})
		}
	}
	all := modules()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		g := all[name]()
		w.line("")
		w.line("---" + g.doc)
		w.line(name + " = {}")
		w.values(g)
		w.functions(name+".", g.functions)
	}
	return w.text.String()
}

// optionFields describes the options of on.
func optionFields() []function {
	return []function{
		{name: "if", args: "string", doc: "one permission pattern that must fit too"},
		{name: "when", args: "string", doc: "a condition that must hold too, as in pawl.yaml"},
		{name: "name", args: "string", doc: "the id in traces; default file:line"},
		{name: "message", args: "string", doc: "shown while it runs"},
		{name: "once", args: "boolean", doc: "once in a session"},
		{name: "async", args: "boolean", doc: "in the background; decides nothing"},
		{name: "rewake", args: "boolean", doc: "in the background; go_on(text) or deny(reason) wakes the agent"},
		{name: "timeout", args: "number|string", doc: "seconds, or a text such as '500ms'; default 250 ms"},
		{name: "mode", args: "'observe'|'enforce'", doc: "observe: recorded, counts for nothing"},
		{name: "unknown", args: "'ask'|'deny'|'skip'", doc: "skip: not called where it cannot be told whether the pattern fits"},
		{name: "on_failure", args: "'block'|'continue'", doc: "what follows from an error; default block"},
	}
}

// stubs writes a definition file.
type stubs struct {
	s    *state
	text strings.Builder
}

func (w *stubs) line(text string) { w.text.WriteString(text + "\n") }

func (w *stubs) alias(name string, words []string) {
	w.line("\n---@alias " + name + " string")
	for _, word := range words {
		w.line(fmt.Sprintf("---| '%s'", word))
	}
}

func (w *stubs) class(name, doc string, fields []function) {
	w.line("\n---" + doc)
	w.line("---@class " + name)
	for _, f := range fields {
		optional := ""
		if name == "HandlerOptions" {
			optional = "?"
		}
		w.line(strings.TrimSpace(fmt.Sprintf("---@field %s%s %s %s", f.name, optional, f.args, f.doc)))
	}
}

// values writes what a module has beside its functions.
func (w *stubs) values(g group) {
	if g.values == nil {
		return
	}
	t := w.s.L.CreateTable(0, 0)
	g.values(w.s, t)
	var rows []string
	t.ForEach(func(k, v glua.LValue) {
		kind := v.Type().String()
		if v == w.s.null {
			kind = "userdata"
		}
		rows = append(rows, fmt.Sprintf("---@type %s\n%s.%s = nil", kind, g.name, k.String()))
	})
	slices.Sort(rows)
	for _, row := range rows {
		w.line(row)
	}
}

func (w *stubs) functions(prefix string, list []function) {
	for _, f := range list {
		args := f.args
		if f.name == "on" {
			args = strings.Replace(args, "options?: table", "options?: HandlerOptions", 1)
			args = strings.Replace(args, "string|string[]", "EventName|EventName[]", 1)
		}
		params, returns := signature(args)
		w.line("\n---" + f.doc)
		names := make([]string, len(params))
		for i, p := range params {
			name, kind, _ := strings.Cut(p, ": ")
			w.line("---@param " + name + " " + kind)
			names[i] = strings.TrimSuffix(name, "?")
		}
		for _, r := range returns {
			if r == "..." {
				r = "any ..."
			}
			w.line("---@return " + r)
		}
		w.line(fmt.Sprintf("function %s%s(%s) end", prefix, f.name, strings.Join(names, ", ")))
	}
}

// signature takes "(a: string, b?: table): integer?, ..." apart; what is no
// function has none.
func signature(args string) (params, returns []string) {
	if !strings.HasPrefix(args, "(") {
		return nil, nil
	}
	end, depth := len(args)-1, 0
	for i, r := range args {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				end = min(end, i)
			}
		}
	}
	params = splitOutside(args[1:end])
	if rest, ok := strings.CutPrefix(args[end+1:], ": "); ok {
		returns = splitOutside(rest)
	}
	return params, returns
}

// splitOutside splits text at commas outside of brackets.
func splitOutside(text string) []string {
	var parts []string
	from, depth := 0, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("({[<", r):
			depth++
		case strings.ContainsRune(")}]>", r):
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}
