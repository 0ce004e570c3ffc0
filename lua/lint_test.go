package lua

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// linted is what Lint finds, a line each, without the directory.
func (p *project) linted() string {
	p.t.Helper()
	var lines []string
	for _, d := range p.r.Lint() {
		lines = append(lines, strings.ReplaceAll(d.Severity.String()+" "+d.Error(), p.dir+"/", ""))
	}
	return strings.Join(lines, "\n")
}

var registering = regexp.MustCompile(`\bon\(|\b(task|subagent)\.`)

// TestLint: each text, the body of a handler of PreToolUse unless it calls
// on or task itself, and what is found in it; "" is nothing.
func TestLint(t *testing.T) {
	tests := []struct{ text, want string }{
		// Undefined globals.
		{`return dney("x")`, `error a.lua:2:8: undefined global "dney" (did you mean "deny"?)`},
		{`print(ev.tool)`, `error a.lua:2:1: undefined global "print" (write log.info(…), a line for the log of the host)`},
		{`return deny(message)`, `warning a.lua:2:13: undefined global "message"`},
		{`local reason = "x" return deny(raeson .. reason)`, `warning a.lua:2:32: undefined global "raeson" (did you mean "reason"?)`},
		{`if os.getenv("CI") then return end`, `error a.lua:2:4: undefined global "os" (time.now() is the clock, env.get(name) the environment; policies reach no files, no processes and no code but their own)`},
		{"return deny('a' ..\n  b.c)", `error a.lua:3:3: undefined global "b"`},
		{`if bit then bit.band(1) end`, "warning a.lua:2:4: undefined global \"bit\"\nwarning a.lua:2:13: undefined global \"bit\""},
		{`if type(bit) == "table" then bit.band(1) end`, "warning a.lua:2:9: undefined global \"bit\"\nwarning a.lua:2:30: undefined global \"bit\""},
		{`local s = "dney" -- dney
return s ~= "" and dney "x"`, `error a.lua:3:20: undefined global "dney" (did you mean "deny"?)`},
		{`on("Stop", function(ev) helper() end) function helper() end`, ""},
		{"for i = 1, 2 do local x = i end\nreturn deny(x)", `warning a.lua:3:13: undefined global "x" (a local of that name is not seen here: it ends with its block)`},
		{`repeat local done = true until done`, ""},
		{`goto out; ::out::`, ""},
		{`local t = {dney = 1, ["deny"] = 2} t.dney = t.dney + 1`, ""},
		{`local function f(...) return select("#", ...) end return f(1) > 1 and deny("x")`, ""},
		{`local t = {} function t.f(a) return a end function t:g() return self.x end t.f(1) t:g()`, ""},

		// The place of a word that stands several times on its line.
		{`local some = {some = ev.trigger, ["some"] = "some"} some.some = some.some .. "some" return some.some and soem`, `warning a.lua:2:106: undefined global "soem" (did you mean "some"?)`},
		{`local x, t = 1, {} x, t.x = x + 1, y; y = t.x return function(y) return y, z end, z`, "note a.lua:2:39: \"y\" is a global: \"pawl hook\" forgets it after each event (write local; what must last goes through state.set)\n" +
			"warning a.lua:2:76: undefined global \"z\"\nwarning a.lua:2:83: undefined global \"z\""},
		{`deny("a") local v = deny("b") deny("c") return v`, "warning a.lua:2:1: the value of deny(…) is not returned: it has no effect (write return deny(…))\n" +
			`warning a.lua:2:31: the value of deny(…) is not returned: it has no effect (write return deny(…))`},
		{`local t = {} function t:find() return self end return t:find(ev.command:find("x"), ev.command:fnd())`, `error a.lua:2:95: a text has no "fnd" (did you mean "find"?)`},
		{`for x = 1, x do local function x(x) return x end x(x) end`, `warning a.lua:2:12: undefined global "x" (a local of that name is not seen here: it ends with its block)`},

		// Members of what has known ones.
		{`return re.mtach("x", "y") and deny("x")`, `error a.lua:2:11: re has no "mtach" (did you mean "match"?)`},
		{`local f = string.trim`, `warning a.lua:2:18: string has no "trim" (write text:match("^%s*(.-)%s*$"))`},
		{`return ev.command:contains("rm") and deny("x")`, `error a.lua:2:19: a text has no "contains" (write text:find("…", 1, true))`},
		{`if ev.comand == "rm" then return deny("x") end`, `warning a.lua:2:7: ev has no field "comand" (did you mean "command"?)`},
		{`if ev["comand"] == "rm" then return deny("x") end`, `warning a.lua:2:7: ev has no field "comand" (did you mean "command"?)`},
		{`if ev.tool_input.command == "rm" then return deny("x") end`, `warning a.lua:2:7: tool_input is what one agent calls it, and as it was before any rewrite (write ev.input)`},
		{`if ev.trigger and ev.tool_response then return deny("x") end`, ""},
		{`if ev.task_subject == "x" and ev.agent_name then return deny("x") end`, ""},
		{`for _, c in ipairs(ev.commands) do if c.nmae == "rm" then return deny("x") end end`, `error a.lua:2:41: c has no "nmae" (did you mean "name"?)`},
		{`local all = ev.commands for _, c in ipairs(all) do if c.args then return deny("x") end end`, `error a.lua:2:57: c has no "args" (did you mean "argv"?)`},
		{`return ev.commands[1].whatever and deny("x")`, `warning a.lua:2:23: a command has no "whatever"`},
		{`return ev.commands[1].flag("-f") and deny("x")`, `error a.lua:2:23: flag is a method (write a command:flag(…), with a colon)`},
		{`return ev.matches("Bash(rm *)") and deny("x")`, `error a.lua:2:11: matches is a method (write ev:matches(…), with a colon)`},
		{`return re:test("a", "b") and deny("x")`, `error a.lua:2:11: re.test is no method: it would get re as its first argument (write re.test(…), with a dot)`},
		{`local path = ev.file_path return path.base(path) == "x" and deny("x")`, `error a.lua:2:39: path has no "base" (path of the library is hidden by a variable of that name)`},
		{`local word = ev.command:lower() return word:startswith("rm") and deny("x")`, `error a.lua:2:45: word has no "startswith" (write text:sub(1, #start) == start)`},
		{`local word = ev.command if ev.tool == "x" then word = {f = 1} end return word.f and deny("x")`, ""},
		{`ev = {} return ev.comand and deny("x")`, ""},
		{`local re, deny = re, deny deny(re.mtach)`, "warning a.lua:2:27: the value of deny(…) is not returned: it has no effect (write return deny(…))\nwarning a.lua:2:35: re has no \"mtach\" (did you mean \"match\"?)"},
		{`local re = {mtach = type} return re.mtach("x") and deny("x")`, ""},
		{`return math.pi > 3 and json.null == nil and deny(table.concat({}))`, ""},
		{`local function judge(e, word) return e.comand == word:trim() end return judge(ev, "x") and deny("x")`,
			"warning a.lua:2:40: e has no field \"comand\" (did you mean \"command\"?)\nerror a.lua:2:55: word has no \"trim\" (write text:match(\"^%s*(.-)%s*$\"))"},
		{`local function judge(e) return e.comand end local f = judge return f({}) and judge(ev) and deny("x")`, ""},
		{`local function walk(e, n) if n > 0 then return walk(e, n - 1) end return e.comand end return walk(ev, 3) and deny("x")`, `warning a.lua:2:76: e has no field "comand" (did you mean "command"?)`},

		{`return json.parse(ev.prompt).x and deny("x")`, `error a.lua:2:13: json has no "parse" (write json.decode(text))`},

		// Habits of other languages.
		{`for _, c in ev.commands do if c.name == "rm" then return deny("x") end end`, `error a.lua:2:16: for … in wants an iterator, and this is a list (write for _, item in ipairs(list))`},
		{"local names = {'a'}\nfor _, n in names do if n == ev.tool then return deny('x') end end", `error a.lua:3:13: for … in wants an iterator, and this is a list (write for _, item in ipairs(list))`},
		{`for w in ev.command:gmatch("%a+") do if w == "rm" then return deny("x") end end`, ""},
		{`for k, v in next, {} do if k == v then return deny("x") end end`, ""},
		{`local all = setmetatable({}, {__call = next}) for k in all do if k then return deny("x") end end`, ""},
		{`for i = 0, #ev.commands do if ev.commands[i].name == "x" then return deny("x") end end`, `warning a.lua:2:5: lists begin at 1 (write for i = 1, #list)`},
		{`for i = 0, #ev.commands - 1 do if ev.commands[i + 1].name == "x" then return deny("x") end end`, ""},
		{`return ev.commands[0].name == "x" and deny("x")`, `error a.lua:2:11: lists begin at 1 (write list[1] for the first)`},
		{`return deny("no " + ev.tool)`, `error a.lua:2:13: + adds numbers (write a .. b to join texts)`},
		{`return "1" + 1 == 2 and deny("x")`, ""},
		{`if ev.tool == "Edit" or "Write" then return deny("x") end`, `warning a.lua:2:25: this is always true (write x == a or x == b)`},
		{`local name = ev.file_path or "none" return deny(name or "x")`, ""},
		{`return re.match(ev.command, "rm +-rf") and deny("x")`, "warning a.lua:2:11: re.match takes the pattern first, and then the text"},
		{`return glob.match(ev.file_path, "*.pem") and deny("x")`, "warning a.lua:2:13: glob.match takes the pattern first, and then the text"},
		{`return re.match("rm", ev.command) and deny("x")`, ""},
		{`return "deny"`, `error a.lua:2:1: a handler returns verdicts, and this is a text (write return deny("why"), or return nothing)`},
		{`return {decision = "deny"}`, `error a.lua:2:1: a handler returns verdicts, and this is a table with names (write return deny("why"), or return nothing)`},
		{`if ev.tool == "x" then return true end return deny`, "error a.lua:2:24: a handler returns verdicts, and this is true (write return deny(\"why\"), or return nothing)\n" +
			`error a.lua:2:40: a handler returns verdicts, and this is the function deny itself (write return deny("why"), or return nothing)`},
		{`local function is() return true end return is() and {deny("x"), nil}, nil, false`, ""},

		// Assignments that change nothing, or too much.
		{`ev.command = "ls"`, `error a.lua:2:4: ev cannot be written to (write local input = ev.input, change that, and return rewrite(input))`},
		{`env.HOME = "/"`, `error a.lua:2:5: env cannot be written to`},
		{`ev.input.command = "ls"`, `warning a.lua:2:10: this changes a copy of the input and nothing else (return rewrite(ev.input))`},
		{`ev.input.command = "ls" return rewrite(ev.input)`, ""},
		{`found = deny("x") return found`, `note a.lua:2:1: "found" is a global: "pawl hook" forgets it after each event (write local; what must last goes through state.set)`},
		{`type = ev.tool return type == "x" and deny("x")`, `warning a.lua:2:1: this takes the place of type of the library (write local, or take another name)`},
		{"count = 0\non(\"Stop\", function(ev) count = count + 1 end)", ""},

		// Functions that nobody uses.
		{"local function check(ev) end\non('Stop', function(ev) end)", `warning a.lua:1:16: function "check" is never used (call it, hand it to on(…), or remove it)`},
		{"function check(ev) end\non('Stop', function(ev) end)", `warning a.lua:1:10: function "check" is never used (call it, hand it to on(…), or remove it)`},
		{"local check = function(n) return n > 0 and check(n - 1) end\non('Stop', function(ev) end)", `warning a.lua:1:7: function "check" is never used (call it, hand it to on(…), or remove it)`},
		{"local _check = function() end\nlocal function check(ev) end\non('Stop', check)", ""},
		{"local a, b\nfunction a() return b() end\nfunction b() return a() end\non('Stop', a)", ""},

		// Verdicts that are not returned.
		{`deny("x")`, `warning a.lua:2:1: the value of deny(…) is not returned: it has no effect (write return deny(…))`},
		{`if ev.tool == "x" then ask("x") end return deny("y")`, `warning a.lua:2:24: the value of ask(…) is not returned: it has no effect (write return ask(…))`},
		{`local v = deny("x")`, `warning a.lua:2:7: the verdict in "v" is not returned: it has no effect (write return v)`},
		{"local function judge(ev) if ev.tool == 'x' then return deny('x') end end\non('Stop', function(ev) judge(ev) end)", `warning a.lua:2:25: judge(…) gives deny(…), and nobody returns it (write local v = judge(…) if v then return v end)`},
		{`local found = {} found[#found + 1] = deny("x") table.insert(found, ask("y")) return found`, ""},
		{`local deny = log.info deny("x")`, ""},
		{`local v = deny("x") return v`, ""},
		{`pcall(deny, "x")`, ""},

		// Verdicts that the event does not take.
		{`on("SessionEnd", function(ev) return deny("x") end)`, `error a.lua:1:38: deny can never have an effect: nothing can be stopped on SessionEnd`},
		{`on({"SessionStart", "SessionEnd"}, function(ev) return ask("x") end)`, `error a.lua:1:56: ask can never have an effect: nothing can be stopped on SessionStart, SessionEnd`},
		{`on({"PreToolUse", "SessionEnd"}, function(ev) return deny("x") end)`, `warning a.lua:1:54: deny can never have an effect: nothing can be stopped on SessionEnd`},
		{`on({"PreToolUse", "SessionEnd"}, function(ev) if ev.event == "PreToolUse" then return deny("x") end end)`, ""},
		{`on("Stop", function(ev) return rewrite{} end)`, `warning a.lua:1:32: rewrite has no effect on Stop`},
		{`on("Stop", function(ev) return {notice("a"), ev.tool == "b" and output("c") or nil} end)`, `warning a.lua:1:65: output has no effect on Stop`},
		{`on("Stop", function(ev) return allow() end)`, `warning a.lua:1:32: allow has no effect: there is nothing to grant on Stop (return nothing)`},
		{`on("Stop", function(ev) return ask("x") end)`, `warning a.lua:1:32: nobody can be asked on Stop: ask blocks there (write deny, which says so)`},
		{`return retry()`, "warning a.lua:2:8: retry has no effect on PreToolUse"},
		{`return go_on("x")`, "warning a.lua:2:8: go_on has no effect on PreToolUse"},
		{`on("ConfigChange", function(ev) return context("x") end)`, "warning a.lua:1:40: context has no effect on ConfigChange"},
		{`return specific("sessionTtle", 1)`, `error a.lua:2:8: PreToolUse has no field "sessionTtle"`},
		{`on("UserPromptSubmit", function(ev) return specific("sessionTtle", 1) end)`, `error a.lua:1:44: UserPromptSubmit has no field "sessionTtle" (did you mean "sessionTitle"?)`},
		{`return skip()`, `error a.lua:2:8: skip(…) is an error on PreToolUse (it is for on_failure of task and subagent)`},
		{"local function judge(ev)\n  return allow('x')\nend\non('Stop', judge)", `warning a.lua:2:10: allow has no effect: there is nothing to grant on Stop (return nothing)`},
		{"local judge = {}\nfunction judge.it(ev)\n  return allow('x')\nend\non('Stop', judge.it)", ""},
		{`on("Stop", {async = true}, function(ev) return deny("x") end)`, `warning a.lua:1:48: deny(…) comes to nothing: the handler runs after the decision (leave out async)`},
		{`on("PostToolUse", {rewake = true}, function(ev) if ev.tool == "x" then return deny("x") end return go_on("y") end)`, ""},
		{`on("PostToolUse", {rewake = true}, function(ev) return context("x") end)`, `warning a.lua:1:56: context(…) comes to nothing: the handler runs after the decision (leave out async)`},
		{`for _, e in ipairs({"Stop", "SessionEnd"}) do on(e, function(ev) return deny("x") end) end`, ""},
		{`task.before(function(t) return retry(1) end)`, `error a.lua:1:32: retry(…) is an error in task.before (return nothing)`},
		{`subagent.on_failure(function(a, why) return skip() end)`, `error a.lua:1:45: skip(…) is an error in subagent.on_failure (return retry(…), fail(…), delegate(…) or nothing)`},
		{`task.on_failure(function(t, why) if why:contains("x") and t.retries > 0 then return retry(1) end end)`,
			"error a.lua:1:41: why has no \"contains\" (write text:find(\"…\", 1, true))\nwarning a.lua:1:61: t has no \"retries\""},
	}
	for _, tt := range tests {
		text := tt.text
		if !registering.MatchString(text) {
			text = "on('PreToolUse', function(ev)\n" + text + "\nend)"
		}
		p := newProject(t, "a.lua", text)
		if specs, diags := p.load("a.lua"); len(diags) > 0 || len(specs)+len(p.r.units[0].handlers) == 0 {
			t.Errorf("%s: not loaded: %v", tt.text, diags)
		}
		if got := p.linted(); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestLintModules: what a policy and the files that it requires define is one.
func TestLintModules(t *testing.T) {
	p := newProject(t,
		"p/a.lua", "\nlocal w = require('lib.words')\non('Stop', function(ev) return shared(ev) or w.check() end)",
		"p/lib/words.lua", "\nfunction shared(ev) return dney('x') end\nfunction spare() end\nlocal function lost() end\nreturn {check = function() return limit > 1 end}",
		"p/b.lua", "limit = 3 require('lib.words') on('Stop', function(ev) return shared(ev) end)")
	p.load("p")
	want := `warning p/lib/words.lua:4:16: function "lost" is never used (call it, hand it to on(…), or remove it)
warning p/lib/words.lua:5:35: undefined global "limit"`
	got := p.linted()
	if !strings.Contains(got, want) || strings.Count(got, "dney") != 1 || strings.Contains(got, "spare") || strings.Count(got, "lost") != 1 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLintEntries: hooks of a settings file, whose texts stand in it.
func TestLintEntries(t *testing.T) {
	p := newProject(t, "pawl.yaml", `hooks:
  Stop:
    - hooks:
        - {type: lua, lua: 'return dney("x")'}
        - type: lua
          lua: |
            -- a block
            if ev.tool then
              return allow()
            end
        - type: lua
          lua: "return deny(\"a\" .. rason)"
        - type: lua
          script: handler.lua
`, "handler.lua", "local function handle(event)\n  return event.mesage == '' and allow()\nend\nreturn handle")
	for i, e := range []struct {
		name, value string
		line, col   int
	}{
		{"lua", `return dney("x")`, 4, 28},
		{"lua", "-- a block\nif ev.tool then\n  return allow()\nend\n", 6, 16},
		{"lua", `return deny("a" .. rason)`, 12, 16},
		{"script", "handler.lua", 14, 19},
	} {
		pos := hook.Position{File: p.dir + "/pawl.yaml", Line: e.line, Col: e.col}
		s := hook.Spec{ID: fmt.Sprintf("hooks.Stop[0].hooks[%d]", i), Event: hook.Stop, Type: TypeName, Source: p.source(),
			Fields: []hook.Field{{Name: e.name, Value: e.value, Pos: pos}}}
		if _, diags := p.r.Type().New(s, hook.Deps{}); len(diags) > 0 {
			t.Fatal(diags)
		}
	}
	want := `warning handler.lua:2:16: event has no field "mesage" (did you mean "message"?)
warning handler.lua:2:33: allow has no effect: there is nothing to grant on Stop (return nothing)
error pawl.yaml:4:36: hooks.Stop[0].hooks[0]: undefined global "dney" (did you mean "deny"?)
warning pawl.yaml:9:22: hooks.Stop[0].hooks[1]: allow has no effect: there is nothing to grant on Stop (return nothing)
warning pawl.yaml:12:16: hooks.Stop[0].hooks[2]: undefined global "rason" (did you mean "json"?)`
	if got := p.linted(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLintBroken: what is not loaded, or has changed since, is left alone.
func TestLintBroken(t *testing.T) {
	p := newProject(t, "a.lua", "require('lib')\nlocal x = lib_name\ndney()\nprint(x)", "lib.lua", "lib_name = re.mtach", "b.lua", "on('Stop', function() dney() end)", "c.lua", "on('Stop', function() dney() end)")
	p.load("a.lua")
	p.load("b.lua")
	p.load("c.lua")
	p.write("b.lua", "on('Stop', function(")
	if err := os.Remove(filepath.Join(p.dir, "c.lua")); err != nil {
		t.Fatal(err)
	}
	// Line 3 of a.lua is an error of the load.
	want := "error a.lua:4:1: undefined global \"print\" (write log.info(…), a line for the log of the host)\n" +
		"warning lib.lua:1:15: re has no \"mtach\" (did you mean \"match\"?)"
	if got := p.linted(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLintChangesNothing: decisions are the same after it.
func TestLintChangesNothing(t *testing.T) {
	p := newProject(t, "a.lua", "on('PreToolUse', function(ev) n = (n or 0) + 1 return output(n) end)")
	a := p.actions("a.lua")[0]
	for _, want := range []string{"1", "2", "3"} {
		if p.linted(); run(t, a, "s", "ls") != want {
			t.Errorf("not %s", want)
		}
	}
}

func BenchmarkLint(b *testing.B) {
	p := manyPolicies(b)
	p.load("d")
	for b.Loop() {
		if got := p.r.Lint(); len(got) > 0 {
			b.Fatal(got)
		}
	}
}
