package lua

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) {
	if os.Getenv(hostileFile) != "" {
		os.Exit(runHostile())
	}
	goleak.VerifyTestMain(m)
}

// cells is a store for tests.
type cells struct {
	mu sync.Mutex
	m  map[hook.StateKey][]byte
}

func (c *cells) Update(_ context.Context, k hook.StateKey, _ time.Duration, f func([]byte) []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m = map[hook.StateKey][]byte{}
	}
	if v := f(c.m[k]); v != nil {
		c.m[k] = v
	} else {
		delete(c.m, k)
	}
	return nil
}

func options(dir string) Options {
	return Options{
		Root: dir, Home: "/home/ada", State: &cells{},
		Now: func() time.Time { return time.Date(2026, 5, 29, 10, 30, 0, 0, time.UTC) },
		Env: func(name string) (string, bool) { return "value of " + name, name != "TZ" },
		Glob: func(pattern, text string) (bool, error) {
			ok, err := filepath.Match(pattern, text)
			return ok, err
		},
		Pattern: func(t hook.Text, _ hook.EventName, _ hook.Source) (func(*hook.Facts) hook.Match, error) {
			switch t.Value {
			case "yes":
				return func(*hook.Facts) hook.Match { return hook.Match{Tri: hook.Yes} }, nil
			case "unknown":
				return func(*hook.Facts) hook.Match { return hook.Match{Tri: hook.Unknown, Why: "$X"} }, nil
			case "bad":
				return nil, errors.New("no such pattern")
			}
			return func(*hook.Facts) hook.Match { return hook.Match{} }, nil
		},
	}
}

// project is a directory of policies and the runtime over it.
type project struct {
	t   testing.TB
	dir string
	r   *Runtime
}

func newProject(t testing.TB, files ...string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		p.write(files[i], files[i+1])
	}
	p.r = New(options(p.dir))
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) source() hook.Source {
	return hook.Source{Layer: hook.Project, File: p.dir + "/pawl.yaml", Dir: p.dir}
}

func (p *project) load(name string) ([]hook.Spec, []hook.Diagnostic) {
	p.t.Helper()
	files, diags := Files(p.source(), []hook.Text{{Value: name}}, nil)
	specs, more := p.r.Load(p.t.Context(), files...)
	return specs, append(diags, more...)
}

// actions loads policies that must be without fault.
func (p *project) actions(name string) []hook.Action {
	p.t.Helper()
	specs, diags := p.load(name)
	for _, d := range diags {
		p.t.Fatal(d)
	}
	var all []hook.Action
	for _, s := range specs {
		a, diags := p.r.Type().New(s, hook.Deps{})
		if len(diags) > 0 {
			p.t.Fatal(diags)
		}
		all = append(all, a)
	}
	return all
}

// inline makes the action of `lua: text`.
func inline(t testing.TB, r *Runtime, text string) hook.Action {
	t.Helper()
	a, diags := r.Type().New(entry("lua", text), hook.Deps{})
	if len(diags) > 0 {
		t.Fatalf("%v", diags)
	}
	return a
}

func entry(name, value string) hook.Spec {
	return hook.Spec{ID: "hooks.PreToolUse[0]", Event: hook.PreToolUse, Type: TypeName,
		Fields: []hook.Field{{Name: name, Value: value, Pos: hook.Position{File: "pawl.yaml", Line: 3, Col: 5}}}}
}

// object makes an Object of a JSON text.
func object(t testing.TB, text string) hook.Object {
	t.Helper()
	view := map[string]any{}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&view); err != nil {
		t.Fatal(err)
	}
	var raws map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &raws); err != nil {
		t.Fatal(err)
	}
	var members []hook.Member
	for name, raw := range raws {
		members = append(members, hook.Member{Name: name, Raw: raw})
	}
	return hook.NewObject([]byte(text), members, plainNumbers(view).(map[string]any))
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil && -maxExact <= n && n <= maxExact {
			return int(n)
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plainNumbers(v[k])
		}
	}
	return v
}

func call(ev hook.Event) hook.Call {
	words := func(texts ...string) (all []hook.Word) {
		for _, w := range texts {
			all = append(all, hook.Word{Text: w, Known: !strings.HasPrefix(w, "$")})
		}
		return all
	}
	var list []hook.Command
	for _, c := range strings.Split(commandText(&ev), ";") {
		if f := strings.Fields(c); len(f) > 0 {
			list = append(list, hook.Command{Argv: words(f...), Text: strings.Join(f, " "), Raw: c, Wrappers: []string{"sudo"},
				Assigns:   []hook.Assign{{Name: "A", Value: words("1")[0]}},
				Redirects: []hook.Redirect{{Op: ">", Target: words("/tmp/x")[0], Access: hook.Writes}}})
		}
	}
	patience := &hook.Spec{Timeout: time.Minute} // a test is not about a slow machine
	if ev.Input.Text("command") == "loop" {
		patience = &hook.Spec{}
	}
	return hook.Call{Hook: patience, Matched: hook.Match{Tri: hook.Yes}, Facts: hook.NewFacts(ev, &hook.Finder{
		Commands: func(*hook.Facts) hook.Commands { return hook.Commands{List: list} },
		Host:     func(*hook.Facts) string { return "example.com" },
		Paths: func(*hook.Facts) []hook.Path {
			return []hook.Path{{Given: "x", Clean: "/p/x", Real: "/q/x", Access: hook.Reads, Known: true}}
		}})}
}

func bash(t testing.TB, command string) hook.Event {
	raw, _ := json.Marshal(map[string]any{"command": command})
	return hook.Event{Name: hook.PreToolUse, Session: "abc", Dir: "/p", Tool: "Bash", HostTool: "shell", Mode: "plan", Input: object(t, string(raw))}
}

// says runs an inline text on an event and returns the result.
func says(t testing.TB, text string, ev hook.Event) (hook.Result, error) {
	t.Helper()
	return inline(t, New(options("/p")), text).Run(context.Background(), call(ev))
}

func TestSmoke(t *testing.T) {
	p := newProject(t, "policies/rm.lua", `
on("PreToolUse", "Bash(git push *)", function(ev)
  for _, c in ipairs(ev.commands) do
    if c:flag("--force", "-f") then return deny("no force push: " .. c.text) end
  end
  if state.incr("pushes", 1, {ttl = 3600}) > 5 then return ask("sixth push this hour") end
end)`)
	a := p.actions("policies")[0]
	res, err := a.Run(t.Context(), call(bash(t, "git push -uf origin")))
	if err != nil || res.Verdict != hook.Deny || res.Reason != "no force push: git push -uf origin" {
		t.Errorf("got %+v, %v", res, err)
	}
	for i := range 6 {
		res, err = a.Run(t.Context(), call(bash(t, "git push origin")))
		if want := i == 5; err != nil || (res.Verdict == hook.Ask) != want {
			t.Errorf("push %d: got %+v, %v", i+1, res, err)
		}
	}
}

func BenchmarkTwoFields(b *testing.B) {
	a := newProject(b, "p.lua", `on("PreToolUse", function(ev)
  if ev.tool == "Edit" and ev.command == "rm" then return deny("no") end
  if ev.command == "x" then return deny("x") end
end)`).actions("p.lua")[0]
	c := call(bash(b, "git status"))
	c.Hook.Timeout = 2 * time.Hour
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Run(ctx, c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSessions: one session, and two in parallel, which do twice as much.
// On a heap as small as a test's the collector would run all the time, on the
// processor that the second session is to have.
func BenchmarkSessions(b *testing.B) {
	host := make([]byte, 64<<20)
	defer runtime.KeepAlive(host)
	for _, n := range []int{1, 2} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a := newProject(b, "p.lua", `on("PreToolUse", function(ev)
  local n = 0
  for i = 1, 200 do n = n + i end
  if ev.tool == "Edit" and n > 0 then return deny("no") end
end)`).actions("p.lua")[0]
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			var wg sync.WaitGroup
			for i := range n {
				ev := bash(b, "git status")
				ev.Session = fmt.Sprint(i)
				c := call(ev)
				c.Hook.Timeout = 2 * time.Hour
				wg.Go(func() {
					for range b.N {
						if _, err := a.Run(ctx, c); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}
