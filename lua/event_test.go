package lua

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// shows returns what an expression is, as JSON.
func shows(t testing.TB, r *Runtime, expr string, c hook.Call) string {
	t.Helper()
	res, err := inline(t, r, "return output("+expr+")").Run(context.Background(), c)
	if err != nil {
		return err.Error()
	}
	return string(res.Output)
}

func TestEvent(t *testing.T) {
	ev := bash(t, "git push -uf origin; rm -- -r $X; curl --out=x")
	ev.More = object(t, `{"tool_response":{"ok":true},"source":"startup","error":"e","big":12345678901234567890}`)
	c := call(ev)
	unknown := call(ev)
	unknown.Matched = hook.Match{Tri: hook.Unknown, Why: "$X"}
	r := New(options("/p"))
	tests := []struct{ expr, want string }{
		{`ev.event`, `"PreToolUse"`},
		{`ev.tool`, `"Bash"`},
		{`ev.host_tool`, `"shell"`},
		{`ev.subject`, `"Bash"`},
		{`ev.cwd`, `"/p"`},
		{`ev.session_id`, `"abc"`},
		{`ev.permission_mode`, `"plan"`},
		{`ev.command`, `"git push -uf origin; rm -- -r $X; curl --out=x"`},
		{`ev.input.command == ev.command`, `true`},
		{`ev.host`, `"example.com"`},
		{`ev.source`, `"startup"`},
		{`ev.stop_hook_active`, `false`},
		{`ev.unknown`, `false`},
		{`ev.doubt`, `false`},
		{`ev.final`, `false`},
		{`ev.timestamp`, `""`},
		{`ev.tool_response.ok`, `true`},
		{`ev.error`, `"e"`},
		{`ev.more.error`, `"e"`},
		{`ev.transcript_path`, `null`},
		{`ev.paths`, `[{"reads":true,"writes":false,"known":true,"path":"/p/x","real":"/q/x"}]`},
		{`#ev.commands`, `3`},
		{`ev.commands[1].text`, `"git push -uf origin"`},
		{`ev.commands[1].name`, `"git"`},
		{`ev.commands[1].argv`, `["git","push","-uf","origin"]`},
		{`ev.commands[1].wrappers`, `["sudo"]`},
		{`ev.commands[1].env`, `{"A":"1"}`},
		{`ev.commands[1].known`, `true`},
		{`ev.commands[2].known`, `false`},
		{`ev.commands[1].redirects[1].writes`, `true`},
		{`ev.commands[1]:flag("--force", "-f")`, `true`},
		{`ev.commands[1]:flag("-r")`, `false`},
		{`ev.commands[2]:flag("-r")`, `false`},
		{`ev.commands[3]:flag("--out")`, `true`},
		{`ev.commands[3]:flag("--output")`, `false`},
		{`(function() local a, b = ev:matches("yes") return {a, b} end)()`, `[true]`},
		{`(function() local a, b = ev:matches("no") return {a, b} end)()`, `[false]`},
		{`(function() local a, b = ev:matches("unknown") return {tostring(a), b} end)()`, `["nil","$X"]`},
		{`ev.input == ev.input`, `true`},
		{`ev.big`, `12345678901234567890`},
		{`type(ev.big)`, `"string"`},
	}
	for _, tt := range tests {
		if got := shows(t, r, tt.expr, c); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.expr, got, tt.want)
		}
	}
	if got := shows(t, r, "ev.unknown", unknown); got != `"$X"` {
		t.Errorf("unknown: %s", got)
	}
	opaque := call(bash(t, "ls"))
	opaque.Facts = hook.NewFacts(opaque.Facts.Event, &hook.Finder{Commands: func(*hook.Facts) hook.Commands {
		return hook.Commands{Possible: []hook.Command{{Text: "rm x"}}, Unknown: []hook.Doubt{{Reason: "$X is not a literal"}}}
	}})
	if got := shows(t, r, `{ev.commands[1].text, ev.commands[1].possible, ev.doubt}`, opaque); got != `["rm x",true,"$X is not a literal"]` {
		t.Errorf("possible: %s", got)
	}
	// A word that may be anything may be the option: a guard on it holds.
	if got := shows(t, r, `{ev.commands[1]:flag("-f")}`, call(bash(t, "git push $OPTS"))); got != `[true,"$OPTS may be an option"]` {
		t.Errorf("doubt: %s", got)
	}
}

func TestNumbers(t *testing.T) {
	ev := bash(t, "ls")
	ev.Input = object(t, `{"id":9007199254740993,"arr":[1,null,3],"a":null,"none":[],"obj":{},"f":1e300}`)
	r := New(options("/p"))
	tests := []struct{ name, expr, want string }{
		{"B145 large id", `ev.input.id == 9007199254740992`, `false`},
		{"B145 its digits", `ev.input.id == "9007199254740993"`, `true`},
		{"B145 length with null", `#ev.input.arr`, `3`},
		{"B145 null in a list", `ev.input.arr[2] == json.null`, `true`},
		{"B145 null in an object", `ev.input.a == json.null`, `true`},
		{"B145 empty array", `ev.input.none`, `[]`},
		{"B145 empty object", `ev.input.obj`, `{}`},
		{"large float", `ev.input.f > 1e299`, `true`},
		{"next", `next(ev.input.obj) == nil`, `true`},
	}
	for _, tt := range tests {
		if got := shows(t, r, tt.expr, call(ev)); got != tt.want {
			t.Errorf("%s: %s: got %s, want %s", tt.name, tt.expr, got, tt.want)
		}
	}
}

func TestLibrary(t *testing.T) {
	r := New(options("/p"))
	tests := []struct{ expr, want string }{
		{`json.encode({b = {1, 2}, a = "x\n\1"})`, `"{\"b\":[1,2],\"a\":\"x\\n\\u0001\"}"`},
		{`json.decode('{"a":[],"b":{}}')`, `{"a":[],"b":{}}`},
		{`json.decode("[1] 2")`, `json.decode: more text`},
		{`json.decode('{"a":1,"a":2}')`, `the name "a" occurs twice`},
		{`json.decode("{")`, `unexpected EOF`},
		{`json.array()`, `[]`},
		{`re.test("^a+b$", "aaab")`, `true`},
		{`{re.find("b+", "abbc")}`, `[2,3]`},
		{`{re.match("(a)(x)?(b)", "ab")}`, `["a",null,"b"]`},
		{`re.gsub("(\\w+)=", "a=1 b=2", "${1}:")`, `"a:1 b:2"`},
		{`re.test("(", "")`, `missing closing )`},
		{`re.test("ß+$", string.rep("x", 5000) .. "ßß")`, `true`},
		{`glob.match("*.go", "x.go")`, `true`},
		{`glob.match("[", "x")`, `syntax error in pattern`},
		{`path.join("/a", "../b")`, `"/b"`},
		{`{path.base("/a/b.c"), path.dir("/a/b.c"), path.ext("/a/b.c"), path.clean("a//b/.."), path.is_abs("/x")}`, `["b.c","/a",".c","a",true]`},
		{`{path.within("/a/b", "/a/b/../c"), path.within("/a", "/ab"), path.within("/", "/x"), path.root(), path.home()}`, `[false,false,true,"/p","/home/ada"]`},
		{`time.now()`, `1780050600`},
		{`time.format()`, `"2026-05-29T10:30:00Z"`},
		{`time.parse("2026-05-29T10:30:00Z")`, `1780050600`},
		{`time.parse("never")`, `null`},
		{`time.date(nil, "utc").weekday`, `5`},
		{`env.get("USER")`, `"value of USER"`},
		{`env.get("TZ")`, `null`},
		{`env.get("AWS_SECRET_ACCESS_KEY")`, `is not in the list`},
		{`string.format("%5.2f|%-4d|%04x|%q|%s|%%|%c", 3.14159, 7, 255, 'a"', {}, 65)`, `" 3.14|7   |00ff|\"a\\\"\"|table|%|A"`},
		{`("%10s|%-5s|%.2s"):format("é", "b", "xyz")`, `"        é|b    |xy"`},
		{`string.format("%y", 1)`, `invalid conversion`},
		{`{("hello"):byte(2, 4)}`, `[101,108,108]`},
		{`{("x"):byte(), ("x"):byte(9)}`, `[120]`},
		{`("abc"):rep(3)`, `"abcabcabc"`},
		{`("aXb"):lower() .. ("aXb"):upper() .. ("abc"):reverse()`, `"axbAXBcba"`},
		{`{("abc"):sub(2), ("abc"):sub(-2, -2), ("abc"):sub(3, 2), ("abc"):sub(0, 9), string.char(65, 66), #"abc", ("abc"):len()}`, `["bc","b","","abc","AB",3,3]`},
		{`string.char(256)`, `256 is no byte`},
		{`table.concat({1, "b", 2.5}, ",")`, `"1,b,2.5"`},
		{`table.concat({1, {}}, ",")`, `item 2 is a table`},
		{`(function() local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t end)()`, `[3,2,1]`},
		{`(function() local t = {"b", "a"} table.sort(t) table.insert(t, 1, "0") table.insert(t, "z") table.remove(t, 2) return t end)()`, `["0","b","z"]`},
		{`(function() local t = {1, "a"} table.sort(t) end)()`, `attempt to compare`},
		{`{tonumber("0x10"), tonumber(" 1e2 "), tonumber("z", 36), tonumber("1_0") == nil, tonumber("inf") == nil}`, `[16,100,35,true,true]`},
		{`tostring(setmetatable({}, {__tostring = function() return "me" end}))`, `"me"`},
		{`{tostring(nil), tostring(true), tostring(1.5), tostring(tostring), tostring(json.null)}`, `["nil","true","1.5","function","null"]`},
		{`{pcall(error, "x")}`, `[false,"hooks.PreToolUse[0]:1: x"]`},
		{`{xpcall(function() error("a", 0) end, function(e) return e .. "!" end)}`, `[false,"a!"]`},
		{`{xpcall(function() return 1, 2 end, error)}`, `[true,1,2]`},
		{`{select("#", unpack({1, 2, 3})), unpack({1, 2, 3}, 2)}`, `[3,2,3]`},
		{`1 .. "a" .. 2.5 .. "b"`, `"1a2.5b"`},
		{`setmetatable({}, {__concat = function(a, b) return "m" end}) .. "x" .. "y"`, `"m"`},
		{`"x" .. setmetatable({}, {__concat = function(a, b) return a .. "!" end})`, `"x!"`},
		{`getmetatable("") == false and getmetatable(ev) == false`, `true`},
		{`(function(...) return select("#", ...) end)(nil, nil)`, `2`},
		{`(function(s) s = s .. "x" s = s .. "y" return s end)("a")`, `"axy"`},
		{`(function(s) s = (tostring(s)) return s end)("a")`, `"a"`},
		{`(function(s) local x s, x = tostring(s), 1 return s .. x end)("a")`, `"a1"`},
		{`(function(s) local x s, x = (tostring(s)) return s .. tostring(x) end)("a")`, `"anil"`},
		{`(function(s) local x x, s = 1, s .. "b" return s .. x end)("a")`, `"ab1"`},
		{`(function(s) s = s and s .. "x" return s end)("a")`, `"ax"`},
		{`(function(s) s = nil or (tostring(s)) return s end)("a")`, `"a"`},
		{`(function() local a, t = 1, {} a, t.x, t[1] = t, a, (function() return 7, 8 end)() return {t.x, t[1], a == t} end)()`, `[1,7,true]`},
		{`(function() local t = {1, 2} t[1], t[2] = t[2], t[1] return t end)()`, `[2,1]`},
		{`(function() for i = 1, 3 do if i == 2 then goto continue end local x = {i} ::continue:: end return "ok" end)()`, `"ok"`},
	}
	for _, tt := range tests {
		if got := shows(t, r, tt.expr, call(bash(t, "ls"))); got != tt.want && (strings.HasPrefix(tt.want, `"`) || !strings.Contains(got, tt.want)) {
			t.Errorf("%s:\n got %s\nwant %s", tt.expr, got, tt.want)
		}
	}
}

// TestTable: every function of the library is there and is described.
func TestTable(t *testing.T) {
	s := New(options("/p")).newState("")
	for _, g := range library() {
		for _, f := range g.functions {
			if f.args == "" || f.doc == "" {
				t.Errorf("%s.%s is not described", g.name, f.name)
			}
			from := s.library.RawGetString(f.name)
			if g.name != "" {
				from = s.L.GetField(s.L.GetField(s.library, g.name), f.name)
			}
			if from.Type().String() != "function" {
				t.Errorf("%s.%s is a %s", g.name, f.name, from.Type())
			}
		}
	}
}

func TestState(t *testing.T) {
	p := newProject(t, "a.lua", `
on("PreToolUse", function(ev)
  local op = ev.input.command
  if op == "set" then state.set("k", {a = {1, 2}}, {ttl = 60}) end
  if op == "all" then state.set("k", "shared", {scope = "all"}) end
  if op == "delete" then state.delete("k") end
  if op == "bad" then state.set("s", "x") state.incr("s") end
  if op == "key" then state.get("") end
  if op == "ttl" then state.get("k", {ttl = -1}) end
  return output({state.get("k") or "none", state.get("k", {scope = "all"}) or "none", state.incr("n", 2)})
end)`, "b.lua", `on("PreToolUse", function() return output(state.get("k") or "none") end)`)
	a, b := p.actions("a.lua")[0], p.actions("b.lua")[0]
	steps := []struct{ session, op, want string }{
		{"1", "look", `["none","none",2]`},
		{"1", "set", `[{"a":[1,2]},"none",4]`},
		{"1", "all", `[{"a":[1,2]},"shared",6]`},
		{"2", "look", `["none","shared",2]`},
		{"1", "delete", `["none","shared",8]`},
		{"1", "bad", `state.incr: the value is no number`},
		{"1", "key", `state.get: a key of 0 bytes`},
		{"1", "ttl", `ttl is a number of seconds above 0`},
	}
	for _, st := range steps {
		ev := bash(t, st.op)
		ev.Session = st.session
		res, err := a.Run(t.Context(), call(ev))
		got := string(res.Output)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, st.want) {
			t.Errorf("%s %s: got %s, want %s", st.session, st.op, got, st.want)
		}
	}
	if res, err := b.Run(t.Context(), call(bash(t, "x"))); err != nil || string(res.Output) != `"none"` {
		t.Errorf("another policy reads %s, %v", res.Output, err)
	}
}
