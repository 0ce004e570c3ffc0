package lua

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestOn(t *testing.T) {
	p := newProject(t, "policies/all.lua", `-- a comment
on("PreToolUse", "Bash(rm *)", {
  ["if"] = "Bash(rm -rf *)", when = "true", name = "no-rm", message = "looking", once = true, async = true,
  timeout = "500ms", mode = "observe", unknown = "deny", on_failure = "continue",
}, function(ev) end)
on({"Stop", "SubagentStop"}, {timeout = 1500}, function(ev) end)
on("Stop", function(ev) end) on("Stop", {timeout = 2}, function(ev) end)
`)
	specs, diags := p.load("policies/all.lua")
	if len(diags) > 0 || len(specs) != 5 {
		t.Fatalf("got %v, %v", specs, diags)
	}
	pos := func(line int) hook.Position { return hook.Position{File: p.dir + "/policies/all.lua", Line: line} }
	at := func(text string, line, col int) hook.Text {
		return hook.Text{Value: text, Pos: hook.Position{File: p.dir + "/policies/all.lua", Line: line, Col: col}}
	}
	s := specs[0]
	s.Fields = nil
	want := hook.Spec{ID: "no-rm", Event: hook.PreToolUse, Source: p.source(), Pos: pos(2), Type: "lua", Matcher: at("Bash(rm *)", 2, 19),
		If: at("Bash(rm -rf *)", 3, 13), When: at("true", 3, 38), Timeout: 500 * time.Millisecond, OnFailure: hook.FailContinue,
		Unknown: hook.UnknownDeny, Observe: true, Once: true, Async: true, Message: "looking"}
	if fmt.Sprintf("%+v", s) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	for i, want := range []string{"Stop policies/all.lua:6 1.5s", "SubagentStop policies/all.lua:6#2 1.5s", "Stop policies/all.lua:7 0s", "Stop policies/all.lua:7#2 2s"} {
		s := specs[i+1]
		if got := fmt.Sprint(s.Event, " ", s.ID, " ", s.Timeout); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestRegisterElsewhere: a required file may register handlers too.
func TestRegisterElsewhere(t *testing.T) {
	p := newProject(t, "p/a.lua", "require('more')\non('Stop', function() end)", "p/more.lua", "\n\non('Stop', function() end)")
	specs, diags := p.load("p/a.lua")
	if len(diags) > 0 || len(specs) != 2 || specs[0].ID != "p/more.lua:3" || specs[0].Pos.String() != p.dir+"/p/more.lua:3" || specs[1].ID != "p/a.lua:2" {
		t.Errorf("got %+v, %v", specs, diags)
	}
}

func TestDiagnostics(t *testing.T) {
	fn := ", function() end)"
	tests := []struct{ name, text, want string }{
		{"no function", `on("Stop")`, "a.lua:1: on: expected on(event, matcher?, options?, function(ev) … end), got a nil as argument 2"},
		{"a number", "\non(1" + fn, "a.lua:2: on: expected the name of an event, got a number"},
		{"an option", `on("Stop", {tiemout = 1}` + fn, `on: unknown option "tiemout" (did you mean "timeout"?)`},
		{"a type", `on("Stop", {once = 1}` + fn, "on: option once: expected true or false, got 1"},
		{"a word", `on("Stop", {unknown = "no"}` + fn, `on: option unknown: expected one of ask, deny, skip, got "no"`},
		{"a time", `on("Stop", {timeout = "soon"}` + fn, `expected a time such as "500ms", got "soon"`},
		{"no time", `on("Stop", {timeout = 0}` + fn, "more than 0 and at most 300 seconds"},
		{"a host function", `on("Stop", deny)`, "got a function as argument 2"},
		{"a verdict", `deny("x")`, "a.lua:1: deny: only while an event is handled"},
		{"state", `state.get("x")`, "a.lua:1: state.get: only while an event is handled"},
		{"an end too few", "on('Stop', function(ev)\n  if ev.message == '' then\n    return deny('x')\nend)", `a.lua:4:4: syntax error near ")" (one end is missing: each function, then and do has its own)`},
		{"syntax", "on(\n  'Stop',,", `a.lua:2:10: syntax error near ","`},
		{"unfinished", "x = {\n", "a.lua:1: syntax error at the end of the text"},
		{"a number that is none", "local x = 0x", "illegal hexadecimal number"},
		{"a label", "goto nowhere", "no visible label 'nowhere'"},
		{"a break", "\nbreak", "a.lua:2: no loop to break"},
		{"an error object", "error({code = 7})", "a.lua: error object {code = 7}"},
		{"event", `on("PreTolUse"` + fn, `warning: unknown event "PreTolUse"`},
		{"nothing", "local x", "warning: registers no handler"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t, "a.lua", tt.text)
			specs, diags := p.load("a.lua")
			if len(diags) != 1 {
				t.Fatalf("got %v", diags)
			}
			d := diags[0]
			want, warning := strings.CutPrefix(tt.want, "warning: ")
			if !strings.Contains(d.Error(), want) || (d.Severity == hook.Warning) != warning {
				t.Errorf("got %v: %s\nwant %s", d.Severity, d.Error(), tt.want)
			}
			if warning {
				return
			}
			// What the file guarded nobody knows: stubs stand on every event that can be blocked.
			if len(specs) < 10 || specs[0].Broken == nil || specs[0].ID != "a.lua" {
				t.Errorf("%d stubs, %+v", len(specs), specs)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	p := newProject(t, "d/b.lua", "", "d/a.lua", "", "d/a_test.lua", "", "d/.x.lua", "", "d/lib/c.lua", "", "d/x.txt", "")
	files, diags := Files(p.source(), []hook.Text{{Value: "d/b.lua"}, {Value: "d"}, {Value: "none"}}, nil)
	var names []string
	for _, f := range files {
		names = append(names, shown(p.dir, f.Path))
	}
	if got := strings.Join(names, " "); got != "d/b.lua d/a.lua" {
		t.Errorf("got %s", got)
	}
	if len(diags) != 1 || diags[0].Severity != hook.Error || !strings.Contains(diags[0].Message, `"none": no such file`) {
		t.Errorf("got %v", diags)
	}
}

func TestRequire(t *testing.T) {
	p := newProject(t,
		"p/lib/words.lua", "count = (count or 0) + 1\nlocal M = {n = count}\nfunction M.bad(w) return w == 'rm' end\nreturn M",
		"p/a.lua", `local w, again = require("lib.words"), require("lib/words")
on("PreToolUse", function(ev)
  if w == again and w.n == 1 and w.bad("rm") then w.seen = (w.seen or 0) + 1 return output(w.seen) end
end)`,
		"p/b.lua", `local w = require("lib.words.lua") on("PreToolUse", function(ev) return output({w.n, w.seen or "unseen"}) end)`,
		"p/late.lua", `on("PreToolUse", function(ev) require("lib.words") end)`,
		"p/loop.lua", `require("loop1")`, "p/loop1.lua", `require("loop2")`, "p/loop2.lua", `require("loop1")`,
		"p/broken.lua", `require("lib.none")`,
		"p/faulty.lua", `require("lib.faulty")`, "p/lib/faulty.lua", "local x = 1\nx.y.z = 2",
		"p/up.lua", `require("../secret")`, "p/abs.lua", `require("/etc/passwd")`, "p/link.lua", `require("out")`,
		"secret.lua", "return 'secret'")
	if err := os.Symlink(p.dir+"/secret.lua", p.dir+"/p/out.lua"); err != nil {
		t.Fatal(err)
	}
	a, b := p.actions("p/a.lua")[0], p.actions("p/b.lua")[0]
	run := func(a hook.Action) string {
		res, err := a.Run(t.Context(), call(bash(t, "ls")))
		if err != nil {
			return err.Error()
		}
		return string(res.Output)
	}
	for _, want := range []string{"1", "2"} {
		if got := run(a); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := run(b); got != `[1,"unseen"]` {
		t.Errorf("another policy shares the module: %s", got)
	}
	if got := run(p.actions("p/late.lua")[0]); !strings.Contains(got, "call require at its top level") {
		t.Error(got)
	}
	for name, want := range map[string]string{
		"p/loop.lua":   `"loop1" is being loaded: files that need each other`,
		"p/broken.lua": `no such file below p`,
		"p/faulty.lua": "p/lib/faulty.lua:2: attempt to index",
		"p/up.lua":     "only files below the directory",
		"p/abs.lua":    "only files below the directory",
		"p/link.lua":   "only files below the directory",
	} {
		if _, diags := p.load(name); len(diags) != 1 || !strings.Contains(diags[0].Message, want) && !strings.Contains(diags[0].Error(), want) {
			t.Errorf("%s: got %v, want %s", name, diags, want)
		}
	}
	if s := strings.Join(p.r.Sources(), " "); !strings.Contains(s, "lib/words.lua") || strings.Contains(s, "secret") {
		t.Errorf("sources %s", s)
	}
}

// TestUnstable: a session in which a policy registers something else than
// when it was loaded gets no answer from it.
func TestUnstable(t *testing.T) {
	p := newProject(t, "a.lua", `
on(time.now() < 10 and "Stop" or "PreToolUse", function() return allow() end)
if time.now() > 20 then on("Stop", function() end) end`)
	var now time.Time
	p.r.opts.Now = func() time.Time { return now }
	now = time.Unix(15, 0)
	a := p.actions("a.lua")[0]
	for sec, want := range map[int64]string{
		15: "", 5: "a.lua:2: registers another handler in this session", 25: "a.lua: registered 2 handlers in this session and 1 when it was loaded",
	} {
		now = time.Unix(sec, 0)
		ev := bash(t, "ls")
		ev.Session = fmt.Sprint(sec)
		if _, err := a.Run(t.Context(), call(ev)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("at %d: got %v, want %s", sec, err, want)
		}
	}
}

func TestEntries(t *testing.T) {
	p := newProject(t, "ok.lua", "return function(ev) return deny('by ' .. ev.tool) end",
		"on.lua", "on('Stop', function() end)", "none.lua", "x = 1", "bad.lua", "return function(")
	make := func(pairs ...string) (hook.Action, []hook.Diagnostic) {
		s := hook.Spec{ID: "hooks.Stop[0]", Type: TypeName, Source: p.source()}
		for i := 0; i < len(pairs); i += 2 {
			s.Fields = append(s.Fields, hook.Field{Name: pairs[i], Value: pairs[i+1], Pos: hook.Position{File: "pawl.yaml", Line: 7}})
		}
		return p.r.Type().New(s, hook.Deps{})
	}
	a, diags := make("script", "ok.lua")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if res, err := a.Run(t.Context(), call(bash(t, "ls"))); err != nil || res.Reason != "by Bash" {
		t.Errorf("got %+v, %v", res, err)
	}
	tests := []struct {
		pairs []string
		want  string
	}{
		{nil, `missing "script" or "lua"`},
		{[]string{"script", "a", "lua", "b"}, `both "script" and "lua"`},
		{[]string{"script", "on.lua"}, "on.lua:1: on: only while a policy file is loaded"},
		{[]string{"script", "none.lua"}, "must return one function(ev)"},
		{[]string{"script", "bad.lua"}, "bad.lua:1: syntax error at the end of the text"},
		{[]string{"script", "gone.lua"}, "no such file"},
		{[]string{"lua", "return deny("}, "pawl.yaml:7: hooks.Stop[0]: hooks.Stop[0]:1: syntax error"},
		{[]string{"lua", "return 1", "luaa", "x"}, `unknown key "luaa"`},
	}
	for _, tt := range tests {
		if _, diags := make(tt.pairs...); len(diags) == 0 || !strings.Contains(diags[0].Error(), tt.want) {
			t.Errorf("%v: got %v, want %s", tt.pairs, diags, tt.want)
		}
	}
}

// FuzzLoad: no text panics or hangs the way to a prototype, and what
// compiles runs within its limits.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"x = {", "on('Stop', function(ev) return deny('a'..1 ..ev.x) end)", "a.b[c], d = f(...), g{...}", "::l:: goto l",
		"for k, v in pairs({[1]=2}) do local function f() return f() end end", "repeat local x = {} until x.y", "x = -- [==[ ]==]\n [[]]"} {
		f.Add(seed)
	}
	files, err := filepath.Glob("testdata/lua/hostile/*.lua")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 4<<10 {
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := New(options("/p"))
		r.opts.Read = func(string) ([]byte, error) { return []byte(text), nil }
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		specs, diags := r.Load(ctx, File{Path: "/p/a.lua"})
		if len(specs) == 0 && len(diags) == 0 && len(r.Tasks())+len(r.Subagents()) == 0 {
			t.Fatal("neither a hook nor a word")
		}
		for _, d := range r.Lint() {
			if d.Pos.Line < 1 || d.Pos.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("found outside of the text: %v", d)
			}
		}
	})
}

// manyPolicies is a directory of 100 policy files of 50 lines.
func manyPolicies(b *testing.B) *project {
	p := newProject(b)
	for i := range 100 {
		text := "local words = {'a', 'b', 'c'}\n"
		for j := range 6 {
			text += fmt.Sprintf("on('PreToolUse', 'Bash', function(ev)\n  for _, c in ipairs(ev.commands) do\n    if c.name == 'n%d' and c:flag('-f') then\n      return deny('no ' .. c.text)\n    end\n  end\n  local n = #words + %d\nend)\n", j, i)
		}
		p.write(fmt.Sprintf("d/%03d.lua", i), text)
	}
	return p
}

func BenchmarkLoad(b *testing.B) {
	p := manyPolicies(b)
	for b.Loop() {
		p.r = New(options(p.dir))
		if specs, diags := p.load("d"); len(specs) != 600 || len(diags) > 0 {
			b.Fatal(len(specs), diags)
		}
	}
}
